/** The frame of the page: heading, the way to each part by the address behind `#`, light and dark. Shows no game. */

import { html, nothing } from "../vendor/lit-html.js";
import "./event.js";
import "./file.js";
import "./game.js";
import "./leaderboard.js";
import "./lobby.js";
import { icon } from "./icons.js";
import { View } from "./view.js";

const SCHEMES = ["auto", "light", "dark"];
const KEPT_AS = "skyjo-scheme";

/** What an address shows: `#/`, `#/game/ID?step=12&as=1`, `#/event/ID`, `#/leaderboard`, `#/file`. */
function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [part, id] = path.split("/");
  return { part, id: id === undefined ? null : decode(id), query: new URLSearchParams(query) };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

class App extends View {
  #scheme = "auto";
  #file = null;
  #dragged = false;

  connectedCallback() {
    this.#choose(stored() ?? "auto");
    super.connectedCallback();
    window.addEventListener("hashchange", () => this.update());
    window.addEventListener("dragover", this.#over);
    window.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget === null && this.#drag(false));
    window.addEventListener("drop", this.#drop);
    this.addEventListener("chosen", ({ detail }) => this.#open(detail));
  }

  template() {
    const { part } = route();
    const current = (here) => (here ? "page" : nothing);
    return html`
      <a class="skip" href="#content" @click=${this.#skip}>Skip to the content</a>
      <header class="top">
        <a class="brand" href="#/"><img src="viewer/icon.svg" alt="" width="26" height="26"> <span>Skyjo Arena</span></a>
        <nav aria-label="Parts">
          <a href="#/" aria-current=${current(part === "")}>Games</a>
          <a href="#/leaderboard" aria-current=${current(part === "leaderboard")}>Leaderboard</a>
          <a href="docs/guide">Guide</a>
          <a href="docs">API</a>
          <button type="button" class="tool scheme" @click=${this.#next} aria-label="Colours: ${this.#scheme}" title="Colours: ${this.#scheme}">
            ${icon(this.#scheme)}</button>
        </nav>
      </header>
      <main id="content" tabindex="-1" class=${this.#dragged ? "dragged" : ""}>${this.#content()}</main>`;
  }

  #content() {
    const { part, id, query } = route();
    if (part === "game" && id) return html`<skyjo-game .gameId=${id} .query=${query.toString()}></skyjo-game>`;
    if (part === "event" && id) return html`<skyjo-event .eventId=${id}></skyjo-event>`;
    if (part === "leaderboard") return html`<skyjo-leaderboard></skyjo-leaderboard>`;
    if (part === "file" && this.#file) {
      return html`<skyjo-file .file=${this.#file} .game=${query.get("game")} .query=${query.toString()}></skyjo-file>`;
    }
    return html`<skyjo-lobby></skyjo-lobby>`;
  }

  #skip = (event) => {
    event.preventDefault();
    this.querySelector("main").focus();
  };

  #next = () => this.#choose(SCHEMES[(SCHEMES.indexOf(this.#scheme) + 1) % SCHEMES.length]);

  #choose(scheme) {
    this.#scheme = SCHEMES.includes(scheme) ? scheme : "auto";
    document.documentElement.dataset.scheme = this.#scheme;
    store(this.#scheme);
    this.update();
  }

  #over = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.#drag(true);
  };

  #drop = (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (file === undefined) return;
    event.preventDefault();
    this.#drag(false);
    this.#open(file);
  };

  #drag(dragged) {
    if (this.#dragged === dragged) return;
    this.#dragged = dragged;
    this.update();
  }

  #open(file) {
    this.#file = file;
    location.hash = "#/file";
    this.update();
  }
}

/** A page that may keep nothing forgets the choice, and that is all. */
function stored() {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}

function store(scheme) {
  try {
    localStorage.setItem(KEPT_AS, scheme);
  } catch {
    // as above
  }
}

customElements.define("skyjo-app", App);
