import type { Place } from "@cardroom/sdk";
import { useState } from "react";
import { shown } from "../money/amount.js";
import { BuyInDialog } from "../table/BuyInDialog.js";
import { gameText } from "../table/stakes.js";
import { useDo } from "../table/useDo.js";
import { secondsUntil } from "../texts/moment.js";
import { useVisit } from "./context.js";
import { useNumerals, useObservable, useTexts, useTicks } from "./hooks.js";

/** Seats that are on offer, wherever one is in the room. */
export function Offers() {
  const { room } = useVisit();
  const places = useObservable(room.places);
  const offers = [...places.values()].filter((place) => place.table !== null && place.until !== null);
  useTicks(250, offers.length > 0);
  const open = offers.filter(({ until }) => until !== null && until > room.clock.now());
  return open.map((place) => <Offer key={place.structure} place={place} />);
}

function Offer({ place }: { place: Place }) {
  const visit = useVisit();
  const { room } = visit;
  const texts = useTexts();
  const numerals = useNumerals();
  const does = useDo("");
  const hall = useObservable(room.lobby);
  const [taking, setTaking] = useState(false);
  const row =
    hall?.tables.find((one) => one.table === place.table) ??
    hall?.tables.find((one) => one.structure === place.structure);
  const seconds = secondsUntil(place.until ?? 0, room.clock.now());
  return (
    <section className="offer" role="alert" data-testid="offer">
      <p>
        <b>{texts.offer.title(place.table ?? "")}</b> <span aria-live="off">{texts.offer.seconds(seconds)}</span>
      </p>
      <div className="offer-buttons">
        <button
          type="button"
          className="button button-strong"
          onClick={() => setTaking(true)}
          disabled={!row}
          data-testid="offer-take"
        >
          {texts.offer.take}
        </button>
        <button
          type="button"
          className="button"
          onClick={() => void does(room.unwait(place.structure))}
          data-testid="offer-decline"
        >
          {texts.offer.decline}
        </button>
      </div>
      {taking && row && (
        <BuyInDialog
          what={gameText(row, (amount) => shown(amount, row.currency, numerals), texts)}
          currency={row.currency}
          minimum={row.minimum}
          maximum={row.maximum}
          onBuy={async (wish) => {
            const answer = await room.quickSeat({ structure: place.structure, ...wish });
            if (answer.ok) visit.go({ page: "table", table: answer.value.table.id });
            return answer;
          }}
          onClose={() => setTaking(false)}
        />
      )}
    </section>
  );
}
