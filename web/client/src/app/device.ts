/** What this device is called towards the room, which keeps a hash of it for a while. */
const KEY = "cardroom.device";
const BYTES = 16;

/** Drawn once and kept; null where nothing can be kept. */
export function deviceName(
  box: Pick<Storage, "getItem" | "setItem">,
  draw: (bytes: Uint8Array<ArrayBuffer>) => void,
): string | null {
  try {
    const kept = box.getItem(KEY);
    if (kept !== null && /^[0-9a-f]{32}$/.test(kept)) return kept;
    const bytes = new Uint8Array(BYTES);
    draw(bytes);
    const name = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    box.setItem(KEY, name);
    return name;
  } catch {
    return null;
  }
}
