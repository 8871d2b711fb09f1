/** The sheets of the screens around the one that is looked at: the next one is there before somebody goes to it. */

import { pictureOf } from "../lib/crop.js";
import { Sheet } from "../work/sheet.js";

const OPEN = 3;

export class Sheets {
  #open = new Map();
  #onChange;

  /** @param {(sheet: Sheet, event: CustomEvent) => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** @param {string} screen @returns {Promise<Sheet>} */
  async get(screen) {
    let opening = this.#open.get(screen);
    this.#open.delete(screen);
    if (!opening) {
      opening = this.#fetch(screen);
      opening.catch(() => this.#open.delete(screen));
    }
    this.#open.set(screen, opening);
    this.#tidy();
    return opening;
  }

  /** Have a screen and its picture ready. What is wrong with them is told when somebody goes there. */
  async prepare(screen) {
    try {
      const sheet = await this.get(screen);
      await pictureOf(sheet.shot.digest);
    } catch {
      // Told by whoever asks for it.
    }
  }

  async #fetch(screen) {
    const sheet = await Sheet.open(screen);
    sheet.addEventListener("change", (event) => this.#onChange(sheet, event));
    return sheet;
  }

  #tidy() {
    for (const screen of this.#open.keys()) {
      if (this.#open.size <= OPEN) break;
      this.#open.get(screen).then((sheet) => sheet.close(), () => {});
      this.#open.delete(screen);
    }
  }
}
