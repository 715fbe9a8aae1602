import { useVisit } from "../app/context.js";
import { useTexts } from "../app/hooks.js";
import type { RoomPort } from "../app/ports.js";
import { useDo } from "../table/useDo.js";

export type LimitsChange = NonNullable<Parameters<RoomPort["limits"]>[0]>;

/** Changes one's own limits, and shows what holds then. True where it was done. */
export function useLimits(): (change: LimitsChange) => Promise<boolean> {
  const visit = useVisit();
  const texts = useTexts();
  const does = useDo("");
  return async (change) => {
    const answer = await does(visit.room.limits(change));
    if (!answer.ok) return false;
    const account = visit.account.get();
    if (account !== null) visit.account.set({ ...account, limits: answer.value });
    visit.notices.tell(texts.account.saved);
    return true;
  };
}
