/**
 * What a column is worth while a seat has some more turns: the points that it will cost in the end. Sees no table.
 *
 * Every column is played on its own, by backward induction over the turns that are left: a turn offers the discard and the
 * draw, both from a full deck, and may put one of them into the column at a price.
 */

import {
  AFTER,
  CARDS,
  COMPLETING,
  EMPTY,
  GONE,
  HIDDEN,
  HIDDEN_IN,
  MEAN,
  MISSING,
  NO_CARD,
  OPEN_IN,
  RESTS_OF,
  SHARES,
  STATES,
  average,
  least,
  restOf,
  stateOf,
  sum,
} from "./columns.js";

/** Points that a turn is worth elsewhere. */
export const PRICE = 3.5;

const NO_GAIN = CARDS.map(() => 0);

/** A function that works out the same only once: the tables of a horizon serve every decision. */
function remembered(make) {
  const known = new Map();
  return (...given) => {
    const name = given.join(" ");
    if (!known.has(name)) known.set(name, make(...given));
    return known.get(name);
  };
}

/**
 * The outlook with so many turns to go, from 0 on, under the rules' removals, in points; low is good.
 *
 * `value`: by state. `pair`: by state, by how much the chance to complete its pair lowers the value; 0 where there is no
 * pair. `placed`: by rest and card, the value after the card is put there and a complete column is removed. `gain`: by state
 * and card, how the card changes the value where it does best.
 */
export const outlook = (turns, rules) => outlookOf(turns, rules.remove_columns, rules.final_removal);

/** By state, by how much a pair would lower the value, even if the rules remove no columns. */
export const pairValues = (turns, rules) => outlookOf(turns, true, rules.final_removal).pair;

/** The value of a new column of which 0, 1, 2 or 3 cards will be turned up. */
export const openingValues = (turns, rules) => openingOf(turns, rules.remove_columns, rules.final_removal);

const openingOf = remembered((turns, removing, finalRemoval) => {
  const look = outlookOf(turns, removing, finalRemoval);
  return [0, 1, 2, 3].map((count) => turnedUp(look, [HIDDEN, HIDDEN, HIDDEN], count));
});

const outlookOf = remembered((turns, removing, finalRemoval) => {
  const value = valuesOf(turns, removing, finalRemoval);
  // What the pair adds shows in the same column where nothing is removed.
  const plain = valuesOf(turns, false, finalRemoval);
  const placed = placedIn(value, removing);
  return {
    value,
    pair: plain.map((bare, state) => (MISSING[state] === NO_CARD ? 0 : bare - value[state])),
    placed,
    gain: value.map((now, state) => (state === EMPTY ? NO_GAIN : best(placed, state).map((then) => then - now))),
  };
});

const valuesOf = remembered((turns, removing, finalRemoval) => {
  if (turns === 0) return STATES.map((symbols, state) => finalValue(symbols, state, removing, finalRemoval));
  const sooner = valuesOf(turns - 1, removing, finalRemoval);
  const placed = placedIn(sooner, removing).map((row) => row.map((value) => value + PRICE));
  return STATES.map((_, state) => afterTurn(placed, state, sooner[state]));
});

/** The expected sum after the final reveal and its removals (rule 22). */
function finalValue(symbols, state, removing, finalRemoval) {
  const [hidden, cards] = [HIDDEN_IN[state], OPEN_IN[state]];
  let value = sum(cards) + hidden * MEAN;
  if (hidden === 0 || symbols.includes(GONE) || !removing || finalRemoval === "never" || new Set(cards).size > 1) return value;
  CARDS.forEach((card, symbol) => {
    const possible = cards.length === 0 || cards[0] === card;
    if (possible && (card > 0 || finalRemoval === "mandatory")) value -= SHARES[symbol] ** hidden * symbols.length * card;
  });
  return value;
}

function placedIn(values, removing) {
  const complete = (rest, card) => removing && card === COMPLETING[rest];
  return AFTER.map((states, rest) => states.map((state, card) => values[complete(rest, card) ? EMPTY : state]));
}

/** The value one turn earlier: the discard is taken, else the draw is kept, else the column is left alone. */
function afterTurn(placed, state, untouched) {
  if (state === EMPTY) return untouched;
  const values = best(placed, state);
  const draw = average(SHARES, values.map((value) => Math.min(value, untouched)));
  return average(SHARES, values.map((value) => Math.min(value, draw)));
}

/** By card, the least value that putting it into the column can give. */
const best = (placed, state) => least(RESTS_OF[state].map((rest) => placed[rest]));

/** The value once so many of the hidden cards, which stand first, are turned up. */
function turnedUp(look, symbols, count) {
  if (count === 0) return look.value[stateOf(...symbols)];
  const rest = symbols.slice(1);
  if (count === 1) return average(SHARES, look.placed[restOf(...rest)]);
  return average(SHARES, CARDS.map((_, card) => turnedUp(look, [...rest, card], count - 1)));
}
