import type { DisputeView, Failure, Frozen } from "@cardroom/sdk";
import { type FormEvent, useState } from "react";
import { useVisit } from "../app/context.js";
import { useNumerals, useTexts } from "../app/hooks.js";
import { failureText } from "../texts/failure.js";
import { dayAndTime } from "../texts/moment.js";
import { Dialog } from "../ui/Dialog.js";
import { Field } from "../ui/Field.js";
import type { PastHand } from "./playback.js";

/** Characters, as the room takes them. */
const MOST = 300;

/** Of a hand that one had cards in: what one wrote of it to support, and its answer; or the way to write. */
export function DisputeNote({ hand }: { hand: PastHand }) {
  const { guest } = useVisit();
  const { dispute: texts } = useTexts();
  const [told, setTold] = useState<Frozen<DisputeView> | null>(hand.dispute ?? null);
  const [writes, setWrites] = useState(false);
  if (guest || hand.seat === null) return null;
  if (told === null) {
    return (
      <div className="replay-dispute">
        <button type="button" className="button" onClick={() => setWrites(true)} data-testid="dispute">
          {texts.button}
        </button>
        {writes && <DisputeDialog hand={hand} onClose={() => setWrites(false)} onDone={setTold} />}
      </div>
    );
  }
  return (
    <section className="replay-dispute" aria-labelledby="dispute-title" data-testid="disputed">
      <h2 id="dispute-title">{texts.title}</h2>
      <p>
        {texts.wrote(dayAndTime(told.at))} <q>{told.text}</q>
      </p>
      {told.closed === null ? (
        <p role="status" data-testid="dispute-waits">
          {texts.waits}
        </p>
      ) : (
        <p data-testid="dispute-word">
          {texts.answered(dayAndTime(told.closed))} <q>{told.word}</q>
        </p>
      )}
    </section>
  );
}

interface DialogProps {
  readonly hand: PastHand;
  readonly onClose: () => void;
  readonly onDone: (told: Frozen<DisputeView>) => void;
}

function DisputeDialog({ hand, onClose, onDone }: DialogProps) {
  const { room } = useVisit();
  const texts = useTexts();
  const numerals = useNumerals();
  const [text, setText] = useState("");
  const [failure, setFailure] = useState<Failure | null>(null);
  const [sends, setSends] = useState(false);
  const written = text.trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (written === "" || sends) return;
    setSends(true);
    const answer = await room.dispute({ table: hand.table, hand: hand.number, text: written });
    setSends(false);
    if (answer.ok) onDone({ text: written, at: room.clock.now(), closed: null, word: null });
    else setFailure(answer.error);
  };
  return (
    <Dialog title={texts.replay.of(hand.number, hand.table)} onClose={onClose} testId="dispute-dialog">
      <form className="form" onSubmit={(event) => void submit(event)}>
        <p className="form-note">{texts.dispute.note}</p>
        <Field
          label={texts.dispute.what}
          note={texts.dispute.left(MOST - text.length)}
          value={text}
          maxLength={MOST}
          autoComplete="off"
          required
          onChange={(event) => setText(event.target.value)}
          data-testid="dispute-text"
        />
        <p role="alert" className="form-fault" data-testid="dispute-fault">
          {failure && failureText(failure, texts, numerals, "")}
        </p>
        <div className="dialog-buttons">
          <button type="button" className="button" onClick={onClose}>
            {texts.common.cancel}
          </button>
          <button
            type="submit"
            className="button button-strong"
            disabled={written === "" || sends}
            data-testid="dispute-submit"
          >
            {texts.dispute.submit}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
