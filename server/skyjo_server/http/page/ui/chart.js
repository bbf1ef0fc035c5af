/** Scores over the rounds: a chart, and the same as a table. Adds nothing up: the events say it. */

import { html, nothing, svg } from "../vendor/lit-html.js";
import { points } from "./words.js";

const [WIDTH, HEIGHT] = [360, 200];
const EDGE = { left: 34, right: 14, top: 12, bottom: 24 };

/** Dashes and marks beside the colours: every line can be told apart without one. */
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "none", "7 3", "2 3", "9 3 2 3"];
const MARKS = ["M-4 -4h8v8h-8z", "M0 -5L5 4H-5z", "M0 -5L5 0L0 5L-5 0z", "M0 5L5 -4H-5z"];

/** A line has no more marks than so many, however many rounds there were. */
const MARKS_MOST = 20;

/** The mark of a seat's line, for the chart and its legend. */
const mark = (seat) => svg`<path class="mark line-${seat} ${seat > 3 ? "hollow" : ""}" d=${MARKS[seat % MARKS.length]}></path>`;

function scale(rounds, limit) {
  const values = [0, ...rounds.flatMap((scored) => scored.totals), ...(limit === null ? [] : [limit])];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [width, height] = [WIDTH - EDGE.left - EDGE.right, HEIGHT - EDGE.top - EDGE.bottom];
  return {
    low,
    high,
    x: (round) => EDGE.left + (width * round) / Math.max(rounds.length, 1),
    y: (value) => EDGE.top + (height * (high - value)) / Math.max(high - low, 1),
  };
}

function ticks(low, high) {
  const step = [5, 10, 20, 25, 50, 100, 250, 500, 1000].find((size) => (high - low) / size <= 6) ?? Math.ceil((high - low) / 6);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

/**
 * The chart and the table of a game's rounds.
 *
 * @param {object[]} rounds the `round_scored` facts of the whole game.
 * @param {number} current how many rounds are scored at the step that is shown.
 * @param {string[]} names by seat.
 * @param {number|null} limit the total that ends the game.
 */
export function chartView(rounds, current, names, limit) {
  if (rounds.length === 0) return html`<p class="quiet">No round has been scored yet.</p>`;
  return html`${chart(rounds, current, names, limit)}${table(rounds, current, names)}`;
}

function chart(rounds, current, names, limit) {
  const { low, high, x, y } = scale(rounds, limit);
  const markedOneIn = Math.ceil(rounds.length / MARKS_MOST);
  const lines = names.map((_, seat) => {
    const values = [0, ...rounds.map((scored) => scored.totals[seat])];
    const way = values.map((value, round) => `${round ? "L" : "M"}${x(round).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    return svg`<path class="line line-${seat}" d=${way} stroke-dasharray=${DASHES[seat]}></path>
      ${values.map((value, round) => (round % markedOneIn ? nothing : svg`<g transform="translate(${x(round).toFixed(1)} ${y(value).toFixed(1)})">${mark(seat)}</g>`))}`;
  });
  const label = `Totals by round. At the end: ${names.map((name, seat) => `${name} ${points(rounds.at(-1).totals[seat])}`).join(", ")}`;
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${label}>
    ${ticks(low, high).map((value) => svg`<path class="rule" d="M${EDGE.left} ${y(value)}H${WIDTH - EDGE.right}"></path>
      <text class="tick" x=${EDGE.left - 6} y=${y(value) + 4} text-anchor="end">${points(value)}</text>`)}
    ${limit === null ? nothing : svg`<path class="limit" d="M${EDGE.left} ${y(limit)}H${WIDTH - EDGE.right}"></path>`}
    ${rounds.map((_, index) => (rounds.length > 16 && (index + 1) % 5 ? nothing : svg`<text class="tick" x=${x(index + 1)} y=${HEIGHT - 6} text-anchor="middle">${index + 1}</text>`))}
    <path class="now" d="M${x(current)} ${EDGE.top}V${HEIGHT - EDGE.bottom}"></path>
    ${lines}
  </svg>`;
}

function table(rounds, current, names) {
  const later = (index) => (index < current ? "" : "later");
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Scores by round">
    <table class="scores">
      <thead><tr><th scope="col">Round</th>
        ${rounds.map((scored, index) => html`<th scope="col" class=${later(index)}>${scored.round}</th>`)}
        <th scope="col">Total</th></tr></thead>
      <tbody>${names.map((name, seat) => html`<tr>
        <th scope="row"><svg class="legend" viewBox="-8 -8 16 16" aria-hidden="true">${mark(seat)}</svg><span class="name">${name}</span></th>
        ${rounds.map((scored, index) => html`<td class=${later(index)}>${score(scored, seat)}</td>`)}
        <td><b>${points(rounds.at(-1).totals[seat])}</b></td>
      </tr>`)}</tbody>
    </table>
  </div>
  <p class="quiet">Framed: ended the round. ×: the score was multiplied.</p>`;
}

function score(scored, seat) {
  const text = points(scored.final[seat]);
  const raw = scored.raw[seat];
  const more = scored.final[seat] === raw ? nothing : html`<small title="from ${points(raw)}">×<span class="unseen"> from ${points(raw)}</span></small>`;
  if (scored.ender !== seat) return html`${text}${more}`;
  return html`<span class="ender">${text}${more}</span><span class="unseen"> ended the round</span>`;
}
