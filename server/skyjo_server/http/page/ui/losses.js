/** Where points were lost: each seat's decisions by what they cost beside the best one. Judges none itself. */

import { html, svg } from "../vendor/lit-html.js";
import { lost } from "./words.js";

const [WIDTH, HEIGHT] = [1000, 40];
const WORST = 3;

/**
 * The strip of a game.
 *
 * @param {{version: number, seat: number, played: string, best: string, cost: number}[]} decisions costs in points, 0 = the
 *   best there was.
 * @param {object} game the Replay.
 * @param {number} step the one that is shown.
 * @param {Function} move called with a step to be shown.
 */
export function lossesView(decisions, game, step, move) {
  const most = Math.max(1, ...decisions.map(({ cost }) => cost));
  return html`<section class="losses" aria-labelledby="losses-title">
    <h2 id="losses-title">Where points were lost</h2>
    <p class="quiet">Each decision beside the best one by the expected values of the house bot greedy, in points.</p>
    ${game.names.map((name, seat) => seatStrip(name, decisions.filter((one) => one.seat === seat), game, { step, move, most }))}
  </section>`;
}

function seatStrip(name, own, game, { step, move, most }) {
  const sum = own.reduce((all, { cost }) => all + cost, 0);
  const worst = own.filter(({ cost }) => cost > 0).sort((one, other) => other.cost - one.cost).slice(0, WORST);
  const x = (version) => (WIDTH * version) / Math.max(game.last, 1);
  const height = (cost) => Math.max((HEIGHT * cost) / most, cost > 0 ? 2 : 0.5);
  return html`<div class="strip">
    <h3><span class="name">${name}</span> <small>${own.length} decisions, ${lost(sum)} points lost</small></h3>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      <path class="now" d="M${x(step)} 0V${HEIGHT}"></path>
      ${own.map(({ version, cost }) => svg`<rect class=${cost > 0 ? "cost" : "best"} x=${x(version) - 1.5} y=${HEIGHT - height(cost)}
        width="3" height=${height(cost)} @click=${() => move(version)}></rect>`)}
    </svg>
    <ul>${worst.map(({ version, played, best, cost }) => html`<li>
      <button type="button" @click=${() => move(version)}>Step ${version}: ${played}, best ${best}, cost ${lost(cost)}</button>
    </li>`)}</ul>
  </div>`;
}
