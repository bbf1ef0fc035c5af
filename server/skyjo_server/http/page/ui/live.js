/** Following a game as it is played, by server-sent events, over every break of the connection. Shows nothing. */

import { eventsAddress } from "./api.js";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;

/**
 * Follows one game until it is over.
 *
 * The browser itself comes back after a broken connection, with the id of the last event (`Last-Event-ID`). Where it gives
 * up, because the answer was an error, a new stream begins after the last event, with ever longer pauses.
 */
export class Follower {
  #id;
  #tell;
  #source = null;
  #pause = FIRST_PAUSE_MS;
  #timer = null;
  #last = -1;

  /**
   * @param {string} id the game's.
   * @param {{event: Function, state: Function, end: Function}} tell what to call: with each event, with `connecting`,
   *   `live` or `lost`, and with how the game stands when it is over.
   */
  constructor(id, tell) {
    this.#id = id;
    this.#tell = tell;
    tell.state("connecting");
    this.#open();
  }

  /** Stop following. */
  close() {
    clearTimeout(this.#timer);
    this.#source?.close();
  }

  #open() {
    const source = new EventSource(eventsAddress(this.#id, this.#last));
    this.#source = source;
    source.addEventListener("open", () => {
      this.#pause = FIRST_PAUSE_MS;
      this.#tell.state("live");
    });
    source.addEventListener("message", ({ data }) => this.#take(JSON.parse(data)));
    source.addEventListener("end", ({ data }) => {
      source.close();
      this.#tell.end(JSON.parse(data));
    });
    source.addEventListener("error", () => this.#lost(source));
  }

  #take(event) {
    if (event.version <= this.#last) return;
    this.#last = event.version;
    this.#tell.event(event);
  }

  #lost(source) {
    this.#tell.state("lost");
    if (source.readyState !== EventSource.CLOSED) return;
    this.#timer = setTimeout(() => this.#open(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
  }
}
