/** Cards, places and the notation of actions. Says nothing about when an action is legal. */

export const SEATS_MIN = 2;
export const SEATS_MAX = 8;
export const GRID_SIZE = 12;
export const ROWS = 3;

const COPIES = [[-2, 5], [-1, 10], [0, 15], ...Array.from({ length: 12 }, (_, index) => [index + 1, 10])];

/** The 150 cards, ascending: the order in which a shuffle takes them (rule 1). */
export const DECK = COPIES.flatMap(([card, copies]) => Array(copies).fill(card));

/** The names of the twelve places by index: a1 a2 a3 b1 …, the order of a deal. */
export const PLACES = [..."abcd"].flatMap((column) => [..."123"].map((row) => column + row));

/** The index of a place by its name. */
export const INDEX = new Map(PLACES.map((place, index) => [place, index]));

/** The indices of the places in the order a1 b1 c1 d1 a2 …, the order of default flips (rule 30). */
export const BY_ROW = [0, 1, 2].flatMap((row) => [0, 1, 2, 3].map((column) => column * ROWS + row));

export const COLUMNS = [0, 1, 2, 3].map((column) => [0, 1, 2].map((row) => column * ROWS + row));
export const ROW_LINES = [0, 1, 2].map((row) => [0, 1, 2, 3].map((column) => column * ROWS + row));

/** The number of the column that a place is in. */
export const columnOf = (place) => Math.floor(place / ROWS);

const ONE = /^(?:draw|reject|(?:take|keep|reject) [a-d][1-3])$/;
const FLIP = /^flip(?: [a-d][1-3]){1,11}$/;

/**
 * Read an action: `flip a1 b1`, `take c2`, `draw`, `keep c2`, `reject c2` or `reject`.
 *
 * @param {string} text
 * @returns {{verb: string, places: number[]} | null} null if the text is no action.
 */
export function parseAction(text) {
  if (typeof text !== "string" || !(ONE.test(text) || FLIP.test(text))) return null;
  const [verb, ...names] = text.split(" ");
  if (new Set(names).size < names.length) return null;
  return { verb, places: names.map((name) => INDEX.get(name)) };
}
