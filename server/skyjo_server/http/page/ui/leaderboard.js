/** The live ratings over all events, best first. Rates nobody: the service does. */

import { html, nothing } from "../vendor/lit-html.js";
import { leaders } from "./api.js";
import { PolledView } from "./poll.js";
import { points } from "./words.js";

const EVERY_MS = 10_000;
const ROWS_AT_ONCE = 50;
const ROWS_OF_AN_ANSWER = 1000;

class Leaderboard extends PolledView {
  everyMs = EVERY_MS;
  #rows = null;
  #whole = true;
  #wanted = ROWS_AT_ONCE;
  #absent = false;
  #trouble = null;

  /** All rows that are shown are read anew, since a rating that changes moves others. */
  async refresh() {
    const wanted = this.#wanted;
    try {
      const read = await rowsOf(wanted);
      if (wanted !== this.#wanted) return;
      this.#absent = read === null;
      this.#rows = read?.rows ?? [];
      this.#whole = read?.whole ?? true;
      this.#trouble = null;
    } catch (error) {
      this.#trouble = error.message;
    }
    this.update();
  }

  #more = () => {
    this.#wanted *= 4;
    this.refreshNow();
  };

  template() {
    return html`<div class="event"><h1>Leaderboard</h1>
      ${this.#trouble === null ? nothing : html`<p class="status lost" role="status">${this.#trouble} Trying again …</p>`}
      ${this.#content()}
    </div>`;
  }

  #content() {
    if (this.#rows === null) return this.#trouble === null ? html`<p class="quiet">Loading …</p>` : nothing;
    if (this.#absent) return html`<p>This service runs no events, so it rates nobody.</p>`;
    if (this.#rows.length === 0) return nobodyYet();
    return html`<p class="quiet">From every finished game of all events. The rating is the mean less three deviations: the strength
        that a bot has almost certainly (<a href="docs/guide/ratings#the-live-rating">how</a>).</p>
      ${ratingsView(this.#rows)}
      ${this.#whole ? nothing : html`<p><button type="button" class="more" @click=${this.#more}>Show more</button></p>`}`;
  }
}

/** The best so many, each once: `{rows, whole}`, whole = there are no more; null where this service rates nobody. */
async function rowsOf(wanted) {
  const rows = new Map();
  let cursor = null;
  do {
    const page = await leaders(Math.min(wanted - rows.size, ROWS_OF_AN_ANSWER), cursor);
    if (page === null) return null;
    for (const row of page.items) rows.set(row.bot ?? `house ${row.house}`, row);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.size < wanted);
  return { rows: [...rows.values()], whole: cursor === null };
}

function nobodyYet() {
  return html`<div class="empty"><p>No bot has a rating yet: none has finished a game of an event.</p>
    <p>Enter a bot in one of the <a href="#/">events</a>, or open one: the guide tells
      <a href="docs/guide/quickstart-organiser">how</a>.</p></div>`;
}

function ratingsView(rows) {
  const heads = ["Rank", "Name", "Rating", "Mean", "Deviation", "Games"];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Ratings"><table class="scores standings">
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr><td>${row.rank}</td>
      <th scope="row"><span class="name" title=${row.name}>${row.name}</span>${row.house === null ? nothing : html` <small>house</small>`}</th>
      <td><b>${whole(row.rating)}</b></td><td>${whole(row.mu)}</td><td>± ${whole(row.sigma)}</td><td>${row.games}</td></tr>`)}</tbody>
  </table></div>`;
}

const whole = (value) => points(Math.round(value));

customElements.define("skyjo-leaderboard", Leaderboard);
