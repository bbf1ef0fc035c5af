/**
 * Bytes, SHA-256 and HMAC: what the proofs of a game are made of. Knows no game.
 *
 * The browser's own `crypto.subtle` exists on encrypted addresses only, and a service in a local network has none; so the
 * hash is spelt out here (FIPS 180-4), and HMAC (RFC 2104) on top of it.
 */

const UTF8 = new TextEncoder();
const BLOCK_BYTES = 64;

/** The first 32 bits of the fractional parts of a root of the first 64 primes. */
const fractions = (root) => {
  const primes = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((p) => n % p)) primes.push(n);
  return primes.map((p) => ((root(p) % 1) * 2 ** 32) | 0);
};
const ROUND = Int32Array.from(fractions(Math.cbrt));
const START = Int32Array.from(fractions(Math.sqrt).slice(0, 8));

/** A text as bytes in UTF-8. */
export const utf8 = (text) => UTF8.encode(text);

/** Several byte arrays as one. */
export function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Bytes as lower-case hexadecimal digits. */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes of pairs of hexadecimal digits; what else is in the text is for the caller to have refused. */
export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** The 16 bytes of a UUID. */
export const uuidBytes = (text) => fromHex(text.replaceAll("-", ""));

/** A whole number as four bytes, big-endian. */
export const u32be = (n) => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);

/** Bytes with their length before them, as two bytes, big-endian. */
export const prefixed = (bytes) => concat(Uint8Array.of(bytes.length >>> 8, bytes.length), bytes);

/** The SHA-256 of bytes: 32 bytes. */
export function sha256(message) {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, (message.length << 3) >>> 0);
  const hash = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) compress(hash, words, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, index) => digest.setInt32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

/** The HMAC-SHA256 of bytes under a key of at most 64 bytes. */
export function hmac(key, message) {
  const pad = (byte) => {
    const block = new Uint8Array(BLOCK_BYTES);
    block.set(key);
    return block.map((b) => b ^ byte);
  };
  return sha256(concat(pad(0x5c), sha256(concat(pad(0x36), message))));
}

const turned = (word, bits) => (word >>> bits) | (word << (32 - bits));

/** Take one block into a hash. */
function compress(hash, words, view, at) {
  for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [words[i - 15], words[i - 2]];
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[i] = words[i - 16] + low + words[i - 7] + high;
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 64; i += 1) {
    const choice = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + ROUND[i] + words[i]) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    hash[index] += word;
  });
}
