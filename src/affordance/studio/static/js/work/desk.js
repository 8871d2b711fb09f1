/** What somebody works on (a screen, a clip, a pair) as they see it: what the server has, with their own strokes on top
 * until it has those too. */

import { getJson } from "../lib/api.js";
import { Burst } from "./burst.js";
import { keyOf, same } from "./documents.js";
import { Layers } from "./layers.js";
import { News } from "./news.js";
import { plan } from "./order.js";
import { post } from "./post.js";
import { queue } from "./queue.js";
import { store } from "./store.js";
import { Strokes } from "./strokes.js";

/** @import { ChangeSource, ChangesReply, Edit, EditBatch, Message, Revision, ShownRevision } from "#types" */

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/**
 * Events: "change" (detail.keys: a set of "kind/name"; detail.by: "me", "others" or "undo"), "problems", "people",
 * "conflict" (detail.strokes: mine that stopped, detail.entries: what is there instead), "closed".
 */
export class Desk extends EventTarget {
  last = 0; // of the changes that are known here
  /** @type {any[]} */
  people = [];
  /** @type {Record<string, string[]>} lines by parent */
  problems = {};
  #layers = new Layers(store.person);
  #saved = new Set(); // keys of strokes that the server has
  /** @type {Map<string, Record<string, number>>} versions by key of strokes that another tab has sent, until it or the
   * news tells of them */
  #unheard = new Map();
  #told = new Set(); // keys of strokes whose conflict was told
  #strokes;
  /** @type {News | null} */
  #news = null;
  #stop = new AbortController();

  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
    this.#strokes = new Strokes(id, this.#layers, (keys, by) => this.#show(keys, by));
  }

  /**
   * @param {string} id of what the documents belong to
   * @param {string} address that tells of it: {last, documents: [entry...]}; what else it tells is put on the desk
   * @returns {Promise<Desk>}
   */
  static async open(id, address) {
    queue.start();
    const desk = new this(id);
    const { documents, ...rest } = await getJson(address);
    Object.assign(desk, rest);
    for (const entry of [...desk.given(), ...documents]) desk.#layers.saved(entry);
    desk.#listen();
    await Promise.all([desk.#reload(), desk.#strokes.readLog()]);
    desk.#show(desk.#layers.keys(), null);
    const news = () => `/api/news?screen=${encodeURIComponent(id)}&after=${desk.last}`;
    desk.#news = new News(news, (reply) => desk.#take(reply));
    return desk;
  }

  /** Entries that are there before the server has any. @returns {Revision[]} */
  given() {
    return [];
  }

  /** Documents were put together anew: what was made of them is out of date. */
  renewed() {}

  /**
   * The document with what waits, or undefined. `stuck`: it waits for a decision.
   * @param {string} kind
   * @param {string} name
   */
  get(kind, name) {
    return this.#layers.get(kind, name);
  }

  /**
   * By name, gone ones too.
   * @param {string} kind
   * @returns {Map<string, ShownRevision>}
   */
  entries(kind) {
    return this.#layers.entries(kind);
  }

  /**
   * A name for a new document of a kind.
   * @param {string} kind
   * @returns {string}
   */
  newName(kind) {
    const letters = [...crypto.getRandomValues(new Uint8Array(8))].map((one) => LETTERS[one % LETTERS.length]);
    const name = `n-${letters.join("")}`;
    return this.get(kind, name) ? this.newName(kind) : name;
  }

  /**
   * One stroke: shown at once, one step of undo. Resolved when it is safe on this computer.
   * @param {string} label what it does, as in "Move 1-2"
   * @param {Edit[]} edits `after`: the version of the document that a field was filled from. Where somebody else has
   *   changed it since, that is a conflict to be decided.
   */
  async edit(label, edits) {
    await this.#strokes.make(label, edits).done;
  }

  /**
   * One stroke of many small steps at a document.
   * @param {string} label
   * @param {string} kind
   * @param {string} name
   */
  burst(label, kind, name) {
    return new Burst(this.#strokes, label, { kind, name });
  }

  get canUndo() {
    return this.#strokes.log.last !== undefined;
  }

  get canRedo() {
    return this.#strokes.log.next !== undefined;
  }

  get undoLabel() {
    return this.#strokes.log.last?.label ?? "";
  }

  get redoLabel() {
    return this.#strokes.log.next?.label ?? "";
  }

  /** Take the last stroke back, by another one. @returns {Promise<boolean>} whether it was */
  undo() {
    return this.#strokes.step("undo");
  }

  /** Do again what was undone last. */
  redo() {
    return this.#strokes.step("redo");
  }

  close() {
    this.#news?.stop();
    this.#stop.abort();
    this.dispatchEvent(new Event("closed"));
  }

  #listen() {
    const { signal } = this.#stop;
    /**
     * @param {Message["type"]} type
     * @param {(message: Message) => unknown} run
     */
    const on = (type, run) => {
      /** @param {Event} event */
      const here = (event) => {
        const { detail } = /** @type {CustomEvent<Message>} */ (event);
        if (detail.screen === null || detail.screen === this.id) run(detail);
      };
      post.addEventListener(type, here, { signal });
    };
    on("saved", (message) => this.#acknowledged(message));
    // What was made here is known here.
    on("strokes", ({ key }) => this.#strokes.made(key) || this.#reload());
    on("log", ({ key }) => this.#strokes.made(key) || this.#strokes.readLog());
  }

  /** Strokes that other tabs made or that were decided about. */
  async #reload() {
    const { strokes, saved } = await store.snapshot();
    /** @param {EditBatch} one */
    const here = (one) => one.screen === this.id && one.state !== "aside";
    const mine = new Map(this.#layers.pending.map((one) => [one.key, one]));
    /** @param {EditBatch} one */
    const newest = (one) => (this.#strokes.unsafe(one.key) ? (mine.get(one.key) ?? one) : one);
    const kept = strokes.filter((one) => here(one) && !this.#saved.has(one.key)).map(newest);
    const keys = new Set(kept.map((one) => one.key));
    const rest = this.#layers.pending.filter((one) => !keys.has(one.key) && !this.#saved.has(one.key));
    const coming = rest.filter((one) => this.#strokes.unsafe(one.key));
    // Saved by another tab, which has not said yet as what: what it looked like before must not come back meanwhile.
    const unheard = rest.filter((one) => saved.has(one.key));
    this.#unheard = new Map(unheard.map((one) => [one.key, saved.get(one.key) ?? {}]));
    const earlier = this.#layers.touched();
    this.#layers.setPending([...unheard, ...kept, ...coming]);
    const there = kept.flatMap((one) => one.there ?? []).filter((entry) => this.#layers.merge(entry));
    this.#show([...earlier, ...this.#layers.touched(), ...there.map(keyOf)], "me");
    this.#tellConflicts(kept);
    if (unheard.length) this.#news?.soon();
  }

  /** @param {EditBatch[]} kept */
  #tellConflicts(kept) {
    for (const group of plan(kept).stuck) {
      if (this.#told.has(group[0].key)) continue;
      this.#told.add(group[0].key);
      this.dispatchEvent(new CustomEvent("conflict", { detail: { strokes: group, entries: group[0].there ?? [] } }));
    }
  }

  /** @param {Message} message of type "saved" */
  #acknowledged({ key = "", entries = [], problems }) {
    this.#saved.add(key);
    this.#unheard.delete(key);
    this.#drop(key);
    for (const entry of entries) {
      if (this.#strokes.made(key)) this.#layers.wrote(keyOf(entry), entry.version);
      this.#layers.saved(entry);
    }
    this.#show(entries.map(keyOf), "me");
    if (problems) this.#setProblems(problems);
    else this.#news?.soon();
  }

  /** @param {ChangesReply} reply */
  #take({ last, entries, problems, people }) {
    this.last = last;
    const changed = entries.filter((entry) => this.#layers.merge(entry)).map(keyOf);
    if (changed.length) this.#show(changed, "others");
    this.#hear();
    if (problems) this.#setProblems(problems);
    if (same(people, this.people)) return;
    this.people = people;
    this.dispatchEvent(new Event("people"));
  }

  /** Strokes that another tab has sent are done when the news has brought what came of them. */
  #hear() {
    for (const [key, versions] of this.#unheard) {
      if (!Object.entries(versions).every(([document, version]) => this.#layers.knows(document, version))) continue;
      this.#unheard.delete(key);
      this.#saved.add(key);
      for (const [document, version] of Object.entries(versions)) {
        if (this.#strokes.made(key)) this.#layers.wrote(document, version);
      }
      this.#drop(key);
      this.#show(Object.keys(versions), "me");
    }
  }

  /** @param {Record<string, string[]>} problems */
  #setProblems(problems) {
    this.problems = problems;
    this.dispatchEvent(new Event("problems"));
  }

  /** @param {string} key */
  #drop(key) {
    this.#layers.setPending(this.#layers.pending.filter((one) => one.key !== key));
  }

  /**
   * @param {Iterable<string>} keys
   * @param {ChangeSource} by
   */
  #show(keys, by) {
    this.#layers.show(keys);
    this.renewed();
    if (by) this.dispatchEvent(new CustomEvent("change", { detail: { keys: new Set(keys), by } }));
  }
}
