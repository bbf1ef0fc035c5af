/** A game as it is stepped through: its events, and the state after any of them. Shows nothing. */

import { fold, initialState } from "../game/state.js";

/** Of so many states one is kept, and the others are folded again from there: a long game has a hundred thousand. */
const KEPT_ONE_IN = 64;

/** A game, whole or as far as it has come. */
export class Replay {
  #initial;
  #kept = [];
  #last;
  #near = null;

  /**
   * @param {string} id the game's.
   * @param {object} rules every option.
   * @param {string[]} names by seat.
   */
  constructor(id, rules, names) {
    this.id = id;
    this.rules = rules;
    this.names = names;
    this.events = [];
    /** The steps at which the rounds begin, round 1 first. */
    this.roundSteps = [];
    this.result = null;
    this.before = this.before.bind(this);
    this.#initial = this.#last = initialState(rules, names.length);
  }

  /** The game of a proved record. */
  static of(record) {
    const replay = new Replay(record.game, record.rules, record.seats);
    for (const event of record.events) replay.add(event);
    replay.result = record.result;
    return replay;
  }

  /** Take the next event; one that is there already, or leaves a gap, is not taken. */
  add(event) {
    if (event.version !== this.events.length) return false;
    this.#last = fold(this.#last, event);
    if (event.version % KEPT_ONE_IN === 0) this.#kept.push(this.#last);
    if (event.facts.some((fact) => fact.kind === "dealt")) this.roundSteps.push(event.version);
    this.events.push(event);
    return true;
  }

  /** The state after an event. */
  state(step) {
    if (step === this.last) return this.#last;
    const kept = step - (step % KEPT_ONE_IN);
    const isNear = this.#near !== null && this.#near.step >= kept && this.#near.step <= step;
    let { step: at, state } = isNear ? this.#near : { step: kept, state: this.#kept[kept / KEPT_ONE_IN] };
    while (at < step) {
      at += 1;
      state = fold(state, this.events[at]);
    }
    this.#near = { step, state };
    return state;
  }

  /** The state that an event was played in. */
  before(step) {
    return step === 0 ? this.#initial : this.state(step - 1);
  }

  /**
   * The table to be shown at a step. The event that ends a round carries the next deal, too: there it is the end of the
   * round that is shown, with all its cards turned up, and nobody to act.
   */
  table(step) {
    const event = this.events[step];
    const dealt = event.facts.findIndex((fact) => fact.kind === "dealt");
    if (dealt <= 0) return this.state(step);
    const ended = fold(this.before(step), { ...event, opener: null, facts: event.facts.slice(0, dealt) });
    return { ...ended, phase: "turn", turn: null, hand: null };
  }

  /** The last step that there is; −1 before the first deal. */
  get last() {
    return this.events.length - 1;
  }

  /** The scores of every round. */
  get rounds() {
    return this.#last.rounds;
  }

  /** The first and the last step of the round that a step is in; the deal of the next round is in both. */
  roundOf(step) {
    const round = this.roundSteps.findLastIndex((start) => start <= step);
    return { from: this.roundSteps[round] ?? 0, to: this.roundSteps[round + 1] ?? this.last };
  }
}
