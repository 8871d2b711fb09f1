import { same } from "./documents.js";
import { HOLD } from "./order.js";

/** @import { DocumentName, Fields, UndoRow } from "#types" */
/** @typedef {{set: Fields, next: "hold" | "send" | "drop"}} Wanted */
/**
 * Small steps at one document that are one stroke. It is on the disk from the first step on and replaced there by each
 * that follows, so that a page may go away in the middle of it; it is sent when it ends, or some time after the page
 * has gone. Everybody is told of the change when it ends.
 */
export class Burst {
  #strokes;
  #label;
  #document;
  /** @type {UndoRow | null} */
  #row = null;
  /** @type {Fields} what the stroke on the disk sets */
  #written = {};
  /** @type {Wanted | null} what is to be written */
  #wanted = null;
  /** @type {Promise<void> | null} */
  #running = null;

  /**
   * @param {import("./strokes.js").Strokes} strokes
   * @param {string} label
   * @param {DocumentName} document
   */
  constructor(strokes, label, document) {
    this.#strokes = strokes;
    this.#label = label;
    this.#document = document;
  }

  /** A step: the fields as they are after it. Rejects where it cannot be kept. @param {Fields} set */
  async put(set) {
    if (this.#row !== null) {
      this.#strokes.reset(this.#row, set);
      await this.#write({ set, next: "hold" });
      return;
    }
    const { row, done } = this.#make(set, { held: Date.now() + HOLD, by: null });
    if (row === null) return;
    this.#running = done.finally(() => {
      this.#running = null;
    });
    await this.#running;
  }

  /** There are no more steps. Where they have led back to the beginning, there was no stroke. */
  async end() {
    if (this.#row === null) return;
    const [{ set, before }] = this.#row.edits;
    if (same(set, before)) {
      await this.drop();
      return;
    }
    this.#strokes.tell(this.#row);
    await this.#write({ set, next: "send" });
  }

  /** Take all steps back. */
  async drop() {
    if (this.#row === null) return;
    const [{ before }] = this.#row.edits;
    this.#strokes.reset(this.#row, before);
    this.#strokes.tell(this.#row);
    await this.#write({ set: before, next: "drop" });
  }

  /**
   * @param {Fields} set
   * @param {{held?: number, by?: "me" | null}} options
   */
  #make(set, options) {
    const made = this.#strokes.make(this.#label, [{ ...this.#document, set }], options);
    if (made.row !== null) this.#row = made.row;
    this.#written = set;
    return made;
  }

  /** Of steps that come while one is being written, only the last counts. @param {Wanted} wanted */
  async #write(wanted) {
    this.#wanted = wanted;
    while (this.#running !== null) await this.#running;
    if (this.#wanted !== wanted) return;
    this.#running = this.#amend(wanted).finally(() => {
      this.#running = null;
    });
    await this.#running;
  }

  /** @param {Wanted} wanted */
  async #amend({ set, next }) {
    const row = /** @type {UndoRow} */ (this.#row);
    const done = await this.#strokes.amend(row, { set, next });
    if (done && next === "drop") this.#strokes.forget(row);
    if (done) this.#written = set;
    if (done || same(set, this.#written)) return;
    // It was sent by itself, as after a computer has slept: what came since is another stroke.
    this.#strokes.reset(row, this.#written);
    const latest = /** @type {Wanted} */ (this.#wanted);
    await this.#make(latest.set, { held: latest.next === "hold" ? Date.now() + HOLD : 0 }).done;
  }
}
