/** Reads files of games from standard input, one JSON text a line, and answers what the viewer says of each. */

import { createInterface } from "node:readline";

import { readText } from "../../server/skyjo_server/http/page/game/files.js";
import { BadText } from "../../server/skyjo_server/http/page/game/read.js";
import { Divergence } from "../../server/skyjo_server/http/page/game/referee.js";

function verdict(text) {
  const games = [];
  try {
    for (const { record, hashes } of readText(text)) {
      games.push({ game: record.game, events: record.events, result: record.result, hashes });
    }
    return { games };
  } catch (error) {
    if (error instanceof Divergence) return { games, message: error.message, version: error.version };
    if (error instanceof BadText) return { games, message: error.message };
    throw error;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { games, ...refusal } = verdict(JSON.parse(line));
  console.log(JSON.stringify({ games, ...refusal }));
}
