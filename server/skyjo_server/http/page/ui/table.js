/** A table as one viewer sees it at one step: seats with their grids, piles, the card in hand. Decides nothing. */

import { BY_ROW, PLACES } from "../game/cards.js";
import { drawPileSize, sumOf, toAct, totals } from "../game/state.js";
import { tableSeenBy } from "../game/view.js";
import { html, nothing } from "../vendor/lit-html.js";
import { cardView } from "./cards.js";
import { points } from "./words.js";

const PHASES = { flip: "first cards", turn: "a turn", drawn: "a drawn card", over: "over" };

/** The places of each seat that an event changed, as "seat place" texts. */
function touched(event) {
  const places = (fact) => fact.places ?? (fact.place === undefined ? [] : [fact.place]);
  return new Set(event.facts.flatMap((fact) => places(fact).map((place) => `${fact.seat} ${place}`)));
}

/**
 * The whole table.
 *
 * @param {object} state the full state, or a spectator's.
 * @param {object} event the one that led to it.
 * @param {number|null|"open"} viewer who looks.
 * @param {string[]} names by seat.
 */
export function tableView(state, event, viewer, names) {
  const { grids, hand } = tableSeenBy(state, viewer);
  const acting = toAct(state);
  // A deal's and a reveal's changes are everywhere: marking them all would mark nothing.
  const marked = event.facts.length <= 6 ? touched(event) : new Set();
  const seats = names.map((name, seat) =>
    seatView({ state, seat, name, cells: grids[seat], acting: acting.includes(seat), marked }),
  );
  return html`<div class="felt">
    ${middleView(state, hand, names)}
    <div class="seats seats-${names.length}">${seats}</div>
  </div>`;
}

function middleView(state, hand, names) {
  const left = drawPileSize(state);
  const top = state.discards.at(-1) ?? null;
  const holds = state.phase === "drawn" && state.turn !== null;
  return html`<section class="middle" aria-label="Middle of the table">
    <figure>
      ${cardView(left ? "down" : "gone", null, "Draw pile")}
      <figcaption>Draw pile <b>${left}</b></figcaption>
    </figure>
    <figure>
      ${state.discards.length ? cardView("up", top, "Top of the discards") : cardView("gone", null, "Discards")}
      <figcaption>Discards <b>${state.discards.length}</b></figcaption>
    </figure>
    <figure>
      ${holds ? cardView(hand === null ? "down" : "up", hand, "Card in hand", "held") : cardView("gone", null, "Card in hand")}
      <figcaption>In hand ${holds ? html`<b class="name">${names[state.turn]}</b>` : html`<span class="none">–</span>`}</figcaption>
    </figure>
  </section>`;
}

function seatView({ state, seat, name, cells, acting, marked }) {
  const rank = state.ranks?.[seat];
  const open = sumOf(state.grids[seat], "up");
  const remarks = [
    acting ? "to act" : null,
    state.opener === seat && (state.phase === "turn" || state.phase === "drawn") ? "opened" : null,
    state.ender === seat ? "ender" : null,
    state.left[seat] ? "has left" : null,
  ].filter(Boolean);
  const classes = `seat ${acting ? "acting" : ""} ${state.left[seat] ? "gone-away" : ""} ${rank === 1 ? "winner" : ""}`;
  return html`<section class=${classes} aria-label="Seat ${seat}, ${name}">
    <header>
      <h2 class="name" title=${name}>${name}</h2>
      <p class="total" title="Total of the rounds scored">${rank === undefined ? nothing : html`<span class="rank">${rank}.</span>`} ${points(totals(state)[seat])}<span class="unseen"> points</span></p>
    </header>
    <div class="grid" role="group" aria-label="Grid of ${name}">
      ${BY_ROW.map((index) => {
        const mark = marked.has(`${seat} ${PLACES[index]}`) ? "marked" : "";
        return cardView(cells[index].face, cells[index].card, PLACES[index], mark);
      })}
    </div>
    <footer><span>open ${points(open)}</span><span class="remarks">${remarks.join(" · ")}</span></footer>
  </section>`;
}

/** What the game waits for, in words. */
export function waitingFor(state, names) {
  if (state.phase === "over") return "The game is over";
  const acting = toAct(state);
  if (acting.length === 0) return "Chance has chosen who opens";
  return `Waiting for ${PHASES[state.phase]}: ${acting.map((seat) => names[seat]).join(", ")}`;
}
