/** Which region is selected, for all parts of the page. Event: "select". */
export class Selection extends EventTarget {
  /** @type {string | null} */
  #name = null;

  get name() {
    return this.#name;
  }

  /** @param {string | null} name */
  set(name) {
    if (name === this.#name) return;
    this.#name = name;
    this.dispatchEvent(new Event("select"));
  }

  /** Another screen is about to be shown: whoever shows it asks for the name then. @param {string | null} name */
  begin(name) {
    this.#name = name;
  }
}
