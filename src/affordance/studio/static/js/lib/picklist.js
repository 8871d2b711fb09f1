/** A list to choose from, filtered and searched on the page. */

import { PickRows } from "./pickrows.js";

/** Event: "open" (detail: {item}) when somebody chooses a row. */
export class PickList extends PickRows {
  #options;
  #all = [];

  /**
   * @param {HTMLElement} place a listbox
   * @param {object} options those of `PickRows`, and
   * @param {(item: object) => boolean} options.shown whether the filters let it through
   * @param {(rows: object[], all: object[]) => void} options.counted
   */
  constructor(place, options) {
    super(place, options);
    this.#options = options;
  }

  /** @param {object[]} items all there are */
  take(items) {
    this.#all = items;
    this.sift();
  }

  /** The filters have changed, or the items have. What is open stays in the list while it is. */
  sift(open = this.chosen) {
    const { key, shown, counted } = this.#options;
    this.put(this.#all.filter((item) => key(item) === open || shown(item)));
    counted(this.#all.filter(shown), this.#all);
  }

  get all() {
    return this.#all;
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
    this.sift(key);
    super.mark(key);
  }
}
