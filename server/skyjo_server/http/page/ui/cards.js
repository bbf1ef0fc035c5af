/** The look of a card, drawn here: a wave that rises with the points, its number, or the back. Knows no table. */

import { html, nothing, svg } from "../vendor/lit-html.js";
import { points } from "./words.js";

const [WIDTH, HEIGHT] = [60, 84];
const LOWEST = -2;
const HIGHEST = 12;

/** The colour class of a card: five groups that differ in lightness as much as in hue. */
export function colour(card) {
  if (card < 0) return "below";
  if (card === 0) return "nought";
  if (card <= 4) return "low";
  return card <= 8 ? "middle" : "high";
}

/** The wave of a card, from flat to high: its height says the value where a colour does not. */
function wave(card) {
  const top = HEIGHT - 10 - ((card - LOWEST) / (HIGHEST - LOWEST)) * 50;
  return `M4 ${top}q6.5 -7 13 0t13 0t13 0t13 0V75q0 5 -5 5H9q-5 0 -5 -5z`;
}

function front(card) {
  const text = points(card);
  return svg`
    <rect class="paper" x="1" y="1" width=${WIDTH - 2} height=${HEIGHT - 2} rx="7"></rect>
    <rect class="field" x="4" y="4" width=${WIDTH - 8} height=${HEIGHT - 8} rx="5"></rect>
    <path class="wave" d=${wave(card)}></path>
    <circle class="sun" cx=${WIDTH / 2} cy="43" r="20"></circle>
    <text class="number ${text.length > 1 ? "wide" : ""}" x=${WIDTH / 2} y=${text.length > 1 ? 52 : 53} text-anchor="middle">${text}</text>
    <text class="corner" x="8" y="17">${text}</text>`;
}

function back() {
  return svg`
    <rect class="paper" x="1" y="1" width=${WIDTH - 2} height=${HEIGHT - 2} rx="7"></rect>
    <rect class="field" x="4" y="4" width=${WIDTH - 8} height=${HEIGHT - 8} rx="5"></rect>
    ${[20, 34, 48, 62].map((y) => svg`<path class="line" d="M4 ${y}q6.5 -8 13 0t13 0t13 0t13 0"></path>`)}
    <circle class="sun" cx=${WIDTH / 2} cy="42" r="9"></circle>`;
}

/** What is drawn at a place: a card face up, its back (with the number small where it may be known), or a gap. */
function drawing(face, card) {
  if (face === "gone") return nothing;
  if (face === "up" && card !== null) return front(card);
  const peek = card === null ? nothing : svg`<text class="peek" x=${WIDTH / 2} y="48" text-anchor="middle">${points(card)}</text>`;
  return svg`${back()}${peek}`;
}

/** A card in words. */
export function spoken(face, card) {
  if (face === "gone") return "empty";
  if (face === "up") return points(card);
  return card === null ? "face down" : `face down, ${points(card)}`;
}

/**
 * One card.
 *
 * @param {"up"|"down"|"gone"} face how it lies.
 * @param {number|null} card its points; null = not known.
 * @param {string} label where it lies, for whoever listens.
 * @param {string} extra further classes.
 */
export function cardView(face, card, label, extra = "") {
  const kind = face === "up" && card !== null ? colour(card) : "";
  return html`<span class="card ${face} ${kind} ${extra}" role="img" aria-label="${label}: ${spoken(face, card)}">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${drawing(face, card)}</svg>
  </span>`;
}
