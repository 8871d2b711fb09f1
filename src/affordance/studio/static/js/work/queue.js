/** Sending strokes: in order, one at a time for each screen, until the server has them; by one tab of several. */

import { ApiError, NetworkError, postJson, whoAmI } from "../lib/api.js";
import { plan } from "./order.js";
import { post } from "./post.js";
import { newKey, store } from "./store.js";

/** @import { Message, StoredBatch } from "#types" */

const SOONEST = 500; // ms until it is tried again
const LATEST = 10_000;
const LOOK = 2_000; // how often it looks for strokes of tabs that were closed
const RENEW = 2_000;
const STROKES = "/api/strokes";
/** @type {Record<string, string>} by kind of the first edit, where it is another one */
const ADDRESSES = { answer: "/api/answers" };

/**
 * Events: "state" when any of `link`, `waiting`, `stuck`, `aside`, `others` may have changed.
 * `link` is "online", "offline", "signed out", "somebody else" where another person has signed in by now, or
 * "elsewhere" where another project is served at this address.
 */
class Queue extends EventTarget {
  /** @type {"online" | "offline" | "signed out" | "somebody else" | "elsewhere"} */ link = "online";
  person = "";
  /** @type {StoredBatch[]} */ waiting = [];
  /** @type {StoredBatch[][]} */ stuck = [];
  /** @type {StoredBatch[]} */ aside = [];
  /** @type {string[]} */ others = [];
  #tab = newKey();
  #delay = SOONEST;
  /** @type {ReturnType<typeof setTimeout> | 0} */ #timer = 0;
  #running = false;
  #again = false;
  #sure = true;
  #turn = 0; // of the last look at the store that has begun
  #seen = 0; // of the one that `waiting` and the others come from
  /** @type {Map<number, number>} how many new strokes a look will find, by its turn */
  #coming = new Map();

  /** Begin, once for a page. */
  start() {
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.#round(), 0);
    addEventListener("online", () => this.wake());
    addEventListener("focus", () => this.wake());
    addEventListener("offline", () => this.connected("offline"));
    addEventListener("pagehide", () => void store.release(this.#tab).catch(() => {}));
    post.addEventListener("writing", () => this.dispatchEvent(new Event("state")));
    post.addEventListener("saved", () => void this.look());
    post.addEventListener("strokes", (event) => {
      void this.look(/** @type {CustomEvent<Message>} */ (event).detail.added ? 1 : 0);
      this.#nudge();
    });
  }

  /** Try now, whatever was waited for. */
  wake() {
    this.#delay = SOONEST;
    this.#soon(0);
  }

  /** Read the store again. Resolved when `waiting`, `stuck` and the others are at least as new as this call. */
  async look(fresh = 0) {
    try {
      await this.#look(fresh);
    } catch (error) {
      console.error(error);
      this.dispatchEvent(new Event("state"));
    }
  }

  /** How many strokes were kept since `waiting` was read. */
  get fresh() {
    return [...this.#coming.values()].reduce((sum, one) => sum + one, 0);
  }

  /** What somebody has found out about the way to the server. @param {Queue["link"]} link */
  connected(link) {
    const before = this.link;
    if (link !== "online") this.#sure = false;
    if (before === link) return;
    this.link = link;
    this.dispatchEvent(new Event("state"));
    if (link === "online") this.#delay = SOONEST;
  }

  /** How many strokes the server does not have: all but those put aside. */
  get kept() {
    return this.waiting.length + this.fresh + this.stuck.flat().length;
  }

  #nudge() {
    if (this.link === "online") this.#soon(0);
  }

  /** @param {number} delay */
  #soon(delay) {
    if (this.#running) {
      this.#again ||= delay === 0;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#round(), delay);
  }

  async #look(fresh = 0) {
    const turn = ++this.#turn;
    if (fresh) this.#coming.set(turn, fresh);
    try {
      const now = Date.now(); // before it is read: what is held back then may still change
      const [strokes, others] = await Promise.all([store.strokes(), store.others()]);
      const { ready, waiting, stuck } = plan(strokes, now);
      const aside = strokes.filter((one) => one.state === "aside");
      this.#see(turn, { waiting, stuck, aside, others });
      return ready;
    } finally {
      this.#coming.delete(turn);
    }
  }

  /**
   * An answer that comes after that to a later question is old.
   * @param {number} turn
   * @param {{waiting: StoredBatch[], stuck: StoredBatch[][], aside: StoredBatch[], others: string[]}} found
   */
  #see(turn, found) {
    if (turn < this.#seen) return;
    this.#seen = turn;
    Object.assign(this, found);
    for (const earlier of [...this.#coming.keys()]) if (earlier <= turn) this.#coming.delete(earlier);
    this.dispatchEvent(new Event("state"));
  }

  async #round() {
    this.#running = true;
    this.#again = false;
    let delay = LOOK;
    try {
      delay = await this.#sendAll();
    } catch (error) {
      console.error(error);
    }
    this.#running = false;
    this.#soon(this.#again && this.link === "online" ? 0 : delay);
  }

  /** @returns {Promise<number>} ms until the next look */
  async #sendAll() {
    let ready = await this.#look();
    if (!ready.size) return this.link === "online" || (await this.#certain()) ? LOOK : this.#back();
    if (!(await store.lease(this.#tab))) return LOOK / 2;
    const renewing = setInterval(() => void store.lease(this.#tab).catch(() => {}), RENEW);
    const held = new Set();
    try {
      // What another tab has sent meanwhile is no longer there.
      ready = await this.#look();
      while (ready.size) {
        for (const [screen, stroke] of ready) {
          if (!(await this.#certain())) return this.#back();
          const went = await this.#send(stroke);
          if (went === "no way") return this.#back();
          if (went === "later") held.add(screen);
        }
        ready = await this.#look();
        for (const screen of held) ready.delete(screen);
      }
    } finally {
      clearInterval(renewing);
      await store.release(this.#tab);
    }
    return held.size ? this.#back() : LOOK;
  }

  #back() {
    const delay = this.#delay;
    this.#delay = Math.min(LATEST, delay * 2);
    return delay;
  }

  /** Whether what is sent now is sent as the person who did it: after a break, the server is asked. */
  async #certain() {
    if (this.#sure) return true;
    try {
      const { author, csrf, project } = await whoAmI();
      this.person = author;
      const right = project === store.project && author === store.person;
      if (right) {
        /** @type {HTMLMetaElement} */ (document.querySelector('meta[name="csrf"]')).content = csrf;
        this.#sure = true;
      }
      this.connected(right ? "online" : project === store.project ? "somebody else" : "elsewhere");
      return right;
    } catch (error) {
      if (error instanceof NetworkError) this.connected("offline");
      else if (error instanceof ApiError && error.status === 401) this.connected("signed out");
      else if (!(error instanceof ApiError)) throw error;
      return false;
    }
  }

  /**
   * @param {StoredBatch} stroke
   * @returns {Promise<"done" | "later" | "no way">}
   */
  async #send(stroke) {
    const edits = stroke.edits.map(({ kind, name, after, set }) => ({ kind, name, after, set }));
    try {
      const address = ADDRESSES[edits[0].kind] ?? STROKES;
      const reply = await postJson(address, { screen: stroke.screen, key: stroke.key, edits });
      this.connected("online");
      this.#delay = SOONEST;
      await store.acknowledge(stroke, reply);
      return "done";
    } catch (error) {
      if (error instanceof NetworkError) {
        this.connected("offline");
        return "no way";
      }
      if (!(error instanceof ApiError)) throw error;
      return this.#declined(stroke, error);
    }
  }

  /**
   * @param {StoredBatch} stroke
   * @param {ApiError} error
   * @returns {Promise<"done" | "later" | "no way">}
   */
  async #declined(stroke, { status, detail, body }) {
    if (status === 401) {
      this.connected("signed out");
      return "no way";
    }
    const conflict = status === 409 && body?.state === "conflict";
    if (status === 408 || status === 429 || status >= 500 || (conflict && !body.entries.length)) return "later";
    this.connected("online");
    // A token of an earlier session is refused as well: only then is it worth another try.
    if (status === 403 && stroke.refusedOnce !== true) {
      await store.revise([stroke], (row) => ({ ...row, refusedOnce: true }));
      this.#sure = false;
      return "done";
    }
    const state = conflict ? "conflict" : "refused";
    await store.revise([stroke], (row) => ({ ...row, state, detail, there: body?.entries ?? [] }));
    return "done";
  }
}

export const queue = new Queue();
