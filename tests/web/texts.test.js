/** Differences of texts by word, changes in words, and the save status. Sentences are not compared. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { differences } from "#studio/lib/differences.js";
import { counted, DASH, lasting, sentence, share, when } from "#studio/studies/numbers.js";
import { KINDS } from "#studio/work/documents.js";
import { inWords } from "#studio/work/status.js";
import { changesInWords, personOf, place, thing } from "#studio/work/words.js";

/** @import { Run } from "#studio/lib/differences.js" */
/** @import { Fields } from "#types" */

/** Runs as a text with what changed in brackets. @param {Run[]} runs */
function marked(runs) {
  return runs.map(({ text, changed }) => (changed ? `[${text}]` : text)).join("");
}

/** @type {[string, string, string, string][]} before, after, and both marked */
const DIFFERENCES = [
  ["", "", "", ""],
  ["a b c", "a b c", "a b c", "a b c"],
  ["", "new", "", "[new]"],
  ["old", "", "[old]", ""],
  ["a b c", "a x c", "a [b ]c", "a [x ]c"],
  ["a c", "a b c", "a c", "a [b ]c"],
  ["a b c", "a c", "a [b ]c", "a c"],
  ["a  b", "a b", "a  b", "a b"],
  ["one two", "two one", "[one ]two", "two[ one]"],
  ["Save it.", "Save it!", "Save it[.]", "Save it[!]"],
];

for (const [before, after, expectedBefore, expectedAfter] of DIFFERENCES) {
  test(`differences of ${JSON.stringify(before)} and ${JSON.stringify(after)}`, () => {
    const found = differences(before, after);
    assert.equal(found.before.map((one) => one.text).join(""), before);
    assert.equal(found.after.map((one) => one.text).join(""), after);
    assert.deepEqual(
      [marked(found.before), marked(found.after)].map(trimmed),
      [expectedBefore, expectedAfter].map(trimmed),
    );
  });
}

/** The space at the edge of a run may be in it or not. @param {string} text */
function trimmed(text) {
  return text.replace(/ *([[\]]) */g, "$1");
}

test("runs alternate: neighbours differ", () => {
  const { before, after } = differences("a b c d e f", "a x y d e z");
  for (const runs of [before, after]) {
    assert.ok(runs.every((one, index) => index === 0 || one.changed !== runs[index - 1].changed));
  }
});

test("texts that are too long differ as a whole", () => {
  const long = "word ".repeat(1300);
  assert.deepEqual(differences(long, "a"), {
    before: [{ text: long, changed: true }],
    after: [{ text: "a", changed: true }],
  });
  assert.deepEqual(differences(long, long).before, [{ text: long, changed: false }]);
  assert.deepEqual(differences("", long).before, []);
});

test("only fields that changed are named, with their values", () => {
  const before = { box: { space: "pixel", xyxy: [0, 0, 10, 10] }, type: "menu", dividable: false };
  const lines = changesInWords("region", before, { ...before, box: { space: "pixel", xyxy: [5, 6, 25, 46] } });
  assert.equal(lines.length, 1);
  assert.deepEqual(lines[0].match(/\d+/g), ["20", "40", "5", "6"]);
  assert.equal(changesInWords("region", before, before).length, 1);
  assert.ok(changesInWords("region", null, before).length > 1);
  assert.ok(changesInWords("retelling", {}, { description: "a text" })[0].includes("a text"));
});

/** @type {[string, Fields][]} a value for every field that is put in words */
const WORDS = [
  ["region", { parent: "1-0", type: "menu", dividable: true, gone: true }],
  ["type", { type: "Button", subtype: "icon" }],
  ["validation", { contextual: true, purposeful: false, truthful: true, rejected: true, note: "n" }],
  ["question", { expressions: { intent: "i" }, question: "q", options: [{ text: "o" }], abandoned: true }],
  [
    "clip",
    { start_frame: 3, end_frame: 9, regions: [{ xyxy: [0, 0, 1, 1] }], context: "c", platform: "p", flags: ["f"] },
  ],
  ["clip", { inputs: [{ summary: "s" }], aside: true, done: true }],
  ["pair", { goal: "g", page_type: "t", industry: "i", device: "d", changes: { colour: 1 } }],
  ["rationale", { reason: "r", law: "l", neutral: "n" }],
  ["review", { irrelevant: ["a"], missing: ["m"], done: true }],
  [
    "mask",
    {
      found: false,
      brushes: [
        {
          points: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
      accepted: true,
      clean: true,
    },
  ],
  ["halves", { boxes: [{ xyxy: [0, 0, 5, 5] }], winner: "left", confirmed: true, single: false }],
  ["answer", { given: { place: { xy: [1, 2] }, words: "w", tags: ["a", "b"], scale: 3 } }],
];

for (const [kind, document] of WORDS) {
  test(`a change of ${kind} has a line for each of ${Object.keys(document)}`, () => {
    const lines = changesInWords(kind, {}, document);
    assert.equal(lines.length, Object.keys(document).length);
    assert.ok(
      lines.every((line) => line && !/undefined|\[object|NaN/.test(line)),
      lines.join("\n"),
    );
  });
}

test("every kind of document has a name, and names for machines are not shown", () => {
  for (const kind of KINDS) {
    const name = thing(kind, "n-ab12cd34");
    assert.ok(name && !/undefined|n-ab12cd34/.test(name), `${kind}: ${name}`);
    assert.ok(place({ screen: "home", edits: [{ kind, name: "a" }] }).endsWith("home"));
  }
  assert.deepEqual([personOf("person:ana"), personOf("model")], ["ana", "model"]);
});

const CALM = { link: /** @type {const} */ ("online"), waiting: [], fresh: 0, stuck: [], person: "person:ben" };
/** @type {any} */
const BATCH = { key: "1" };

/** @type {[string, Partial<Parameters<typeof inWords>[0]>, Partial<Parameters<typeof inWords>[1]>, string, string[]][]} */
const STATUS = [
  ["all is saved", {}, {}, "saved", []],
  ["some wait", { waiting: [BATCH], fresh: 1 }, { unsafe: 1 }, "waiting", ["3"]],
  ["some need a decision", { stuck: [[BATCH]] }, {}, "saved", []],
  ["offline", { link: "offline", waiting: [BATCH] }, {}, "trouble", ["1"]],
  ["signed out", { link: "signed out" }, {}, "trouble", []],
  ["somebody else", { link: "somebody else", waiting: [BATCH, BATCH] }, {}, "trouble", ["ben", "2"]],
  ["another project", { link: "elsewhere", waiting: [BATCH] }, {}, "trouble", ["1"]],
  ["saved without storage", {}, { durable: false }, "trouble", []],
  ["waiting without storage", { waiting: [BATCH] }, { durable: false }, "waiting", ["1"]],
];

for (const [name, queue, store, look, parts] of STATUS) {
  test(`save status: ${name}`, () => {
    const found = inWords({ ...CALM, ...queue }, { durable: true, unsafe: 0, ...store });
    assert.equal(found.look, look);
    for (const part of parts) assert.ok(found.text.includes(part), found.text);
  });
}

test("texts of the save status differ from state to state", () => {
  const texts = STATUS.map(
    ([, queue, store]) => inWords({ ...CALM, ...queue }, { durable: true, unsafe: 0, ...store }).text,
  );
  assert.equal(new Set(texts).size, texts.length);
});

test("numbers", () => {
  assert.deepEqual(
    [counted(1, "item"), counted(1200, "item"), counted(0, "person", "people")],
    [...["1 item", "1,200 items", "0 people"]],
  );
  assert.deepEqual([share(0.256), share(null)], ["0.26", DASH]);
  assert.deepEqual([lasting(89.4), lasting(90), lasting(null)], ["89 s", "1.5 min", DASH]);
  assert.deepEqual([when("2026-11-16T06:29:10+00:00"), when(null)], ["2026-11-16 06:29 UTC", DASH]);
  assert.deepEqual([sentence("a b"), sentence("Why?"), sentence("yes.")], ["A b.", "Why?", "Yes."]);
});
