/** A list to choose from: filtered, searched, only what is in view is an element. */

import { VirtualList } from "./list.js";

/** Event: "open" (detail: the item) when somebody chooses a row. */
export class PickList extends EventTarget {
  #place;
  #list;
  #options;
  #all = [];
  #rows = [];
  #chosen = null; // the key of an item
  #at = -1;

  /**
   * @param {HTMLElement} place a listbox
   * @param {object} options
   * @param {number} options.rowHeight CSS pixels
   * @param {(item: object) => string} options.key
   * @param {(row: HTMLElement, item: object) => void} options.fill what is in a row
   * @param {string} [options.rowClass]
   * @param {(item: object) => boolean} options.shown whether the filters let it through
   * @param {(rows: object[], all: object[]) => void} options.counted
   */
  constructor(place, options) {
    super();
    this.#place = place;
    this.#options = options;
    const render = (row, item, index) => this.#render(row, item, index);
    this.#list = new VirtualList(place, { rowHeight: options.rowHeight, render });
    place.addEventListener("click", (event) => {
      const row = event.target.closest?.("[data-index]");
      if (row) this.#choose(Number(row.dataset.index));
    });
    place.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {object[]} items all there are */
  take(items) {
    this.#all = items;
    this.sift();
  }

  /** The filters have changed, or the items have. What is open stays in the list while it is. */
  sift() {
    const { key, shown, counted } = this.#options;
    this.#rows = this.#all.filter((item) => key(item) === this.#chosen || shown(item));
    this.#at = this.#rows.findIndex((item) => key(item) === this.#chosen);
    this.#list.setItems(this.#rows);
    this.#follow();
    counted(this.#all.filter(shown), this.#all);
  }

  get all() {
    return this.#all;
  }

  get rows() {
    return this.#rows;
  }

  find(key) {
    return this.#all.find((item) => this.#options.key(item) === key) ?? null;
  }

  /** What is known of an item before the server tells it again. @param {string} key @param {object} change */
  patch(key, change) {
    const item = this.find(key);
    if (!item || Object.entries(change).every(([name, value]) => item[name] === value)) return;
    Object.assign(item, change);
    this.sift();
  }

  /** Which one is open. */
  mark(key) {
    this.#chosen = key;
    this.sift();
    if (this.#at >= 0) this.#list.reveal(this.#at);
  }

  /** Go on by some rows and open what is there. @returns {boolean} whether there was one */
  step(by) {
    const from = this.#at >= 0 ? this.#at : by > 0 ? -1 : this.#rows.length;
    const to = Math.min(Math.max(from + by, 0), this.#rows.length - 1);
    if (to === this.#at || to < 0) return false;
    this.#choose(to);
    return true;
  }

  #choose(index) {
    const item = this.#rows[index];
    if (!item) return;
    this.#at = index;
    this.#list.reveal(index);
    this.dispatchEvent(new CustomEvent("open", { detail: item }));
  }

  #render(row, item, index) {
    const chosen = this.#options.key(item) === this.#chosen;
    row.id = `${this.#place.id}-${index}`;
    row.dataset.index = String(index);
    row.className = `row ${this.#options.rowClass ?? "pick-row"}${chosen ? " chosen" : ""}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-setsize", String(this.#rows.length));
    row.setAttribute("aria-posinset", String(index + 1));
    row.setAttribute("aria-selected", String(chosen));
    this.#options.fill(row, item);
  }

  #key(event) {
    const { page } = this.#list;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const by = steps[event.key];
    if (by === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.step(by);
  }

  #follow() {
    if (this.#at < 0) this.#place.removeAttribute("aria-activedescendant");
    else this.#place.setAttribute("aria-activedescendant", `${this.#place.id}-${this.#at}`);
  }
}
