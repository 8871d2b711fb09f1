/** Revisions of the server with edits on top that it does not have yet. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Layers } from "#studio/work/layers.js";

/** @import { Edit, EditBatch, Fields, Revision } from "#types" */

/**
 * @param {number} version
 * @param {Fields} document
 * @returns {Revision}
 */
function revision(version, document, author = "ben") {
  return { kind: "region", name: "a", version, author, created: `day ${version}`, document };
}

/**
 * @param {string} key
 * @param {Fields} set
 * @param {Partial<EditBatch>} [rest]
 * @returns {EditBatch}
 */
function batch(key, set, rest = {}) {
  const edits = [{ kind: "region", name: "a", set }];
  return { screen: "s", key, label: key, created: `made ${key}`, state: "waiting", edits, ...rest };
}

const KEY = "region/a";
/** @type {Layers} */
let layers;

beforeEach(() => {
  layers = new Layers("ana");
});

function shown() {
  layers.show([KEY]);
  return layers.get("region", "a");
}

test("without edits the revision of the server shows", () => {
  assert.equal(layers.saved(revision(3, { type: "x" })), true);
  assert.deepEqual(shown(), { ...revision(3, { type: "x" }), pending: false, stuck: false });
  assert.deepEqual([...layers.entries("region").keys()], ["a"]);
  assert.equal(layers.get("region", "b"), undefined);
  assert.equal(layers.entries("unknown").size, 0);
});

test("an older or equal version is no news", () => {
  layers.saved(revision(3, { type: "x" }));
  for (const version of [3, 2]) assert.equal(layers.saved(revision(version, { type: "old" })), false);
  assert.equal(shown()?.document.type, "x");
});

test("edits show on top, in order, as the person's own", () => {
  layers.saved(revision(1, { type: "x", dividable: true }));
  layers.setPending([batch("1", { type: "y" }), batch("2", { type: "z" })]);
  assert.deepEqual(shown(), {
    ...{ kind: "region", name: "a", version: 1, author: "ana", created: "made 2", pending: true, stuck: false },
    document: { type: "z", dividable: true },
  });
});

test("an edit of what the server does not have makes it, and it goes with the edit", () => {
  layers.setPending([batch("1", { type: "y" })]);
  assert.deepEqual([shown()?.version, shown()?.document.type, shown()?.document.gone], [0, "y", false]);
  layers.setPending([]);
  assert.equal(shown(), undefined);
});

test("only edits of the document itself count", () => {
  layers.saved(revision(1, { type: "x" }));
  /** @type {Edit[]} */
  const edits = [{ kind: "region", name: "b", set: { type: "b" } }];
  layers.setPending([batch("1", {}, { edits: [...edits, { kind: "region", name: "a", set: { gone: true } }] })]);
  layers.show(["region/a", "region/b"]);
  assert.deepEqual(layers.get("region", "a")?.document, { type: "x", gone: true });
  assert.equal(layers.get("region", "b")?.document.type, "b");
  assert.deepEqual(layers.touched().sort(), ["region/a", "region/b"]);
  assert.deepEqual([...layers.keys()].sort(), ["region/a", "region/b"]);
});

test("a change by others is held back while edits are on top", () => {
  layers.saved(revision(1, { type: "x" }));
  layers.setPending([batch("1", { dividable: true })]);
  assert.equal(layers.merge(revision(2, { type: "theirs" })), false);
  assert.equal(layers.merge(revision(1, { type: "old" })), false);
  assert.deepEqual([shown()?.version, shown()?.document.type], [1, "x"]);
  assert.deepEqual([layers.knows(KEY, 2), layers.knows(KEY, 3)], [true, false]);
  layers.setPending([]);
  assert.deepEqual([shown()?.version, shown()?.document.type, shown()?.author], [2, "theirs", "ben"]);
  assert.equal(layers.merge(revision(3, { type: "later" })), true);
});

test("an edit that waits for a decision is stuck, and so is one after it", () => {
  layers.saved(revision(1, {}));
  layers.setPending([batch("1", { type: "y" }, { state: "conflict" }), batch("2", { type: "z" })]);
  assert.equal(shown()?.stuck, true);
  layers.setPending([batch("1", { type: "y" })]);
  assert.equal(shown()?.stuck, false);
});

test("an edit comes after the version of the server and the last batch on top", () => {
  assert.deepEqual(layers.basis(KEY), { after: 0, on: null });
  layers.saved(revision(4, {}));
  assert.deepEqual(layers.basis(KEY), { after: 4, on: null });
  layers.setPending([batch("1", {}), batch("2", {})]);
  assert.deepEqual(layers.basis(KEY), { after: 4, on: "2" });
});

test("an edit begun before somebody else's version comes after the old one", () => {
  layers.saved(revision(4, {}));
  layers.setPending([batch("1", {})]);
  assert.deepEqual(layers.basis(KEY, 3), { after: 3, on: null });
  assert.deepEqual(layers.basis(KEY, 4), { after: 4, on: "1" });
});

test("versions that were written here are no reason for a conflict", () => {
  layers.saved(revision(5, {}));
  layers.wrote(KEY, 4);
  assert.deepEqual(layers.basis(KEY, 3), { after: 4, on: null });
  layers.wrote(KEY, 5);
  assert.deepEqual(layers.basis(KEY, 3), { after: 5, on: null });
  assert.deepEqual(layers.basis(KEY, 2), { after: 2, on: null });
});
