import type { Answer } from "./answer.js";
import type { ServerClock } from "./clock.js";
import type { Timers } from "./host.js";
import type { Fields, Replied, Route } from "./requests.js";

/** What tables, lobby and places have of their room. */
export interface Hub {
  readonly clock: ServerClock;
  readonly timers: Timers;
  /** Whether there is a connection. */
  readonly open: boolean;
  readonly player: string | null;
  ask<R extends Route>(route: R, fields: Fields<R>): Promise<Answer<Replied<R>>>;
}
