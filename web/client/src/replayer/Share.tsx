import { useVisit } from "../app/context.js";
import { useTexts } from "../app/hooks.js";
import { hashOf } from "../app/route.js";
import { gameText } from "../table/stakes.js";
import { download } from "../ui/download.js";
import { paint } from "./paint.js";
import { PICTURE, pictureOf } from "./picture.js";
import type { Playback } from "./playback.js";

interface Props {
  readonly playback: Playback;
  readonly at: number;
  readonly money: (amount: number) => string;
}

/** A link to the hand, and a picture of this step. */
export function Share({ playback, at, money }: Props) {
  const { notices } = useVisit();
  const texts = useTexts();
  const { table, number, state } = playback.hand;
  const link = `${location.origin}${location.pathname}${hashOf({ page: "hand", table, hand: number })}`;
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => notices.tell(texts.replay.copied),
      () => undefined, // The link stands there to be copied by hand.
    );
  const save = async () => {
    const title = `${texts.replay.of(number, table)} · ${gameText(state.settings, money, texts)}`;
    const done = await saved(pictureOf(playback, at, title, money, texts), `${table}-${number}.png`);
    if (!done) notices.tell(texts.replay.pictureFailed);
  };
  return (
    <div className="replay-share">
      <label className="field">
        <span>{texts.replay.link}</span>
        <input
          readOnly
          value={link}
          onFocus={(event) => event.target.select()}
          aria-describedby="replay-link-note"
          data-testid="replay-link"
        />
      </label>
      <p className="form-note" id="replay-link-note">
        {texts.replay.linkNote}
      </p>
      <div className="replay-row">
        <button type="button" className="button" onClick={() => void copy()} data-testid="replay-copy">
          {texts.replay.copy}
        </button>
        <button
          type="button"
          className="button"
          onClick={() => void save()}
          aria-describedby="replay-picture-note"
          data-testid="replay-picture"
        >
          {texts.replay.picture}
        </button>
      </div>
      <p className="form-note" id="replay-picture-note">
        {texts.replay.pictureNote}
      </p>
    </div>
  );
}

/** Hands the picture to the browser as a download; false where it cannot be made. */
async function saved(shapes: Parameters<typeof paint>[1], name: string): Promise<boolean> {
  const canvas = document.createElement("canvas");
  canvas.width = PICTURE.width * PICTURE.scale;
  canvas.height = PICTURE.height * PICTURE.scale;
  const context = canvas.getContext("2d");
  if (context === null) return false;
  context.scale(PICTURE.scale, PICTURE.scale);
  paint(context, shapes);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) return false;
  download(blob, name);
  return true;
}
