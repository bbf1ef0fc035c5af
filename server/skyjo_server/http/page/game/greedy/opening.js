/** Which cards to turn up first: what each choice of initial flips costs. Sees no cards, there are none to see. */

import { COLUMNS, GRID_SIZE, columnOf } from "../cards.js";
import { sum } from "./columns.js";
import { turnsToGo } from "./horizon.js";
import { openingValues } from "./outlook.js";

/**
 * By choice of places, the expected points of the own grid; only how many places lie in each column makes a difference.
 *
 * @param {object} rules every option.
 * @param {number} seats how many.
 * @param {number[][]} choices the indices of the places of each.
 */
export function openingCosts(rules, seats, choices) {
  const values = openingValues(turnsToGo(rules, seats, GRID_SIZE - rules.initial_flips), rules);
  return choices.map((places) => {
    const counts = COLUMNS.map(() => 0);
    for (const place of places) counts[columnOf(place)] += 1;
    return sum(counts.map((count) => values[count]).sort((one, other) => one - other));
  });
}
