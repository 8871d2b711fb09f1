/** Strokes as a person makes them at a screen: shown at once, on the disk one after the other, and taken back. */

import { doneAgain, keyOf, merged, noteOf, same, takenBack, fieldValue } from "./documents.js";
import { newKey, store } from "./store.js";
import { Log, mayStep } from "./undo.js";

/** @import { ChangeSource, DocumentName, Edit, EditBatch, Fields, UndoChange, UndoRow } from "#types" */

export class Strokes {
  log = new Log();
  #screen;
  #layers;
  #show;
  #own = new Set(); // keys of strokes made here
  /** @type {Map<string, number>} keys of those that are on their way to the disk, with how often */
  #unsafe = new Map();
  /** @type {Promise<unknown>} */
  #writing = Promise.resolve();
  /** @type {Promise<unknown>} undo and redo: each begins where the one before it has ended */
  #stepping = Promise.resolve();

  /**
   * @param {string} screen
   * @param {import("./layers.js").Layers} layers
   * @param {(keys: string[], by: ChangeSource) => void} show by null: nobody is told yet
   */
  constructor(screen, layers, show) {
    this.#screen = screen;
    this.#layers = layers;
    this.#show = show;
  }

  /** Whether a stroke was made here. @param {string} [key] */
  made(key) {
    return this.#own.has(key);
  }

  /** Whether a stroke is on its way to the disk: what is here is newer. @param {string} key */
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
   * @param {Edit[]} edits
   * @param {{held?: number, by?: "me" | null}} [options] held: until when it is not sent
   * @returns {{row: UndoRow | null, done: Promise<void>}} its row of the log, null where it changes nothing; `done`
   *   when it is safe on this computer
   */
  make(label, edits, { held = 0, by = "me" } = {}) {
    const changing = merged(edits).filter((edit) => this.#differs(edit));
    if (!changing.length) return { row: null, done: Promise.resolve() };
    const noted = changing.map((edit) => noteOf(edit, this.#document(edit)));
    /** @type {UndoRow} */
    const row = { key: newKey(), label, edits: noted, undone: false, time: Date.now() };
    const left = this.log.add(row);
    const log = () => ({ add: row, remove: left.map((one) => one.id) });
    const done = this.#commit({ label, edits: changing, key: row.key, held, by }, row, log).catch((error) => {
      this.log.remove(row);
      throw error;
    });
    return { row, done };
  }

  /**
   * Take the last one back, or do again what was undone last.
   * @param {"undo" | "redo"} way
   * @returns {Promise<boolean>} whether it was
   */
  step(way) {
    const stepped = this.#stepping.then(() => this.#step(way));
    this.#stepping = stepped.catch(() => {}); // whoever asked for it is told
    return stepped;
  }

  /** @param {"undo" | "redo"} way */
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

  /**
   * What a stroke of one edit sets is another now; nobody is told yet.
   * @param {UndoRow} row
   * @param {Fields} set
   */
  reset(row, set) {
    row.edits[0].set = set;
    /** @param {EditBatch} one */
    const other = (one) => ({ ...one, edits: one.edits.map((edit) => ({ ...edit, set })) });
    this.#layers.setPending(this.#layers.pending.map((one) => (one.key === row.key ? other(one) : one)));
    this.#show(row.edits.map(keyOf), null);
  }

  /**
   * Write down what has become of a stroke that is held back.
   * @param {UndoRow} row
   * @param {{set: Fields, next: "hold" | "send" | "drop"}} change
   * @returns {Promise<boolean>} false: it went before
   */
  amend(row, change) {
    return this.#write(row.key, row, () => store.amend({ screen: this.#screen, key: row.key }, change));
  }

  /** A stroke that was not made after all. @param {UndoRow} row */
  forget(row) {
    this.log.remove(row);
    this.#drop(row.key);
    this.tell(row);
  }

  /** Let everybody know what a stroke has changed. @param {UndoRow} row */
  tell(row) {
    this.#show(row.edits.map(keyOf), "me");
  }

  /**
   * @param {{label: string, edits: Edit[], key: string, held: number, by: "me" | "undo" | null}} stroke
   * @param {UndoRow} row
   * @param {() => UndoChange} log what changes with it in the log
   */
  async #commit({ label, edits, key, held, by }, row, log) {
    const based = edits.map((edit) => ({ ...edit, ...this.#layers.basis(keyOf(edit), edit.after) }));
    const created = new Date().toISOString();
    /** @type {EditBatch} */
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

  /**
   * @template T
   * @param {string} key
   * @param {UndoRow} row
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #write(key, row, work) {
    this.#unsafe.set(key, (this.#unsafe.get(key) ?? 0) + 1);
    try {
      return await this.log.during(row, () => this.#next(work));
    } finally {
      const left = (this.#unsafe.get(key) ?? 0) - 1;
      if (left > 0) this.#unsafe.set(key, left);
      else this.#unsafe.delete(key);
    }
  }

  /**
   * One after the other: a step of undo needs the row of the log that the stroke before it has written.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  #next(work) {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => {}); // whoever asked for it is told
    return done;
  }

  /** @param {string} key */
  #drop(key) {
    this.#layers.setPending(this.#layers.pending.filter((one) => one.key !== key));
  }

  /** @param {Edit} edit */
  #differs({ kind, name, set }) {
    const document = this.#document({ kind, name });
    return document === null || Object.keys(set).some((field) => !same(fieldValue(kind, document, field), set[field]));
  }

  /** @param {DocumentName} document */
  #document({ kind, name }) {
    return this.#layers.get(kind, name)?.document ?? null;
  }
}
