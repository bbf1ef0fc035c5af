/** The published vectors of shuffles, chance and hashes, held against the viewer's modules under Node. */

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { fromHex, hmac, sha256, toHex } from "../../server/skyjo_server/http/page/game/bytes.js";
import { DECK, PLACES } from "../../server/skyjo_server/http/page/game/cards.js";
import { Chance, commitment, shuffleKey } from "../../server/skyjo_server/http/page/game/shuffle.js";

const read = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), "utf8"));

test("the hash and the keyed hash are those of Node at every length of a message", () => {
  for (let length = 0; length < 300; length += 1) {
    const message = Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256);
    const key = message.subarray(0, Math.min(length, 64));
    assert.equal(toHex(sha256(message)), createHash("sha256").update(message).digest("hex"));
    assert.equal(toHex(hmac(key, message)), createHmac("sha256", key).update(message).digest("hex"));
  }
});

for (const context of read("skyjo-shuffle-1.json")) {
  test(`commitment, key, deals and reshuffles of ${context.game_id} under ${context.rules.slice(0, 20)}`, () => {
    const seed = fromHex(context.seed);
    const key = shuffleKey(seed, context.game_id, context.rules, context.entropy.map(fromHex));
    assert.equal(toHex(commitment(seed, context.game_id, context.rules)), context.commitment);
    assert.equal(toHex(key), context.key);
    for (const deal of context.deals) {
      // The example of a reshuffle takes the first 60 cards of the deck.
      const taken = deal.reshuffle === 0 ? DECK : DECK.slice(0, 60);
      assert.deepEqual(new Chance(key).reshuffle(deal.round, deal.reshuffle, taken), deal.cards);
    }
  });
}

for (const context of read("chance.json")) {
  test(`words, flips and openers of ${context.game_id} under ${context.rules.slice(0, 20)}`, () => {
    const chance = new Chance(fromHex(context.key));
    for (const { round, purpose, words } of context.words) {
      const stream = chance.stream(round, purpose);
      assert.deepEqual(words.map(() => stream.word()), words);
    }
    for (const { round, seats, k, places } of context.flips) {
      const drawn = chance.flips(round, seats, k);
      assert.deepEqual(drawn.map((seat) => seat.map((index) => PLACES[index])), places);
    }
    for (const { round, m, index } of context.starter) assert.equal(chance.starter(round, m), index);
  });
}
