/** How an event reads in a transcript: its words, in order. Lays out no lines. */

import { GRID_SIZE, ROWS } from "./cards.js";

/** How many facts are the action itself; what stands after them followed from it. */
const OWN_FACTS = { draw: 1, take: 2, keep: 2 };

/** Writes down the events of one game, in order. */
export class Scribe {
  #seats;
  #seat = null;

  constructor(seats) {
    this.#seats = seats;
  }

  /** The words of the next event. */
  words(event) {
    const texts = [];
    let { facts } = event;
    if (event.seat !== null) {
      while (facts[0]?.kind === "reshuffled") {
        texts.push(this.#note(`Reshuffled ${facts[0].cards.join(" ")}`));
        facts = facts.slice(1);
      }
      const own = ownFacts(event.action);
      texts.push(this.#move(event, facts.slice(0, own)));
      facts = facts.slice(own);
    }
    for (const text of notes(facts, this.#seats)) texts.push(this.#note(text));
    if ((event.opener ?? null) !== null) texts.push(this.#note(`Opener ${event.opener}`));
    return texts.flatMap((text) => text.split(" "));
  }

  #move(event, own) {
    const text = move(event, own);
    const continues = event.seat === this.#seat;
    this.#seat = event.seat;
    return continues ? text : `${event.seat}: ${text}`;
  }

  #note(text) {
    this.#seat = null;
    return text;
  }
}

function ownFacts(action) {
  if (action === null) return 1;
  const [verb, ...places] = action.split(" ");
  return OWN_FACTS[verb] ?? places.length + (verb === "reject" ? 1 : 0);
}

function move({ action, cause }, own) {
  const words = cause === "player" ? [] : [`(${cause})`];
  words.push(action ?? "leave");
  // The card in hand was shown when it was drawn.
  const cards = own.filter((fact) => "card" in fact).slice(/^(?:keep|reject)/.test(action ?? "") ? 1 : 0);
  if (cards.length > 0) words.push(`{${cards.map((fact) => fact.card).join(" ")}}`);
  return words.join(" ");
}

function* notes(facts, seats) {
  for (let at = 0; at < facts.length; at += 1) {
    const fact = facts[at];
    if (fact.kind === "dealt") yield* deal(fact, seats);
    if (fact.kind === "removed") yield `Removed ${fact.seat}: ${fact.places.join(" ")} of ${fact.card}`;
    if (fact.kind === "round_scored") yield scores(fact);
    if (fact.kind === "game_ended") yield `End totals ${fact.totals.join(" ")} ranks ${fact.ranks.join(" ")}`;
    if (fact.kind !== "flipped") continue;
    const shown = [];
    const ofSeat = (other) => other?.kind === "flipped" && other.seat === fact.seat;
    for (; ofSeat(facts[at]); at += 1) shown.push(`${facts[at].place} ${facts[at].card}`);
    at -= 1;
    yield `Shown ${fact.seat}: ${shown.join(" ")}`;
  }
}

function* deal(fact, seats) {
  yield `Round ${fact.round}`;
  for (let seat = 0; seat < seats; seat += 1) {
    const grid = fact.cards.slice(seat * GRID_SIZE, (seat + 1) * GRID_SIZE);
    const columns = [0, 3, 6, 9].map((at) => grid.slice(at, at + ROWS).join(" "));
    yield `Deal ${seat}: ${columns.join(" / ")}`;
  }
  yield `Discard ${fact.cards[seats * GRID_SIZE]}`;
  yield `Pile ${fact.cards.slice(seats * GRID_SIZE + 1).join(" ")}`;
}

function scores({ raw, final, totals, ender, truncated }) {
  const points = `raw ${raw.join(" ")} final ${final.join(" ")} totals ${totals.join(" ")}`;
  return `Scores ${points} ${ender === null ? "no ender" : `ender ${ender}`}${truncated ? " truncated" : ""}`;
}
