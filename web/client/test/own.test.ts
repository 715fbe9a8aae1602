import assert from "node:assert/strict";
import { test } from "node:test";
import type { SeatState } from "@cardroom/sdk";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { HereContext } from "../src/app/context.js";
import { Visit } from "../src/app/visit.js";
import { mailCommand } from "../src/auth/SignIn.js";
import { FakeRoom, FakeTable } from "../src/dev/fake-room.js";
import { ACCOUNT, hall, tableView } from "../src/dev/scenes.js";
import { shown } from "../src/money/amount.js";
import { POINT } from "../src/money/numerals.js";
import { OwnBar } from "../src/table/OwnBar.js";

const money = (amount: number) => shown(amount, "PHP", POINT);

/** The words and the buttons of one's own bar, in this scene with such a seat. */
function bar(scene: "waiting" | "out" | "idle", seat: Partial<SeatState>): { words: string; buttons: string[] } {
  const view = tableView({ seats: 4, scene });
  assert(view.own);
  const table = new FakeTable(view);
  const visit = new Visit(new FakeRoom("Ann", [table], hall(), new Map(), ACCOUNT), false, "");
  const here = {
    config: { ws: "", cognito: { endpoint: null, region: "", clientId: "", userPoolId: "" }, local: false },
    visit,
    signOut: () => undefined,
    toSignIn: () => undefined,
  };
  const own = { ...view.own, ...seat };
  const shownBar = createElement(OwnBar, { table, view, own, money, onTopUp: () => undefined });
  const html = renderToStaticMarkup(createElement(HereContext, { value: here }, shownBar));
  return {
    words: /<p[^>]*>(.*?)<\/p>/.exec(html)?.[1] ?? "",
    buttons: [...html.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map((match) => match[1] ?? ""),
  };
}

test("who sits out is told so, and how he comes back", () => {
  assert.deepEqual(bar("out", { owes: { small: false, big: false } }), {
    words: "You sit out. Who sits out for long loses the seat.",
    buttons: ["I am back"],
  });
  assert.deepEqual(bar("out", {}), {
    words: "You sit out. Who sits out for long loses the seat. You owe both blinds.",
    buttons: ["Post and play", "Wait for the big blind"],
  });
});

test("who sits out from the next hand on is told so in the running one", () => {
  assert.deepEqual(bar("waiting", { status: "out" }), {
    words: "You sit out from the next hand on.",
    buttons: ["I am back"],
  });
});

test("who has no chips is told how many he needs", () => {
  assert.deepEqual(bar("out", { stack: 0, owes: { small: false, big: false } }), {
    words: "You have no chips. Top up by ₱100 or more, then sit in.",
    buttons: ["Top up"],
  });
});

test("who waits, plans or leaves is told so", () => {
  assert.deepEqual(bar("idle", { status: "waiting" }), {
    words: "You wait for the big blind.",
    buttons: ["Post now instead"],
  });
  assert.deepEqual(bar("waiting", { plan: "leave", topup: 5_000, refill: 80_000 }), {
    words:
      "You leave rather than post the big blind. Before each hand you top up to ₱800. ₱50 comes onto your stack when the hand is over.",
    buttons: ["Keep playing"],
  });
  assert.deepEqual(bar("waiting", { exit: "left" }), { words: "You leave when the hand is over.", buttons: [] });
});

test("no command is made of what is no name", () => {
  assert.equal(mailCommand("Dora_1"), ".venv/bin/cardroom mail Dora_1");
  for (const name of ["", "Dora; rm -rf /", "-x", "$(id)", "a b"]) {
    assert.equal(mailCommand(name), ".venv/bin/cardroom mail NAME");
  }
});
