/**
 * `skyjo-shuffle/1`: fair shuffles that anyone can check from a seed. Knows cards and places, not the game.
 *
 * LP(b) is the length of b as two bytes, big-endian, then b; H is HMAC-SHA256. From a 32-byte seed, fixed by a commitment
 * before anybody acts, and optional entropy of the seats comes a key; from the key every deal, reshuffle and other chance.
 */

import { concat, hmac, prefixed, sha256, u32be, utf8, uuidBytes } from "./bytes.js";
import { DECK, GRID_SIZE } from "./cards.js";

const WORD_SPAN = 2 ** 32;

/** The 32 bytes that are published before any seat can act. */
export function commitment(seed, gameId, rulesName) {
  return sha256(concat(utf8("skyjo-commit/1\0"), uuidBytes(gameId), prefixed(utf8(rulesName)), seed));
}

/**
 * The key of all chance of a game.
 *
 * @param {Uint8Array} seed 32 bytes.
 * @param {string} gameId the game's id, or the board's on a duplicate board.
 * @param {string} rulesName the preset's name, or the canonical JSON of house rules.
 * @param {Uint8Array[]} entropy one a seat, or none at all.
 */
export function shuffleKey(seed, gameId, rulesName, entropy) {
  const given = concat(Uint8Array.of(entropy.length), ...entropy.map(prefixed));
  return hmac(seed, concat(utf8("skyjo-key/1\0"), uuidBytes(gameId), prefixed(utf8(rulesName)), given));
}

/** An endless stream of 32-bit words, and uniform whole numbers from it. */
export class WordStream {
  #key;
  #label;
  #block = 0;
  #words = [];

  constructor(key, label) {
    this.#key = key;
    this.#label = label;
  }

  /** The next word, 0 to 2³² − 1. */
  word() {
    if (this.#words.length === 0) {
      const bytes = hmac(this.#key, concat(this.#label, u32be(this.#block)));
      const view = new DataView(bytes.buffer);
      this.#words = Array.from({ length: 8 }, (_, index) => view.getUint32(index * 4)).reverse();
      this.#block += 1;
    }
    return this.#words.pop();
  }

  /** A whole number from 0 to n − 1, each equally likely. */
  uniform(n) {
    const limit = WORD_SPAN - (WORD_SPAN % n);
    let word = this.word();
    while (word >= limit) word = this.word();
    return word % n;
  }
}

/** Where every random outcome of a game comes from. */
export class Chance {
  #key;

  constructor(key) {
    this.#key = key;
  }

  /** All 150 cards for a round, first dealt first. */
  deal(round) {
    return this.reshuffle(round, 0, DECK);
  }

  /** Cards in a new order: Fisher–Yates from the last place down to the second. */
  reshuffle(round, count, cards) {
    const stream = new WordStream(this.#key, concat(utf8("skyjo-deck/1\0"), u32be(round), u32be(count)));
    const shuffled = [...cards];
    for (let last = shuffled.length - 1; last >= 1; last -= 1) swap(shuffled, last, stream.uniform(last + 1));
    return shuffled;
  }

  /** For each seat, the indices of the places to turn up, in the order drawn; one stream for all seats. */
  flips(round, seats, count) {
    const stream = this.stream(round, "flips");
    return Array.from({ length: seats }, () => {
      const places = Array.from({ length: GRID_SIZE }, (_, index) => index);
      for (let index = 0; index < count; index += 1) swap(places, index, index + stream.uniform(GRID_SIZE - index));
      return places.slice(0, count);
    });
  }

  /** The index of the opener among at least two candidates. */
  starter(round, candidates) {
    return this.stream(round, "starter").uniform(candidates);
  }

  /** The words of a round for a purpose other than shuffling. */
  stream(round, purpose) {
    return new WordStream(this.#key, concat(utf8("skyjo-chance/1\0"), u32be(round), prefixed(utf8(purpose))));
  }
}

function swap(values, one, other) {
  [values[one], values[other]] = [values[other], values[one]];
}
