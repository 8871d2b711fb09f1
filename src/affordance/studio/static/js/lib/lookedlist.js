/** A list of what the server finds by looking at pictures, which takes a while: read again and again, searched by name
 * and filtered, on a page that has #list, #search, #show, #found and #no-match. */

import { getJson } from "./api.js";
import { PickList } from "./picklist.js";

const ROW = 56; // CSS pixels
const EVERY = 10_000; // ms between looks at what others did
const SOON = 1_500; // while pictures are still being looked at

const at = (id) => document.getElementById(id);

/** Events: "open" (detail: the row) when somebody chooses one, "loaded". */
export class LookedList extends EventTarget {
  #options;
  #list;
  #timer = 0;
  #told = { pairs: 0, looked: 0 };

  /**
   * @param {object} options
   * @param {string} options.address that gives {rows, pairs, looked}: how many pairs there are, and were looked at
   * @param {(row: object) => string} options.key
   * @param {(row: object) => (Node | string)[]} options.cells
   * @param {Record<string, (row: object) => boolean>} options.shows by the value of #show
   * @param {(row: object) => boolean} options.done whether there is nothing left to do
   * @param {(rows: object[], all: object[]) => string} options.counted
   * @param {string} options.none said where nothing is like that
   */
  constructor(options) {
    super();
    this.#options = options;
    const { key, cells, shows } = options;
    const named = (row) => row.id.toLowerCase().includes(at("search").value.trim().toLowerCase());
    const shown = (row) => shows[at("show").value](row) && named(row);
    const counted = (rows, all) => this.#tell(rows, all);
    const fill = (row, item) => row.replaceChildren(...cells(item));
    this.#list = new PickList(at("list"), { rowHeight: ROW, key, fill, shown, counted });
    this.#list.addEventListener("open", ({ detail: { item } }) => this.dispatchEvent(new CustomEvent("open", { detail: item })));
    at("search").addEventListener("input", () => this.#list.sift());
    at("show").addEventListener("change", () => this.#list.sift());
  }

  /** Rejects where there is no answer. */
  async load() {
    clearTimeout(this.#timer);
    const { rows, pairs, looked } = await getJson(this.#options.address);
    this.#told = { pairs, looked };
    this.#list.take(rows);
    this.dispatchEvent(new Event("loaded"));
    this.#later();
  }

  /** How many pairs there are. */
  get pairs() {
    return this.#told.pairs;
  }

  /** Whether some were not looked at yet. */
  get looking() {
    return this.#told.looked < this.#told.pairs;
  }

  /** Where somebody would begin. */
  get first() {
    return this.#list.rows.find((row) => !this.#options.done(row)) ?? this.#list.rows[0] ?? null;
  }

  find(key) {
    return this.#list.find(key);
  }

  patch(key, change) {
    this.#list.patch(key, change);
  }

  /** Which one is open. */
  mark(row) {
    this.#list.mark(this.#options.key(row));
  }

  step(by) {
    return this.#list.step(by);
  }

  #later() {
    const again = () => (document.visibilityState === "visible" ? this.load().catch(() => this.#later()) : this.#later());
    this.#timer = setTimeout(again, this.looking ? SOON : EVERY);
  }

  #tell(rows, all) {
    const { pairs, looked } = this.#told;
    const count = this.#options.counted(rows, all);
    at("found").textContent = this.looking ? `${count}; ${looked} of ${pairs} pairs looked at` : count;
    at("no-match").hidden = rows.length > 0 || !all.length;
    at("no-match").textContent = this.looking ? "None so far: pictures are still being looked at." : this.#options.none;
  }
}
