/** Files of games, whatever their form: finds out which it is, and reads it line by line. Opens none. */

import { JsonLinesReader } from "./jsonl.js";
import { BadText, LINE_CHARACTERS } from "./read.js";
import { Divergence } from "./referee.js";
import { TranscriptReader } from "./transcript.js";
import { verify } from "./verify.js";

/** The reader for a file whose first line with anything on it is given. */
function readerFor(line) {
  if (line.startsWith("{")) return new JsonLinesReader();
  if (line.startsWith("[") || line.startsWith(";")) return new TranscriptReader();
  throw new BadText("this is neither JSON Lines nor a transcript of Skyjo: those begin with { or [Skyjo");
}

/**
 * Reads the games of a file, given to it in lines, and proves each.
 *
 * @throws {BadText|Divergence} naming the line; what was read before it holds.
 */
export class GamesReader {
  #reader = null;
  #number = 0;

  /**
   * Read one line, without its end.
   *
   * @returns {{record: object, hashes: boolean} | null} the proved game that is complete with it.
   */
  take(line) {
    this.#number += 1;
    return this.#naming(() => {
      if (line.length > LINE_CHARACTERS) throw new BadText(`this line is too long: it may have ${LINE_CHARACTERS} characters`);
      if (line.trim() === "") return null;
      this.#reader ??= readerFor(line);
      return this.#proved(this.#reader.take(line));
    });
  }

  /** The last game, once all lines were read. */
  finish() {
    return this.#naming(() => this.#proved(this.#reader?.finish() ?? null));
  }

  #proved(record) {
    if (record === null) return null;
    const { events, hashes } = verify(record);
    return { record: { ...record, events }, hashes };
  }

  #naming(read) {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof BadText || error instanceof Divergence)) throw error;
      error.message = `line ${this.#number}: ${error.message}`;
      throw error;
    }
  }
}

/** The proved games of a whole text. */
export function* readText(text) {
  const reader = new GamesReader();
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end < 0 ? text.length : end);
    const game = reader.take(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (game !== null) yield game;
    start = end < 0 ? text.length : end + 1;
  }
  const game = reader.finish();
  if (game !== null) yield game;
}
