/** How long a round still lasts, and what it costs to wait: estimates from how far everybody is. Knows no cards. */

/** Nothing is planned for later: each turn more costs a table. */
const TURNS_MAX = 8;

/** Points that it costs to let the round go on with one hidden card left. */
const WAITING = 4;

/** Events a seat and round, on average, after which waiting costs more and more. */
const PATIENCE = 100;

/**
 * Own turns after the present one, if nobody has ended the round.
 *
 * @param {object} rules a limit on a seat's turns cuts the estimate.
 * @param {number} seats how many.
 * @param {number} hidden hidden cards of the seat that has the fewest.
 */
export function turnsToGo(rules, seats, hidden) {
  const turns = Math.min(TURNS_MAX, hidden + 1 + Math.floor((seats + 1) / 2));
  const limit = rules.max_turns_per_seat;
  return limit === null ? turns : Math.min(turns, limit - 1);
}

/** Points that it costs a seat with one hidden card left to let the round go on. */
export const waitingCost = (version, round, seats) => WAITING + Math.max(0, version / (round * seats) - PATIENCE) ** 2;
