/** One event: how far it has come, and its standings. Ranks nobody: the service does. */

import { html, nothing } from "../vendor/lit-html.js";
import { standings, tournament } from "./api.js";
import { progress } from "./lobby.js";
import { View, reactive } from "./view.js";
import { points } from "./words.js";

const EVERY_MS = 4000;

class EventPage extends View {
  #event = null;
  #rows = null;
  #trouble = null;
  #timer = null;

  connectedCallback() {
    super.connectedCallback();
    this.#refresh();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
  }

  async #refresh() {
    try {
      [this.#event, this.#rows] = await Promise.all([tournament(this.eventId), standings(this.eventId)]);
      this.#trouble = null;
    } catch (error) {
      this.#trouble = error.message;
    }
    if (!this.isConnected) return;
    this.update();
    this.#timer = setTimeout(() => this.#refresh(), EVERY_MS);
  }

  template() {
    const event = this.#event;
    return html`<h1 class="name">${event?.name ?? "Event"}</h1>
      ${this.#trouble === null ? nothing : html`<p class="status lost" role="status">${this.#trouble} Trying again …</p>`}
      ${event === null ? nothing : html`<p>${event.format} · ${event.status}</p>${progress(event.progress)}`}
      ${this.#rows === null ? nothing : table(this.#rows.items)}`;
  }
}

function table(rows) {
  if (rows.length === 0) return html`<p class="quiet">There are no standings yet.</p>`;
  const score = ({ score: value }) => (typeof value === "number" ? points(Math.round(value * 100) / 100) : "–");
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Standings"><table class="scores">
    <caption>Standings</caption>
    <thead><tr><th scope="col">Rank</th><th scope="col">Name</th><th scope="col">Games</th><th scope="col">Score</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr><td>${row.rank}</td><th scope="row"><span class="name">${row.name}</span></th>
      <td>${row.games}</td><td>${score(row)}</td></tr>`)}</tbody>
  </table></div>`;
}

reactive(EventPage, "eventId");
customElements.define("skyjo-event", EventPage);
