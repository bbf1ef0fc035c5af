/** Asking again and again, as long as somebody looks. Knows not what is asked. */

import { View } from "./view.js";

/** Does a task now, and again some time after each end, but not while the page is hidden. */
class Poll {
  #task;
  #pause;
  #timer = null;
  #stopped = false;

  /**
   * @param {() => Promise<void>} task what to do; it handles its own failures.
   * @param {number} pause milliseconds between the end of one and the next.
   */
  constructor(task, pause) {
    this.#task = task;
    this.#pause = pause;
    document.addEventListener("visibilitychange", this.#seen);
    this.now();
  }

  /** Do it at once. */
  async now() {
    clearTimeout(this.#timer);
    await this.#task();
    clearTimeout(this.#timer);
    if (!this.#stopped && !document.hidden) this.#timer = setTimeout(() => this.now(), this.#pause);
  }

  /** Do it no more. */
  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#seen);
  }

  #seen = () => {
    if (!document.hidden) this.now();
  };
}

/** A view that asks again and again while it is shown: `refresh()` asks and handles its own failures, every `everyMs`. */
export class PolledView extends View {
  #poll = null;

  connectedCallback() {
    super.connectedCallback();
    this.#poll = new Poll(() => this.refresh(), this.everyMs);
  }

  disconnectedCallback() {
    this.#poll.stop();
  }

  /** Ask at once. */
  refreshNow() {
    this.#poll.now();
  }
}
