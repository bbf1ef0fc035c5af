/** A game as it is stepped through: its events, and the state after each. Shows nothing. */

import { fold, initialState } from "../game/state.js";

/** A game, whole or as far as it has come. */
export class Replay {
  #initial;

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
    this.states = [];
    this.result = null;
    this.before = this.before.bind(this);
    this.#initial = initialState(rules, names.length);
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
    this.states.push(fold(this.before(event.version), event));
    this.events.push(event);
    return true;
  }

  /** The state that an event was played in. */
  before(step) {
    return step === 0 ? this.#initial : this.states[step - 1];
  }

  /**
   * The table to be shown at a step. The event that ends a round carries the next deal, too: there it is the end of the
   * round that is shown, with all its cards turned up, and nobody to act.
   */
  table(step) {
    const event = this.events[step];
    const dealt = event.facts.findIndex((fact) => fact.kind === "dealt");
    if (dealt <= 0) return this.states[step];
    const ended = fold(this.before(step), { ...event, opener: null, facts: event.facts.slice(0, dealt) });
    return { ...ended, phase: "turn", turn: null, hand: null };
  }

  /** The last step that there is; −1 before the first deal. */
  get last() {
    return this.events.length - 1;
  }

  /** The scores of every round. */
  get rounds() {
    return this.states.at(-1)?.rounds ?? [];
  }

  /** The steps at which the rounds begin, round 1 first. */
  get roundSteps() {
    return this.events.flatMap((event, step) => (event.facts.some((fact) => fact.kind === "dealt") ? [step] : []));
  }
}
