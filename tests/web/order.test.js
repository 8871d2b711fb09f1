/** Which edit batches may be sent next, and which wait for a decision. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { HOLD, isHeld, plan } from "#studio/work/order.js";

/** @import { EditBatch } from "#types" */

const NOW = 1_000_000;

/**
 * @param {string} key
 * @param {string[]} names of the regions that it changes
 * @param {Partial<EditBatch>} [rest]
 * @returns {EditBatch}
 */
function batch(key, names, rest = {}) {
  const edits = names.map((name) => ({ kind: "region", name, set: {} }));
  return { screen: "s", key, label: key, created: "", state: "waiting", edits, ...rest };
}

/** @param {EditBatch[]} batches */
function keys(batches) {
  return batches.map((one) => one.key);
}

/** @type {Record<string, [EditBatch[], {ready: string[], waiting: string[], stuck: string[][]}]>} */
const PLANS = {
  nothing: [[], { ready: [], waiting: [], stuck: [] }],
  "one at a time for each screen, in order": [
    [batch("1", ["a"]), batch("2", ["b"], { screen: "t" }), batch("3", ["c"]), batch("4", ["d"], { screen: "t" })],
    { ready: ["1", "2"], waiting: ["1", "2", "3", "4"], stuck: [] },
  ],
  "a conflict stops later ones on the same document only": [
    [batch("1", ["a"], { state: "conflict" }), batch("2", ["b"]), batch("3", ["a"])],
    { ready: ["2"], waiting: ["2"], stuck: [["1", "3"]] },
  ],
  "what is stopped stops what is on its other documents": [
    [batch("1", ["a"], { state: "refused" }), batch("2", ["a", "b"]), batch("3", ["b", "c"]), batch("4", ["d"])],
    { ready: ["4"], waiting: ["4"], stuck: [["1", "2", "3"]] },
  ],
  "two conflicts are two decisions": [
    [batch("1", ["a"], { state: "conflict" }), batch("2", ["b"], { state: "refused" }), batch("3", ["b"])],
    { ready: [], waiting: [], stuck: [["1"], ["2", "3"]] },
  ],
  "a document of the same name on another screen is another one": [
    [batch("1", ["a"], { state: "conflict" }), batch("2", ["a"], { screen: "t" })],
    { ready: ["2"], waiting: ["2"], stuck: [["1"]] },
  ],
  "what was put aside stops nothing": [
    [batch("1", ["a"], { state: "aside" }), batch("2", ["a"])],
    { ready: ["2"], waiting: ["2"], stuck: [] },
  ],
  "one that may still change holds back those after it on its screen": [
    [batch("1", ["a"], { held: NOW + 1 }), batch("2", ["b"]), batch("3", ["c"], { screen: "t" })],
    { ready: ["3"], waiting: ["1", "2", "3"], stuck: [] },
  ],
  "one whose time is up is sent": [
    [batch("1", ["a"], { held: NOW }), batch("2", ["b"])],
    { ready: ["1"], waiting: ["1", "2"], stuck: [] },
  ],
};

for (const [name, [batches, expected]] of Object.entries(PLANS)) {
  test(name, () => {
    const { ready, waiting, stuck } = plan(batches, NOW);
    assert.deepEqual({ ready: keys([...ready.values()]), waiting: keys(waiting), stuck: stuck.map(keys) }, expected);
    assert.deepEqual(
      [...ready.keys()],
      [...ready.values()].map((one) => one.screen),
    );
  });
}

/** @type {[number | undefined, boolean][]} */
const HELD = [
  [undefined, false],
  [NOW - 1, false],
  [NOW, false],
  [NOW + 1, true],
  [NOW + 2 * HOLD, true],
  [NOW + 2 * HOLD + 1, false], // the clock was set back
];

for (const [held, expected] of HELD) {
  test(`held until ${held === undefined ? "no time" : held - NOW}: ${expected}`, () => {
    assert.equal(isHeld(held === undefined ? {} : { held }, NOW), expected);
  });
}
