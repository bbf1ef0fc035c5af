/** What a viewer may know of an event or a table. The page shows nothing that has not passed here. */

import { GRID_SIZE, PLACES } from "./cards.js";
import { DOWN } from "./state.js";

/**
 * An event of a running game as a spectator may know it; the hash chain is over these.
 *
 * @param {object} event the full event.
 * @param {object} before the state that it was played in.
 */
export function publicEvent(event, before) {
  const { version, seat, cause } = event;
  if (!event.action?.startsWith("flip")) {
    return { version, seat, cause, action: event.action, facts: event.facts.map((fact) => publicFact(fact, before)) };
  }
  const waiting = before.chosen.filter((places) => places === null).length;
  if (waiting > 1) return { version, seat, cause, action: null, facts: [] };
  const flips = before.chosen.flatMap((places, owner) => chosenFlips(event, before, owner, places));
  const rest = event.facts.filter((fact) => fact.kind !== "flipped").map((fact) => publicFact(fact, before));
  return { version, seat, cause, action: event.action, facts: [...flips, ...rest] };
}

function chosenFlips(event, before, owner, places) {
  if (places === null) return event.facts.filter((fact) => fact.kind === "flipped");
  const { cards } = before.grids[owner];
  return places.map((index) => ({ kind: "flipped", seat: owner, place: PLACES[index], card: cards[index] }));
}

function publicFact(fact, before) {
  const shown = before.seats * GRID_SIZE;
  switch (fact.kind) {
    case "dealt":
      return { ...fact, cards: fact.cards.map((card, index) => (index === shown ? card : null)) };
    case "drawn":
      return { ...fact, card: null };
    case "reshuffled":
      return { ...fact, cards: fact.cards.map(() => null) };
    default:
      return fact;
  }
}

/**
 * An event as one viewer may know it.
 *
 * @param {number|null|"open"} viewer a seat, null for a spectator, or `open` for whoever may see every card.
 */
export function eventSeenBy(event, before, viewer) {
  if (viewer === "open") return event;
  const seen = publicEvent(event, before);
  if (viewer !== event.seat || viewer === null) return seen;
  const own = event.facts.find((fact) => fact.kind === "drawn");
  const facts = seen.facts.map((fact) => (fact.kind === "drawn" ? own : fact));
  return { ...seen, action: event.action, facts };
}

/**
 * A table as one viewer sees it: for each seat twelve places of `{face, card}`, and the card in hand.
 *
 * @param {object} state the full state, or a spectator's.
 * @param {number|null|"open"} viewer a seat, null for a spectator, or `open` for whoever may see every card.
 */
export function tableSeenBy(state, viewer) {
  const open = viewer === "open";
  const grids = state.grids.map((grid) =>
    grid.faces.map((face, index) => ({ face, card: face === DOWN && !open ? null : grid.cards[index] })),
  );
  const hand = open || viewer === state.turn ? state.hand : null;
  return { grids, hand };
}
