/** What complete rows change, where the rules remove them (rule 19): corrections to what single columns are worth. */

import { COLUMNS, PLACES, ROWS, ROW_LINES, columnOf } from "../cards.js";
import { CARDS, COMPLETING, EMPTY, GONE, HIDDEN, NO_CARD, RESTS, stateOf } from "./columns.js";

/** By place, the other places of its row. */
const BESIDE = PLACES.map((_, place) => ROW_LINES[place % ROWS].filter((other) => other !== place));

/** The rows of one grid: a row that lacks one card for four equal ones is worth what a column's pair that lacks it is. */
export class Rows {
  #cells;
  #value;
  #pair;
  #current;
  #surplus;

  /**
   * @param {number[]} cells the symbols of the grid.
   * @param {number[]} value by state, what a column is worth.
   * @param {number[]} pair by state, what a pair that waits for its third card is worth.
   * @param {number[]} current by column of the grid, what it is worth now.
   * @param {number[]} surplus by symbol, by how much likelier the card is than in a full deck.
   */
  constructor(cells, value, pair, current, surplus) {
    this.#cells = cells;
    this.#value = value;
    this.#pair = pair;
    this.#current = current;
    this.#surplus = surplus;
  }

  /** The symbol of the card that completes the row of a place, else NO_CARD. */
  completing(place) {
    const [one, ...others] = this.#beside(place);
    return others.every((other) => other === one) && one < HIDDEN ? one : NO_CARD;
  }

  /** Correct in place, by card, what the column of a place is worth once the card is put there, beside a rest. */
  correct(values, place, rest) {
    const beside = this.#beside(place);
    if (beside.includes(GONE) || new Set(beside).size === beside.length) return;
    const before = this.#hope([...beside, this.#cells[place]]);
    for (let symbol = 0; symbol < CARDS.length; symbol += 1) values[symbol] += before - this.#hope([...beside, symbol]);
    const completing = this.completing(place);
    if (completing !== NO_CARD) values[completing] = before + this.#withoutRow(place, rest, completing);
  }

  #beside(place) {
    return BESIDE[place].map((other) => this.#cells[other]);
  }

  /** How much a row lowers the grid's value by lacking a single card. */
  #hope(row) {
    row.sort((one, other) => one - other);
    const lacking = row[1];
    if (lacking >= HIDDEN || row.filter((symbol) => symbol === lacking).length !== row.length - 1) return 0;
    const odd = row[0] === lacking ? row.at(-1) : row[0];
    return this.#pair[stateOf(lacking, lacking, odd)] * (1 + this.#surplus[lacking]);
  }

  /** The own column once its row has gone, and what the loss changes in the other columns. */
  #withoutRow(place, rest, completing) {
    // A card that completes its column as well leaves once, and the column is empty (rules 18 and 19).
    const own = COMPLETING[rest] === completing ? EMPTY : stateOf(...RESTS[rest], GONE);
    let changed = 0;
    for (const other of BESIDE[place]) {
      const column = columnOf(other);
      const left = COLUMNS[column].filter((index) => index !== other).map((index) => this.#cells[index]);
      changed += this.#value[stateOf(...left, GONE)] - this.#current[column];
    }
    return this.#value[own] + changed;
  }
}
