/** Strict readers of lines and JSON values: each refusal quotes the value and says what would be right. Knows no game. */

/** The longest line that is read, in characters. The longest that is written has about a tenth. */
export const LINE_CHARACTERS = 65_536;
export const NAME_CHARACTERS = 200;

/** The greatest number of points that is read: more than any rules can bring about. */
export const POINTS_MAX = 10 ** 9;

const QUOTED_CHARACTERS = 80;
const DEPTH_MAX = 8;
const HEX = /^(?:[0-9a-f]{2})*$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const PRINTABLE = /^(?:[^\p{C}\p{Z}]| )+$/u;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** A text that is no game: its message says where, and what would be right. */
export class BadText extends Error {}

/** A value as a message shows it: never long, whatever it is. */
export function quoted(value) {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length <= QUOTED_CHARACTERS ? text : `${text.slice(0, QUOTED_CHARACTERS - 1)}…`;
}

/** Refuse a value. */
export function refuse(name, value, wanted) {
  throw new BadText(`${name} is ${quoted(value)}, but must be ${wanted}`);
}

/** Read a whole number within bounds. */
export function whole(name, value, low, high) {
  if (!Number.isInteger(value) || value < low || value > high) refuse(name, value, `a whole number from ${low} to ${high}`);
  return value;
}

/** Read a list. */
export function list(name, value) {
  if (!Array.isArray(value)) refuse(name, value, "a list");
  return value;
}

/** Read lower-case hexadecimal digits of so many bytes at least and at most; they stay a text. */
export function hex(name, value, fewest, most = fewest) {
  const fits = typeof value === "string" && HEX.test(value) && value.length >= 2 * fewest && value.length <= 2 * most;
  const count = fewest === most ? `${fewest}` : `${fewest} to ${most}`;
  if (!fits) refuse(name, value, `${count} bytes as pairs of hexadecimal digits 0-9 a-f`);
  return value;
}

/** Read a UUID in its one usual form. */
export function identity(name, value) {
  if (typeof value !== "string" || !UUID.test(value)) {
    refuse(name, value, "a UUID such as 00112233-4455-6677-8899-aabbccddeeff");
  }
  return value;
}

/** Read the name of a seat's player. */
export function seatName(name, value) {
  if (typeof value !== "string" || !PRINTABLE.test(value) || [...value].length > NAME_CHARACTERS) {
    refuse(name, value, `1 to ${NAME_CHARACTERS} printable characters`);
  }
  return value;
}

/** Read a time; it stays a text. */
export function time(name, value) {
  if (typeof value !== "string" || !TIME.test(value)) refuse(name, value, "a time such as 2026-01-31T18:30:00.5Z");
  return value;
}

/** Read one of a few words. */
export function oneOf(name, value, words) {
  if (!words.includes(value)) refuse(name, value, `one of ${words.join(", ")}`);
  return value;
}

/** Refuse anything but an object with all required members, and no others but optional ones. */
export function members(what, value, required, optional = []) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) refuse(what, value, "an object");
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  if (missing.length > 0) throw new BadText(`${what} lacks ${missing.join(", ")}`);
  const unknown = Object.keys(value).find((name) => !required.includes(name) && !optional.includes(name));
  if (unknown !== undefined) throw new BadText(`${what} has the unknown member ${quoted(unknown)}`);
  return value;
}

/**
 * Read a JSON object more strictly than `JSON.parse` does.
 *
 * Refused are members that stand twice, numbers that are not whole and written plainly, and deep nesting: in a log, what
 * two readers could understand differently is no proof. Objects have no prototype, so no name means anything but itself.
 */
export function jsonObject(text) {
  const reader = new JsonReader(text);
  const value = reader.value(0);
  reader.end();
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new BadText(`a line must be a JSON object, but this is ${quoted(value)}`);
  }
  return value;
}

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9][0-9]{0,14})(?![0-9.eE])/y;
const WORD = /true|false|null/y;
const WORDS = { true: true, false: false, null: null };

class JsonReader {
  #text;
  #at = 0;

  constructor(text) {
    this.#text = text;
  }

  value(depth) {
    if (depth > DEPTH_MAX) throw new BadText("this JSON is nested too deeply: a game needs four levels");
    this.#take(SPACE);
    if (this.#sign("{")) return this.#object(depth);
    if (this.#sign("[")) return this.#array(depth);
    const string = this.#take(STRING);
    if (string !== null) return JSON.parse(string);
    const number = this.#take(NUMBER);
    if (number !== null) return number === "-0" ? this.#fail() : Number(number);
    const word = this.#take(WORD);
    return word === null ? this.#fail() : WORDS[word];
  }

  end() {
    this.#take(SPACE);
    if (this.#at < this.#text.length) this.#fail();
  }

  #object(depth) {
    const found = Object.create(null);
    if (this.#closes("}")) return found;
    do {
      this.#take(SPACE);
      const string = this.#take(STRING) ?? this.#fail();
      const name = JSON.parse(string);
      if (name in found) throw new BadText(`the member ${quoted(name)} stands twice in one object: write it once`);
      this.#take(SPACE);
      if (!this.#sign(":")) this.#fail();
      found[name] = this.value(depth + 1);
    } while (this.#goesOn("}"));
    return found;
  }

  #array(depth) {
    const found = [];
    if (this.#closes("]")) return found;
    do found.push(this.value(depth + 1));
    while (this.#goesOn("]"));
    return found;
  }

  #closes(sign) {
    this.#take(SPACE);
    return this.#sign(sign);
  }

  #goesOn(closing) {
    this.#take(SPACE);
    if (this.#sign(",")) return true;
    return this.#sign(closing) ? false : this.#fail();
  }

  #sign(sign) {
    const found = this.#text[this.#at] === sign;
    if (found) this.#at += 1;
    return found;
  }

  #take(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    this.#at = pattern.lastIndex;
    return found[0];
  }

  #fail() {
    const rest = this.#text.slice(this.#at, this.#at + QUOTED_CHARACTERS);
    throw new BadText(`this is not the JSON of a game: at character ${this.#at + 1} stands ${quoted(rest)}`);
  }
}
