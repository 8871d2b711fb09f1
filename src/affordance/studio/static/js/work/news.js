/** What others do at a screen, asked for again and again while it is open. */

import { ApiError, NetworkError, getJson } from "../lib/api.js";
import { queue } from "./queue.js";

/** @import { ChangesReply } from "#types" */

const SEEN = 2_000; // ms, while the page is visible
const HIDDEN = 15_000;
const SOONEST = 500; // after a failure
const LATEST = 10_000;

export class News {
  #url;
  #take;
  /** @type {ReturnType<typeof setTimeout> | 0} */
  #timer = 0;
  #asking = false;
  #failures = 0;
  #stopped = false;

  /**
   * @param {() => string} url
   * @param {(reply: ChangesReply) => void} take
   */
  constructor(url, take) {
    this.#url = url;
    this.#take = take;
    addEventListener("online", this.#wake);
    document.addEventListener("visibilitychange", this.#wake);
    this.#next(SOONEST / 2);
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.#wake);
    document.removeEventListener("visibilitychange", this.#wake);
  }

  /** Ask now. */
  soon() {
    this.#next(0);
  }

  #wake = () => {
    if (!document.hidden) this.#next(0);
  };

  /** @param {number} delay */
  #next(delay) {
    if (this.#asking || this.#stopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), delay);
  }

  async #ask() {
    this.#asking = true;
    let delay = document.hidden ? HIDDEN : SEEN;
    try {
      const reply = await getJson(this.#url());
      if (this.#stopped) return;
      this.#failures = 0;
      if (queue.link !== "online") queue.wake();
      this.#take(reply);
    } catch (error) {
      if (error instanceof NetworkError) queue.connected("offline");
      else if (error instanceof ApiError && error.status === 401) queue.connected("signed out");
      else if (!(error instanceof ApiError)) throw error;
      delay = Math.min(LATEST, SOONEST * 2 ** this.#failures++);
    } finally {
      this.#asking = false;
      this.#next(delay);
    }
  }
}
