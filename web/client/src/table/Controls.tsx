import type { TableView } from "@cardroom/sdk";
import { useHere } from "../app/context.js";
import { useTexts } from "../app/hooks.js";
import type { TablePort } from "../app/ports.js";
import { made } from "../words/made.js";
import { OwnBar } from "./OwnBar.js";
import { PreBar } from "./PreBar.js";
import { TurnBar } from "./TurnBar.js";
import { useDo } from "./useDo.js";
import { useGuard } from "./useGuard.js";

interface Props {
  readonly table: TablePort;
  readonly view: TableView;
  readonly money: (amount: number) => string;
  readonly onTopUp: () => void;
}

/** All that can be done at the table at this moment. */
export function Controls({ table, view, money, onTopUp }: Props) {
  const texts = useTexts();
  const { visit, toSignIn } = useHere();
  const { own, turn, state } = view;
  const currency = state?.settings.currency ?? "";
  const does = useDo(currency);
  const guard = useGuard(offerKey(view));
  const playing = own?.in_hand && !own.folded && !own.all_in && own.exit === null ? own : null;
  return (
    <div className="controls" data-testid="controls" data-yours={view.yourTurn ? "" : undefined}>
      <HandWords view={view} />
      {view.yourTurn && own && (
        <TurnBar
          key={`${view.turn.hand}:${view.turn.number}`}
          turn={view.turn}
          own={own}
          pot={state?.hand?.pot ?? 0}
          currency={currency}
          money={money}
          guard={guard}
          onAct={(act, to) => does(table.act(view.turn, act, to))}
        />
      )}
      {turn && !view.yourTurn && playing && (
        <PreBar
          turn={turn}
          own={playing}
          money={money}
          guard={guard}
          onPrepare={(act) => void does(table.preAct(turn, act))}
        />
      )}
      {own && !view.yourTurn && <OwnBar table={table} view={view} own={own} money={money} onTopUp={onTopUp} />}
      {!own && state && (
        <section className="rail" data-testid="rail">
          <p>{visit.guest ? texts.table.guest : `${texts.table.spectator} ${texts.table.pickSeat}`}</p>
          {visit.guest && (
            <button type="button" className="button" onClick={toSignIn} data-testid="rail-sign-in">
              {texts.lobby.signIn}
            </button>
          )}
        </section>
      )}
    </div>
  );
}

/** Names what is offered: with another name nothing that was begun before counts. */
export function offerKey(view: TableView): string {
  const { turn, own } = view;
  if (turn === null || own === null) return "none";
  if (view.yourTurn)
    return `act ${turn.hand} ${turn.number} ${turn.price} ${turn.to_call} ${turn.min_to} ${turn.max_to}`;
  return `pre ${turn.hand} ${turn.price} ${own.bet} ${own.stack}`;
}

function HandWords({ view }: { view: TableView }) {
  const texts = useTexts();
  const { hole, own, state } = view;
  if (hole.length !== 2 || own === null || own.folded) return null;
  const hand = made([...hole, ...(state?.hand?.board ?? [])]);
  if (hand === null) return null;
  return (
    <p className="hand-words" data-testid="hand-words">
      <span className="sr-only">{texts.table.yourHand("")}</span>
      {texts.hand(hand)}
    </p>
  );
}
