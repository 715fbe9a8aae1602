import type { SeatState, TableView } from "@cardroom/sdk";
import { useTexts } from "../app/hooks.js";
import type { TablePort } from "../app/ports.js";
import { cardName } from "./Card.js";
import { winnings } from "./deeds.js";
import { useDo } from "./useDo.js";

interface Props {
  readonly table: TablePort;
  readonly view: TableView;
  readonly own: SeatState;
  readonly money: (amount: number) => string;
  readonly onTopUp: () => void;
}

/** What a seated player can do where it is not his turn. */
export function OwnBar({ table, view, own, money, onTopUp }: Props) {
  const texts = useTexts();
  const { settings, hand } = view.state ?? {};
  const does = useDo(settings?.currency ?? "");
  const plays = own.in_hand && !!hand && !hand.over;
  const owes = owedText(own, texts);
  const broke = own.stack === 0 && !plays && (own.status === "out" || !own.refill);
  const lines: string[] = [];
  if (own.exit !== null) lines.push(texts.own.leaving);
  else if (broke)
    lines.push(texts.own.noChips, texts.own.noChipsTopUp(money(Math.max(1, (settings?.minimum ?? 0) - own.topup))));
  else if (own.status === "out")
    lines.push(...(plays ? [texts.own.isOutNext] : [texts.own.isOut, texts.own.isOutLimit]));
  else if (!plays && own.status === "waiting") lines.push(texts.own.isWaiting);
  else if (!plays && own.status === "posting") lines.push(texts.own.isPosting);
  if (own.plan === "sit_out") lines.push(texts.own.planOut);
  if (own.plan === "leave") lines.push(texts.own.planLeave);
  if (own.refill) lines.push(texts.own.autoTopUpIs(money(own.refill)));
  if (own.topup > 0) lines.push(texts.own.topUpWaits(money(own.topup)));
  if (own.status === "out" && owes) lines.push(texts.own.owes(owes));
  const stays = own.exit === null;
  return (
    <section className="own-bar" data-testid="own-bar">
      {lines.length > 0 && <p className="own-text">{lines.join(" ")}</p>}
      <div className="own-buttons">
        {stays && broke && (
          <button type="button" className="button" onClick={onTopUp} data-testid="top-up">
            {texts.own.topUp}
          </button>
        )}
        {stays && own.status === "out" && (!broke || own.topup > 0) && (
          <>
            <button
              type="button"
              className="button button-strong"
              data-testid="sit-in"
              onClick={() => void does(table.sitIn({ post: owes !== null }))}
            >
              {owes === null ? texts.own.sitIn : texts.own.postAndPlay}
            </button>
            {owes !== null && (
              <button
                type="button"
                className="button"
                data-testid="sit-in-wait"
                onClick={() => void does(table.sitIn({ post: false }))}
              >
                {texts.own.waitForBlind}
              </button>
            )}
          </>
        )}
        {stays && !plays && own.status === "waiting" && (
          <button
            type="button"
            className="button"
            data-testid="post-now"
            onClick={() => void does(table.sitIn({ post: true }))}
          >
            {texts.own.postNow}
          </button>
        )}
        {stays && own.plan && (
          <button
            type="button"
            className="button"
            data-testid="keep-playing"
            onClick={() => void does(own.plan === "leave" ? table.leave("never") : table.sitOut("never"))}
          >
            {texts.own.sitOutNever}
          </button>
        )}
        <ShowCards table={table} view={view} />
      </div>
    </section>
  );
}

/** After a hand that was won unseen. */
function ShowCards({ table, view }: Pick<Props, "table" | "view">) {
  const texts = useTexts();
  const does = useDo(view.state?.settings.currency ?? "");
  const { hole, seat } = view;
  const hand = view.state?.hand;
  if (!hand?.over || hand.voided || hole.length !== 2 || seat === null) return null;
  if (!winnings(hand).has(seat) || (hand.shown.find((one) => one.seat === seat)?.cards.length ?? 0) === 2) return null;
  return (
    <fieldset className="show" data-testid="show-cards">
      <legend className="sr-only">{texts.own.show}</legend>
      {hole.map((card, at) => (
        <button
          key={card}
          type="button"
          className="button-small"
          data-testid={`show-${at}`}
          onClick={() => void does(table.show([at]))}
        >
          {texts.own.showOne(cardName(card, texts))}
        </button>
      ))}
      <button
        type="button"
        className="button-small"
        data-testid="show-both"
        onClick={() => void does(table.show([0, 1]))}
      >
        {texts.own.showBoth}
      </button>
    </fieldset>
  );
}

function owedText(own: SeatState, texts: ReturnType<typeof useTexts>): string | null {
  const { small = false, big = false } = own.owes ?? {};
  if (small && big) return texts.own.owesBoth;
  return big ? texts.own.owesBig : small ? texts.own.owesSmall : null;
}
