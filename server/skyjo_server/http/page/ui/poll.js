/** Asking again and again, as long as somebody looks. Knows not what is asked. */

/** Does a task now, and again some time after each end, but not while the page is hidden. */
export class Poll {
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
