/** The log beside the table: every event of a round in words, each a way to its step. Follows the step that is shown. */

import { eventSeenBy } from "../game/view.js";
import { html, nothing } from "../vendor/lit-html.js";
import { View, reactive } from "./view.js";
import { described } from "./words.js";

/** `game`: the replay; `count`: how many of its events there are; `viewer`: who looks; `step`: the one that is shown. */
class GameLog extends View {
  #step = 0;
  #from = null;

  get step() {
    return this.#step;
  }

  /** Move the mark without writing the round anew. */
  set step(step) {
    this.#step = step;
    if (this.game && this.game.roundOf(step).from !== this.#from) this.update();
    else this.#mark();
  }

  template() {
    if (!this.game) return nothing;
    const { events, names, before } = this.game;
    const { from, to } = this.game.roundOf(this.#step);
    this.#from = from;
    return html`<ol class="log" @click=${this.#choose}>${events.slice(from, to + 1).map((event) => {
      const step = event.version;
      const { main, notes } = described(eventSeenBy(event, before(step), this.viewer), names);
      return html`<li><button type="button" data-step=${step}><span class="at">${step}</span> ${main}</button>
        ${notes.length ? html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>` : nothing}</li>`;
    })}</ol>`;
  }

  rendered() {
    this.#mark();
  }

  #choose = ({ target }) => {
    const button = target.closest("button");
    if (button) this.dispatchEvent(new CustomEvent("step", { detail: Number(button.dataset.step), bubbles: true }));
  };

  #mark() {
    this.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = this.querySelector(`button[data-step="${this.#step}"]`);
    if (current === null) return;
    current.setAttribute("aria-current", "step");
    const list = this.firstElementChild;
    const [inside, item] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
    if (item.top < inside.top || item.bottom > inside.bottom) {
      list.scrollTop += item.top - inside.top - (inside.height - item.height) / 2;
    }
  }
}

reactive(GameLog, "game", "count", "viewer");
customElements.define("skyjo-log", GameLog);
