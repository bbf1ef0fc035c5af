/** A whole game as it is exchanged, and what can be said of it before a move is judged. Reads no lines. */

import { SEATS_MAX, SEATS_MIN } from "./cards.js";
import { BadText, refuse, whole } from "./read.js";

export const LOG_VERSION = 1;
export const HASH_BYTES = 32;
export const SALT_BYTES = 16;
export const ENTROPY_BYTES_MAX = 64;
export const STATUSES = ["finished", "void", "aborted"];
export const CAUSES = ["player", "timeout", "forfeit", "system"];

/** The most events that are read of one game: far more than bots need for the longest that are played. */
export const EVENTS_MAX = 250_000;

/**
 * Refuse a record whose parts cannot belong together.
 *
 * A record has `game`, `rules`, `seats` (names), `commitment`, `seed`, `entropy` (one a seat, or none at all), `events`,
 * `result` {status, totals, ranks}, `board` ({id, salt} or null) and `hash` (or null). Bytes are hexadecimal digits.
 */
export function checkedRecord(record) {
  const { seats, entropy, result } = record;
  if (seats.length < SEATS_MIN || seats.length > SEATS_MAX) {
    refuse("the number of seats", seats.length, `${SEATS_MIN} to ${SEATS_MAX}`);
  }
  if (entropy.length !== 0 && (entropy.length !== seats.length || entropy.every((given) => given === ""))) {
    throw new BadText("entropy must have one text a seat, or none at all if no seat gave any");
  }
  if (result.totals.length !== seats.length || (result.ranks !== null && result.ranks.length !== seats.length)) {
    throw new BadText(`the result must have totals and ranks for ${seats.length} seats`);
  }
  if ((result.status === "finished") !== (result.ranks !== null)) {
    throw new BadText("a finished game has ranks, and only such a game has");
  }
  return record;
}

/** Refuse a rank that no seat can have. */
export const rank = (value) => whole("ranks", value, 1, SEATS_MAX);
