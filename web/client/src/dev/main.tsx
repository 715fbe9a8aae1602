/**
 * Scenes to look at, chosen in the address: `dev.html?page=table&seats=9&scene=showdown#/table/php-5-10-1`. Not shipped.
 */
import type { Frozen, PastHandView } from "@cardroom/sdk";
import { createRoot } from "react-dom/client";
import { HereContext } from "../app/context.js";
import { applyPreferences, prefer } from "../app/preferences.js";
import { Shell } from "../app/Shell.js";
import { Visit } from "../app/visit.js";
import { SignIn } from "../auth/SignIn.js";
import { UserPool } from "../auth/userpool.js";
import "../styles/all.css";
import hands from "../../test/past-hands.json" with { type: "json" };
import { FakeRoom, FakeTable } from "./fake-room.js";
import { ACCOUNT, hall, places, tableView, type Wish } from "./scenes.js";

/** What the tests of the replayer play. */
const past = hands.map(({ hand }) => hand) as unknown as Frozen<PastHandView>[];
const asked = new URLSearchParams(location.search);
applyPreferences();
prefer({
  theme: asked.get("theme") === "light" ? "light" : "dark",
  language: asked.get("language") === "fil" ? "fil" : "en",
  fourColours: asked.has("four"),
});
const config = {
  ws: "ws://127.0.0.1:1/",
  cognito: { endpoint: "http://127.0.0.1:1/", region: "x", clientId: "x", userPoolId: "x_x" },
  local: true,
};
const nobody = () => undefined;
const root = createRoot(document.getElementById("app") as HTMLElement);
if (asked.get("page") === "sign-in") {
  root.render(<SignIn pool={new UserPool(config.cognito)} local wasOut={false} onIn={nobody} onGuest={nobody} />);
} else {
  const own = asked.has("watch") ? null : 0;
  const wish: Wish = {
    seats: Number(asked.get("seats") ?? 6),
    scene: (asked.get("scene") ?? "turn") as Wish["scene"],
    own,
    game: asked.get("game") === "fl" ? "fl" : "nl",
  };
  const table = new FakeTable(tableView(wish));
  const line = asked.has("line") ? places() : new Map();
  const room = new FakeRoom("Ann", [table], hall(), line, ACCOUNT, past);
  const visit = new Visit(room, asked.has("guest"));
  visit.begin();
  Object.assign(window, { scene: { table, tableView, wish } });
  root.render(
    <HereContext value={{ config, visit, signOut: nobody, toSignIn: nobody }}>
      <Shell />
    </HereContext>,
  );
}
