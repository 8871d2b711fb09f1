/** Which row of a `LookedList` is open, and what is said where none is, on a page that has #title, #standing and #none
 * besides what the list needs. */

import { announce, el } from "./dom.js";
import { hideNone, showNone } from "./none.js";

const at = (id) => document.getElementById(id);

export class Opened {
  #rows;
  #options;
  #desk = null;
  #row = null;
  #begun = false; // whether the list was there once
  #turn = 0; // of the last row that was opened: an earlier one that comes late is dropped

  /**
   * @param {import("./lookedlist.js").LookedList} rows
   * @param {object} options
   * @param {string} options.what is in the list, as in "pictures"
   * @param {string[]} options.looking said while it may still come
   * @param {string[]} options.nothing said where there is none
   * @param {(row: object) => string} options.name
   * @param {(row: object) => Record<string, string>} options.address of a row, behind the "?"
   * @param {(row: object) => Promise<import("../work/desk.js").Desk>} options.fetch
   * @param {(row: object) => void} options.show another row is open now
   * @param {(detail: {keys: Set<string>, by: string}) => void} options.changed something on its desk was
   */
  constructor(rows, options) {
    this.#rows = rows;
    this.#options = options;
    rows.addEventListener("open", ({ detail }) => void this.#open(detail));
    rows.addEventListener("loaded", () => this.#loaded());
  }

  /** What the row is of; null before the first. */
  get desk() {
    return this.#desk;
  }

  get row() {
    return this.#row;
  }

  /** @param {string | null} wanted the key of a row */
  async begin(wanted) {
    try {
      await this.#rows.load();
    } catch (error) {
      const again = el("button", { type: "button", onclick: () => void this.begin(wanted) }, "Try again");
      return showNone([`The ${this.#options.what} cannot be loaded: ${error.message}.`, again]);
    }
    this.#begun = true;
    const row = (wanted && this.#rows.find(wanted)) || this.#rows.first;
    return row ? this.#open(row) : this.#nothing();
  }

  /** Open the next row, or the one before. */
  step(by) {
    if (!this.#rows.step(by)) announce(by > 0 ? "This is the last one." : "This is the first one.");
  }

  /** @param {"undo" | "redo"} way */
  async retrace(way) {
    const label = way === "undo" ? this.#desk?.undoLabel : this.#desk?.redoLabel;
    if (!label) return announce(`There is nothing to ${way}.`);
    await this.#desk[way]();
    return announce(`${way === "undo" ? "Undone" : "Done again"}: ${label}.`);
  }

  #loaded() {
    if (!this.#begun || this.#turn) return;
    if (this.#rows.first) void this.#open(this.#rows.first);
    else this.#nothing();
  }

  #nothing() {
    const { looking, nothing } = this.#options;
    if (this.#rows.pairs) showNone(this.#rows.looking ? looking : nothing);
    else showNone(["There are no pairs in this project.", "`affordance author init PROJECT SPEC` takes them in."]);
  }

  async #open(row) {
    const turn = ++this.#turn;
    try {
      const desk = this.#desk?.id === row.id ? this.#desk : await this.#options.fetch(row);
      if (turn === this.#turn) this.#show(desk, row);
      else if (desk !== this.#desk) desk.close();
    } catch (error) {
      if (turn === this.#turn) showNone([`${row.id} cannot be shown: ${error.message}.`]);
    }
  }

  #show(desk, row) {
    const { name, address, show, changed } = this.#options;
    if (desk !== this.#desk) {
      this.#desk?.close();
      this.#desk = desk;
      desk.addEventListener("change", ({ detail }) => desk === this.#desk && changed(detail));
    }
    this.#row = row;
    hideNone();
    at("title").textContent = name(row);
    Object.assign(at("title").dataset, address(row));
    this.#rows.mark(row);
    history.replaceState(null, "", `?${new URLSearchParams(address(row))}`);
    show(row);
    announce(`${name(row)}. ${at("standing").textContent}`);
  }
}
