/** What was done on a screen, to be undone and redone: without end, and after a reload. */

import { ask } from "../lib/dialog.js";
import { same, fieldValue } from "./documents.js";
import { store } from "./store.js";
import { personOf } from "./words.js";

/** @import { Revision, UndoRow } from "#types" */

/** Done strokes first, then those that were undone, as they can be redone. */
export class Log {
  /** @type {UndoRow[]} */
  #rows = [];
  /** @type {Map<UndoRow, number>} rows that are newer here than on the disk, with how often they are being written */
  #coming = new Map();

  /** Read it, where another tab has changed it. @param {string} screen */
  async load(screen) {
    const read = await store.log(screen);
    const coming = new Map([...this.#coming.keys()].map((row) => [row.key, row]));
    const known = new Set(read.map((row) => row.key));
    const rows = read.map((row) => coming.get(row.key) ?? row);
    const added = this.#rows.filter((row) => this.#coming.has(row) && !known.has(row.key));
    /** @param {UndoRow} row */
    const outdated = (row) => added.length > 0 && row.undone && !this.#coming.has(row);
    this.#rows = [...rows.filter((row) => !outdated(row)), ...added];
  }

  get last() {
    return this.#rows.findLast((one) => !one.undone);
  }

  get next() {
    return this.#rows.find((one) => one.undone);
  }

  /** The row of a stroke as it is now. @param {string} key */
  find(key) {
    return this.#rows.find((one) => one.key === key);
  }

  /**
   * A new stroke. What was undone before can no longer be redone.
   * @param {UndoRow} row
   * @returns {UndoRow[]} what has left the log
   */
  add(row) {
    const left = this.#rows.filter((one) => one.undone);
    this.#rows = [...this.#rows.filter((one) => !one.undone), row];
    return left;
  }

  /** A stroke that was not made after all. @param {UndoRow} row */
  remove(row) {
    this.#rows = this.#rows.filter((one) => one !== row);
  }

  /**
   * A row is on its way to the disk until `work` is done: what is read meanwhile is older.
   * @template T
   * @param {UndoRow} row
   * @param {() => Promise<T>} work
   */
  async during(row, work) {
    this.#coming.set(row, (this.#coming.get(row) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#coming.get(row) ?? 0) - 1;
      if (left > 0) this.#coming.set(row, left);
      else this.#coming.delete(row);
    }
  }
}

/**
 * Whether a stroke of the log may be taken back, or done again. Where somebody has changed its documents since, the
 * person is asked.
 * @param {UndoRow} row of the log
 * @param {(kind: string, name: string) => Revision | undefined} get the entry as it is now
 * @param {"undo" | "redo"} way
 * @returns {Promise<boolean>}
 */
export async function mayStep(row, get, way) {
  const changed = changedSince(row, get, way);
  return changed === null || (await confirmed(row, changed, way));
}

/**
 * @param {UndoRow} row
 * @param {(kind: string, name: string) => Revision | undefined} get
 * @param {"undo" | "redo"} way
 */
function changedSince(row, get, way) {
  for (const edit of row.edits) {
    const entry = get(edit.kind, edit.name);
    if (!entry) continue;
    const expected = Object.entries(way === "undo" ? edit.set : edit.before);
    const other = expected.some(([field, value]) => !same(fieldValue(edit.kind, entry.document, field), value));
    if (other || entry.author !== store.person) return { name: edit.name || "the screen", author: entry.author };
  }
  return null;
}

/**
 * @param {UndoRow} row
 * @param {{name: string, author: string}} changed
 * @param {"undo" | "redo"} way
 */
async function confirmed(row, { name, author }, way) {
  const who = author === store.person ? "You have" : `${personOf(author)} has`;
  const answer = await ask({
    title: way === "undo" ? "Undo over a later change?" : "Redo over a later change?",
    body: `${who} changed ${name} since “${row.label}”. That stays in the history and can be restored.`,
    actions: [
      { label: way === "undo" ? "Undo anyway" : "Redo anyway", value: true, look: "primary" },
      { label: "Leave it as it is", value: false },
    ],
    name: way,
  });
  return answer === true;
}
