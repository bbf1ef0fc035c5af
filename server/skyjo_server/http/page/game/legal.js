/** Which actions are legal: listing them, and saying why another is not. Changes nothing. */

import { BY_ROW, PLACES, parseAction } from "./cards.js";
import { DOWN, GONE, drawPileSize, placesWith } from "./state.js";

/** Say whether there is a card to draw, after a reshuffle if need be (rule 28). */
const canDraw = (state) => drawPileSize(state) > 0 || state.discards.length > 1;

const held = (grid) => PLACES.filter((_, index) => grid.faces[index] !== GONE);
const hidden = (grid) => placesWith(grid, DOWN).map((index) => PLACES[index]);

/** Every action that a seat may play now; a choice of first flips is listed once, its places in the order of a deal. */
export function legalActions(state, seat) {
  if (state.phase === "flip") {
    return state.chosen[seat] === null ? combinations(PLACES, state.rules.initial_flips).map(flipText) : [];
  }
  if (state.phase === "over" || state.turn !== seat) return [];
  const grid = state.grids[seat];
  if (state.phase === "turn") {
    return [...(canDraw(state) ? ["draw"] : []), ...held(grid).map((place) => `take ${place}`)];
  }
  const down = hidden(grid);
  const bare = state.rules.flip_after_reject === "optional" || down.length === 0;
  const rejects = down.map((place) => `reject ${place}`);
  return [...held(grid).map((place) => `keep ${place}`), ...rejects, ...(bare ? ["reject"] : [])];
}

/**
 * Why an action of a seat is not legal.
 *
 * @returns {string|null} null if it is legal.
 */
export function refusal(state, seat, text) {
  if (!Number.isInteger(seat) || seat < 0 || seat >= state.seats) return `there is no seat ${seat}`;
  if (state.phase === "over") return `the game is over: '${text}' comes too late`;
  const action = parseAction(text);
  if (action === null) return "this is no action";
  return state.phase === "flip" ? flipRefusal(state, seat, action, text) : turnRefusal(state, seat, text);
}

function flipRefusal(state, seat, action, text) {
  if (state.chosen[seat] !== null) return `seat ${seat} has chosen its flips already`;
  const count = state.rules.initial_flips;
  const fits = action.verb === "flip" && action.places.length === count;
  return fits ? null : `'${text}' is not possible now: ${count} cards are to be turned up`;
}

function turnRefusal(state, seat, text) {
  if (state.turn !== seat) return `seat ${seat} is not on move: seat ${state.turn} is`;
  return legalActions(state, seat).includes(text) ? null : `'${text}' is not possible now`;
}

/** What is played for a seat that let its time run out, or has left (rule 30). Always legal. */
export function defaultAction(state, seat) {
  if (state.phase === "flip") return flipText(BY_ROW.slice(0, state.rules.initial_flips).map((index) => PLACES[index]));
  const grid = state.grids[seat];
  if (state.phase === "turn") return canDraw(state) ? "draw" : `take ${held(grid)[0]}`;
  const [first] = hidden(grid);
  return first === undefined ? "reject" : `reject ${first}`;
}

const flipText = (places) => `flip ${places.join(" ")}`;

function combinations(values, count) {
  if (count === 0) return [[]];
  return values.flatMap((value, at) => combinations(values.slice(at + 1), count - 1).map((rest) => [value, ...rest]));
}
