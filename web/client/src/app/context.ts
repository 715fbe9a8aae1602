import { createContext, useContext } from "react";
import type { Config } from "../config.js";
import type { Visit } from "./visit.js";

export interface Here {
  readonly config: Config;
  readonly visit: Visit;
  readonly signOut: () => void;
  /** For a guest: to the sign-in. */
  readonly toSignIn: () => void;
}

export const HereContext = createContext<Here | null>(null);

export function useHere(): Here {
  const here = useContext(HereContext);
  if (here === null) throw new Error("not in the room");
  return here;
}

export function useVisit(): Visit {
  return useHere().visit;
}
