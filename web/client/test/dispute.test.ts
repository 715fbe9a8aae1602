import assert from "node:assert/strict";
import { test } from "node:test";
import type { DisputeView, Frozen } from "@cardroom/sdk";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { HereContext } from "../src/app/context.js";
import { Visit } from "../src/app/visit.js";
import { FakeRoom } from "../src/dev/fake-room.js";
import { ACCOUNT, hall } from "../src/dev/scenes.js";
import { DisputeNote } from "../src/replayer/DisputeNote.js";
import type { PastHand } from "../src/replayer/playback.js";
import { en } from "../src/texts/en.js";
import recorded from "./past-hands.json" with { type: "json" };

const HANDS = (recorded as unknown as readonly { readonly hand: PastHand }[]).map(({ hand }) => hand);

function note(hand: PastHand, guest = false): string {
  const visit = new Visit(new FakeRoom(guest ? null : "p0", [], hall(), new Map(), ACCOUNT), guest, "");
  const nobody = () => undefined;
  const config = { ws: "", cognito: { endpoint: null, region: "", clientId: "", userPoolId: "" }, local: true };
  const here = { config, visit, signOut: nobody, toSignIn: nobody };
  return renderToStaticMarkup(createElement(HereContext, { value: here }, createElement(DisputeNote, { hand })));
}

test("only who had cards is offered to dispute a hand", () => {
  for (const hand of HANDS) {
    assert.equal(note(hand).includes(en.dispute.button), hand.seat !== null);
    assert(!note(hand, true).includes(en.dispute.button));
  }
});

test("a disputed hand shows what was written, and support's word once there is one, neither as markup", () => {
  const hand = HANDS.find(({ seat }) => seat !== null);
  assert(hand);
  const dispute: Frozen<DisputeView> = { text: "<b>my flush</b>", at: 5, closed: null, word: null };
  const waiting = note({ ...hand, dispute });
  assert(waiting.includes("&lt;b&gt;my flush&lt;/b&gt;"));
  assert(waiting.includes(en.dispute.waits));
  assert(!waiting.includes(en.dispute.button));
  const answered = note({ ...hand, dispute: { ...dispute, closed: 9, word: "<i>split</i>" } });
  assert(answered.includes("&lt;i&gt;split&lt;/i&gt;"));
  assert(!answered.includes(en.dispute.waits));
});
