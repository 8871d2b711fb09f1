/** A study as the server tells somebody who takes part. */

import { getJson, postJson } from "../lib/api.js";

export class Study {
  #address;
  #sheets = new Map();

  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.#address = `/api/study/${encodeURIComponent(name)}`;
  }

  /** Where they are, and what there is to answer. */
  async load() {
    Object.assign(this, await getJson(this.#address));
    return this;
  }

  /** Say something: consent, about, taught, finish or withdraw. The answer is where they are then. */
  async say(what, content = {}) {
    return Object.assign(this, await postJson(`${this.#address}/${what}`, content));
  }

  /** The sheet of a slot. Those that came stay, so that going back needs no connection. */
  async sheet(slot) {
    if (!this.#sheets.has(slot)) {
      this.#sheets.set(slot, await getJson(`${this.#address}/sheet?slot=${encodeURIComponent(slot)}`));
    }
    return this.#sheets.get(slot);
  }

  /** The sheet as it is now: another tab may have answered it since. */
  renewed(slot) {
    this.#sheets.delete(slot);
    return this.sheet(slot);
  }

  /** Fetch a sheet and its pictures before they are wanted; where that fails, they are fetched when they are. */
  async prepare(slot) {
    const { blocks } = await this.sheet(slot).catch(() => ({ blocks: [] }));
    for (const { kind, src } of blocks) if (kind === "still") new Image().src = src;
  }
}
