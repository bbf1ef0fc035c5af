/**
 * The state of a game, and folding events into it. Refuses nothing and draws nothing at random.
 *
 * A card that whoever looks may not know is null; so the log of a running game, as a spectator is given it, folds in the
 * same way as the full log of a finished one.
 */

import { COLUMNS, GRID_SIZE, INDEX, PLACES, ROW_LINES } from "./cards.js";

export const DOWN = "down";
export const UP = "up";
export const GONE = "gone";

const twelve = (value) => Array(GRID_SIZE).fill(value);
const times = (seats, make) => Array.from({ length: seats }, (_, seat) => make(seat));

/**
 * A game of so many seats before its first deal.
 *
 * `phase` is `flip`, `turn`, `drawn` or `over`. `grids` has for each seat `cards` (twelve values in points) and `faces`
 * (twelve times down, up or gone). `pile` is the draw pile as it was last dealt or reshuffled, `taken` how many cards were
 * drawn from each stream of it. `chosen` has for each seat the places of its first flips, null while it has not chosen.
 */
export function initialState(rules, seats) {
  return {
    rules,
    seats,
    version: -1,
    round: 0,
    phase: "flip",
    turn: null,
    grids: times(seats, () => ({ cards: twelve(null), faces: twelve(GONE) })),
    pile: [],
    taken: noneTaken(rules, seats),
    discards: [],
    hand: null,
    chosen: times(seats, () => []),
    opener: null,
    ender: null,
    turns: times(seats, () => 0),
    reshuffles: 0,
    rounds: [],
    left: times(seats, () => false),
    ranks: null,
  };
}

/** Points by seat over the rounds scored. */
export const totals = (state) => state.rounds.at(-1)?.totals ?? times(state.seats, () => 0);

/** Cards left to draw. */
export const drawPileSize = (state) => state.pile.length - state.taken.reduce((sum, count) => sum + count, 0);

/** Seats whose action the game waits for, ascending. */
export function toAct(state) {
  if (state.phase === "over") return [];
  if (state.phase !== "flip") return state.turn === null ? [] : [state.turn];
  return times(state.seats, (seat) => seat).filter((seat) => state.chosen[seat] === null);
}

/** The indices of a grid's places that show a face. */
export const placesWith = (grid, face) => PLACES.flatMap((_, index) => (grid.faces[index] === face ? [index] : []));

/** The sum of the cards of a grid that show a face; null if one of them is not known. */
export function sumOf(grid, face) {
  const cards = placesWith(grid, face).map((index) => grid.cards[index]);
  return cards.includes(null) ? null : cards.reduce((sum, card) => sum + card, 0);
}

/** A zero for every stream of the draw pile (rule 28). */
export const noneTaken = (rules, seats) => Array(rules.draw_streams === "per_seat" ? seats : 1).fill(0);

/** The stream that a seat draws from: its own, else the longest, the lowest on ties (rule 28). */
export function streamFor(pile, taken, seat) {
  const streams = taken.length;
  const size = (stream) => Math.ceil((pile.length - stream) / streams) - taken[stream];
  const own = streams > 1 ? seat : 0;
  if (size(own) > 0) return own;
  const sizes = taken.map((_, stream) => size(stream));
  return sizes.indexOf(Math.max(...sizes));
}

/** The card on top of a stream. */
export const topOf = (pile, taken, stream) => pile[stream + taken.length * taken[stream]];

/** Complete lines of a grid on one snapshot: columns, lowest first, then rows (rules 15, 18 and 19). */
export function completeLines(rules, grid) {
  const lines = [...(rules.remove_columns ? COLUMNS : []), ...(rules.remove_rows ? ROW_LINES : [])];
  const complete = (line) =>
    line.every((index) => grid.faces[index] === UP && grid.cards[index] === grid.cards[line[0]]);
  return lines.filter(complete);
}

/** Who may open the round, the first of them unless chance decides (rules 7 and 8). */
export function openerCandidates(state, grids = state.grids) {
  const { rules, seats, rounds } = state;
  const how = state.round === 1 ? rules.first_starter : rules.next_starter;
  const everybody = times(seats, (seat) => seat);
  if (how === "random") return everybody;
  if (how === "lowest_seat") return [0];
  if (how === "highest_sum") {
    const sums = grids.map((grid) => sumOf(grid, UP));
    const best = Math.max(...sums);
    return everybody.filter((seat) => sums[seat] === best);
  }
  const last = rounds.at(-1);
  if (how === "rotate" || last.ender === null) return [((state.opener ?? 0) + 1) % seats];
  if (how === "ender") return [last.ender];
  const best = Math.min(...last.final);
  return [everybody.map((step) => (last.ender + step) % seats).find((seat) => last.final[seat] === best)];
}

/** Whether chance chooses the opener of this round if there are several candidates. */
export function chanceMayOpen(state) {
  const how = state.round === 1 ? state.rules.first_starter : state.rules.next_starter;
  return how === "random" || (how === "highest_sum" && state.rules.starter_tie === "random");
}

/**
 * The state after an event.
 *
 * @param {object} before the state before it; it stays as it is.
 * @param {{version: number, seat: number|null, action: string|null, facts: object[], opener?: number|null}} event as the
 *   log has it; `opener` is the seat that chance chose to open the round.
 */
export function fold(before, event) {
  const state = { ...before, version: event.version };
  for (const fact of event.facts) FOLDS[fact.kind](state, fact);
  const verb = event.action?.split(" ")[0];
  if (before.phase === "turn" && before.turn === null && verb) state.opener = event.seat;
  if (event.opener !== undefined && event.opener !== null) {
    state.turn = state.opener = event.opener;
  } else if (state.rounds === before.rounds && (verb === "take" || verb === "keep" || verb === "reject")) {
    finishTurn(state, event.seat);
  } else if (verb === "draw") {
    state.turn = event.seat;
  }
  return state;
}

/** Change a state, which must be the caller's own copy, by one fact. */
export const applyFact = (state, fact) => FOLDS[fact.kind](state, fact);

const withItem = (values, index, value) => values.map((old, at) => (at === index ? value : old));

function finishTurn(state, seat) {
  state.turns = withItem(state.turns, seat, state.turns[seat] + 1);
  if (state.ender === null && !state.grids[seat].faces.includes(DOWN)) state.ender = seat;
  state.turn = (seat + 1) % state.seats;
  state.phase = "turn";
}

function openRound(state) {
  state.grids = state.grids.map((grid, seat) => {
    const faces = grid.faces.map((face, index) => (state.chosen[seat].includes(index) ? UP : face));
    return { cards: grid.cards, faces };
  });
  const candidates = openerCandidates(state);
  // Where chance decides, a running game does not say whom it chose: the first turn shows it.
  state.turn = state.opener = chanceMayOpen(state) && candidates.length > 1 ? null : candidates[0];
  state.phase = "turn";
}

/** Change one seat's grid: some places get a card, a face, or both. */
function setPlaces(state, seat, indices, card, face) {
  const grid = state.grids[seat];
  const [cards, faces] = [[...grid.cards], [...grid.faces]];
  for (const index of indices) {
    cards[index] = card;
    faces[index] = face;
  }
  state.grids = withItem(state.grids, seat, { cards, faces });
}

const FOLDS = {
  dealt(state, fact) {
    const { rules, seats } = state;
    const rest = seats * GRID_SIZE;
    state.grids = times(seats, (seat) => ({
      cards: fact.cards.slice(seat * GRID_SIZE, (seat + 1) * GRID_SIZE),
      faces: twelve(DOWN),
    }));
    Object.assign(state, { round: fact.round, phase: "flip", turn: null, hand: null, ender: null, reshuffles: 0 });
    state.discards = [fact.cards[rest]];
    state.pile = fact.cards.slice(rest + 1);
    state.taken = noneTaken(rules, seats);
    state.turns = times(seats, () => 0);
    state.chosen = times(seats, () => (rules.initial_flips ? null : []));
    if (!rules.initial_flips) openRound(state);
  },
  flipped(state, fact) {
    const index = INDEX.get(fact.place);
    if (state.phase !== "flip") {
      setPlaces(state, fact.seat, [index], fact.card, UP);
      return;
    }
    setPlaces(state, fact.seat, [index], fact.card, DOWN);
    state.chosen = withItem(state.chosen, fact.seat, [...(state.chosen[fact.seat] ?? []), index]);
    const whole = (places) => places?.length === state.rules.initial_flips;
    if (state.chosen.every(whole)) openRound(state);
  },
  drawn(state, fact) {
    const stream = streamFor(state.pile, state.taken, fact.seat);
    state.taken = withItem(state.taken, stream, state.taken[stream] + 1);
    state.hand = fact.card;
    state.phase = "drawn";
  },
  placed(state, fact) {
    if (state.phase === "turn") state.discards = state.discards.slice(0, -1);
    state.hand = null;
    setPlaces(state, fact.seat, [INDEX.get(fact.place)], fact.card, UP);
  },
  discarded(state, fact) {
    state.discards = [...state.discards, fact.card];
    state.hand = null;
  },
  removed(state, fact) {
    setPlaces(state, fact.seat, fact.places.map((place) => INDEX.get(place)), fact.card, GONE);
    state.discards = [...state.discards, ...fact.places.map(() => fact.card)];
  },
  reshuffled(state, fact) {
    state.pile = fact.cards;
    state.taken = noneTaken(state.rules, state.seats);
    state.discards = state.discards.slice(-1);
    state.reshuffles += 1;
  },
  round_scored(state, fact) {
    state.rounds = [...state.rounds, fact];
  },
  left(state, fact) {
    state.left = withItem(state.left, fact.seat, true);
  },
  game_ended(state, fact) {
    Object.assign(state, { phase: "over", turn: null, ranks: fact.ranks });
  },
};
