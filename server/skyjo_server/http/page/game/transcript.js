/**
 * Games as text for people (`.skyjo`): headers, then moves, read by playing them again. Writes none.
 *
 * Headers and moves are the game; all the rest follows from them and the seed, and every word of it is checked.
 */

import { SEATS_MAX, parseAction } from "./cards.js";
import { Chain } from "./chain.js";
import { BadText, POINTS_MAX, hex, identity, oneOf, quoted, refuse, seatName, time, whole } from "./read.js";
import { ENTROPY_BYTES_MAX, EVENTS_MAX, HASH_BYTES, LOG_VERSION, STATUSES, checkedRecord, rank } from "./record.js";
import { Divergence, Referee } from "./referee.js";
import { PRESETS, readRules } from "./rules.js";
import { Scribe } from "./scribe.js";
import { checkCommitment, checkResult } from "./verify.js";

const bySeat = (name) => Array.from({ length: SEATS_MAX }, (_, seat) => `${name}${seat}`);
const NAMES = ["Skyjo", "Game", "Board", "BoardSalt", "Date", "Rules", ...bySeat("Seat"), "Commitment", "Seed"].concat(
  bySeat("Entropy"),
  ["Result", "Totals", "Ranks", "Hash"],
);
const FIRST = "[Skyjo ";
const HEADER = /^\[([A-Za-z]+[0-9]?) "((?:[^"\\]|\\["\\])*)"\]\s*$/;
const ITEM = /(?:([0-7]):|\((timeout|forfeit)\)|\{[^{}]*\}|([a-z]+(?: +[a-d][1-3])*))(?:\s+|$)/y;
const OPTION = /^([a-z_]+)=(?:(-?[0-9]{1,9})|([a-z_]+))$/;
const NUMBERS = /^-?[0-9]{1,10}(?: -?[0-9]{1,10})*$/;
const WORDS = { true: true, false: false, none: null };

/** More words than a pile that is reshuffled has: no more can be found before the move that brings them about. */
const AHEAD = 300;

/** Reads lines one by one; gives a game, played again and checked, when the next one begins or the file ends. */
export class TranscriptReader {
  #headers = null;
  #play = null;

  /** Whether a game has begun. */
  get isInside() {
    return this.#headers !== null;
  }

  /**
   * Read one line.
   *
   * @returns {object|null} the record that ended before it.
   * @throws {BadText|Divergence} if the line cannot stand here.
   */
  take(line) {
    if (line.trim() === "" || line.startsWith(";")) return null;
    const done = line.startsWith(FIRST) && this.#headers !== null ? this.finish() : null;
    this.#headers ??= line.startsWith(FIRST) ? new Map() : null;
    if (this.#headers === null) throw new BadText(`a game begins with [Skyjo "1"], but here is ${quoted(line)}`);
    if (!line.startsWith("[")) {
      this.#play ??= new Play(readHeaders(this.#headers));
      this.#play.take(line);
    } else if (this.#play === null) {
      this.#takeHeader(line);
    } else {
      throw new BadText(`${quoted(line)} stands among the moves, but headers stand before them`);
    }
    return done;
  }

  /** The record of the game that was being read; null if there is none. */
  finish() {
    if (this.#headers === null) return null;
    const headers = this.#headers;
    const play = this.#play ?? new Play(readHeaders(headers));
    this.#headers = this.#play = null;
    const record = play.finished();
    if (headers.has("Date") && record.events.length > 0) record.events[0].at = headers.get("Date");
    if (headers.has("Hash")) withHash(record, hex("Hash", headers.get("Hash"), HASH_BYTES));
    return record;
  }

  #takeHeader(line) {
    const found = HEADER.exec(line);
    if (found === null) throw new BadText(`${quoted(line)} is no header: write [Name "value"]`);
    const [, name, value] = found;
    if (!NAMES.includes(name)) throw new BadText(`there is no header ${quoted(name)}`);
    if (this.#headers.has(name)) throw new BadText(`the header ${name} stands here twice`);
    this.#headers.set(name, value.replace(/\\(.)/g, "$1"));
  }
}

/** The moves of a game, played again as they are read; what was found is held against what came of them. */
class Play {
  #record;
  #referee;
  #scribe;
  #seat = null;
  #found = [];
  #expected = [];

  constructor(record) {
    checkCommitment(record);
    this.#record = record;
    this.#referee = new Referee(record);
    this.#scribe = new Scribe(record.seats.length);
  }

  take(line) {
    if (this.#record.events.length === 0) this.#play(null, null, "system");
    this.#found.push(...line.trim().split(/\s+/));
    if (/^[\s\p{Lu}]/u.test(line)) this.#seat = null;
    else for (const command of this.#commands(line)) this.#play(...command);
    this.#compare();
    if (this.#found.length > AHEAD) this.#refuseLeftover();
  }

  finished() {
    this.#compare();
    if (this.#found.length > 0) this.#refuseLeftover();
    if (this.#expected.length > 0) {
      const [word, version] = this.#expected[0];
      throw new Divergence(this.#record.game, version, `the text ends before ${quoted(word)}`);
    }
    checkResult(this.#record, this.#referee.state);
    return this.#record;
  }

  #commands(line) {
    const commands = [];
    let cause = "player";
    for (ITEM.lastIndex = 0; ITEM.lastIndex < line.length; ) {
      const at = ITEM.lastIndex;
      const item = ITEM.exec(line);
      if (item === null) throw new BadText(`${quoted(line.slice(at))} is no part of a move: write as in '0: draw {5}'`);
      const [, seat, why, words] = item;
      if (seat !== undefined) this.#seat = Number(seat);
      else if (why !== undefined) cause = why;
      else if (words !== undefined) {
        if (this.#seat === null) throw new BadText(`${quoted(words)} names no seat: write it as '0: ${words}'`);
        commands.push([this.#seat, action(words), cause]);
        cause = "player";
      }
    }
    return commands;
  }

  #play(seat, text, cause) {
    if (this.#record.events.length === EVENTS_MAX) throw new BadText(`a game has at most ${EVENTS_MAX} events here`);
    const event = this.#referee.judge({ seat, action: text, cause });
    this.#record.events.push(event);
    for (const word of this.#scribe.words(event)) this.#expected.push([word, event.version]);
  }

  #compare() {
    const count = Math.min(this.#found.length, this.#expected.length);
    for (let at = 0; at < count; at += 1) {
      const [expected, version] = this.#expected[at];
      if (this.#found[at] === expected) continue;
      throw new Divergence(this.#record.game, version, `must be ${quoted(expected)}, found ${quoted(this.#found[at])}`);
    }
    this.#found.splice(0, count);
    this.#expected.splice(0, count);
  }

  #refuseLeftover() {
    const message = `${quoted(this.#found[0])} follows from nothing before it`;
    throw new Divergence(this.#record.game, this.#record.events.length, message);
  }
}

function action(words) {
  if (words === "leave") return null;
  const text = words.replace(/ +/g, " ");
  if (parseAction(text) === null) throw new BadText(`${quoted(text)} is not an action`);
  return text;
}

/** Hold the last hash of the chain, the only one that is kept, against the one that the game has. */
function withHash(record, hash) {
  const referee = new Referee(record);
  const chain = new Chain(record);
  for (const event of record.events) {
    chain.next(event, referee.state);
    referee.judge(event);
  }
  const true_ = chain.close(record.result);
  if (true_ !== hash) throw new Divergence(record.game, null, `Hash is ${quoted(hash)}, but the chain ends in ${quoted(true_)}`);
  record.hash = hash;
}

function readHeaders(headers) {
  const header = (name) => headers.get(name) ?? refuse(name, undefined, "among the headers");
  const seated = (name) => {
    const count = bySeat(name).filter((one) => headers.has(one)).length;
    return bySeat(name).slice(0, count).map(header);
  };
  if (header("Skyjo") !== `${LOG_VERSION}`) refuse("Skyjo", header("Skyjo"), `${LOG_VERSION}`);
  if (headers.has("Date")) time("Date", headers.get("Date"));
  const hasBoard = headers.has("Board") || headers.has("BoardSalt");
  return checkedRecord({
    game: identity("Game", header("Game")),
    rules: rulesOf(header("Rules")),
    seats: seated("Seat").map((name, seat) => seatName(`Seat${seat}`, name)),
    commitment: hex("Commitment", header("Commitment"), HASH_BYTES),
    seed: hex("Seed", header("Seed"), HASH_BYTES),
    entropy: seated("Entropy").map((given) => hex("Entropy", given, 0, ENTROPY_BYTES_MAX)),
    events: [],
    result: {
      status: oneOf("Result", header("Result"), STATUSES),
      totals: numbers("Totals", header("Totals")).map((total) => whole("Totals", total, -POINTS_MAX, POINTS_MAX)),
      ranks: headers.has("Ranks") ? numbers("Ranks", headers.get("Ranks")).map(rank) : null,
    },
    board: hasBoard
      ? { id: identity("Board", header("Board")), salt: hex("BoardSalt", header("BoardSalt"), HASH_BYTES) }
      : null,
    hash: null,
  });
}

function numbers(name, text) {
  if (!NUMBERS.test(text)) refuse(name, text, "whole numbers by seat, such as '12 -3'");
  return text.split(" ").map(Number);
}

/** `classic`, or how the rules differ from a preset: `classic with initial_flips=3 score_limit=none`. */
function rulesOf(text) {
  const at = text.indexOf(" with ");
  const preset = at < 0 ? text : text.slice(0, at);
  if (!Object.hasOwn(PRESETS, preset)) refuse("Rules", text, `a preset (${Object.keys(PRESETS).join(", ")}) and options`);
  const changed = new Map();
  for (const word of at < 0 ? [] : text.slice(at + 6).split(" ")) {
    const [, name, number, value] = OPTION.exec(word) ?? [];
    if (name === undefined || changed.has(name)) refuse("Rules", word, "an option such as initial_flips=3, each once");
    changed.set(name, number === undefined ? (Object.hasOwn(WORDS, value) ? WORDS[value] : value) : Number(number));
  }
  return readRules({ ...PRESETS[preset], ...Object.fromEntries(changed) });
}
