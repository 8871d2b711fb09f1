/** What was said on this page: a stroke for each, of which the last can be taken back, on whichever screen it was. */

/** @typedef {{screen: string, name: string}} Place */

export class Strokes {
  #sheets;
  #done = [];
  #busy = false;

  /** @param {import("./sheets.js").Sheets} sheets */
  constructor(sheets) {
    this.#sheets = sheets;
  }

  /** Whether one is on its way to the disk. */
  get busy() {
    return this.#busy;
  }

  get canUndo() {
    return this.#done.length > 0;
  }

  /**
   * Save what is said of a text. Resolved when it is safe on this computer.
   * @param {Place} place
   * @param {string} label
   * @param {(sheet: object, name: string) => object[]} edits
   */
  async save(place, label, edits) {
    this.#busy = true;
    try {
      const sheet = await this.#sheets.get(place.screen);
      await sheet.edit(label, edits(sheet, place.name));
      this.#done.push({ ...place, label });
    } finally {
      this.#busy = false;
    }
  }

  /** Take the last one back. @returns {Promise<{said: string, place: Place | null}>} null: nothing was done */
  async undo() {
    const last = this.#done.at(-1);
    if (!last || this.#busy) return { said: "There is nothing to undo.", place: null };
    this.#busy = true;
    try {
      const sheet = await this.#sheets.get(last.screen);
      // Undo goes by screen: something that was done elsewhere since is not for this page to take back.
      const other = sheet.undoLabel !== last.label;
      if (!other && !(await sheet.undo())) return { said: "", place: null };
      this.#done.pop();
      const since = `Something else was done on ${last.screen} since: change the verdict instead.`;
      return { said: other ? since : `Undone: ${last.label}.`, place: { screen: last.screen, name: last.name } };
    } catch (error) {
      return { said: error.message, place: null };
    } finally {
      this.#busy = false;
    }
  }

  /** What was said of a text does not count any more. @param {Place} place */
  forget({ screen, name }) {
    this.#done = this.#done.filter((one) => one.screen !== screen || one.name !== name);
  }
}
