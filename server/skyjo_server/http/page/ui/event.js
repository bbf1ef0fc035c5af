/** One event: how far it has come, its standings, its crosstable, its tables. Ranks nobody: the service does. */

import { html, nothing } from "../vendor/lit-html.js";
import * as api from "./api.js";
import { Crosstable, crosstableView } from "./crosstable.js";
import { progress } from "./lobby.js";
import { PolledView } from "./poll.js";
import { reactive } from "./view.js";
import { figure, points } from "./words.js";

const EVERY_MS = 4000;
const ROWS_AT_ONCE = 50;
const ROWS_MAX = 1000;
const TABLES_AT_ONCE = 24;
const CROSSED_AT_ONCE = 16;

/** What told two entries of equal score apart. */
const TIE_BREAKS = { stage: "how far it got", buchholz: "Buchholz", direct: "direct encounter", wins: "wins", lots: "lots" };

/** `eventId`: which event. */
class EventPage extends PolledView {
  everyMs = EVERY_MS;
  #event = null;
  #standings = null;
  #crossed = null;
  #playing = null;
  #finished = null;
  #rows = ROWS_AT_ONCE;
  #crossedRows = CROSSED_AT_ONCE;
  #crosstable = new Crosstable();
  #loaded = null;
  #trouble = null;

  connectedCallback() {
    this.#loaded = this.eventId;
    super.connectedCallback();
  }

  async refresh() {
    const id = this.eventId;
    try {
      const answers = await Promise.all([
        api.tournament(id),
        api.standings(id, this.#rows),
        api.tables(id, "playing", TABLES_AT_ONCE),
        api.tables(id, "finished", TABLES_AT_ONCE),
      ]);
      const crossed = await this.#crosstable.renewed(answers[0], answers[1]);
      if (id !== this.eventId) return;
      [this.#event, this.#standings, this.#playing, this.#finished] = answers;
      this.#crossed = crossed;
      this.#trouble = null;
    } catch (error) {
      if (id !== this.eventId) return;
      this.#trouble = error.status === 404 ? "There is no such event." : `${error.message} Trying again …`;
    }
    this.update();
  }

  /** The address names another event than the one that is shown. */
  #restart() {
    this.#loaded = this.eventId;
    this.#event = this.#trouble = null;
    this.#rows = ROWS_AT_ONCE;
    this.#crossedRows = CROSSED_AT_ONCE;
    this.#crosstable = new Crosstable();
    this.refreshNow();
  }

  template() {
    if (this.#loaded !== this.eventId) this.#restart();
    const event = this.#event;
    return html`<h1 class="name">${event?.name ?? "Event"}</h1>
      ${this.#trouble === null ? nothing : html`<p class="status lost" role="status">${this.#trouble}</p>`}
      ${event === null && this.#trouble === null ? html`<p class="quiet">Loading …</p>` : nothing}
      ${event === null ? nothing : html`<div class="event">
        <div class="title"><span class="quiet">${event.format.replaceAll("_", " ")}</span> <span class="quiet">${event.status}</span>
          ${progress(event.progress)}
          <a class="downloads" href=${api.archiveAddress(event.id)} download>Download archive</a></div>
        ${verdictView(event, this.#standings.items)}
        <section aria-labelledby="standings-title"><h2 id="standings-title">Standings</h2>
          ${standingsView(this.#standings.items, event.scoring)}
          ${this.#standings.next_cursor === null || this.#rows >= ROWS_MAX ? nothing : html`<button type="button" class="more" @click=${this.#more}>Show more</button>`}
        </section>
        ${crosstableView(this.#crossed, this.#crossedRows, event.entries, this.#moreCrossed)}
        ${tableList("Tables in play", this.#playing.items)}
        ${tableList("Tables that are over", this.#finished.items)}
      </div>`}`;
  }

  #more = () => {
    this.#rows = Math.min(this.#rows * 4, ROWS_MAX);
    this.refreshNow();
  };

  #moreCrossed = () => {
    this.#crossedRows *= 4;
    this.update();
  };
}

const between = (bounds) => (bounds ? `${figure(bounds.low)} to ${figure(bounds.high)}` : "–");

function standingsView(rows, scoring) {
  if (rows.length === 0) return html`<p class="quiet">There are no standings yet.</p>`;
  const tied = rows.some((row) => tieBreak(row, scoring) !== null);
  const heads = ["Rank", "Name", "Score", "Per table, 95 % between", "Games", "Wins", "Points ahead", "Rating", ...(tied ? ["Tie-break"] : [])];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Ranking"><table class="scores standings">
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr><td>${row.rank}</td>
      <th scope="row"><span class="name" title=${row.name}>${row.name}</span>${row.status === "active" ? nothing : html` <small>${row.status}</small>`}</th>
      <td><b>${figure(row.score)}</b></td><td>${between(row.interval)}</td><td>${row.tables}</td><td>${row.wins}</td>
      <td>${figure(row.points)}</td><td>${row.rating ? Math.round(row.rating.value) : "–"}</td>
      ${tied ? html`<td>${tieBreak(row, scoring) ?? "–"}</td>` : nothing}</tr>`)}</tbody>
  </table></div>
  ${tied ? html`<p class="quiet">Tie-break: what set it below the one before, where the score did not.</p>` : nothing}`;
}

/** What set an entry below the one before, null if the score did, or nothing yet. */
function tieBreak({ decided_by: decided }, scoring) {
  if (decided === null || decided === "score") return null;
  if (decided === "other") return scoring === "points" ? "match points" : "points ahead";
  return TIE_BREAKS[decided] ?? decided;
}

/** Where the sequential test of a match of two stands; nothing for an event without one. */
function verdictView({ sequential: test, verdict, status }, rows) {
  if (test === null) return nothing;
  const nameOf = (number) => html`<span class="name">${rows.find(({ entry }) => entry === number)?.name ?? `entry ${number}`}</span>`;
  const unit = test.unit === "elo" ? "Elo" : "points a game";
  return html`<section aria-labelledby="test-title"><h2 id="test-title">Sequential test</h2>
    <p class="found">${found(verdict?.decision, nameOf, status)}</p>
    <p class="quiet">Tested: a lead of ${figure(test.high)} ${unit} against ${figure(test.low)}${verdict === null ? nothing : html`.
      After ${verdict.boards} boards the log likelihood ratio is ${figure(verdict.llr)}; the test ends at ${figure(verdict.low)} or ${figure(verdict.high)}`}.</p>
  </section>`;
}

function found(decision, nameOf, status) {
  if (decision === "first") return html`${nameOf(0)} is better than ${nameOf(1)}`;
  if (decision === "not-first") return html`${nameOf(0)} is not better than ${nameOf(1)}`;
  const over = status === "finished" || status === "aborted";
  return html`Whether ${nameOf(0)} is better than ${nameOf(1)} is ${over ? "left undecided" : "not decided yet"}`;
}

function tableList(title, tables) {
  if (tables.length === 0) return nothing;
  return html`<section aria-label=${title}><h2>${title}</h2><ul class="games">${tables.map(tableItem)}</ul></section>`;
}

function tableItem({ round, table, seats, game, embargoed }) {
  const players = html`<ol class="players">${seats.map(({ name, total, rank }) => html`<li class=${rank === 1 ? "first" : ""}>
    <span class="name">${name}</span>${total === null ? nothing : html`<span class="points">${points(total)}</span>`}</li>`)}</ol>
    <p class="quiet">round ${round + 1}, table ${table + 1}${embargoed ? " · hidden while its deal is in play elsewhere" : ""}</p>`;
  return html`<li>${game === null ? html`<div class="plain">${players}</div>` : html`<a href="#/game/${game}">${players}</a>`}</li>`;
}

reactive(EventPage, "eventId");
customElements.define("skyjo-event", EventPage);
