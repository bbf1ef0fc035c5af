/** Reads, proves and scores games beside the page, so that no file can freeze it. Answers messages; shows nothing. */

import { analyse, toFourPlaces } from "./game/analysis.js";
import { GamesReader, readText } from "./game/files.js";
import { BadText, LINE_CHARACTERS } from "./game/read.js";
import { Divergence } from "./game/referee.js";
import { textsIn } from "./game/texts.js";

/** The games of the file that was read last, each as the lines that it was read from: a Blob, which need not be in memory. */
let kept = [];

/** The game that was opened last, so that it is not proved anew to be scored: one of them, or without index, of a text. */
let opened = { index: null, game: null };

/** How often the page is told of progress: after so many games, or bytes. */
const GAMES_AT_ONCE = 20;
const BYTES_AT_ONCE = 2 ** 20;

/** After so many decisions, other questions have their turn. */
const DECISIONS_AT_ONCE = 100;

self.addEventListener("message", async ({ data: { id, ask, ...question } }) => {
  const tell = (message) => self.postMessage({ id, ...message });
  try {
    await ASKS[ask](question, tell);
  } catch (error) {
    const known = error instanceof BadText || error instanceof Divergence;
    // A folder, or a file that has changed since it was chosen, cannot be read.
    const message = known ? error.message : `this cannot be read (${error.name}: ${error.message})`;
    tell({ refused: message, version: error.version ?? null });
  }
});

const ASKS = {
  /** Prove the one game of a text. */
  prove({ text }, tell) {
    const [game] = readText(text);
    if (game === undefined) throw new BadText("there is no game in this");
    opened = { index: null, game };
    tell({ proved: game });
  },

  /** Prove the games of a file, telling what there is as it comes. */
  async file({ file }, tell) {
    kept = [];
    opened = { index: null, game: null };
    const games = new Found(tell, file.size);
    for await (const { name, chunks } of textsIn(file)) await readChunks(name, chunks, games);
    if (kept.length === 0) throw new BadText("there is no game in this file");
    games.flush();
    tell({ done: true });
  },

  /** Give a game of that file again. */
  async open({ index }, tell) {
    tell({ proved: await gameAt(index) });
  },

  /** Say what the decisions of a game of that file cost; without index, those of the text that was proved last. */
  async analyse({ index }, tell) {
    const { record } = await gameAt(index);
    const decisions = [];
    for (const decision of analyse(record)) {
      decisions.push({ ...decision, cost: toFourPlaces(decision.cost) });
      if (decisions.length % DECISIONS_AT_ONCE === 0) await othersTurn();
    }
    tell({ analysed: decisions });
  },
};

async function gameAt(index) {
  if (opened.index === index) return opened.game;
  const [game] = readText(await kept[index].text());
  opened = { index, game };
  return game;
}

const othersTurn = () => new Promise((resolve) => setTimeout(resolve));

/** Tells the page of the games that were found, many at once. */
class Found {
  #tell;
  #size;
  #new = [];
  #read = 0;
  #told = 0;

  constructor(tell, size) {
    this.#tell = tell;
    this.#size = size;
  }

  read(bytes) {
    this.#read += bytes;
    if (this.#read - this.#told >= BYTES_AT_ONCE) this.flush();
  }

  add({ record }, text) {
    const { game, seats, result, events } = record;
    this.#new.push({ index: kept.length, game, seats, result, events: events.length });
    kept.push(new Blob([text]));
    if (this.#new.length >= GAMES_AT_ONCE) this.flush();
  }

  flush() {
    this.#told = this.#read;
    this.#tell({ games: this.#new, share: Math.min(this.#read / this.#size, 1) });
    this.#new = [];
  }
}

/** Read a text that comes in chunks, line by line; no more than a line and a game is held back. */
async function readChunks(name, chunks, games) {
  const reader = new GamesReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [rest, lines] = ["", []];
  const line = (text) => {
    const game = reader.take(text);
    if (game === null) {
      lines.push(text);
      return;
    }
    // A transcript ends where the next one begins, a game in JSON Lines with its own last line.
    const ended = text.startsWith("[") ? lines.splice(0) : [...lines.splice(0), text];
    games.add(game, ended.join("\n"));
    if (text.startsWith("[")) lines.push(text);
  };
  try {
    for await (const bytes of chunks) {
      games.read(bytes.length);
      const parts = (rest + decode(decoder, bytes)).split("\n");
      rest = parts.pop();
      for (const part of parts) line(part.replace(/\r$/, ""));
      if (rest.length > LINE_CHARACTERS) line(rest);
    }
    if (rest !== "") line(rest);
    const last = reader.finish();
    if (last !== null) games.add(last, lines.join("\n"));
  } catch (error) {
    if (name !== null && (error instanceof BadText || error instanceof Divergence)) error.message = `${name}, ${error.message}`;
    throw error;
  }
}

function decode(decoder, bytes) {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch {
    throw new BadText("this is no text in UTF-8");
  }
}
