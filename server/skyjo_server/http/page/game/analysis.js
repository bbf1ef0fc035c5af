/**
 * What each decision of a game cost by the reckoning of the house bot greedy: where points were lost. Proves nothing.
 *
 * Written a second time, as the rules are: a file that somebody drops is judged without the service, and as the service does.
 */

import { INDEX } from "./cards.js";
import { evaluate } from "./greedy/evaluate.js";
import { fold, initialState } from "./state.js";

/**
 * Score the decisions that the seats of a proved record took themselves, one after another, in the order of the game.
 *
 * What a timeout or a forfeit played is left out, and so is leaving. Stopped games are scored as far as they went.
 *
 * @returns {Iterable<{version: number, seat: number, played: string, best: string, cost: number}>} `best` is `played` where
 *   nothing was cheaper; `cost` is what `played` loses against it, in expected points.
 */
export function* analyse(record) {
  let state = initialState(record.rules, record.seats.length);
  for (const event of record.events) {
    if (event.seat !== null && event.action !== null && event.cause === "player") yield judged(state, event);
    state = fold(state, event);
  }
}

/** A cost as the service tells it: in points to four places. */
export const toFourPlaces = (cost) => Number(cost.toFixed(4));

function judged(before, { version, seat, action: played }) {
  const costs = evaluate(before, seat);
  const cheapest = Math.min(...costs.values());
  const cost = costs.get(asListed(played)) - cheapest;
  const [best] = cost > 0 ? [...costs].find(([, each]) => each === cheapest) : [played];
  return { version, seat, played, best, cost };
}

/** The action as the legal ones are listed: flips in the order of a deal. */
function asListed(text) {
  const [verb, ...names] = text.split(" ");
  return [verb, ...names.sort((one, other) => INDEX.get(one) - INDEX.get(other))].join(" ");
}
