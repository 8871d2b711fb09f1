/** Rows to choose from by pointer and by keys, of which only those in view are elements. */

import { VirtualList } from "./list.js";

/** Event: "open" (detail: {item, index}) when somebody chooses a row. */
export class PickRows extends EventTarget {
  #place;
  #list;
  #options;
  #chosen = null; // the key of the item that is open
  #at = -1; // the row where somebody is

  /**
   * @param {HTMLElement} place a listbox
   * @param {object} options
   * @param {number} options.rowHeight CSS pixels
   * @param {(item: object) => string} options.key
   * @param {(row: HTMLElement, item: object | null, index: number) => void} options.fill what is in a row
   * @param {(item: object | null) => string} [options.rowClass]
   * @param {boolean} [options.eager] whether arrows open what they come to; otherwise Enter and Space do
   */
  constructor(place, options) {
    super();
    this.#place = place;
    this.#options = { rowClass: () => "pick-row", eager: true, ...options };
    const render = (row, item, index) => this.#render(row, item, index);
    this.#list = new VirtualList(place, { rowHeight: options.rowHeight, render });
    place.addEventListener("click", (event) => {
      const row = event.target.closest?.("[data-index]");
      if (row) this.choose(Number(row.dataset.index));
    });
    place.addEventListener("keydown", (event) => this.#key(event));
  }

  get rows() {
    return this.#list.items;
  }

  /** The key of the item that is open, or null. */
  get chosen() {
    return this.#chosen;
  }

  /** The row where somebody is, or -1. */
  get at() {
    return this.#at;
  }

  /**
   * Show other rows. What somebody looks at stays where it is when rows come or go above it.
   * @param {(object | null)[]} rows null: one that is still to come
   */
  put(rows) {
    const { key, rowHeight } = this.#options;
    const before = this.rows;
    const placeOf = (wanted) => (wanted === null ? -1 : rows.findIndex((one) => one && key(one) === wanted));
    const keyAt = (index) => (before[index] ? key(before[index]) : null);
    const top = Math.floor(this.#place.scrollTop / rowHeight);
    const now = placeOf(keyAt(top));
    if (before[this.#at] !== null) {
      const still = placeOf(keyAt(this.#at));
      this.#at = still >= 0 ? still : placeOf(this.#chosen);
    }
    this.#list.setItems(rows);
    if (now >= 0 && now !== top) this.#place.scrollTop += (now - top) * rowHeight;
    this.#point();
  }

  /** Which one is open. @param {string | null} key */
  mark(key) {
    this.#chosen = key;
    this.#at = this.rows.findIndex((one) => one && this.#options.key(one) === key);
    this.#list.refresh();
    this.#list.reveal(this.#at);
    this.#point();
  }

  /** Go on by some rows and open what is there. @returns {boolean} whether there was one */
  step(by) {
    const to = this.#to(by);
    if (to === this.#at || to < 0) return false;
    this.choose(to);
    return true;
  }

  /** @param {number} index */
  choose(index) {
    if (index < 0 || index >= this.rows.length) return;
    this.#move(index);
    this.dispatchEvent(new CustomEvent("open", { detail: { item: this.rows[index], index } }));
  }

  #to(by) {
    const last = this.rows.length - 1;
    const from = this.#at >= 0 ? this.#at : by > 0 ? -1 : last + 1;
    return Math.min(Math.max(from + by, 0), last);
  }

  #move(index) {
    const before = this.#at;
    this.#at = index;
    this.#list.reveal(index);
    for (const one of [before, index]) this.#list.refresh(one);
    this.#point();
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { page } = this.#list;
    const { eager } = this.#options;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const by = steps[event.key];
    if (by !== undefined && eager) this.step(by);
    else if (by !== undefined) this.#to(by) >= 0 && this.#move(this.#to(by));
    else if (!eager && (event.key === "Enter" || event.key === " ") && this.#at >= 0) this.choose(this.#at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #point() {
    const row = this.#list.row(this.#at);
    if (row) this.#place.setAttribute("aria-activedescendant", row.id);
    else this.#place.removeAttribute("aria-activedescendant");
  }

  #render(row, item, index) {
    const { key, fill, rowClass } = this.#options;
    const chosen = item !== null && key(item) === this.#chosen;
    row.id = `${this.#place.id}-${index}`;
    row.dataset.index = String(index);
    row.dataset.key = item === null ? "" : key(item);
    row.className = `row ${rowClass(item)}${chosen ? " chosen" : ""}${index === this.#at ? " at" : ""}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-setsize", String(this.rows.length));
    row.setAttribute("aria-posinset", String(index + 1));
    row.setAttribute("aria-selected", String(chosen));
    fill(row, item, index);
  }
}
