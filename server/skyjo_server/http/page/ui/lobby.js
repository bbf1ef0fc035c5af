/** The first thing that is shown: what is played now, what was played, and where to drop a file. Plays nothing. */

import { BYTES_MAX, megabytes } from "../game/texts.js";
import { html, nothing } from "../vendor/lit-html.js";
import { games, tournaments } from "./api.js";
import { PolledView } from "./poll.js";
import { points } from "./words.js";

const EVERY_MS = 4000;
const AT_ONCE = 12;

/** The lists of games, by how these stand. */
const LISTS = [
  { status: "running", title: "Running games", none: "No game is running now." },
  { status: "open", title: "Waiting for players", none: null },
  { status: "finished", title: "Finished games", none: "No game has been finished yet." },
  { status: "void", title: "Void games", none: null },
  { status: "aborted", title: "Stopped games", none: null },
];

class Lobby extends PolledView {
  everyMs = EVERY_MS;
  #pages = {};
  #events = null;
  #trouble = null;

  async refresh() {
    try {
      const asked = LISTS.map(async ({ status }) => [status, await games(status, AT_ONCE)]);
      const [events, ...pages] = await Promise.all([tournaments(AT_ONCE), ...asked]);
      this.#events = events;
      for (const [status, page] of pages) this.#take(status, page);
      this.#trouble = null;
    } catch (error) {
      this.#trouble = error.message;
    }
    this.update();
  }

  /** A list that somebody has made longer stays so: its first page is renewed, the rest kept. */
  #take(status, page) {
    const old = this.#pages[status];
    const fresh = new Set(page.items.map((game) => game.id));
    const later = (old?.items ?? []).slice(AT_ONCE).filter((game) => !fresh.has(game.id));
    const cursor = later.length > 0 ? old.next_cursor : page.next_cursor;
    this.#pages[status] = { items: [...page.items, ...later], next_cursor: cursor };
  }

  async #more(status) {
    const old = this.#pages[status];
    try {
      const page = await games(status, AT_ONCE, old.next_cursor);
      this.#pages[status] = { items: [...old.items, ...page.items], next_cursor: page.next_cursor };
    } catch (error) {
      this.#trouble = error.message;
    }
    this.update();
  }

  template() {
    return html`<div class="lobby">
      <h1>Games between programs</h1>
      ${this.#trouble === null ? nothing : html`<p class="status lost" role="status">${this.#trouble} Trying again …</p>`}
      <div class="lists">
        ${this.#events?.items.length ? eventList(this.#events.items) : nothing}
        ${LISTS.map((list) => this.#list(list))}
      </div>
      ${dropZone(this)}
    </div>`;
  }

  #list({ status, title, none }) {
    const page = this.#pages[status];
    if (page === undefined) return none && this.#trouble === null ? html`<section><h2>${title}</h2><p class="quiet">Loading …</p></section>` : nothing;
    if (page.items.length === 0 && none === null) return nothing;
    return html`<section aria-label=${title}>
      <h2>${title}</h2>
      ${page.items.length === 0 ? html`<p class="quiet">${none}</p>` : html`<ul class="games">${page.items.map(gameItem)}</ul>`}
      ${page.next_cursor === null ? nothing : html`<button type="button" class="more" @click=${() => this.#more(status)}>Show more</button>`}
    </section>`;
  }
}

/** Where a file is dropped or chosen; the element that shows it fires `chosen` with the file. */
export function dropZone(element) {
  const choose = ({ target }) => {
    const [file] = target.files;
    if (file) element.dispatchEvent(new CustomEvent("chosen", { detail: file, bubbles: true }));
  };
  return html`<section class="drop" aria-labelledby="drop-title">
    <h2 id="drop-title">Replay a file</h2>
    <p>Drop a <code>.skyjo</code>, <code>.jsonl</code> or <code>.zip</code> file anywhere on this page. Up to ${megabytes(BYTES_MAX)}; it is read and checked here, and sent nowhere.</p>
    <label class="choose">Choose a file<input class="unseen" type="file" accept=".skyjo,.jsonl,.zip" @change=${choose}></label>
  </section>`;
}

/** One game of a list: who plays, and how it stands. */
function gameItem({ id, seats, result, preset, version, status, embargoed }) {
  const ranked = seats.map((seat, index) => ({ name: seat.name ?? "open seat", rank: result?.ranks?.[index], total: result?.totals[index] }));
  if (result?.ranks) ranked.sort((one, other) => one.rank - other.rank);
  const moves = embargoed ? "hidden while its deal is in play elsewhere" : status === "open" ? "not dealt" : `${version + 1} events`;
  return html`<li><a href="#/game/${id}">
    <ol class="players">${ranked.map(({ name, rank, total }) => html`<li class=${rank === 1 ? "first" : ""}>
      <span class="name">${name}</span>${total === undefined ? nothing : html`<span class="points">${points(total)}</span>`}</li>`)}</ol>
    <p class="quiet">${preset ?? "house rules"} · ${moves}</p>
  </a></li>`;
}

function eventList(items) {
  return html`<section aria-label="Events"><h2>Events</h2><ul class="games">${items.map((event) => html`<li><a href="#/event/${event.id}">
    <p class="event-name name">${event.name}</p>
    ${progress(event.progress)}
    <p class="quiet">${event.format} · ${event.status}</p>
  </a></li>`)}</ul></section>`;
}

/** How far an event has come. */
export function progress(made) {
  if (!made) return nothing;
  const { tables_over: over, tables_playing: playing, tables_total: all } = made;
  return html`<p class="quiet"><progress max=${Math.max(all, 1)} value=${over} aria-label="Games over"></progress> ${over} of ${all} games over, ${playing} in play</p>`;
}

customElements.define("skyjo-lobby", Lobby);
