import { useTexts } from "../app/hooks.js";
import { Dialog } from "../ui/Dialog.js";

export function LeaveDialog({ onLeave, onClose }: { onLeave: () => void; onClose: () => void }) {
  const texts = useTexts();
  return (
    <Dialog title={texts.own.leaveNow} onClose={onClose} testId="leave-dialog">
      <p>{texts.own.leaveSure}</p>
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {texts.common.cancel}
        </button>
        <button
          type="button"
          className="button button-danger"
          data-testid="leave-confirm"
          onClick={() => {
            onLeave();
            onClose();
          }}
        >
          {texts.own.leaveNow}
        </button>
      </div>
    </Dialog>
  );
}
