/** Documents as the person sees them: what the server has, with strokes on top that it does not have yet. */

import { keyOf, KINDS, withSet } from "./documents.js";
import { plan } from "./order.js";

/** @import { EditBatch, Revision, ShownRevision } from "#types" */

export class Layers {
  /** @type {EditBatch[]} strokes that the server does not have, in order */
  pending = [];
  #person;
  /** @type {Map<string, Revision>} what the server has, by key */
  #base = new Map();
  /** @type {Map<string, Revision>} news of documents that have strokes on top */
  #held = new Map();
  /** @type {Map<string, EditBatch[]>} strokes by key of the document */
  #onTop = new Map();
  #mine = new Set(); // versions that came of strokes made here, as "key\nversion"
  /** @type {Map<string, Map<string, ShownRevision>>} by kind and name */
  #shown = new Map(KINDS.map((kind) => [kind, new Map()]));

  /** @param {string} person whose strokes they are */
  constructor(person) {
    this.#person = person;
  }

  /**
   * @param {string} kind
   * @param {string} name
   */
  get(kind, name) {
    return this.#shown.get(kind)?.get(name);
  }

  /**
   * @param {string} kind
   * @returns {Map<string, ShownRevision>}
   */
  entries(kind) {
    return this.#shown.get(kind) ?? new Map();
  }

  /** Keys of all documents that have strokes on top. */
  touched() {
    return [...this.#onTop.keys()];
  }

  keys() {
    return new Set([...this.#base.keys(), ...this.#onTop.keys()]);
  }

  /**
   * What an edit of a document comes after: the version of the server, and the stroke on top if there is one.
   * @param {string} key
   * @param {number} [seen] the version that the person had before them when they began. Where somebody else has written
   *   another one since, the edit comes after the old one, so that the server finds the conflict.
   */
  basis(key, seen = Infinity) {
    const version = this.#base.get(key)?.version ?? 0;
    let after = seen;
    while (after < version && this.#mine.has(`${key}\n${after + 1}`)) after += 1;
    if (after < version) return { after, on: null };
    return { after: version, on: this.#onTop.get(key)?.at(-1)?.key ?? null };
  }

  /**
   * A version of a document came of a stroke made here: whoever began before it knows what is in it.
   * @param {string} key
   * @param {number} version
   */
  wrote(key, version) {
    this.#mine.add(`${key}\n${version}`);
  }

  /**
   * Take over what the server has, or hold it back while strokes are on top.
   * @param {Revision} entry
   * @returns {boolean} whether it shows
   */
  merge(entry) {
    const key = keyOf(entry);
    if (!this.#onTop.has(key)) return this.saved(entry);
    if (entry.version > (this.#held.get(key)?.version ?? 0)) this.#held.set(key, entry);
    return false;
  }

  /**
   * Take over what the server has.
   * @param {Revision} entry
   * @returns {boolean} whether it was news
   */
  saved(entry) {
    const key = keyOf(entry);
    if (entry.version <= (this.#base.get(key)?.version ?? -1)) return false;
    this.#base.set(key, entry);
    return true;
  }

  /**
   * Whether the server's document is known in this version or a later one.
   * @param {string} key
   * @param {number} version
   */
  knows(key, version) {
    return Math.max(this.#base.get(key)?.version ?? 0, this.#held.get(key)?.version ?? 0) >= version;
  }

  /** @param {EditBatch[]} strokes */
  setPending(strokes) {
    this.pending = strokes;
    this.#onTop = new Map();
    for (const stroke of strokes) {
      for (const key of stroke.edits.map(keyOf)) {
        const below = this.#onTop.get(key);
        if (below) below.push(stroke);
        else this.#onTop.set(key, [stroke]);
      }
    }
    for (const [key, entry] of this.#held) {
      if (this.#onTop.has(key)) continue;
      this.#held.delete(key);
      this.saved(entry);
    }
  }

  /** Put these documents together anew. @param {Iterable<string>} keys */
  show(keys) {
    const stopped = new Set(
      plan(this.pending)
        .stuck.flat()
        .map((one) => one.key),
    );
    for (const key of keys) this.#compose(key, stopped);
  }

  /**
   * @param {string} key
   * @param {Set<string>} stopped keys of strokes that wait for a decision
   */
  #compose(key, stopped) {
    const kind = key.slice(0, key.indexOf("/"));
    const name = key.slice(kind.length + 1);
    const base = this.#base.get(key);
    const strokes = this.#onTop.get(key) ?? [];
    let document = base?.document ?? null;
    for (const edit of strokes.flatMap((one) => one.edits)) {
      if (keyOf(edit) === key) document = withSet(kind, document, edit.set, this.#person);
    }
    if (document === null) {
      this.#shown.get(kind)?.delete(name);
      return;
    }
    const last = strokes.at(-1);
    const pending = last !== undefined;
    this.#shown.get(kind)?.set(name, {
      kind,
      name,
      version: base?.version ?? 0,
      author: pending ? this.#person : (base?.author ?? ""),
      created: last?.created ?? base?.created ?? "",
      document,
      pending,
      stuck: strokes.some((one) => stopped.has(one.key)),
    });
  }
}
