/** Documents: fields that are left out, merging of edits, undo and redo. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  best,
  doneAgain,
  fieldValue,
  KINDS,
  keyOf,
  MAY_BE_NULL,
  MISSING,
  merged,
  noteOf,
  ROOT,
  same,
  takenBack,
  wholeOf,
  withSet,
} from "#studio/work/documents.js";

/** @import { Edit, Fields } from "#types" */

/** A value for a field that differs from its default. @param {unknown} value */
function otherValue(value) {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (Array.isArray(value)) return [...value, "one"];
  return typeof value === "object" && value !== null ? { ...value, one: 1 } : "other";
}

test("a document is found by kind and name", () => {
  assert.equal(keyOf({ kind: "region", name: "1-2" }), "region/1-2");
});

test("a field that is left out has its default, or null", () => {
  assert.equal(fieldValue("region", {}, "dividable"), false);
  assert.equal(fieldValue("region", { dividable: true }, "dividable"), true);
  assert.equal(fieldValue("region", { parent: null }, "parent"), null);
  assert.equal(fieldValue("region", { type: null }, "type"), "");
  assert.equal(fieldValue("region", {}, "box"), null);
});

test("only fields with a default of null may be null", () => {
  const nullable = KINDS.flatMap((kind) =>
    Object.entries(MISSING[kind]).flatMap(([field, value]) => (value === null ? [`${kind}/${field}`] : [])),
  );
  assert.deepEqual(nullable.sort(), [...MAY_BE_NULL].sort());
});

test("setting fields of a document keeps the others", () => {
  const before = Object.freeze({ box: 1, type: "a" });
  assert.deepEqual(withSet("region", before, { type: "b" }, "ana"), { box: 1, type: "b" });
  assert.deepEqual(withSet("reviewed", null, { done: true }, "ana"), { done: true, note: "" });
});

test("a text and a type name their author; a type by a person has no confidence and inherits nothing", () => {
  assert.deepEqual(withSet("retelling", { by: "model", box: 1 }, { description: "a" }, "ana"), {
    ...{ by: "ana", box: 1, description: "a" },
  });
  const proposed = { type: "Button", confidence: 0.4, inherited: "1-1", by: "model" };
  assert.deepEqual(withSet("type", proposed, { type: "Link" }, "ana"), { type: "Link", by: "ana" });
});

test("the root region is the whole screen", () => {
  const { document, name, version } = wholeOf({ width: 30, height: 20 });
  assert.deepEqual([name, version, document.box.xyxy], [ROOT, 0, [0, 0, 30, 20]]);
});

/** @type {Record<string, [Edit[], Edit[]]>} */
const MERGED = {
  none: [[], []],
  "one edit without a version": [
    [{ kind: "region", name: "a", set: { type: "x" } }],
    [{ kind: "region", name: "a", set: { type: "x" }, after: Infinity }],
  ],
  "later values win, the earliest version counts": [
    [
      { kind: "region", name: "a", set: { type: "x", gone: true }, after: 4 },
      { kind: "region", name: "a", set: { type: "y" }, after: 2 },
      { kind: "region", name: "a", set: { dividable: true } },
    ],
    [{ kind: "region", name: "a", set: { type: "y", gone: true, dividable: true }, after: 2 }],
  ],
  "other names and kinds stay apart, in the order of their first edit": [
    [
      { kind: "region", name: "b", set: { type: "x" }, after: 1 },
      { kind: "type", name: "a", set: { type: "t" }, after: 1 },
      { kind: "region", name: "a", set: { type: "z" }, after: 1 },
      { kind: "region", name: "b", set: { gone: true }, after: 1 },
    ],
    [
      { kind: "region", name: "b", set: { type: "x", gone: true }, after: 1 },
      { kind: "type", name: "a", set: { type: "t" }, after: 1 },
      { kind: "region", name: "a", set: { type: "z" }, after: 1 },
    ],
  ],
};

for (const [name, [edits, expected]] of Object.entries(MERGED)) {
  test(`merging edits: ${name}`, () => assert.deepEqual(merged(edits), expected));
}

test("an edit is logged with the values before it", () => {
  const edit = { kind: "region", name: "a", set: { type: "x", gone: true }, after: 3 };
  assert.deepEqual(noteOf(edit, null), { kind: "region", name: "a", set: edit.set, made: true, before: {} });
  assert.deepEqual(noteOf(edit, { type: "old" }), {
    ...{ kind: "region", name: "a", set: edit.set, made: false },
    before: { type: "old", gone: false },
  });
});

for (const kind of KINDS) {
  test(`undo of a change of ${kind} gives the values before, redo those after`, () => {
    const before = MISSING[kind];
    const set = Object.fromEntries(Object.entries(before).map(([field, value]) => [field, otherValue(value)]));
    const logged = noteOf({ kind, name: "a", set }, before);
    const undo = takenBack(logged);
    assert.deepEqual(undo, { kind, name: "a", set: before });
    assert.deepEqual(withSet(kind, withSet(kind, before, set, ""), undo?.set ?? {}, ""), withSet(kind, before, {}, ""));
    assert.deepEqual(doneAgain(logged), { kind, name: "a", set });
  });
}

test("undo leaves out null for a field that may not be null", () => {
  const logged = noteOf(
    { kind: "retelling", name: "a", set: { description: "new", rationale: "r" } },
    { rationale: "" },
  );
  assert.deepEqual(takenBack(logged)?.set, { rationale: "" });
  const parent = noteOf({ kind: "region", name: "a", set: { parent: "b" } }, { parent: null });
  assert.deepEqual(takenBack(parent)?.set, { parent: null });
});

/** @type {[string, Fields, Fields | null, Fields][]} kind, what made it, its undo, its redo */
const MADE = [
  ["region", { type: "x" }, { gone: true }, { type: "x", gone: false }],
  ["type", { type: "x" }, { gone: true }, { type: "x", gone: false }],
  ["rationale", { reason: "r" }, { gone: true }, { reason: "r", gone: false }],
  ["reviewed", { done: true, note: "n" }, { done: false, note: "" }, { done: true, note: "n" }],
  ["review", { round: 2, done: true }, { done: false }, { round: 2, done: true }],
  ["mask", { accepted: true }, { accepted: false }, { accepted: true }],
  ["question", { question: "q" }, null, { question: "q" }],
  ["clip", { done: true }, null, { done: true }],
  ["pair", { goal: "g" }, null, { goal: "g" }],
  ["halves", { confirmed: true }, null, { confirmed: true }],
];

for (const [kind, set, undo, redo] of MADE) {
  test(`undo of making a ${kind}`, () => {
    const logged = noteOf({ kind, name: "a", set }, null);
    assert.deepEqual(takenBack(logged), undo && { kind, name: "a", set: undo });
    assert.deepEqual(doneAgain(logged), { kind, name: "a", set: redo });
  });
}

/** @type {[unknown, unknown, boolean][]} */
const SAME = [
  [1, 1, true],
  [1, "1", false],
  [null, null, true],
  [null, {}, false],
  [{}, null, false],
  [[], {}, false],
  [[1, [2]], [1, [2]], true],
  [[1, 2], [1, 2, 3], false],
  [{ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
  [{ a: 1, b: 1 }, { b: 1, c: 1 }, false],
];

for (const [one, other, expected] of SAME) {
  test(`${JSON.stringify(one)} and ${JSON.stringify(other)} are ${expected ? "equal" : "different"}`, () => {
    assert.equal(same(one, other), expected);
    assert.equal(same(other, one), expected);
  });
}

test("the text of the region itself comes before the one from its parent", () => {
  assert.equal(best({ wo_context: " own ", with_context: "parent" }), "own");
  assert.equal(best({ wo_context: "", with_context: "parent" }), "parent");
  assert.equal(best({ wo_context: null }), "");
  assert.equal(best(undefined), "");
});
