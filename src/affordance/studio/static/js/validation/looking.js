/** Looking through screens for a text, one after the other: how far it is, and a way to leave it. */

import { el } from "../lib/dom.js";

export class Looking {
  #words = el("span", { role: "status" });
  #count = el("span", { class: "soft" });
  #bar = el("progress", { "aria-label": "Screens that were looked through" });
  #element;
  #running = null;

  /** @param {HTMLElement} place */
  constructor(place) {
    const stop = el("button", { type: "button", "data-action": "stop", onclick: () => this.leave() }, "Stop");
    const parts = [this.#words, this.#bar, this.#count, stop];
    this.#element = el("p", { id: "looking", class: "looking", hidden: true }, parts);
    place.append(this.#element);
  }

  /**
   * A step of the queue; one that runs is left.
   * @param {import("./queue.js").Queue} queue
   * @param {{screen: string, name: string} | null} from
   * @param {1 | -1} way
   * @param {() => void} [told] when it takes longer
   * @returns {Promise<{found?: object | null, last: object | null}>} without `found` it was left after `last`
   */
  async through(queue, from, way, told = () => {}) {
    this.leave();
    const mine = new AbortController();
    this.#running = mine;
    let last = from;
    const looking = (done, of, screen) => {
      last = { screen, name: "" };
      if (mine.signal.aborted) return;
      told();
      this.#tell(done, of);
    };
    try {
      const found = await queue.step(from, way, { looking, signal: mine.signal });
      return mine.signal.aborted ? { last } : { found, last };
    } finally {
      if (this.#running === mine) this.leave();
    }
  }

  leave() {
    this.#running?.abort();
    this.#running = null;
    this.#element.hidden = true;
  }

  #tell(done, of) {
    if (this.#element.hidden) this.#words.textContent = "Looking through the screens";
    this.#bar.max = of;
    this.#bar.value = done;
    this.#count.textContent = `${done.toLocaleString()} of ${of.toLocaleString()}`;
    this.#element.hidden = false;
  }
}
