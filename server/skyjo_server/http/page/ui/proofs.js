/** The page's side of the worker that reads, proves and scores games. Judges nothing itself. */

const ADDRESS = new URL("../worker.js", import.meta.url).href;

/** A game that cannot have been, or a text that is none: the message says where and why. */
export class Refused extends Error {
  constructor(message, version) {
    super(message);
    this.version = version;
  }
}

/** The only address that a worker of this page may have: nothing else passes the browser's check of trusted types. */
const policy = globalThis.trustedTypes?.createPolicy("skyjo-viewer", {
  createScriptURL(address) {
    if (address !== ADDRESS) throw new TypeError("not the worker of this page");
    return address;
  },
});

/** One worker: each viewer of a file has its own, so that leaving the file ends its work. */
export class Prover {
  #worker = new Worker(policy?.createScriptURL(ADDRESS) ?? ADDRESS, { type: "module" });
  #asked = new Map();
  #count = 0;

  constructor() {
    this.#worker.addEventListener("message", ({ data }) => this.#asked.get(data.id)?.(data));
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      for (const answer of [...this.#asked.values()]) answer({ refused: "This could not be read.", version: null });
    });
  }

  /** Prove the one game of a text: {record, hashes}. */
  async prove(text) {
    return (await this.#ask({ ask: "prove", text })).proved;
  }

  /** Prove the games of a file; `progress` is called with {games, share} as they are found. */
  async file(file, progress) {
    await this.#ask({ ask: "file", file }, progress);
  }

  /** Give a game of that file: {record, hashes}. */
  async open(index) {
    return (await this.#ask({ ask: "open", index })).proved;
  }

  /**
   * What the decisions of a game cost, in the form of the service's analysis: one of that file, or the one of the text.
   * Null if that cannot be worked out: the game is shown without it.
   */
  async analyse(index = null) {
    return this.#ask({ ask: "analyse", index }).then(({ analysed }) => analysed, () => null);
  }

  /** End the work at once. */
  close() {
    this.#worker.terminate();
  }

  #ask(question, progress = () => {}) {
    const id = (this.#count += 1);
    return new Promise((resolve, reject) => {
      this.#asked.set(id, (data) => {
        if (data.games !== undefined) {
          progress(data);
          return;
        }
        this.#asked.delete(id);
        if (data.refused === undefined) resolve(data);
        else reject(new Refused(data.refused, data.version));
      });
      this.#worker.postMessage({ id, ...question });
    });
  }
}
