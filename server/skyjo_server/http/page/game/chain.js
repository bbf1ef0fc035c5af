/**
 * The public hash chain of a game: one hash an event, over what everybody may see of it. Judges nothing.
 *
 * docs/files.md says byte for byte what enters it.
 */

import { concat, fromHex, hmac, prefixed, sha256, toHex, u32be, utf8, uuidBytes } from "./bytes.js";
import { canonicalName } from "./rules.js";
import { publicEvent } from "./view.js";

const SALT_BYTES = 16;

/** A value as JSON in the one form that enters the chain: members in alphabetical order, no spaces. */
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(",")}}`;
}

/** The five members of an event that are its content. */
export const content = ({ action, cause, facts, seat, version }) => ({ action, cause, facts, seat, version });

/** The hash chain of one record, followed event by event. */
export class Chain {
  #record;
  #seed;
  #hash;

  constructor(record) {
    this.#record = record;
    this.#seed = fromHex(record.seed);
    const table = [canonicalName(record.rules), ...record.seats].map((text) => prefixed(utf8(text)));
    table.splice(1, 0, Uint8Array.of(record.seats.length));
    const game = concat(uuidBytes(record.game), fromHex(record.commitment));
    this.#hash = sha256(concat(utf8("skyjo-log/1\0"), game, ...table));
  }

  /** The salt of a version, as hexadecimal digits. */
  salt(version) {
    return toHex(this.#salt(version));
  }

  /** The hash after an event, which was played in a state, as hexadecimal digits. */
  next(event, before) {
    const [full, shown] = [canonicalJson(content(event)), canonicalJson(content(publicEvent(event, before)))];
    const hidden = sha256(concat(this.#salt(event.version), utf8(full === shown ? "" : full)));
    this.#hash = sha256(concat(utf8("skyjo-event/1\0"), this.#hash, hidden, utf8(shown)));
    return toHex(this.#hash);
  }

  /** The hash of the result, which closes the chain, as hexadecimal digits. */
  close(result) {
    const { ranks, status, totals } = result;
    return toHex(sha256(concat(utf8("skyjo-result/1\0"), this.#hash, utf8(canonicalJson({ ranks, status, totals })))));
  }

  #salt(version) {
    const message = concat(utf8("skyjo-salt/1\0"), uuidBytes(this.#record.game), u32be(version));
    return hmac(this.#seed, message).subarray(0, SALT_BYTES);
  }
}
