import type { Answer, Frozen, PastView } from "@cardroom/sdk";
import type { RoomPort } from "../app/ports.js";

/** Questions in a row: an answer may be empty while there are older hands. */
const ASKED_MOST = 5;
const ENOUGH = 10;

/** One's hands at a table, from where `before` ended; without it the newest. */
export async function gather(
  room: Pick<RoomPort, "hands">,
  table: string | null,
  before?: Frozen<PastView>,
): Promise<Answer<Frozen<PastView>>> {
  let found = before;
  for (let asked = 0; asked < ASKED_MOST; asked += 1) {
    const up_to = found?.next;
    const at = found?.table ?? table;
    const answer: Answer<Frozen<PastView>> = await room.hands({
      ...(at === null ? {} : { table: at }),
      ...(up_to ? { up_to } : {}),
    });
    if (!answer.ok) return answer;
    const hands = [...(found?.hands ?? []), ...answer.value.hands];
    found = { ...answer.value, hands };
    if (found.next === null || hands.length - (before?.hands.length ?? 0) >= ENOUGH) break;
  }
  return found === undefined ? room.hands({}) : { ok: true, value: found };
}
