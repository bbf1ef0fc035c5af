/** A replay that is stepped through: table, controls, keyboard, log, scores. Where its game comes from it does not know. */

import { eventSeenBy } from "../game/view.js";
import { html, nothing } from "../vendor/lit-html.js";
import { chartView } from "./chart.js";
import { icon } from "./icons.js";
import "./log.js";
import { lossesView } from "./losses.js";
import { tableView, waitingFor } from "./table.js";
import { View, reactive } from "./view.js";
import { described, lost } from "./words.js";

const SPEEDS = { slow: 1600, normal: 800, fast: 300, rapid: 80 };

/**
 * `game`: a Replay; `count`: how many events it has, to be set after each that is added; `whole`: whether every card may be
 * seen, as the game is over; `step` and `viewer`: where the address says to begin; `losses`: what decisions cost, or null.
 * Fires `moved` with {step, viewer}.
 */
class Player extends View {
  #step = null;
  #viewer = null;
  #timer = null;
  #speed = "normal";

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("keydown", this.#key);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#key);
    this.#pause();
  }

  /** Go where an address says: a step, null for the end of a running game and the beginning of another; and a viewer. */
  goTo(step, viewer) {
    this.#step = step;
    this.#viewer = viewer;
    this.update();
  }

  /** Stay at the last event there is, if that is what is shown. */
  stay() {
    if (this.#step === null) this.#step = this.game.last;
    this.update();
  }

  template() {
    const { game } = this;
    if (!game || game.last < 0) return html`<p class="quiet" role="status">The game has not been dealt yet.</p>`;
    const [step, viewer] = [this.#shown, this.#seenAs];
    const [state, event] = [game.state(step), game.events[step]];
    const { main, notes } = described(eventSeenBy(event, game.before(step), viewer), game.names);
    notes.push(...this.#lost(step));
    return html`<div class="player">
      <div class="play">
        <div class="heading">
          <div class="caption" aria-live=${this.#timer === null ? "polite" : "off"}>
            <p class="what">${main}</p>
            <p class="notes">${notes.join(". ")}</p>
            <p class="waiting">Round ${state.round} · ${waitingFor(state, game.names)}</p>
          </div>
          <div class="choices" role="group" aria-label="View">${this.#choices(step)}</div>
        </div>
        ${tableView(game.table(step), event, viewer, game.names)}
        ${this.#controls(step)}
        ${this.losses ? lossesView(this.losses, game, step, (at) => this.#move(at)) : nothing}
      </div>
      <aside class="beside">
        <section aria-labelledby="log-title"><h2 id="log-title">Log of round ${state.round}</h2>
          <skyjo-log .game=${game} .count=${this.count} .viewer=${viewer} .step=${step} @step=${({ detail }) => this.#move(detail)}></skyjo-log>
        </section>
        <section aria-labelledby="scores-title"><h2 id="scores-title">Scores</h2>
          ${chartView(game.rounds, state.rounds.length, game.names, game.rules.score_limit)}
        </section>
      </aside>
    </div>`;
  }

  /** What the decision of a step cost, if it cost anything. */
  #lost(step) {
    const judged = this.losses?.find(({ version }) => version === step);
    return judged !== undefined && judged.cost >= 0.05 ? [`Best was ${judged.best}: ${lost(judged.cost)} points lost`] : [];
  }

  get #shown() {
    const { last } = this.game;
    return this.#step === null ? (this.whole ? 0 : last) : Math.min(Math.max(this.#step, 0), last);
  }

  /** Who looks: while the game is on, nobody but a spectator. */
  get #seenAs() {
    if (!this.whole) return null;
    const seat = Number(this.#viewer);
    if (this.#viewer === "spectator") return null;
    return this.#viewer !== null && Number.isInteger(seat) && seat < this.game.names.length ? seat : "open";
  }

  #controls(step) {
    const { game } = this;
    const last = game.last;
    const button = (label, sign, to, keys) => html`<button type="button" class="tool" aria-label=${label} title="${label} (${keys})"
      ?disabled=${to === step || to < 0 || to > last} @click=${() => this.#move(to)}>${icon(sign)}</button>`;
    const playing = this.#timer !== null;
    return html`<div class="controls" role="group" aria-label="Replay">
      <input class="scrub" type="range" min="0" max=${last} .value=${String(step)} aria-label="Step"
        aria-valuetext="Step ${step} of ${last}" @input=${({ target }) => this.#move(Number(target.value))}>
      <div class="buttons">
        ${button("First step", "first", 0, "Home")}
        ${button("Step back", "back", step - 1, "left arrow")}
        <button type="button" class="tool main" aria-label=${playing ? "Pause" : "Play"} title="${playing ? "Pause" : "Play"} (space)"
          ?disabled=${!playing && step === last} @click=${() => this.#toggle()}>${icon(playing ? "pause" : "play")}</button>
        ${button("Step forward", "forward", step + 1, "right arrow")}
        ${button("Last step", "last", last, "End")}
        <output class="where">${step} / ${last}</output>
      </div>
      <p class="keys quiet">Keys: ← → step, Page up and down: round, Home and End, Space: play</p>
    </div>`;
  }

  #choices(step) {
    const { game } = this;
    const starts = game.roundSteps;
    const { round } = game.state(step);
    return html`
      <label>Round <select aria-label="Round" .value=${String(round)} @change=${({ target }) => this.#move(starts[Number(target.value) - 1])}>
        ${starts.map((_, index) => html`<option value=${index + 1} ?selected=${index + 1 === round}>${index + 1}</option>`)}</select></label>
      ${this.whole ? html`<label>Seen by <select aria-label="Seen by" @change=${({ target }) => this.#look(target.value)}>
        ${this.#viewers().map(([value, name]) => html`<option value=${value} ?selected=${value === this.#viewerName}>${name}</option>`)}</select></label>` : nothing}
      <label>Speed <select aria-label="Speed" @change=${({ target }) => this.#setSpeed(target.value)}>
        ${Object.keys(SPEEDS).map((name) => html`<option value=${name} ?selected=${name === this.#speed}>${name}</option>`)}</select></label>`;
  }

  #viewers() {
    const seats = this.game.names.map((name, seat) => [String(seat), `Seat ${seat}: ${name}`]);
    return [["open", "everybody: open cards"], ["spectator", "a spectator"], ...seats];
  }

  get #viewerName() {
    const seen = this.#seenAs;
    return seen === null ? "spectator" : String(seen);
  }

  #look(viewer) {
    this.#viewer = viewer === "open" ? null : viewer;
    this.#moved();
  }

  #move(step) {
    this.#pause();
    this.#show(step);
  }

  /** Show a step; the last one of a running game stays the last. */
  #show(step) {
    const to = Math.min(Math.max(step, 0), this.game.last);
    this.#step = !this.whole && to === this.game.last ? null : to;
    this.#moved();
  }

  #moved() {
    this.update();
    this.dispatchEvent(new CustomEvent("moved", { detail: { step: this.#step, viewer: this.#viewer } }));
  }

  #toggle() {
    if (this.#timer === null) this.#timer = setInterval(() => this.#advance(), SPEEDS[this.#speed]);
    else this.#pause();
    this.update();
  }

  #advance() {
    if (this.#shown < this.game.last) this.#show(this.#shown + 1);
    if (this.#shown === this.game.last) this.#pause();
  }

  #pause() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.update();
  }

  #setSpeed(speed) {
    this.#speed = speed;
    if (this.#timer === null) return;
    this.#pause();
    this.#toggle();
  }

  #key = (event) => {
    const { key, target, altKey, ctrlKey, metaKey } = event;
    if (!this.game || this.game.last < 0 || altKey || ctrlKey || metaKey) return;
    if (target.closest("input, select, textarea") || (key === " " && target.closest("button, a, summary"))) return;
    const to = { ArrowLeft: this.#shown - 1, ArrowRight: this.#shown + 1, Home: 0, End: this.game.last, ...this.#roundKeys() }[key];
    if (to === undefined && key !== " ") return;
    event.preventDefault();
    if (key === " ") this.#toggle();
    else this.#move(to);
  };

  #roundKeys() {
    const starts = this.game.roundSteps;
    const before = starts.filter((step) => step < this.#shown).at(-1) ?? 0;
    const after = starts.find((step) => step > this.#shown) ?? this.game.last;
    return { PageUp: before, PageDown: after };
  }
}

reactive(Player, "game", "count", "whole", "losses");
customElements.define("skyjo-player", Player);
