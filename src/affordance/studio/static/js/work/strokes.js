/** Strokes as a person makes them at a screen: shown at once, on the disk one after the other, and taken back. */

import { doneAgain, keyOf, merged, noteOf, same, takenBack, valueOf } from "./documents.js";
import { newKey, store } from "./store.js";
import { Log, mayStep } from "./undo.js";

export class Strokes {
  log = new Log();
  #screen;
  #layers;
  #show;
  #own = new Set(); // keys of strokes made here
  #unsafe = new Map(); // keys of those that are on their way to the disk, with how often
  #writing = Promise.resolve();
  #stepping = Promise.resolve(); // undo and redo: each begins where the one before it has ended

  /**
   * @param {string} screen
   * @param {import("./layers.js").Layers} layers
   * @param {(keys: string[], by: "me" | "undo" | null) => void} show by null: nobody is told yet
   */
  constructor(screen, layers, show) {
    this.#screen = screen;
    this.#layers = layers;
    this.#show = show;
  }

  /** Whether a stroke was made here. */
  made(key) {
    return this.#own.has(key);
  }

  /** Whether a stroke is on its way to the disk: what is here is newer. */
  unsafe(key) {
    return this.#unsafe.has(key);
  }

  /** Read the log after all that is being written, and before what is written next. */
  readLog() {
    return this.#next(() => this.log.load(this.#screen));
  }

  /**
   * Make one.
   * @param {string} label
   * @param {object[]} edits
   * @param {{held?: number, by?: "me" | null}} [options] held: until when it is not sent
   * @returns {{row: object | null, done: Promise<void>}} its row of the log, null where it changes nothing; `done` when
   *   it is safe on this computer
   */
  make(label, edits, { held = 0, by = "me" } = {}) {
    const changing = merged(edits).filter((edit) => this.#differs(edit));
    if (!changing.length) return { row: null, done: Promise.resolve() };
    const noted = changing.map((edit) => noteOf(edit, this.#document(edit)));
    const row = { key: newKey(), label, edits: noted, undone: false, time: Date.now() };
    const left = this.log.add(row);
    const log = () => ({ add: row, remove: left.map((one) => one.id) });
    const done = this.#commit({ label, edits: changing, key: row.key, held, by }, row, log).catch((error) => {
      this.log.remove(row);
      throw error;
    });
    return { row, done };
  }

  /** Take the last one back, or do again what was undone last. @returns {Promise<boolean>} whether it was */
  step(way) {
    const stepped = this.#stepping.then(() => this.#step(way));
    this.#stepping = stepped.catch(() => {}); // whoever asked for it is told
    return stepped;
  }

  async #step(way) {
    const found = way === "undo" ? this.log.last : this.log.next;
    if (!found || !(await mayStep(found, (kind, name) => this.#layers.get(kind, name), way))) return false;
    const row = this.log.find(found.key);
    if (!row) return false;
    const { undone, turned } = row;
    const key = newKey();
    Object.assign(row, { undone: way === "undo", turned: key });
    const edits = row.edits.map(way === "undo" ? takenBack : doneAgain).filter((edit) => edit !== null);
    const label = `${way === "undo" ? "Undo" : "Redo"}: ${row.label}`;
    try {
      await this.#commit({ label, edits, key, held: 0, by: "undo" }, row, () => ({ put: row }));
    } catch (error) {
      Object.assign(row, { undone, turned });
      throw error;
    }
    return true;
  }

  /** What a stroke of one edit sets is another now; nobody is told yet. */
  reset(row, set) {
    row.edits[0].set = set;
    const other = (one) => ({ ...one, edits: one.edits.map((edit) => ({ ...edit, set })) });
    this.#layers.setPending(this.#layers.pending.map((one) => (one.key === row.key ? other(one) : one)));
    this.#show(row.edits.map(keyOf), null);
  }

  /** Write down what has become of a stroke that is held back. @returns {Promise<boolean>} false: it went before */
  amend(row, change) {
    return this.#write(row.key, row, () => store.amend({ screen: this.#screen, key: row.key }, change));
  }

  /** A stroke that was not made after all. */
  forget(row) {
    this.log.remove(row);
    this.#drop(row.key);
    this.tell(row);
  }

  /** Let everybody know what a stroke has changed. */
  tell(row) {
    this.#show(row.edits.map(keyOf), "me");
  }

  async #commit({ label, edits, key, held, by }, row, log) {
    const based = edits.map((edit) => ({ ...edit, ...this.#layers.basis(keyOf(edit), edit.after) }));
    const created = new Date().toISOString();
    const stroke = { screen: this.#screen, key, label, created, state: "waiting", edits: based, held };
    this.#own.add(key);
    this.#layers.setPending([...this.#layers.pending, stroke]);
    this.#show(edits.map(keyOf), by);
    try {
      const { log: id } = await this.#write(key, row, () => store.add(stroke, log()));
      if (id !== null) row.id = id;
    } catch (error) {
      this.#drop(key);
      this.#show(edits.map(keyOf), "me");
      throw error;
    }
  }

  async #write(key, row, work) {
    this.#unsafe.set(key, (this.#unsafe.get(key) ?? 0) + 1);
    try {
      return await this.log.during(row, () => this.#next(work));
    } finally {
      const left = this.#unsafe.get(key) - 1;
      if (left > 0) this.#unsafe.set(key, left);
      else this.#unsafe.delete(key);
    }
  }

  /** One after the other: a step of undo needs the row of the log that the stroke before it has written. */
  #next(work) {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => {}); // whoever asked for it is told
    return done;
  }

  #drop(key) {
    this.#layers.setPending(this.#layers.pending.filter((one) => one.key !== key));
  }

  #differs({ kind, name, set }) {
    const document = this.#document({ kind, name });
    return document === null || Object.keys(set).some((field) => !same(valueOf(kind, document, field), set[field]));
  }

  #document({ kind, name }) {
    return this.#layers.get(kind, name)?.document ?? null;
  }
}
