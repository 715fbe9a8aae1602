const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The user name in an access token; null where there is none to be read. The room verifies the token, this does not. */
export function userOf(token: string): string | null {
  try {
    const claims: unknown = JSON.parse(text(token.split(".")[1] ?? ""));
    const name = (claims as { username?: unknown }).username;
    return typeof name === "string" ? name : null;
  } catch {
    return null;
  }
}

/** Of base64url, in UTF-8. */
function text(encoded: string): string {
  let bits = 0;
  let held = 0;
  let escaped = "";
  for (const character of encoded.replace(/=+$/, "")) {
    const value = ALPHABET.indexOf(character);
    if (value < 0) throw new SyntaxError("not base64url");
    held = (held << 6) | value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    escaped += `%${((held >> bits) & 0xff).toString(16).padStart(2, "0")}`;
    held &= (1 << bits) - 1;
  }
  return decodeURIComponent(escaped);
}
