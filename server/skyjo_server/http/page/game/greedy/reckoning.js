/**
 * The costs of a turn's actions, from what its seat knows. Chooses nothing.
 *
 * Costs are kept in lists by card: what it costs to put each of the fifteen cards on a place. Taking the discard reads one
 * entry, keeping the drawn card another, and drawing averages over the best of each.
 */

import { COLUMNS, ROWS, columnOf } from "../cards.js";
import { CARDS, COMPLETING, GONE, HIDDEN, MISSING, NO_CARD, OPEN_IN, PAIRING, average, least, restOf, sum, symbolOf } from "./columns.js";
import { enderCost, prospect } from "./ending.js";
import { turnsToGo, waitingCost } from "./horizon.js";
import { Knowledge } from "./knowledge.js";
import { PRICE, outlook, pairValues } from "./outlook.js";
import { Rows } from "./rows.js";

const NO_GIFTS = CARDS.map(() => 0);

/**
 * The costs of all actions at one decision of a turn.
 *
 * A cost is what the seat will score in this round, in points, plus what the action gives to the others on average.
 */
export class Reckoning {
  #rules;
  #top;
  #know;
  #own;
  #look;
  #current;
  #gifts;
  #anyGift;
  #goingOn;
  #ending;
  #rows = null;
  #puts = new Map();
  #flips = new Map();

  constructor(state, seat) {
    const know = new Knowledge(state, seat);
    const { rules } = state;
    const turns = know.ender === null ? turnsToGo(rules, state.seats, Math.min(...know.hidden)) : 0;
    this.#rules = rules;
    this.#top = state.discards.at(-1);
    this.#know = know;
    this.#own = know.cells[seat];
    this.#look = outlook(turns, rules);
    this.#current = know.states[seat].map((column) => this.#value(this.#look, column));
    this.#gifts = this.#giftsToNext();
    this.#anyGift = average(know.chance, this.#gifts);
    this.#goingOn = sum(this.#current) - turns * PRICE;
    this.#ending = know.ender === null && know.hidden[seat] === 1;
    if (this.#ending) {
      this.#goingOn += waitingCost(state.version, state.round, state.seats) + this.#gainOfOthers(turns);
    }
    if (rules.remove_rows) {
      this.#rows = new Rows(this.#own, this.#look.value, pairValues(turns, rules), this.#current, know.surplus);
    }
    this.#reckonPlaces();
  }

  /** The cost of an action that is legal now: its verb, and the index of its place if it has one. */
  cost({ verb, places: [place] }) {
    if (verb === "draw") return this.#draw();
    const card = symbolOf(this.#know.hand ?? this.#top);
    if (verb !== "reject") return this.#puts.get(place)[card];
    return (place === undefined ? this.#goingOn : this.#flips.get(place)) + this.#gifts[card];
  }

  /** The average over all unseen cards, each played in the best way. */
  #draw() {
    const keep = least([...new Set(this.#puts.values())]);
    let reject = this.#flips.size === 0 ? this.#goingOn : Math.min(...this.#flips.values());
    if (this.#rules.flip_after_reject === "optional") reject = Math.min(reject, this.#goingOn);
    return average(this.#know.chance, keep.map((cost, card) => Math.min(cost, reject + this.#gifts[card])));
  }

  /** Fill in the costs of every place; equal cells of equal columns cost the same. */
  #reckonPlaces() {
    const known = new Map();
    const states = this.#know.states[this.#know.seat];
    this.#own.forEach((cell, place) => {
      if (cell === GONE) return;
      const column = columnOf(place);
      const key = this.#rows === null ? `${states[column]} ${cell}` : place;
      if (!known.has(key)) known.set(key, this.#reckon(place, column, cell));
      const { costs, flip } = known.get(key);
      this.#puts.set(place, costs);
      if (cell === HIDDEN) this.#flips.set(place, flip);
    });
  }

  /** What each card costs on a place, and what turning up the card there costs, if it is hidden. */
  #reckon(place, column, cell) {
    const [know, gifts] = [this.#know, this.#gifts];
    const rest = restOf(...COLUMNS[column].filter((other) => other !== place).map((other) => this.#own[other]));
    let values = this.#valuesAfter(place, rest);
    let base = this.#goingOn - this.#current[column];
    let [flip, gift] = [0, gifts[cell]];
    if (cell === HIDDEN) {
      if (this.#ending) [values, base] = [this.#endCosts(place, rest), 0];
      [flip, gift] = [average(know.chance, values) + base, this.#anyGift];
    }
    base += gift;
    const costs = values.map((value) => value + base);
    // The removed cards lie on top of the replaced one (rule 17).
    for (const symbol of this.#completed(place, rest).keys()) costs[symbol] += gifts[symbol] - gift;
    return { costs, flip };
  }

  /** What a column is worth, its pair's chance corrected by how many of the missing card are unseen. */
  #value(look, column) {
    return look.value[column] - look.pair[column] * this.#know.surplus[MISSING[column]];
  }

  /** By card, what a column is worth once the card is put there. */
  #valuesAfter(place, rest) {
    const values = [...this.#look.placed[rest]];
    for (const [card, column, missing] of PAIRING[rest]) values[card] -= this.#look.pair[column] * this.#know.surplus[missing];
    this.#rows?.correct(values, place, rest);
    return values;
  }

  /** By symbol of the cards that complete a line there, how many open cards leave the grid with them. */
  #completed(place, rest) {
    const leaving = new Map();
    if (this.#rules.remove_columns) leaving.set(COMPLETING[rest], ROWS - 1);
    if (this.#rows !== null) {
      const symbol = this.#rows.completing(place);
      leaving.set(symbol, (leaving.get(symbol) ?? 0) + COLUMNS.length - 1);
    }
    leaving.delete(NO_CARD);
    return leaving;
  }

  /** By card, what it gives to the next seat on top of the discard pile: what it gains over a draw. */
  #giftsToNext() {
    const { chance, clockwise, ender, states } = this.#know;
    const follower = clockwise[1];
    if (ender === follower) return NO_GIFTS;
    const gains = least(states[follower].map((column) => this.#look.gain[column]));
    const drawing = sum(gains.map((gain, card) => (gain < 0 ? chance[card] * gain : 0)));
    const share = 1 / (clockwise.length - 1);
    return gains.map((gain) => (gain < drawing ? (drawing - gain) * share : 0));
  }

  /** What every other seat will score if this one ends the round now. */
  #prospects() {
    const { clockwise, hidden, states } = this.#know;
    const look = outlook(1, this.#rules);
    const mean = (seat) => sum(states[seat].map((column) => this.#value(look, column))) - PRICE;
    return clockwise.slice(1).map((seat) => prospect(mean(seat), hidden[seat]));
  }

  /** What the others gain on average by playing on for so many turns instead of one. */
  #gainOfOthers(turns) {
    const { clockwise, states } = this.#know;
    const prospects = this.#prospects();
    const columns = clockwise.slice(1).flatMap((seat) => states[seat]);
    const later = sum(columns.map((column) => this.#value(this.#look, column)));
    return sum(prospects.map(({ mean }) => mean)) / prospects.length - later / prospects.length + turns * PRICE;
  }

  /** By card, what the seat scores if that card lies on its last hidden place. */
  #endCosts(place, rest) {
    const prospects = this.#prospects();
    const raw = sum(this.#know.states[this.#know.seat].flatMap((column) => OPEN_IN[column]));
    const raws = CARDS.map((card) => raw + card);
    for (const [symbol, leaving] of this.#completed(place, rest)) raws[symbol] = raw - leaving * CARDS[symbol];
    return raws.map((score) => enderCost(this.#rules, score, prospects));
  }
}
