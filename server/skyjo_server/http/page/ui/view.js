/** What every element of the page is built on: a template that is rendered anew after a change. Shows nothing itself. */

import { render } from "../vendor/lit-html.js";

/** An element that renders its `template()` into itself, once for all changes of a moment. */
export class View extends HTMLElement {
  #queued = false;

  connectedCallback() {
    this.update();
  }

  /** Render soon: something has changed. */
  update() {
    if (this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => {
      this.#queued = false;
      if (!this.isConnected) return;
      render(this.template(), this);
      this.rendered();
    });
  }

  /** What is to be shown. */
  template() {
    throw new Error("a view has a template");
  }

  /** Called after each rendering. */
  rendered() {}
}

/** Give a class properties whose change renders it anew. */
export function reactive(element, ...names) {
  for (const name of names) {
    const kept = Symbol(name);
    Object.defineProperty(element.prototype, name, {
      get() {
        return this[kept];
      },
      set(value) {
        if (Object.is(this[kept], value)) return;
        this[kept] = value;
        this.update();
      },
    });
  }
}
