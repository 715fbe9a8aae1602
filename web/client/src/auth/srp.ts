/**
 * The Secure Remote Password protocol as Cognito speaks it: a password is proved, never sent. SRP-6a (RFC 5054) over the 3072-bit
 * group of RFC 3526, with a key made by HKDF.
 */

const PRIME = BigInt(
  "0xFFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD" +
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED" +
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F" +
    "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B" +
    "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510" +
    "15728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7" +
    "ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200C" +
    "BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF",
);
const GENERATOR = 2n;
const INFO = "Caldera Derived Key\u0001";
const KEY_BYTES = 16;
const SECRET_BYTES = 128;
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

type Bytes = Uint8Array<ArrayBuffer>;

/** The server's part is none that an honest server sends. */
export class BadChallenge extends Error {
  override readonly name = "BadChallenge";
}

/** One sign-in's secret number, new for each. */
export class Handshake {
  readonly #secret: bigint;
  readonly #public: bigint;

  constructor(secret: Bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))) {
    this.#secret = number(secret);
    this.#public = power(GENERATOR, this.#secret);
  }

  /** `SRP_A`: what is sent first. */
  get public(): string {
    return this.#public.toString(16);
  }

  /** What to answer a `PASSWORD_VERIFIER` challenge with. Throws BadChallenge. */
  async answer(
    poolId: string,
    password: string,
    challenge: Readonly<Record<string, string>>,
    now: Date = new Date(),
  ): Promise<Record<string, string>> {
    const { USER_ID_FOR_SRP: user, SECRET_BLOCK: block, SALT: salt, SRP_B: theirs } = challenge;
    if (user === undefined || block === undefined || !isHex(salt) || !isHex(theirs)) throw new BadChallenge();
    const pool = poolId.slice(poolId.indexOf("_") + 1);
    const key = await this.#key(`${pool}${user}:${password}`, BigInt(`0x${salt}`), BigInt(`0x${theirs}`));
    const at = written(now);
    const message = joined(utf8(pool), utf8(user), fromBase64(block), utf8(at));
    return {
      USERNAME: user,
      TIMESTAMP: at,
      PASSWORD_CLAIM_SECRET_BLOCK: block,
      PASSWORD_CLAIM_SIGNATURE: toBase64(await mac(key, message)),
    };
  }

  /** The key that both sides come to, if the password is the right one. */
  async #key(identity: string, salt: bigint, theirs: bigint): Promise<Bytes> {
    const scrambler = number(await sha256(joined(padded(this.#public), padded(theirs))));
    if (theirs % PRIME === 0n || scrambler === 0n) throw new BadChallenge();
    const multiplier = number(await sha256(joined(padded(PRIME), padded(GENERATOR))));
    const inner = await sha256(utf8(identity));
    const secret = number(await sha256(joined(padded(salt), inner)));
    const base = modulo(theirs - multiplier * power(GENERATOR, secret));
    const shared = power(base, this.#secret + scrambler * secret);
    const extracted = await mac(padded(scrambler), padded(shared));
    return (await mac(extracted, utf8(INFO))).slice(0, KEY_BYTES);
  }
}

function isHex(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]+$/i.test(text);
}

function modulo(value: bigint): bigint {
  const rest = value % PRIME;
  return rest < 0n ? rest + PRIME : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = modulo(base);
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % PRIME;
    square = (square * square) % PRIME;
  }
  return result;
}

function number(bytes: Bytes): bigint {
  let hex = "0x";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return BigInt(hex);
}

/** Big-endian, with a zero byte in front where the first bit is set: it is no sign. */
function padded(value: bigint): Bytes {
  const hex = value.toString(16);
  const even = hex.length % 2 ? `0${hex}` : hex;
  const text = /^[89a-f]/.test(even) ? `00${even}` : even;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

async function mac(key: Bytes, message: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text) as Bytes;
}

function joined(...parts: readonly Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function toBase64(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes));
}

/** In English whatever the locale, in UTC, the day without a leading zero. */
function written(at: Date): string {
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
  return `${WEEKDAYS[at.getUTCDay()]} ${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()} ${time} UTC ${at.getUTCFullYear()}`;
}
