import { type Answer, done } from "./answer.js";
import type { Frozen } from "./frozen.js";
import type { Hub } from "./hub.js";
import type { OfferPush, WaitingView } from "./messages.js";
import { Cell, type Observable } from "./observable.js";

/** A place in the line for a seat at a stake. */
export interface Place {
  readonly structure: string;
  /** From 1, and of how many, as last told; null where that is not known. */
  readonly place: number | null;
  readonly length: number | null;
  /** Where a seat is on offer until then; both null while none is. */
  readonly table: string | null;
  readonly until: number | null;
}

export type PlacesByStructure = ReadonlyMap<string, Place>;

/** Where the player waits for a seat. */
export class Places implements Observable<PlacesByStructure> {
  readonly #hub: Hub;
  readonly #places = new Cell<PlacesByStructure>(new Map());
  /** When what is known of a stake's line was so. */
  readonly #at = new Map<string, number>();

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  readonly get = (): PlacesByStructure => this.#places.get();

  readonly subscribe = (listener: (places: PlacesByStructure) => void): (() => void) =>
    this.#places.subscribe(listener);

  async wait(structure: string): Promise<Answer<Frozen<WaitingView>>> {
    const answer = await this.#hub.ask("wait", { structure });
    if (!answer.ok) return answer;
    const { waiting, now } = answer.value.reply;
    if (this.#isNews(structure, now)) this.#set(structure, waiting);
    return done(waiting);
  }

  async unwait(structure: string): Promise<Answer<undefined>> {
    const answer = await this.#hub.ask("unwait", { structure });
    if (!answer.ok) return answer;
    this.drop(structure);
    return done(undefined);
  }

  receive(offer: Frozen<OfferPush>): void {
    const { structure, table, until, waiting, now } = offer;
    if (!this.#isNews(structure, now)) return;
    const known = this.get().get(structure);
    const { place = null, length = null } = known ?? {};
    this.#set(structure, waiting ? { structure, place, length, table, until } : null);
  }

  /** Whoever sits at a stake waits for it no more. */
  drop(structure: string): void {
    this.#set(structure, null);
  }

  /** These are all that he has, as it was at `now`. */
  load(lines: readonly Place[], now: number): void {
    const named = new Map(lines.map((place) => [place.structure, place]));
    for (const structure of new Set([...this.get().keys(), ...named.keys()])) {
      if (this.#isNews(structure, now)) this.#set(structure, named.get(structure) ?? null);
    }
  }

  #isNews(structure: string, now: number): boolean {
    if (now < (this.#at.get(structure) ?? 0)) return false;
    this.#at.set(structure, now);
    return true;
  }

  #set(structure: string, place: Place | null): void {
    const places = new Map(this.get());
    if (place !== null) places.set(structure, place);
    else if (!places.delete(structure)) return;
    this.#places.set(places);
  }
}
