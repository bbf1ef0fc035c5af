/**
 * What an action causes: the facts of its event, in the order in which they happen. Written from the rules page, apart
 * from the service's own engine, so that two of them must agree. Judges no log.
 */

import { PLACES, parseAction } from "./cards.js";
import { refusal } from "./legal.js";
import {
  DOWN,
  UP,
  applyFact,
  chanceMayOpen,
  completeLines,
  drawPileSize,
  initialState,
  noneTaken,
  openerCandidates,
  placesWith,
  streamFor,
  sumOf,
  topOf,
  totals,
} from "./state.js";

/** An action that the rules do not allow. */
export class IllegalMove extends Error {}

/** One event in the making: what has happened so far, and the table as it then lies. */
class Happening {
  facts = [];
  opener = null;

  constructor(state, chance) {
    this.state = { ...state };
    this.chance = chance;
  }

  happen(kind, members) {
    const fact = { kind, ...members };
    this.facts.push(fact);
    applyFact(this.state, fact);
  }

  event(seat, action, cause) {
    return { version: this.state.version + 1, seat, action, cause, facts: this.facts, opener: this.opener };
  }
}

/** Event 0 of a game: the first deal. */
export function start(rules, seats, chance) {
  const now = new Happening(initialState(rules, seats), chance);
  deal(now, 1);
  return now.event(null, null, "system");
}

/**
 * The event that an action of a seat causes; the state stays as it is.
 *
 * @throws {IllegalMove} saying why it is not legal.
 */
export function decide(state, seat, text, chance, cause) {
  const wrong = refusal(state, seat, text);
  if (wrong !== null) throw new IllegalMove(wrong);
  const now = new Happening(state, chance);
  const { verb, places } = parseAction(text);
  VERBS[verb](now, seat, places);
  return now.event(seat, text, cause);
}

/**
 * The event of a seat that resigns (cause `player`) or is made to leave (cause `forfeit`). Source: rule 31.
 *
 * @throws {IllegalMove} if it cannot leave.
 */
export function decideLeave(state, seat, cause) {
  if (!Number.isInteger(seat) || seat < 0 || seat >= state.seats) throw new IllegalMove(`there is no seat ${seat}`);
  if (state.phase === "over") throw new IllegalMove("the game is over: nobody can leave it any more");
  if (state.left[seat]) throw new IllegalMove(`seat ${seat} has left already`);
  const now = new Happening(state, null);
  now.happen("left", { seat });
  if (now.state.left.filter((gone) => !gone).length === 1) endGame(now);
  return now.event(seat, null, cause);
}

const VERBS = {
  flip(now, seat, places) {
    for (const index of places) flip(now, seat, index);
    if (now.state.phase === "turn") settleOpening(now);
  },
  draw(now, seat) {
    const { state, chance } = now;
    if (drawPileSize(state) === 0) {
      const cards = chance.reshuffle(state.round, state.reshuffles + 1, state.discards.slice(0, -1));
      now.happen("reshuffled", { cards });
    }
    const { pile, taken } = now.state;
    now.happen("drawn", { seat, card: topOf(pile, taken, streamFor(pile, taken, seat)) });
  },
  take(now, seat, [index]) {
    swap(now, seat, index, now.state.discards.at(-1));
  },
  keep(now, seat, [index]) {
    swap(now, seat, index, now.state.hand);
  },
  reject(now, seat, places) {
    now.happen("discarded", { seat, card: now.state.hand });
    for (const index of places) flip(now, seat, index);
    finishTurn(now, seat);
  },
};

function swap(now, seat, index, card) {
  const replaced = now.state.grids[seat].cards[index];
  now.happen("placed", { seat, place: PLACES[index], card });
  now.happen("discarded", { seat, card: replaced });
  finishTurn(now, seat);
}

function flip(now, seat, index) {
  now.happen("flipped", { seat, place: PLACES[index], card: now.state.grids[seat].cards[index] });
}

/** Lines that are complete now, all found before any of them is moved; each card leaves once (rules 15 to 19). */
function removeLines(now, seat, lines) {
  for (const line of lines) {
    const left = line.filter((index) => now.state.grids[seat].faces[index] === UP).sort((one, other) => one - other);
    if (left.length === 0) continue;
    const card = now.state.grids[seat].cards[left[0]];
    now.happen("removed", { seat, places: left.map((index) => PLACES[index]), card });
  }
}

function finishTurn(now, seat) {
  removeLines(now, seat, completeLines(now.state.rules, now.state.grids[seat]));
  if (endsRound(now.state, seat)) endRound(now);
}

/** Whether a seat's finished turn is the round's last (rules 21 and 29). */
function endsRound(state, seat) {
  if (state.ender !== null) return (seat + 1) % state.seats === state.ender;
  const limit = state.rules.max_turns_per_seat;
  return limit !== null && state.grids[seat].faces.includes(DOWN) && state.turns[seat] + 1 >= limit;
}

/** Final reveal, removals, scores, then the next deal or the end (rules 22 to 29). */
function endRound(now) {
  const { rules } = now.state;
  now.state.grids.forEach((grid, seat) => {
    for (const index of placesWith(grid, DOWN)) flip(now, seat, index);
  });
  now.state.grids.forEach((grid, seat) => removeLines(now, seat, finalLines(rules, grid)));
  const raw = now.state.grids.map((grid) => sumOf(grid, UP));
  const { ender, round } = now.state;
  const final = finalScores(rules, raw, ender);
  const before = totals(now.state);
  const after = final.map((score, seat) => before[seat] + score);
  now.happen("round_scored", { round, raw, final, totals: after, ender, truncated: ender === null });
  const reached = rules.score_limit !== null && Math.max(...after) >= rules.score_limit;
  if (reached || (rules.max_rounds !== null && round >= rules.max_rounds)) endGame(now);
  else deal(now, round + 1);
}

function finalLines(rules, grid) {
  if (rules.final_removal === "never") return [];
  const lines = completeLines(rules, grid);
  return rules.final_removal === "mandatory" ? lines : lines.filter((line) => grid.cards[line[0]] > 0);
}

/** Points of a round after the ender's penalty (rule 24). */
export function finalScores(rules, raw, ender) {
  if (ender === null) return [...raw];
  const own = raw[ender];
  const best = Math.min(...raw.filter((_, seat) => seat !== ender));
  const beaten = rules.double_on_tie ? own >= best : own > best;
  const penalised = beaten && (own > 0 || rules.double_non_positive);
  return raw.map((score, seat) => (penalised && seat === ender ? score * rules.ender_multiplier : score));
}

/** The lowest total ranks first, equal totals share, seats that left rank below all that stayed (rules 27 and 31). */
export function ranksOf(points, left) {
  const better = (one, other) => (left[one] === left[other] ? points[one] < points[other] : left[other]);
  return points.map((_, seat) => 1 + points.filter((_unused, other) => better(other, seat)).length);
}

function endGame(now) {
  const points = totals(now.state);
  now.happen("game_ended", { totals: points, ranks: ranksOf(points, now.state.left) });
}

/** A deal, and what follows at once where nobody has flips to choose (rules 5 to 9). */
function deal(now, round) {
  const { rules, seats } = now.state;
  now.happen("dealt", { round, cards: now.chance.deal(round) });
  if (rules.initial_flips > 0) {
    if (rules.initial_flip_choice === "player") return;
    const choices = now.chance.flips(round, seats, rules.initial_flips);
    choices.forEach((places, seat) => {
      for (const index of places) flip(now, seat, index);
    });
  }
  settleOpening(now);
}

/** The opener, if chance chooses it, then the lines that the first flips complete (rules 7 to 9). */
function settleOpening(now) {
  const candidates = openerCandidates(now.state);
  if (chanceMayOpen(now.state) && candidates.length > 1) {
    now.opener = candidates[now.chance.starter(now.state.round, candidates.length)];
  }
  now.state.grids.forEach((grid, seat) => removeLines(now, seat, completeLines(now.state.rules, grid)));
}
