/** Games as JSON Lines: a header, a line for every event, a closing line; one game after another. Judges no move. */

import { parseAction } from "./cards.js";
import { BadText, POINTS_MAX, hex, identity, jsonObject, list, members, oneOf, quoted, refuse, seatName, time, whole } from "./read.js";
import { CAUSES, ENTROPY_BYTES_MAX, EVENTS_MAX, HASH_BYTES, LOG_VERSION, SALT_BYTES, STATUSES, checkedRecord, rank } from "./record.js";
import { readRules } from "./rules.js";

const HEADER = ["skyjo", "game", "rules", "seats", "commitment", "seed", "entropy"];
const EVENT = ["game", "version", "seat", "action", "cause", "facts"];

/** Reads lines one by one; gives a game with the line that completes it. */
export class JsonLinesReader {
  #game = null;

  /** Whether a game has begun and not ended. */
  get isInside() {
    return this.#game !== null;
  }

  /**
   * Read one line.
   *
   * @returns {object|null} the record that it completes.
   * @throws {BadText} if the line cannot stand here.
   */
  take(line) {
    if (line.trim() === "") return null;
    const data = jsonObject(line);
    if ("skyjo" in data) {
      if (this.#game !== null) throw new BadText(`a new game begins, but game ${this.#game.game} has no closing line yet`);
      this.#game = readHeader(data);
      return null;
    }
    if (this.#game === null) throw new BadText('a game begins with a header, {"skyjo":1,…}, and this line is none');
    if (data.game !== this.#game.game) refuse("game", data.game, this.#game.game);
    if ("result" in data) return this.#close(data);
    if (this.#game.events.length === EVENTS_MAX) throw new BadText(`a game has at most ${EVENTS_MAX} events here`);
    this.#game.events.push(readEvent(data));
    return null;
  }

  /** The record, once the last line was read; there is nothing left to give. */
  finish() {
    if (this.#game !== null) {
      throw new BadText(`the file ends inside game ${this.#game.game}: its closing line is missing`);
    }
    return null;
  }

  #close(data) {
    members("a closing line", data, ["game", "result"], ["hash"]);
    const hash = "hash" in data ? hex("hash", data.hash, HASH_BYTES) : null;
    const record = checkedRecord({ ...this.#game, result: readResult(data.result), hash });
    this.#game = null;
    return record;
  }
}

function readHeader(data) {
  if (data.skyjo !== LOG_VERSION) throw new BadText(`skyjo is ${quoted(data.skyjo)}, but this reader knows version ${LOG_VERSION}`);
  members("a header", data, HEADER, ["board"]);
  return {
    game: identity("game", data.game),
    rules: readRules(data.rules),
    seats: list("seats", data.seats).map((seat) => seatName("name", members("a seat", seat, ["name"]).name)),
    commitment: hex("commitment", data.commitment, HASH_BYTES),
    seed: hex("seed", data.seed, HASH_BYTES),
    entropy: list("entropy", data.entropy).map((given) => hex("entropy", given, 0, ENTROPY_BYTES_MAX)),
    board: "board" in data ? readBoard(data.board) : null,
    events: [],
  };
}

function readBoard(data) {
  members("board", data, ["id", "salt"]);
  return { id: identity("id", data.id), salt: hex("salt", data.salt, HASH_BYTES) };
}

/** An event's line. What its facts should be is known better than could be said here, so they are only held against that. */
function readEvent(data) {
  members("an event", data, EVENT, ["at", "hash", "salt"]);
  const { version, seat, action, cause, facts } = data;
  whole("version", version, 0, 10 ** 9);
  if (seat !== null) whole("seat", seat, 0, 7);
  if (action !== null && parseAction(action) === null) refuse("action", action, "an action such as 'take c2', or null");
  oneOf("cause", cause, CAUSES);
  list("facts", facts);
  const event = { version, seat, action, cause, facts };
  if ("at" in data) event.at = time("at", data.at);
  if ("hash" in data) event.hash = hex("hash", data.hash, HASH_BYTES);
  if ("salt" in data) event.salt = hex("salt", data.salt, SALT_BYTES);
  return event;
}

function readResult(data) {
  members("result", data, ["status", "totals", "ranks"]);
  return {
    status: oneOf("status", data.status, STATUSES),
    totals: list("totals", data.totals).map((total) => whole("totals", total, -POINTS_MAX, POINTS_MAX)),
    ranks: data.ranks === null ? null : list("ranks", data.ranks).map(rank),
  };
}
