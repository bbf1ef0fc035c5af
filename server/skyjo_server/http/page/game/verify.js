/** Proving a record: every shuffle, fact, score and hash follows from its seed and its commands. Changes nothing. */

import { Chain, canonicalJson, content } from "./chain.js";
import { quoted } from "./read.js";
import { Divergence, Referee, trueCommitment } from "./referee.js";
import { totals } from "./state.js";

/**
 * Prove a record, or say where it first departs from what must have happened.
 *
 * Checked are the commitment, that versions have no gap, that every action was legal, that timeouts and seats that left
 * were played by default actions, every fact, every opener, scores, totals and ranks, and the hash chain where there are
 * hashes.
 *
 * @returns {{events: object[], hashes: boolean}} the events as they must have happened, with the openers that chance
 *   chose; and whether there was a hash chain to check.
 * @throws {Divergence} with the version of the first event that is wrong; null for header and result.
 */
export function verify(record) {
  checkCommitment(record);
  const referee = new Referee(record);
  const links = new Links(record);
  const events = record.events.map((told) => {
    const before = referee.state;
    const event = referee.judge(told);
    const wrong = difference("", content(event), content(told)) ?? links.wrongLink(told, before);
    if (wrong !== null) throw new Divergence(record.game, event.version, wrong);
    return { ...told, opener: event.opener };
  });
  checkResult(record, referee.state);
  const wrong = links.wrongEnd();
  if (wrong !== null) throw new Divergence(record.game, null, `result: ${wrong}`);
  return { events, hashes: links.followed };
}

/**
 * Refuse a seed that is not the one that was committed to.
 *
 * @throws {Divergence} without a version.
 */
export function checkCommitment(record) {
  const wrong = difference("commitment", trueCommitment(record), record.commitment);
  if (wrong !== null) throw new Divergence(record.game, null, `${wrong}, by its seed`);
}

/**
 * Refuse a result that is not the one of the last state.
 *
 * @throws {Divergence} without a version.
 */
export function checkResult(record, state) {
  const { result } = record;
  const over = state.phase === "over";
  const wrong =
    over === (result.status === "finished")
      ? (difference("totals", totals(state), result.totals) ?? difference("ranks", state.ranks, result.ranks))
      : `status cannot be ${quoted(result.status)} here`;
  if (wrong !== null) throw new Divergence(record.game, null, `result: ${wrong}`);
}

/** The hash chain of a record, held against the hashes in it; silent where it has none. */
class Links {
  #record;
  #chain;
  #eventsHave;

  constructor(record) {
    this.#record = record;
    this.#chain = new Chain(record);
    this.#eventsHave = record.events.some((event) => event.hash !== undefined);
    this.followed = this.#eventsHave || record.hash !== null;
  }

  wrongLink(told, before) {
    const salt = told.salt === undefined ? null : difference("salt", this.#chain.salt(told.version), told.salt);
    if (salt !== null || !this.followed) return salt;
    const hash = this.#chain.next(told, before);
    return this.#eventsHave ? difference("hash", hash, told.hash) : null;
  }

  wrongEnd() {
    const { hash, result } = this.#record;
    return hash === null ? null : difference("hash", this.#chain.close(result), hash);
  }
}

/** The first difference between two JSON values, by the name of the member; null if they are equal. */
function difference(name, expected, found) {
  if (equal(expected, found)) return null;
  if (isObject(expected) && isObject(found)) {
    const both = Object.keys(expected).sort().join() === Object.keys(found).sort().join();
    const at = both ? Object.keys(expected).find((member) => !equal(expected[member], found[member])) : undefined;
    if (at !== undefined) return difference(name ? `${name}.${at}` : at, expected[at], found[at]);
  }
  if (Array.isArray(expected) && Array.isArray(found)) {
    const index = Array.from({ length: Math.max(expected.length, found.length) }, (_, at) => at).find(
      (at) => !equal(expected[at], found[at]),
    );
    return difference(`${name}[${index}]`, expected[index], found[index]);
  }
  return `${name} must be ${quoted(expected)}, found ${quoted(found)}`;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const canonical = (value) => (value === undefined ? undefined : canonicalJson(value));
const equal = (one, other) => canonical(one) === canonical(other);
