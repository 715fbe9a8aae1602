import { Room } from "@cardroom/sdk";
import { useEffect, useState } from "react";
import { Keeper } from "../auth/keeper.js";
import { SignIn } from "../auth/SignIn.js";
import { type Tokens, UserPool } from "../auth/userpool.js";
import type { Config } from "../config.js";
import { HereContext } from "./context.js";
import { deviceName } from "./device.js";
import { Shell } from "./Shell.js";
import { Visit } from "./visit.js";

/** From the door into the room and out again. */
export function App({ config }: { config: Config }) {
  const [pool] = useState(() => new UserPool(config.cognito));
  const [keeper] = useState(() => new Keeper(pool, config.cognito.clientId, localStorage, sessionStorage));
  const [visit, setVisit] = useState<Visit | null>(() => (keeper.signedIn ? player(config, keeper) : null));
  const [wasOut, setWasOut] = useState(false);
  useEffect(() => {
    if (visit === null) return;
    visit.begin();
    const end = visit.room.connection.subscribe(({ state }) => {
      if (state !== "signed_out" || visit.guest) return;
      setWasOut(true);
      setVisit(null);
    });
    return () => {
      end();
      visit.end();
    };
  }, [visit]);
  if (visit === null) {
    const enter = (tokens: Tokens, onDevice: boolean) => {
      keeper.keep(tokens, onDevice);
      setVisit(player(config, keeper));
    };
    const watch = () => setVisit(new Visit(new Room({ url: config.ws }), true));
    return <SignIn pool={pool} local={config.local} wasOut={wasOut} onIn={enter} onGuest={watch} />;
  }
  const leave = () => {
    setWasOut(false);
    setVisit(null);
  };
  const signOut = () => {
    void keeper.signOut();
    leave();
  };
  return (
    <HereContext value={{ config, visit, signOut, toSignIn: leave }}>
      <Shell />
    </HereContext>
  );
}

function player(config: Config, keeper: Keeper): Visit {
  const device = deviceName(localStorage, (bytes) => crypto.getRandomValues(bytes));
  return new Visit(new Room({ url: config.ws, token: keeper.token, device }), false);
}
