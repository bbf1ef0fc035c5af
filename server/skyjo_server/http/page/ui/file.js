/** A file that somebody dropped: its games as they are read and proved, and the replay of one. Sends it nowhere. */

import { checkSize, megabytes } from "../game/texts.js";
import { html, nothing } from "../vendor/lit-html.js";
import { Address, placeOf, queryOf } from "./address.js";
import { aboutView, proofView, versus } from "./game.js";
import { dropZone } from "./lobby.js";
import "./player.js";
import { Prover } from "./proofs.js";
import { Replay } from "./replay.js";
import { View, reactive } from "./view.js";
import { points } from "./words.js";

const AT_ONCE = 100;

/** `file`: the File; `game`: the number of the game that the address names, or null; `query`: the rest of it. */
class FilePage extends View {
  #games = [];
  #share = 0;
  #state = "reading";
  #message = null;
  #prover = null;
  #shown = AT_ONCE;
  #opened = null;
  #read = null;
  #told = null;
  #address = new Address();

  disconnectedCallback() {
    this.#address.forget();
    this.#prover?.close();
    this.#read = null;
  }

  async #start() {
    const { file } = this;
    this.#read = file;
    this.#prover?.close();
    this.#prover = null;
    this.#games = [];
    this.#opened = this.#message = this.#told = null;
    [this.#share, this.#shown, this.#state] = [0, AT_ONCE, "reading"];
    try {
      checkSize(file);
      this.#prover = new Prover();
      await this.#prover.file(file, ({ games, share }) => {
        if (this.#read !== file) return;
        this.#games.push(...games);
        this.#share = share;
        this.update();
      });
      if (this.#read === file) this.#state = "read";
    } catch (error) {
      if (this.#read !== file) return;
      [this.#state, this.#message] = ["refused", error.message];
    }
    this.update();
  }

  /** The number of the game to be shown: the one that is named, or the only one. */
  get #wanted() {
    if (/^\d{1,6}$/.test(this.game ?? "")) return Number(this.game);
    return this.#state === "read" && this.#games.length === 1 ? 0 : null;
  }

  async #open(index) {
    this.#opened = { index, replay: null, hashes: false, losses: null };
    const { record, hashes } = await this.#prover.open(index);
    if (this.#opened?.index !== index) return;
    this.#opened = { index, replay: Replay.of(record), hashes, losses: null };
    this.#told = null;
    this.update();
    this.#judge(this.#opened);
  }

  /** Learn what the decisions of a game cost. It is shown already: nobody has to wait for this. */
  async #judge(opened) {
    const losses = await this.#prover.analyse(opened.index);
    if (this.#opened !== opened) return;
    opened.losses = losses;
    this.update();
  }

  template() {
    if (this.#read !== this.file) this.#start();
    const wanted = this.#wanted;
    if (wanted !== null && wanted < this.#games.length) {
      if (this.#opened?.index !== wanted) this.#open(wanted);
      return this.#gameView();
    }
    return html`<h1 class="name">${this.file.name}</h1>
      ${this.#progress()}
      ${this.#games.length === 0 ? nothing : html`<ul class="games">${this.#games.slice(0, this.#shown).map(item)}</ul>`}
      ${this.#games.length > this.#shown ? html`<button type="button" class="more" @click=${this.#more}>Show more</button>` : nothing}
      ${this.#state === "reading" ? nothing : dropZone(this)}`;
  }

  #more = () => {
    this.#shown += AT_ONCE;
    this.update();
  };

  #progress() {
    const count = this.#games.length;
    if (this.#state === "refused") {
      const before = count === 0 ? "" : ` The ${count} games before it hold up.`;
      return html`<p class="status refused" role="alert">✗ This file is refused: ${this.#message}.${before}</p>`;
    }
    if (this.#state === "read") return html`<p class="status proved" role="status">✓ ${count} games, all verified in your browser</p>`;
    return html`<p class="status" role="status">Reading ${megabytes(this.file.size)}: ${count} games so far</p>
      <progress max="1" .value=${this.#share} aria-label="Read so far"></progress>`;
  }

  #gameView() {
    const { replay, hashes, losses } = this.#opened;
    const many = this.#games.length > 1;
    return html`${many ? html`<p class="back"><a href="#/file">All games of <span class="name">${this.file.name}</span></a></p>` : nothing}
      ${replay === null ? html`<p class="quiet" role="status">Opening …</p>` : html`
        <h1>${versus(replay.names)}</h1><div class="title">
        ${aboutView(replay, replay.result.status)}
        ${proofView({ state: "proved", hashes }, replay)}</div>
        <skyjo-player .game=${replay} .count=${replay.events.length} .whole=${true} .losses=${losses} @moved=${({ detail }) => this.#moved(detail)}></skyjo-player>`}`;
  }

  rendered() {
    const player = this.querySelector("skyjo-player");
    if (player === null || this.#told === this.query) return;
    this.#told = this.query;
    player.goTo(...placeOf(this.query));
  }

  #moved(place) {
    const query = [`game=${this.#opened.index}`, queryOf(place)].filter(Boolean).join("&");
    this.#address.write(`#/file?${query}`);
  }
}

function item({ index, seats, result, events }) {
  const order = seats.map((_, seat) => seat).sort((one, other) => (result.ranks ? result.ranks[one] - result.ranks[other] : one - other));
  return html`<li><a href="#/file?game=${index}">
    <ol class="players">${order.map((seat) => html`<li class=${result.ranks?.[seat] === 1 ? "first" : ""}>
      <span class="name">${seats[seat]}</span><span class="points">${points(result.totals[seat])}</span></li>`)}</ol>
    <p class="quiet">${result.status} · ${events} events</p>
  </a></li>`;
}

reactive(FilePage, "file", "game", "query");
customElements.define("skyjo-file", FilePage);
