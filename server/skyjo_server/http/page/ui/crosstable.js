/** Who did what against whom in an event, as a table. Adds nothing up and ranks nobody: the service does. */

import { html, nothing } from "../vendor/lit-html.js";
import * as api from "./api.js";
import { figure } from "./words.js";

/** The answer holds up to 100 × 100 cells, so a large event in full swing does not have it sent at every look. */
const PAUSE_MS = 12_000;

/** The crosstable of one event as it was last asked for: anew only when results have changed, and not too often. */
export class Crosstable {
  #known = null;
  #results = null;
  #status = null;
  #asked = 0;

  /** The crosstable for an event and its standings as they are now: {entries, cells}. */
  async renewed(event, standings) {
    const tables = standings.items.map(({ entry, tables: count }) => [entry, count]);
    const results = JSON.stringify([event.progress.tables_over, tables]);
    const due = event.status !== this.#status || Date.now() - this.#asked >= PAUSE_MS;
    if (this.#known === null || (due && (results !== this.#results || event.status !== this.#status))) {
      this.#known = await api.crosstable(event.id);
      [this.#results, this.#status, this.#asked] = [results, event.status, Date.now()];
    }
    return this.#known;
  }
}

/**
 * The section of the event's page.
 *
 * @param {{entries: object[], cells: (object|null)[][]}} crosstable entries by rank; the row's results against the column's.
 * @param {number} shown how many of the best are shown.
 * @param {number} all how many entries the event has.
 * @param {Function} more called when somebody wants to see more of them.
 */
export function crosstableView({ entries, cells }, shown, all, more) {
  if (entries.length < 2) return nothing;
  const part = entries.slice(0, shown);
  const met = cells.some((row) => row.some((cell) => cell !== null));
  return html`<section aria-labelledby="crosstable-title"><h2 id="crosstable-title">Crosstable</h2>
    ${met ? table(part, cells) : html`<p class="quiet">No results yet.</p>`}
    ${met && part.length < all ? html`<p class="quiet">The best ${part.length} of ${all} entries</p>` : nothing}
    ${met && part.length < entries.length ? html`<button type="button" class="more" @click=${more}>Show more of the crosstable</button>` : nothing}
  </section>`;
}

function table(part, cells) {
  return html`<p class="quiet">The row's score against the column, of the games in which both sat: 1 for being ranked before the
      other, ½ for a tie. Bold: more than half. –: never met.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Everybody against everybody"><table class="scores crosstable">
    <thead><tr><th scope="col">Name</th>
      ${part.map(({ rank, name }) => html`<th scope="col" title=${name}>${rank}<span class="unseen">, ${name}</span></th>`)}</tr></thead>
    <tbody>${part.map(({ rank, name }, row) => html`<tr>
      <th scope="row"><span class="rank">${rank}</span> <span class="name" title=${name}>${name}</span></th>
      ${part.map((_, column) => cellView(cells[row][column], row === column))}</tr>`)}</tbody>
  </table></div>`;
}

function cellView(cell, own) {
  if (own) return html`<td class="own"><span class="unseen">the same</span></td>`;
  if (cell === null) return html`<td><span aria-hidden="true">–</span><span class="unseen">never met</span></td>`;
  return html`<td class=${cell.score * 2 > cell.tables ? "ahead" : ""}>${figure(cell.score)}/${cell.tables}</td>`;
}
