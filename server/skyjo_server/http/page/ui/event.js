/** One event: how far it has come, its standings, its tables. Ranks nobody: the service does. */

import { html, nothing } from "../vendor/lit-html.js";
import * as api from "./api.js";
import { progress } from "./lobby.js";
import { Poll } from "./poll.js";
import { View, reactive } from "./view.js";
import { points } from "./words.js";

const EVERY_MS = 4000;
const ROWS_AT_ONCE = 50;
const ROWS_MAX = 1000;
const TABLES_AT_ONCE = 24;

/** `eventId`: which event. */
class EventPage extends View {
  #event = null;
  #standings = null;
  #playing = null;
  #finished = null;
  #rows = ROWS_AT_ONCE;
  #trouble = null;
  #poll = null;

  connectedCallback() {
    super.connectedCallback();
    this.#poll = new Poll(() => this.#refresh(), EVERY_MS);
  }

  disconnectedCallback() {
    this.#poll.stop();
  }

  async #refresh() {
    const id = this.eventId;
    try {
      [this.#event, this.#standings, this.#playing, this.#finished] = await Promise.all([
        api.tournament(id),
        api.standings(id, this.#rows),
        api.tables(id, "playing", TABLES_AT_ONCE),
        api.tables(id, "finished", TABLES_AT_ONCE),
      ]);
      this.#trouble = null;
    } catch (error) {
      this.#trouble = error.status === 404 ? "There is no such event." : `${error.message} Trying again …`;
    }
    this.update();
  }

  template() {
    const event = this.#event;
    return html`<h1 class="name">${event?.name ?? "Event"}</h1>
      ${this.#trouble === null ? nothing : html`<p class="status lost" role="status">${this.#trouble}</p>`}
      ${event === null ? nothing : html`<div class="event">
        <div class="title"><span class="quiet">${event.format.replaceAll("_", " ")}</span> <span class="quiet">${event.status}</span>
          ${progress(event.progress)}
          <a class="downloads" href=${api.archiveAddress(event.id)} download>Download archive</a></div>
        <section aria-labelledby="standings-title"><h2 id="standings-title">Standings</h2>
          ${standingsView(this.#standings.items)}
          ${this.#standings.next_cursor === null || this.#rows >= ROWS_MAX ? nothing : html`<button type="button" class="more" @click=${this.#more}>Show more</button>`}
        </section>
        ${tableList("Tables in play", this.#playing.items)}
        ${tableList("Tables that are over", this.#finished.items)}
      </div>`}`;
  }

  #more = () => {
    this.#rows = Math.min(this.#rows * 4, ROWS_MAX);
    this.#poll.now();
  };
}

/** A figure to two places, and how far it may be off. */
const figure = (value) => (value === null || value === undefined ? "–" : points(Math.round(value * 100) / 100));
const between = (bounds) => (bounds ? `${figure(bounds.low)} to ${figure(bounds.high)}` : "–");

function standingsView(rows) {
  if (rows.length === 0) return html`<p class="quiet">There are no standings yet.</p>`;
  const heads = ["Rank", "Name", "Score", "95 of 100 between", "Games", "Wins", "Points ahead", "Rating"];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Ranking"><table class="scores standings">
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr><td>${row.rank}</td>
      <th scope="row"><span class="name">${row.name}</span>${row.status === "active" ? nothing : html` <small>${row.status}</small>`}</th>
      <td><b>${figure(row.score)}</b></td><td>${between(row.interval)}</td><td>${row.tables}</td><td>${row.wins}</td>
      <td>${figure(row.points)}</td><td>${row.rating ? Math.round(row.rating.value) : "–"}</td></tr>`)}</tbody>
  </table></div>`;
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
