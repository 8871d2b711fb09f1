/** Strokes that are kept on this computer until the server has them, and the log for undo.
 *
 * They belong to a person and a project: whoever signs in next on this computer neither sees nor sends them. */

import { meta } from "../lib/dom.js";
import { keyOf } from "./documents.js";
import { HOLD, isHeld } from "./order.js";
import { post } from "./post.js";
import { KeptTables, MemoryTables } from "./tables.js";

/** @import { Edit, EditBatch, Fields, SaveReply, StoredBatch, UndoChange, UndoRow } from "#types" */
/** @import { Writing } from "./tables.js" */

const LEASE = 5_000; // ms
const MARGIN = 100; // ms before its time is up from which a stroke that was held back is taken for sent
const REMEMBERED = 3_600_000; // ms that the answer to a stroke is remembered

/** 32 hexadecimal digits. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");
}

class Store {
  /** @type {Promise<KeptTables | MemoryTables> | null} */
  #tables = null;
  /** @type {StoredBatch[]} strokes as they were read last */
  #known = [];
  /** Whether strokes survive the page. */
  durable = true;
  /** Strokes that are on their way to the disk. */
  unsafe = 0;
  /** Changes of strokes that are there already, on their way to the disk. */
  amending = 0;
  #lasting = false;

  constructor() {
    this.project = meta("project");
    this.person = meta("person");
  }

  /** All strokes of the person, in order. */
  async strokes() {
    this.#known = this.#mine(await this.#try((tables) => tables.all("strokes", this.project)));
    return structuredClone(this.#known);
  }

  /**
   * The strokes, and the versions that the server gave to those that it has by now, as they are at one moment.
   * @returns {Promise<{strokes: StoredBatch[], saved: Map<string, Record<string, number>>}>}
   */
  snapshot() {
    return this.#change(async (tables) => {
      const strokes = this.#mine(await tables.all("strokes", this.project));
      const saved = await tables.all("saved", this.project);
      return { strokes, saved: new Map(saved.map((one) => [one.key, one.versions])) };
    });
  }

  /** Who else has strokes that wait here. @returns {Promise<string[]>} */
  async others() {
    /** @type {StoredBatch[]} */
    const strokes = await this.#try((tables) => tables.all("strokes", this.project));
    const waiting = strokes.filter((one) => one.person !== this.person && one.state !== "aside");
    return [...new Set(waiting.map((one) => one.person))];
  }

  /**
   * What can be undone and redone on a screen, in order.
   * @param {string} screen
   * @returns {Promise<UndoRow[]>}
   */
  log(screen) {
    return this.#try((tables) => tables.all("log", this.#place(screen)));
  }

  /**
   * Keep a stroke; resolved when it is on the disk. An edit that was made on top of another stroke (`on`: its key) gets
   * the version which that one waits for, or has come to in the meantime.
   * @param {EditBatch} stroke
   * @param {UndoChange} log what changes with it in the log
   * @returns {Promise<{id: number, log: number | null}>}
   */
  async add(stroke, log) {
    this.unsafe += 1;
    post.dispatchEvent(new Event("writing"));
    try {
      const row = { ...stroke, project: this.project, person: this.person };
      const added = await this.#change(async (tables) => {
        const strokes = this.#mine(await tables.all("strokes", this.project));
        for (const edit of stroke.edits) {
          if (edit.on) edit.after = (await versionAfter(tables, strokes, edit)) ?? edit.after;
        }
        const id = await tables.put("strokes", row);
        const place = this.#place(stroke.screen);
        for (const old of log.remove ?? []) await tables.remove("log", /** @type {number} */ (old));
        if (log.put) await tables.put("log", { ...log.put, place });
        return { id, log: log.add ? await tables.put("log", { ...log.add, place }) : null };
      });
      this.#known.push({ ...row, id: added.id });
      this.#last();
      return added;
    } finally {
      this.unsafe -= 1;
      post.tell({ type: "strokes", screen: stroke.screen, key: stroke.key, added: true });
      post.tell({ type: "log", screen: stroke.screen, key: stroke.key });
    }
  }

  /**
   * Change what a stroke of one edit sets, while it is held back.
   * @param {{screen: string, key: string}} stroke
   * @param {{set: Fields, next: "hold" | "send" | "drop"}} change `drop`: it was never made
   * @returns {Promise<boolean>} false: it is no longer held back, and was not changed
   */
  async amend({ screen, key }, { set, next }) {
    this.amending += 1;
    try {
      const done = await this.#change(async (tables) => {
        const row = this.#mine(await tables.all("strokes", this.project)).find((one) => one.key === key);
        const now = Date.now();
        // The clocks of two tabs may differ by a moment: one that is about to be sent is left alone.
        if (row?.state !== "waiting" || !isHeld(row, now + MARGIN)) return false;
        /** @param {{edits: object[]}} one */
        const other = (one) => ({ ...one, edits: [{ ...one.edits[0], set }] });
        if (next === "drop") await tables.remove("strokes", row.id);
        else await tables.put("strokes", { ...other(row), held: next === "hold" ? now + HOLD : 0 });
        for (const one of await tables.all("log", this.#place(screen))) {
          if (one.key !== key) continue;
          if (next === "drop") await tables.remove("log", one.id);
          else await tables.put("log", other(one));
        }
        return true;
      });
      if (next !== "hold") for (const type of ["strokes", "log"]) post.tell({ type, screen, key });
      return done;
    } finally {
      this.amending -= 1;
    }
  }

  /**
   * The server has it: later strokes on the same documents now come after what it wrote.
   * @param {StoredBatch} stroke
   * @param {SaveReply} reply
   */
  async acknowledge(stroke, reply) {
    await this.#change(async (tables) => {
      const strokes = this.#mine(await tables.all("strokes", this.project));
      const versions = Object.fromEntries(reply.entries.map((one) => [keyOf(one), one.version]));
      // What the server has changed along with it, such as the text of a box that was moved, is followed as well.
      const along = reply.entries.map((one) => [keyOf(one), one.version - 1]);
      const sent = Object.fromEntries([...along, ...stroke.edits.map((one) => [keyOf(one), one.after])]);
      for (const later of strokes) {
        if (later.id <= stroke.id || later.screen !== stroke.screen || later.state !== "waiting") continue;
        if (follow(later, versions, sent)) await tables.put("strokes", later);
      }
      await tables.remove("strokes", stroke.id);
      const now = Date.now();
      await tables.put("saved", { key: stroke.key, project: this.project, versions, time: now });
      for (const old of await tables.all("saved", this.project)) {
        if (now - old.time > REMEMBERED) await tables.remove("saved", old.key);
      }
    });
    const { entries, problems } = reply;
    post.tell({ type: "saved", screen: stroke.screen, key: stroke.key, entries, problems });
  }

  /**
   * Change strokes in one transaction: `decide` gets each of these that is still there, and returns it changed, null
   * for one that is to be forgotten, or undefined to leave it. Those that are put aside leave the log of undo.
   * @param {StoredBatch[]} strokes
   * @param {(stroke: StoredBatch) => (Omit<StoredBatch, "id"> & {id?: number}) | null | undefined} decide
   */
  async revise(strokes, decide) {
    const ids = new Set(strokes.map((one) => one.id));
    const screens = new Set(strokes.map((one) => one.screen));
    await this.#change(async (tables) => {
      for (const row of this.#mine(await tables.all("strokes", this.project))) {
        if (!ids.has(row.id)) continue;
        const changed = decide(structuredClone(row));
        if (changed === undefined) continue;
        if (changed === null || changed.id !== row.id) await tables.remove("strokes", row.id);
        if (changed !== null) await tables.put("strokes", changed);
        if (changed?.key !== row.key || changed.state === "aside") await this.#relog(tables, row, changed);
      }
    });
    for (const screen of screens) {
      post.tell({ type: "strokes", screen });
      post.tell({ type: "log", screen });
    }
  }

  /**
   * Forget all strokes of a screen and what could be undone there, sent or not: nothing of it stays here.
   * @param {string} screen
   */
  async erase(screen) {
    await this.#change(async (tables) => {
      for (const row of this.#mine(await tables.all("strokes", this.project))) {
        if (row.screen === screen) await tables.remove("strokes", row.id);
      }
      for (const row of await tables.all("log", this.#place(screen))) await tables.remove("log", row.id);
    });
    this.#known = this.#known.filter((one) => one.screen !== screen);
    for (const type of ["strokes", "log"]) post.tell({ type, screen });
  }

  /**
   * The log follows a stroke that gets a new key, and forgets one that is not sent. Where that has undone or redone
   * another one (`turned`), the other is as it was before, until it is sent after all.
   * @param {Writing} tables
   * @param {StoredBatch} stroke
   * @param {{key: string, state: EditBatch["state"]} | null} changed
   */
  async #relog(tables, { screen, key, state }, changed) {
    const sent = changed !== null && changed.state !== "aside";
    const was = state !== "aside";
    for (const row of await tables.all("log", this.#place(screen))) {
      if (row.turned === key) {
        await tables.put("log", { ...row, turned: changed?.key, undone: sent === was ? row.undone : !row.undone });
      }
      if (row.key !== key) continue;
      if (sent) await tables.put("log", { ...row, key: changed.key });
      else await tables.remove("log", row.id);
    }
  }

  /** Ask the browser, once, not to clear what waits here when it is short of room. */
  #last() {
    if (this.#lasting || !this.durable) return;
    this.#lasting = true;
    // It may say no, and is not there where the page did not come over https: then all goes on as before.
    void navigator.storage?.persist?.().catch(() => {});
  }

  /**
   * Whether this tab is the one that sends. Renewed by asking again; it ends by itself when a tab dies.
   * @param {string} tab
   */
  async lease(tab) {
    const owner = `${this.project}\n${this.person}`;
    return this.#change(async (tables) => {
      const held = await tables.get("leases", owner);
      const now = Date.now(); // not before it is this transaction's turn: another tab may have had its own meanwhile
      // A clock that was set back must not leave a lease that lasts for days; clocks of two tabs differ by a moment.
      if (held && held.tab !== tab && held.until > now && held.until <= now + 2 * LEASE) return false;
      await tables.put("leases", { owner, tab, until: now + LEASE });
      return true;
    });
  }

  /** Let another tab send. @param {string} tab */
  async release(tab) {
    const owner = `${this.project}\n${this.person}`;
    await this.#change(async (tables) => {
      if ((await tables.get("leases", owner))?.tab === tab) await tables.remove("leases", owner);
    });
  }

  /** @param {StoredBatch[]} strokes */
  #mine(strokes) {
    return strokes.filter((one) => one.person === this.person);
  }

  /** @param {string} screen */
  #place(screen) {
    return `${this.project}\n${this.person}\n${screen}`;
  }

  /**
   * @template T
   * @param {(tables: Writing) => Promise<T>} work
   * @returns {Promise<T>}
   */
  #change(work) {
    return this.#try((tables) => tables.change(work));
  }

  /**
   * @template T
   * @param {(tables: KeptTables | MemoryTables) => Promise<T>} use
   * @returns {Promise<T>}
   */
  async #try(use) {
    this.#tables ??= KeptTables.open().catch(() => this.#forgetful(null));
    const opened = this.#tables;
    const tables = await opened;
    try {
      return await use(tables);
    } catch (error) {
      const unclonable = error instanceof Error && error.name === "DataCloneError";
      if (tables instanceof MemoryTables || unclonable) throw error;
      // The disk is full, or the browser has closed the storage: go on with what it still tells.
      if (this.#tables === opened) this.#tables = this.#forgetful(tables);
      return use(await this.#tables);
    }
  }

  /** @param {KeptTables | MemoryTables | null} kept */
  async #forgetful(kept) {
    this.durable = false;
    if (kept === null) return new MemoryTables();
    try {
      const [strokes, saved] = await Promise.all(["strokes", "saved"].map((name) => kept.all(name, this.project)));
      return new MemoryTables({ strokes, saved });
    } catch {
      return new MemoryTables({ strokes: this.#known });
    }
  }
}

export const store = new Store();

/**
 * @param {Writing} tables
 * @param {StoredBatch[]} strokes
 * @param {Edit} edit
 * @returns {Promise<number | undefined>}
 */
async function versionAfter(tables, strokes, edit) {
  const below = strokes.find((one) => one.key === edit.on);
  if (below) return below.edits.find((one) => keyOf(one) === keyOf(edit))?.after;
  return (await tables.get("saved", edit.on ?? ""))?.versions[keyOf(edit)];
}

/**
 * @param {EditBatch} later
 * @param {Record<string, number>} versions
 * @param {Record<string, number | undefined>} sent
 */
function follow(later, versions, sent) {
  let changed = false;
  for (const edit of later.edits) {
    const key = keyOf(edit);
    if (!(key in versions) || edit.after !== sent[key]) continue;
    edit.after = versions[key];
    changed = true;
  }
  return changed;
}
