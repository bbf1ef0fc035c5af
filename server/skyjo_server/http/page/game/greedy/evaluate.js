/** What the house bot greedy expects of every action: the least cost in points, looking one turn ahead. Plays nothing. */

import { parseAction } from "../cards.js";
import { legalActions } from "../legal.js";
import { openingCosts } from "./opening.js";
import { Reckoning } from "./reckoning.js";

/**
 * What every legal action of a seat costs in expectation, by what the seat can know.
 *
 * @param {object} state the full state; of it, no more is read than the seat may see.
 * @param {number} seat the one that decides.
 * @returns {Map<string, number>} points by action, in the order of the legal actions; low is good. Costs of different
 *   decisions cannot be compared.
 */
export function evaluate(state, seat) {
  const texts = legalActions(state, seat);
  const actions = texts.map(parseAction);
  if (state.phase === "flip") {
    const costs = openingCosts(state.rules, state.seats, actions.map(({ places }) => places));
    return new Map(texts.map((text, index) => [text, costs[index]]));
  }
  if (texts.length === 0) return new Map();
  const reckoning = new Reckoning(state, seat);
  return new Map(texts.map((text, index) => [text, reckoning.cost(actions[index])]));
}
