/** One game of the service: follows it while it is played, proves and replays it when it is over. Draws no card. */

import { houseOptions, presetName } from "../game/rules.js";
import { html, nothing } from "../vendor/lit-html.js";
import { Address, placeOf, queryOf } from "./address.js";
import * as api from "./api.js";
import { Follower } from "./live.js";
import "./player.js";
import { Prover, Refused } from "./proofs.js";
import { Replay } from "./replay.js";
import { View, reactive } from "./view.js";

const AGAIN_MS = 2000;
const HIDDEN_AGAIN_MS = 5000;
const HIDDEN = "The same deal is still in play at other tables. This game is shown as soon as all of them are over.";

const STATES = {
  connecting: "Connecting …",
  live: "Live",
  lost: "The connection was lost. Trying again …",
};

/** `gameId`: which game; `query`: the step and the viewer that the address names. */
class GamePage extends View {
  #replay = null;
  #status = null;
  #connection = null;
  #proof = null;
  #trouble = null;
  #losses = null;
  #follower = null;
  #prover = null;
  #timer = null;
  #told = null;
  #whole = false;
  #followed = false;
  #fork = null;
  #address = new Address();

  connectedCallback() {
    super.connectedCallback();
    this.#load();
  }

  disconnectedCallback() {
    this.#stop();
  }

  #stop() {
    this.#address.forget();
    this.#follower?.close();
    this.#prover?.close();
    clearTimeout(this.#timer);
    this.#prover = null;
  }

  /** Learn of the game; a service that is away is asked again. */
  async #load() {
    const id = this.gameId;
    this.#loaded = id;
    try {
      const game = await api.game(id);
      if (!this.#still(id)) return;
      this.#trouble = null;
      this.#status = game.status;
      this.#fork = game.forked_from ?? null;
      this.#begin(game);
    } catch (error) {
      if (!this.#still(id)) return;
      this.#trouble = error.status === 404 ? "There is no such game." : `${error.message} Trying again …`;
      if (error.status !== 404) this.#timer = setTimeout(() => this.#load(), AGAIN_MS);
    }
    this.update();
  }

  #loaded = null;

  /** Whether this game is still the one to be shown. */
  #still(id) {
    return this.isConnected && this.gameId === id;
  }

  #begin(game) {
    if (game.embargoed) {
      this.#trouble = HIDDEN;
      this.#timer = setTimeout(() => this.#load(), HIDDEN_AGAIN_MS);
      return;
    }
    if (game.status !== "open" && game.status !== "running") {
      this.#finish(game.id);
      return;
    }
    const names = game.seats.map((seat, index) => seat.name ?? `seat ${index}`);
    this.#replay = new Replay(game.id, game.rules, names);
    this.#follower = new Follower(game.id, {
      event: (event) => this.#happened(event),
      state: (state) => this.#connected(state),
      end: () => this.#finish(game.id),
    });
  }

  /** The first event says that the seats are taken: then their names are read again. */
  async #happened(event) {
    const replay = this.#replay;
    const waited = this.#status === "open";
    this.#status = "running";
    replay.add(event);
    this.update();
    if (event.version !== 0 || !waited) return;
    const game = await api.game(replay.id).catch(() => null);
    if (game !== null) replay.names.splice(0, replay.names.length, ...game.seats.map((seat, index) => seat.name ?? `seat ${index}`));
    this.update();
  }

  #connected(state) {
    this.#connection = state;
    this.update();
  }

  /** The game is over: read all of it, prove it here, and show that. */
  async #finish(id) {
    this.#connection = null;
    this.#proof = { state: "pending" };
    this.update();
    try {
      const text = await api.lines(id);
      if (!this.#still(id)) return;
      this.#prover ??= new Prover();
      const { record, hashes } = await this.#prover.prove(text);
      if (!this.#still(id)) return;
      this.#followed = this.#replay !== null;
      this.#replay = Replay.of(record);
      this.#whole = true;
      this.#status = record.result.status;
      this.#proof = { state: "proved", hashes };
      this.#trouble = null;
      this.#judge(id);
    } catch (error) {
      if (!this.#still(id)) return;
      if (error instanceof Refused) this.#proof = { state: "refused", message: error.message };
      else {
        this.#proof = null;
        // Over here, but perhaps not at every table of its deal: then the game itself says so.
        this.#trouble = `${error.message} Trying again …`;
        this.#timer = setTimeout(() => this.#load(), AGAIN_MS);
      }
    }
    this.update();
  }

  async #judge(id) {
    const losses = await this.#prover.analyse();
    if (!this.#still(id)) return;
    this.#losses = losses;
    this.update();
  }

  template() {
    if (this.#loaded !== null && this.#loaded !== this.gameId) this.#restart();
    const replay = this.#replay;
    return html`<h1>${replay === null ? "Game" : versus(replay.names)}</h1>
      <div class="title">
        ${replay === null ? html`<p class="quiet">${this.gameId}</p>` : aboutView(replay, this.#status)}
        ${this.#fork === null ? nothing : html`<a href="#/game/${this.#fork.game}?step=${this.#fork.version}">forked at step ${this.#fork.version}</a>`}
        ${this.#trouble === null ? nothing : html`<p class="status lost" role="alert">${this.#trouble}</p>`}
        ${this.#connection === null ? nothing : html`<p class="status ${this.#connection}" role="status">${STATES[this.#connection]}</p>`}
        ${proofView(this.#proof, replay)}
        ${this.#whole ? html`<p class="downloads"><a href=${api.transcriptAddress(replay.id)} download="${replay.id}.skyjo">Download transcript</a></p>` : nothing}
      </div>
      ${replay === null ? nothing : html`<skyjo-player .game=${replay} .count=${replay.events.length} .whole=${this.#whole}
        .losses=${this.#losses} @moved=${({ detail }) => this.#moved(detail)}></skyjo-player>`}`;
  }

  /** The address names another game than the one that is shown. */
  #restart() {
    this.#stop();
    this.#follower = null;
    this.#replay = this.#status = this.#connection = this.#proof = this.#trouble = this.#losses = this.#told = this.#fork = null;
    this.#whole = this.#followed = false;
    this.#load();
  }

  rendered() {
    const player = this.querySelector("skyjo-player");
    // Whoever saw a game end wants to see its end, and not its beginning.
    if (this.#followed) player.stay();
    this.#followed = false;
    if (player === null || this.#told === this.query) return;
    this.#told = this.query;
    player.goTo(...placeOf(this.query));
  }

  #moved(place) {
    const query = queryOf(place);
    this.#address.write(`#/game/${this.gameId}${query ? `?${query}` : ""}`);
  }
}

/** Who plays, in a heading. */
export function versus(names) {
  const between = names.length > 2 ? ", " : " against ";
  return names.map((name, index) => html`${index ? html`<small>${between}</small>` : nothing}<span class="name">${name}</span>`);
}

/** By which rules a game is played, how it stands, and which it is. */
export function aboutView({ id, rules }, status) {
  const name = presetName(rules);
  const options = houseOptions(rules).map(([option, value]) => html`<li>${option.replaceAll("_", " ")}: ${value === null ? "none" : String(value)}</li>`);
  return html`${name === null ? html`<details class="rules"><summary>house rules</summary><ul>${options}</ul></details>` : html`<span class="quiet">${name}</span>`}
    ${status === "finished" ? nothing : html`<span class="quiet">${status}</span>`} <code class="quiet" title="The game's id">${id}</code>`;
}

/** What was proved here, or what is wrong. */
export function proofView(proof, replay) {
  if (proof === null) return nothing;
  if (proof.state === "pending") return html`<p class="status" role="status">Checking every shuffle and every move …</p>`;
  if (proof.state === "refused") return html`<p class="status refused" role="alert">✗ This game does not hold up: ${proof.message}</p>`;
  const chain = proof.hashes ? ", hash chain" : "";
  return html`<p class="status proved" role="status">✓ Verified in your browser: ${replay.events.length} events, every shuffle, all scores${chain}</p>`;
}

reactive(GamePage, "gameId", "query");
customElements.define("skyjo-game", GamePage);
