/** Where points were lost: each seat's decisions by what they cost beside the best one. Judges none itself. */

import { html } from "../vendor/lit-html.js";
import { lost } from "./words.js";

const [WIDTH, HEIGHT] = [1000, 40];
const WORST = 3;

/** What was drawn of the decisions of a game: it does not change while the game is stepped through. */
const drawn = new WeakMap();

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
  if (!drawn.has(decisions)) drawn.set(decisions, game.names.map((_, seat) => drawing(decisions, seat, game.last)));
  return html`<section class="losses" aria-labelledby="losses-title">
    <h2 id="losses-title">Where points were lost</h2>
    <p class="quiet">Each decision beside the best one by the expected values of the house bot greedy, in points.</p>
    ${drawn.get(decisions).map((strip, seat) => stripView(game.names[seat], strip, { step, last: game.last, move }))}
  </section>`;
}

const across = (step, last) => (WIDTH * step) / Math.max(last, 1);

/** The decisions of a seat, their sum, the worst of them, and the lines of those that cost something and of the others. */
function drawing(decisions, seat, last) {
  const most = decisions.reduce((highest, { cost }) => Math.max(highest, cost), 1);
  const own = decisions.filter((one) => one.seat === seat);
  const [bad, good] = [own.filter(({ cost }) => cost > 0), own.filter(({ cost }) => cost === 0)];
  const line = ({ version, cost }) => `M${across(version, last).toFixed(1)} ${HEIGHT}v${-Math.max((HEIGHT * cost) / most, cost > 0 ? 2 : 0.5)}`;
  return {
    own,
    sum: bad.reduce((all, { cost }) => all + cost, 0),
    worst: [...bad].sort((one, other) => other.cost - one.cost).slice(0, WORST),
    bad: bad.map(line).join(""),
    good: good.map(line).join(""),
  };
}

function stripView(name, { own, sum, worst, bad, good }, { step, last, move }) {
  const at = across(step, last);
  const choose = ({ offsetX, currentTarget }) => {
    const wanted = (offsetX / currentTarget.clientWidth) * last;
    move(own.reduce((best, { version }) => (Math.abs(version - wanted) < Math.abs(best - wanted) ? version : best), Infinity));
  };
  return html`<div class="strip">
    <h3><span class="name">${name}</span> <small>${own.length} decisions, ${lost(sum)} points lost</small></h3>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true" @click=${own.length ? choose : null}>
      <path class="now" d="M${at} 0V${HEIGHT}"></path><path class="best" d=${good}></path><path class="cost" d=${bad}></path>
    </svg>
    <ul>${worst.map(({ version, played, best, cost }) => html`<li>
      <button type="button" @click=${() => move(version)}>Step ${version}: ${played}, best ${best}, cost ${lost(cost)}</button>
    </li>`)}</ul>
  </div>`;
}
