/** Reads games from standard input, one JSON value a line: a file's text, or a record. Answers what their decisions cost. */

import { createInterface } from "node:readline";

import { analyse, toFourPlaces } from "../../server/skyjo_server/http/page/game/analysis.js";
import { readText } from "../../server/skyjo_server/http/page/game/files.js";
import { evaluate } from "../../server/skyjo_server/http/page/game/greedy/evaluate.js";
import { fold, initialState } from "../../server/skyjo_server/http/page/game/state.js";

const recordsOf = (question) => (typeof question === "string" ? Array.from(readText(question), ({ record }) => record) : [question]);

/** The scored decisions of a record, with the cost as the page is told it, and that of every legal action. */
function* scored(record) {
  const states = [initialState(record.rules, record.seats.length)];
  for (const event of record.events) states.push(fold(states.at(-1), event));
  for (const decision of analyse(record)) {
    const costs = Object.fromEntries(evaluate(states[decision.version], decision.seat));
    yield { ...decision, told: toFourPlaces(decision.cost), costs };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(recordsOf(JSON.parse(line)).flatMap((record) => [...scored(record)])));
}
