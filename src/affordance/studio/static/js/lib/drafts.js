/** What somebody is typing, kept until it is saved: a tab closed in the middle of a sentence loses nothing. */

import { meta } from "./dom.js";

const PREFIX = "draft";

export class Drafts {
  #place;

  /** @param {string} place what tells these drafts from others of the same browser */
  constructor(place) {
    this.#place = `${PREFIX}/${meta("project")}/${meta("person")}/${place}/`;
  }

  /**
   * @param {string} key
   * @returns {any} null where there is none
   */
  get(key) {
    try {
      return JSON.parse(localStorage.getItem(this.#place + key) ?? "null");
    } catch {
      return null;
    }
  }

  /**
   * @param {string} key
   * @param {unknown} value
   */
  set(key, value) {
    try {
      localStorage.setItem(this.#place + key, JSON.stringify(value));
    } catch {
      // No room, or storage is turned off: the text is still in its field.
    }
  }

  /**
   * Drop what has been saved, unless something else was typed meanwhile, which may not be safe yet.
   * @param {string} key
   * @param {(draft: any) => boolean} isSaved
   */
  dropSaved(key, isSaved) {
    const draft = this.get(key);
    if (draft !== null && isSaved(draft)) this.drop(key);
  }

  /** @param {string} key */
  drop(key) {
    try {
      localStorage.removeItem(this.#place + key);
    } catch {
      // Storage is turned off: there is none.
    }
  }
}
