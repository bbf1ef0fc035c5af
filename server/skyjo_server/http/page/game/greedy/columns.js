/**
 * The columns that a seat can have, numbered: what lies in them, and what becomes of them. Judges none of them.
 *
 * A cell is a symbol: the index of a card in CARDS, HIDDEN or GONE. Three of them in any order are a *state*, the two beside
 * a third a *rest*. Lists by card are indexed by symbol. All sums run from the first value to the last, as the service's do,
 * so that equal costs come out equal to the last digit.
 */

import { DECK } from "../cards.js";

/** The fifteen cards in the order of every list by card. */
export const CARDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -2, -1];

export const HIDDEN = CARDS.length;
export const GONE = HIDDEN + 1;

/** Stands for a card where there is none, in lists that have a place more than there are cards. */
export const NO_CARD = HIDDEN;

const SYMBOLS = GONE + 1;

/** The symbol of a card. */
export const symbolOf = (card) => (card < 0 ? card + HIDDEN : card);

/** By card, how many there are in a deck, and its share of it. */
export const COPIES = CARDS.map((card) => DECK.filter((other) => other === card).length);
export const SHARES = COPIES.map((copies) => copies / DECK.length);

/** The sum of values, from the first to the last. */
export const sum = (values) => values.reduce((total, value) => total + value, 0);

export const MEAN = sum(DECK) / DECK.length;
export const VARIANCE = sum(DECK.map((card) => (card - MEAN) ** 2)) / DECK.length;

/** The expectation of values by card, under chances by card. */
export function average(chances, values) {
  let total = 0;
  for (let card = 0; card < chances.length; card += 1) total += chances[card] * values[card];
  return total;
}

/** By card, the least of several lists. */
export const least = (rows) => rows.reduce((one, other) => one.map((value, card) => Math.min(value, other[card])));

/** All groups of so many symbols, ascending; a symbol may stand in one several times. */
function groups(count, from = 0) {
  if (count === 0) return [[]];
  const firsts = Array.from({ length: SYMBOLS - from }, (_, step) => from + step);
  return firsts.flatMap((first) => groups(count - 1, first).map((others) => [first, ...others]));
}

export const STATES = groups(3);
export const RESTS = groups(2);

const code = (symbols) => symbols.reduce((number, symbol) => number * SYMBOLS + symbol, 0);
const numbers = (all) => new Map(all.map((symbols, number) => [code(symbols), number]));
const [STATE_OF, REST_OF] = [numbers(STATES), numbers(RESTS)];
const ascending = (one, other) => one - other;

/** The state of three symbols in any order. */
export const stateOf = (...symbols) => STATE_OF.get(code(symbols.sort(ascending)));

/** The rest of two symbols in any order. */
export const restOf = (...symbols) => REST_OF.get(code(symbols.sort(ascending)));

export const EMPTY = stateOf(GONE, GONE, GONE);

const count = (symbols, symbol) => symbols.filter((other) => other === symbol).length;

/** By state, its open cards. */
export const OPEN_IN = STATES.map((symbols) => symbols.filter((symbol) => symbol < HIDDEN).map((symbol) => CARDS[symbol]));

/** By state, how many cards lie face down. */
export const HIDDEN_IN = STATES.map((symbols) => count(symbols, HIDDEN));

/** By state, what may lie beside a card that is put into it: a rest for each different cell that holds a card. */
export const RESTS_OF = STATES.map((symbols) => {
  const beside = (cell) => restOf(...symbols.filter((_, other) => other !== cell));
  return [...new Set(symbols.flatMap((symbol, cell) => (symbol === GONE ? [] : [beside(cell)])))];
});

/** By rest and card, the state of the three together, before anything is removed. */
export const AFTER = RESTS.map((symbols) => CARDS.map((_, card) => stateOf(...symbols, card)));

/** By rest, the symbol of the card that makes three equal ones of it, else NO_CARD. */
export const COMPLETING = RESTS.map(([one, other]) => (one === other && one < HIDDEN ? one : NO_CARD));

/** By state, the symbol of the card that a pair of open cards waits for, else NO_CARD. */
export const MISSING = STATES.map((symbols) => {
  const [low, middle, high] = symbols;
  if (high === GONE || low === high) return NO_CARD;
  // Of an ascending pair and another, the middle one is of the pair.
  return count(symbols, middle) === 2 && middle < HIDDEN ? middle : NO_CARD;
});

/** By rest, the cards that make a state with a pair of it: [card, that state, symbol of the card it then waits for]. */
export const PAIRING = AFTER.map((states) =>
  states.flatMap((state, card) => (MISSING[state] === NO_CARD ? [] : [[card, state, MISSING[state]]])),
);
