/** A list of thousands of rows of which only those in view are elements. */

import { el } from "./dom.js";

const BEYOND = 8; // rows above and below what is in view

/**
 * Rows of one height in an element that scrolls. `render(row, item, index)` fills a row, with its role, its place in
 * the set (`aria-setsize`, `aria-posinset`) and its id; it is called again when the item may have changed. A row keeps
 * its element while it is in view or has the focus.
 */
export class VirtualList {
  #container;
  #inner;
  #height;
  #render;
  #items = [];
  #rows = new Map();
  #frame = 0;
  #watch;

  /**
   * @param {HTMLElement} container scrolls; its height is given by CSS
   * @param {object} options
   * @param {number} options.rowHeight CSS pixels
   * @param {(row: HTMLElement, item: any, index: number) => void} options.render
   */
  constructor(container, { rowHeight, render }) {
    this.#container = container;
    this.#height = rowHeight;
    this.#render = render;
    this.#inner = el("div", { class: "rows", role: "presentation" });
    container.classList.add("virtual");
    container.append(this.#inner);
    this.#watch = new ResizeObserver(() => this.#later());
    this.#watch.observe(container);
    container.addEventListener("scroll", this.#scrolled, { passive: true });
  }

  /** @param {any[]} items */
  setItems(items) {
    this.#items = items;
    this.#inner.style.height = `${items.length * this.#height}px`;
    this.refresh();
  }

  get items() {
    return this.#items;
  }

  /** Fill the rows in view again. @param {number} [index] only this one */
  refresh(index) {
    if (index === undefined) this.#draw(true);
    else if (this.#rows.has(index) && index < this.#items.length) this.#fill(index);
  }

  /** The element of a row, if it is in view. @param {number} index */
  row(index) {
    return this.#rows.get(index) ?? null;
  }

  /**
   * Scroll as little as shows the row whole, or to the middle.
   * @param {number} index
   * @param {{centre?: boolean}} [options]
   */
  reveal(index, { centre = false } = {}) {
    if (index < 0 || index >= this.#items.length) return;
    const { scrollTop, clientHeight } = this.#container;
    const top = index * this.#height;
    const low = top + this.#height - clientHeight;
    if (centre) this.#container.scrollTop = (top + low) / 2;
    else if (top < scrollTop) this.#container.scrollTop = top;
    else if (low > scrollTop) this.#container.scrollTop = low;
    this.#draw(false);
  }

  /** How many rows fit: what Page Down goes by. */
  get page() {
    return Math.max(1, Math.floor(this.#container.clientHeight / this.#height) - 1);
  }

  destroy() {
    cancelAnimationFrame(this.#frame);
    this.#watch.disconnect();
    this.#container.removeEventListener("scroll", this.#scrolled);
    this.#inner.remove();
  }

  #scrolled = () => this.#later();

  #later() {
    this.#frame ||= requestAnimationFrame(() => this.#draw(false));
  }

  #draw(all) {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const { clientHeight } = this.#container;
    // A list that has become shorter is scrolled back by the browser, later.
    const top = Math.max(0, Math.min(this.#container.scrollTop, this.#items.length * this.#height - clientHeight));
    const first = Math.max(0, Math.floor(top / this.#height) - BEYOND);
    const end = Math.min(this.#items.length, Math.ceil((top + clientHeight) / this.#height) + BEYOND);
    for (const [index, row] of this.#rows) {
      const seen = index >= first && index < end;
      if (index < this.#items.length && (seen || row.contains(document.activeElement))) continue;
      row.remove();
      this.#rows.delete(index);
    }
    const added = [];
    for (let index = first; index < end; index++) {
      if (!this.#rows.has(index)) added.push(index);
      else if (all) this.#fill(index);
    }
    // From the end: each finds the row that comes after it.
    for (const index of added.reverse()) this.#place(index);
  }

  #place(index) {
    const row = el("div", { class: "row" });
    row.style.height = `${this.#height}px`;
    row.style.transform = `translateY(${index * this.#height}px)`;
    this.#rows.set(index, row);
    this.#fill(index);
    // In the order of the list, in which it is read out.
    const next = this.#rows.get(index + 1);
    if (next?.parentNode) this.#inner.insertBefore(row, next);
    else this.#inner.append(row);
  }

  #fill(index) {
    this.#render(this.#rows.get(index), this.#items[index], index);
  }
}
