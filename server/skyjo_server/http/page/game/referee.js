/** What the rules make of a log's commands: for each told event, the event that must have happened. Reads no file. */

import { concat, fromHex, sha256, toHex, utf8, uuidBytes } from "./bytes.js";
import { IllegalMove, decide, decideLeave, start } from "./engine.js";
import { defaultAction } from "./legal.js";
import { canonicalName } from "./rules.js";
import { Chance, commitment, shuffleKey } from "./shuffle.js";
import { fold, initialState } from "./state.js";

/** A game that cannot have been: with the number of the first event that is wrong, null for header and result. */
export class Divergence extends Error {
  constructor(game, version, message) {
    super(version === null ? message : `event ${version}: ${message}`);
    this.game = game;
    this.version = version;
  }
}

/** The commitment that a record's seed stands for, as hexadecimal digits; one of a table hides its board. */
export function trueCommitment(record) {
  const { board, game } = record;
  const committed = commitment(fromHex(record.seed), board?.id ?? game, canonicalName(record.rules));
  if (board === null) return toHex(committed);
  return toHex(sha256(concat(utf8("skyjo-table/1\0"), uuidBytes(game), fromHex(board.salt), committed)));
}

/** Follows a game by who did what and why, never by what is told to have come of it. */
export class Referee {
  #chance;
  #record;
  #turnTimedOut = false;

  constructor(record) {
    const { board, game, rules, seats } = record;
    this.state = initialState(rules, seats.length);
    this.#record = record;
    const entropy = record.entropy.map(fromHex);
    this.#chance = new Chance(shuffleKey(fromHex(record.seed), board?.id ?? game, canonicalName(rules), entropy));
  }

  /**
   * The event that the next command causes, and go on from there. Of the told one, the facts are not read.
   *
   * @throws {Divergence} if the rules do not allow the command here, its action or its cause.
   */
  judge(told) {
    let event;
    try {
      event = this.#ruling(told);
    } catch (error) {
      throw error instanceof IllegalMove ? this.#wrong(error.message) : error;
    }
    this.state = fold(this.state, event);
    this.#turnTimedOut = event.cause === "timeout" && this.state.phase === "drawn";
    return event;
  }

  #ruling({ seat, action, cause }) {
    const { state } = this;
    if (state.version < 0) {
      if (seat !== null || action !== null || cause !== "system") throw this.#wrong("a game begins with the system's deal");
      return start(state.rules, state.seats, this.#chance);
    }
    if (seat === null) throw this.#wrong("only version 0 is the system's: this needs a seat");
    if (action === null) {
      if (cause !== "player" && cause !== "forfeit") throw this.#wrong(`a seat does not leave by cause ${cause}`);
      return decideLeave(state, seat, cause);
    }
    const event = decide(state, seat, action, this.#chance, cause);
    this.#checkCause(seat, cause);
    const usual = defaultAction(state, seat);
    if (cause !== "player" && action !== usual) {
      throw this.#wrong(`the ${cause} plays '${action}', but the default action is '${usual}'`);
    }
    return event;
  }

  /** Source: rules 30 and 31. */
  #checkCause(seat, cause) {
    if (cause === "system") throw this.#wrong("the system does not play");
    const left = this.state.left[seat];
    if (left !== (cause === "forfeit")) {
      throw this.#wrong(`seat ${seat} ${left ? "has left" : "has not left"}, but acts by cause ${cause}`);
    }
    if (this.#turnTimedOut && cause === "player") throw this.#wrong("a timeout began this turn, so a timeout must end it");
  }

  #wrong(message) {
    return new Divergence(this.#record.game, this.state.version + 1, message);
  }
}
