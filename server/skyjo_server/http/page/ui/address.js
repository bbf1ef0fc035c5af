/** What stands behind `#`: the step and the viewer of a replay, read and written. Shows nothing. */

/** Browsers refuse an address that changes all the time; while somebody scrubs, it is written once they pause. */
const PAUSE_MS = 200;

/** The step and the viewer of a query. */
export function placeOf(query) {
  const read = new URLSearchParams(query);
  const step = /^\d{1,6}$/.test(read.get("step") ?? "") ? Number(read.get("step")) : null;
  return [step, read.get("as")];
}

/** The query of a step and a viewer. */
export function queryOf({ step, viewer }) {
  const given = [...(step === null ? [] : [["step", step]]), ...(viewer === null ? [] : [["as", viewer]])];
  return new URLSearchParams(given).toString();
}

/** Writes the address of what one element shows. */
export class Address {
  #timer = null;

  /** Write it soon, in place of the one before. */
  write(hash) {
    this.forget();
    this.#timer = setTimeout(() => history.replaceState(null, "", hash), PAUSE_MS);
  }

  /** What was to be written is not wanted any more. */
  forget() {
    clearTimeout(this.#timer);
  }
}
