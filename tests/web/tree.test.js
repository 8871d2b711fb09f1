/** The tree of regions: order, rows that are shown, ways through it, edits of it, and titles. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { Drawing } from "#studio/boxes/drawing.js";
import { drawn, movedBoxes, parentOf, placed, removed } from "#studio/boxes/edits.js";
import { Grid } from "#studio/boxes/grid.js";
import { readingOrder, scoreWords, worstFirst } from "#studio/boxes/order.js";
import { treeRows } from "#studio/boxes/rows.js";
import { beside, inward, outward } from "#studio/boxes/walking.js";
import { isDrawn, Titles } from "#studio/work/titles.js";
import { Tree } from "#studio/work/tree.js";

/** @import { Box, Fields, Revision, Scores } from "#types" */

/**
 * @param {string} name
 * @param {string | null} parent
 * @param {Box} box
 * @param {Fields} [rest]
 * @returns {Revision}
 */
function region(name, parent, box, rest = {}) {
  const document = { box: { space: "pixel", xyxy: box }, parent, ...rest };
  return { kind: "region", name, version: 1, author: "model", created: "", document };
}

const ENTRIES = [
  region("n-00000002", "1-0", [60, 10, 90, 40]),
  region("1-10", "0-0", [0, 200, 100, 300]),
  region("2-0", "1-0", [10, 10, 40, 40]),
  region("0-0", null, [0, 0, 400, 300]),
  region("1-2", "0-0", [200, 0, 300, 100], { scores: { completeness: 1, bounded: true } }),
  region("1-0", "0-0", [0, 0, 100, 100], { scores: { completeness: 1, bounded: false } }),
  region("1-3", "0-0", [0, 0, 1, 1], { gone: true }),
  region("2-5", "1-3", [0, 0, 1, 1]), // of a parent that is gone
];
const tree = new Tree(ENTRIES, (name) => `title of ${name}`);
const sheet = {
  regions: () => tree.regions,
  region: tree.region.bind(tree),
  children: tree.children.bind(tree),
  ancestors: tree.ancestors.bind(tree),
};

test("parents come before children, by level and number; what people drew comes last", () => {
  assert.deepEqual(
    tree.regions.map((one) => [one.name, one.depth, one.parent]),
    [
      ["0-0", 0, null],
      ["1-0", 1, "0-0"],
      ["2-0", 2, "1-0"],
      ["n-00000002", 2, "1-0"],
      ["1-2", 1, "0-0"],
      ["1-10", 1, "0-0"],
    ],
  );
});

test("what is gone, and what is in it, is not in the tree", () => {
  for (const name of ["1-3", "2-5", "unknown"]) assert.equal(tree.region(name), undefined);
});

test("a region has its title, box and document", () => {
  const { title, box, entry } = /** @type {import("#types").Region} */ (tree.region("1-2"));
  assert.deepEqual([title, box, entry], ["title of 1-2", [200, 0, 300, 100], ENTRIES[4]]);
});

test("children, ancestors and descendants", () => {
  assert.deepEqual(tree.children("0-0"), ["1-0", "1-2", "1-10"]);
  assert.deepEqual(tree.children("1-2"), []);
  assert.deepEqual(tree.ancestors("2-0"), ["1-0", "0-0"]);
  assert.deepEqual(tree.ancestors("0-0"), []);
  assert.deepEqual(tree.descendants("0-0"), ["1-0", "1-2", "1-10", "2-0", "n-00000002"]);
});

test("an empty tree", () => assert.deepEqual(new Tree([], String).regions, []));

/** @type {Record<string, [Record<string, Box>, string[]]>} */
const READING = {
  nothing: [{}, []],
  "from top to bottom": [{ b: [0, 50, 10, 60], a: [0, 0, 10, 10] }, ["a", "b"]],
  "from left to right in a row": [{ b: [50, 0, 60, 10], a: [0, 2, 10, 12], c: [80, 5, 90, 15] }, ["a", "b", "c"]],
  "half of the lower one in common is a row": [{ a: [50, 0, 60, 10], b: [0, 5, 10, 15] }, ["b", "a"]],
  "less than half is none": [{ a: [50, 0, 60, 10], b: [0, 6, 10, 16] }, ["a", "b"]],
  "a row is what is level with its highest box": [
    { tall: [0, 0, 10, 100], upper: [50, 1, 60, 20], lower: [20, 70, 30, 90] },
    ["tall", "lower", "upper"],
  ],
  "boxes without a height": [{ b: [0, 5, 10, 5], a: [0, 0, 10, 0] }, ["a", "b"]],
};

for (const [name, [boxes, expected]] of Object.entries(READING)) {
  test(`reading order: ${name}`, () => {
    const names = Object.keys(boxes);
    assert.deepEqual(
      readingOrder(names, (one) => boxes[one]),
      expected,
    );
    assert.deepEqual(
      readingOrder([...names].reverse(), (one) => boxes[one]),
      expected,
    );
  });
}

test("worst first: completeness, then the border; without a score last, in the order that there was", () => {
  /** @type {Record<string, Scores | null>} */
  const scores = {
    none: null,
    best: { completeness: 3, bounded: true },
    loose: { completeness: 1, bounded: false },
    other: null,
    tight: { completeness: 1, bounded: true },
    equal: { completeness: 1, bounded: false },
  };
  const found = worstFirst(Object.keys(scores), (name) => scores[name]);
  assert.deepEqual(found, ["loose", "equal", "tight", "best", "none", "other"]);
});

test("a score has its number and whether its border is tight", () => {
  assert.equal(scoreWords(null).short, "");
  assert.match(scoreWords({ completeness: 2, bounded: true }).short, /^2\/3$/);
  assert.notEqual(scoreWords({ completeness: 2, bounded: false }).short, "2/3");
});

/** @param {Partial<Parameters<typeof treeRows>[1]>} options */
function rows(options) {
  return treeRows(sheet, { closed: new Set(), worst: false, fits: null, ...options });
}

test("rows are the tree in reading order, with level, place among siblings, and whether they are open", () => {
  assert.deepEqual(
    rows({}).map(({ name, level, open, at, of }) => [name, level, open, at, of]),
    [
      ["0-0", 1, true, 1, 1],
      ["1-0", 2, true, 1, 3],
      ["2-0", 3, null, 1, 2],
      ["n-00000002", 3, null, 2, 2],
      ["1-2", 2, null, 2, 3],
      ["1-10", 2, null, 3, 3],
    ],
  );
});

test("children of a closed region are not shown", () => {
  const found = rows({ closed: new Set(["1-0"]) });
  assert.deepEqual(
    found.map(({ name, open }) => [name, open]),
    [
      ["0-0", true],
      ["1-0", false],
      ["1-2", null],
      ["1-10", null],
    ],
  );
});

test("a search shows what fits and the way to it, also in closed regions", () => {
  const found = rows({ closed: new Set(["0-0", "1-0"]), fits: (name) => name === "2-0" });
  assert.deepEqual(
    found.map((row) => [row.name, row.found, row.at, row.of]),
    [
      ["0-0", false, 1, 1],
      ["1-0", false, 1, 1],
      ["2-0", true, 1, 1],
    ],
  );
  assert.deepEqual(rows({ fits: () => false }), []);
});

test("worst first is one list without the root", () => {
  const found = rows({ worst: true });
  assert.deepEqual(
    found.map(({ name, level, open }) => [name, level, open]),
    ["1-0", "1-2", "2-0", "n-00000002", "1-10"].map((name) => [name, 1, null]),
  );
  assert.deepEqual(
    rows({ worst: true, fits: (name) => name.startsWith("1-") }).map(({ name, at, of }) => [name, at, of]),
    [
      ["1-0", 1, 3],
      ["1-2", 2, 3],
      ["1-10", 3, 3],
    ],
  );
});

const regions = new Map(tree.regions.map((one) => [one.name, one]));

/** @type {[string | null, string | null, string | null, string | null, string | null][]} selected, next, previous, outward, inward */
const WAYS = [
  ["1-0", "1-2", "1-10", "0-0", "2-0"],
  ["1-10", "1-0", "1-2", "0-0", null],
  ["2-0", "n-00000002", "n-00000002", "1-0", null],
  ["0-0", "1-0", "1-0", null, "1-0"],
  [null, "1-0", "1-0", null, "1-0"],
];

for (const [selected, next, previous, out, into] of WAYS) {
  test(`from ${selected} to the next region`, () => {
    /** @param {string} name */
    const box = (name) => /** @type {Box} */ (tree.region(name)?.box);
    const stage = { regions, selected, sheet, box };
    assert.deepEqual([beside(stage, 1), beside(stage, -1), outward(stage), inward(stage)], [next, previous, out, into]);
  });
}

const grid = new Grid({ width: 400, height: 300 }, tree.regions);

/** @type {[Box, string | null, string][]} */
const PARENTS = [
  [[15, 15, 20, 20], null, "2-0"],
  [[15, 15, 20, 20], "1-0", "1-0"],
  [[15, 15, 20, 20], "0-0", "2-0"],
  [[15, 15, 20, 20], "1-2", "2-0"],
  [[0, 0, 100, 100], "1-0", "0-0"],
  [[50, 50, 250, 60], "1-0", "0-0"],
  [[0, 0, 400, 300], null, "0-0"],
];

for (const [box, selected, expected] of PARENTS) {
  test(`a new box ${box} with ${selected} selected belongs to ${expected}`, () => {
    assert.equal(parentOf(box, { regions, grid, selected }), expected);
  });
}

test("drawing a region; with wrap it takes in siblings that lie inside", () => {
  const set = { box: { space: "pixel", xyxy: [0, 0, 310, 110] }, parent: "0-0", type: "", dividable: false };
  assert.deepEqual(drawn("n", [0, 0, 310, 110], "0-0", regions).edits, [{ kind: "region", name: "n", set }]);
  assert.deepEqual(drawn("n", [0, 0, 310, 110], "0-0", regions, true).edits, [
    { kind: "region", name: "n", set },
    { kind: "region", name: "1-0", set: { parent: "n" } },
    { kind: "region", name: "1-2", set: { parent: "n" } },
  ]);
});

test("moving regions is one batch of boxes", () => {
  const boxes = movedBoxes(["1-0", "2-0"], regions, 5, -2);
  assert.deepEqual(
    [...boxes],
    [
      ["1-0", [5, -2, 105, 98]],
      ["2-0", [15, 8, 45, 38]],
    ],
  );
  const { label, edits } = placed("Move", "1-0", boxes);
  assert.equal(label, "Move 1-0");
  assert.deepEqual(edits[1], { kind: "region", name: "2-0", set: { box: { space: "pixel", xyxy: [15, 8, 45, 38] } } });
});

test("deleting a region, with its children or without", () => {
  const gone = { kind: "region", name: "1-0", set: { gone: true } };
  assert.deepEqual(removed("1-0", regions, false).edits, [gone]);
  assert.deepEqual(removed("1-0", regions, true).edits, [
    { kind: "region", name: "2-0", set: { parent: "0-0" } },
    { kind: "region", name: "n-00000002", set: { parent: "0-0" } },
    gone,
  ]);
  assert.throws(() => removed("unknown", regions, false), TypeError);
});

test("a box that is being drawn: two corners, on the screen, large enough", () => {
  const drawing = new Drawing({ width: 100, height: 80 }, 10.4, 20.6);
  assert.deepEqual([drawing.box, drawing.largeEnough], [null, false]);
  drawing.set();
  drawing.to(11, 200);
  assert.deepEqual([drawing.box, drawing.largeEnough], [[10, 21, 11, 80], false]);
  drawing.to(-5, 10);
  assert.deepEqual([drawing.box, drawing.largeEnough], [[0, 10, 10, 21], true]);
});

test("names for machines are never shown: a text, or a number in the order of drawing", () => {
  assert.deepEqual([isDrawn("n-ab12cd34"), isDrawn("1-2"), isDrawn("n-ab12cd345")], [true, false, false]);
  /** @type {Record<string, string>} */
  const texts = { "n-00000001": "  A  button ", "n-00000003": "x".repeat(60) };
  const titles = new Titles(["n-00000001", "n-00000002"], (name) => texts[name] ?? "");
  assert.equal(titles.of("1-2"), "1-2");
  assert.equal(titles.of("n-00000001"), "A button");
  assert.match(titles.of("n-00000002"), /\b2$/);
  assert.equal(titles.of("n-00000003").length, 40);
  assert.match(titles.of("n-00000004"), /\b4$/, "the number of one with a text counts too");
  assert.equal(titles.of("n-00000002"), titles.of("n-00000002"));
  const line = titles.within("n-00000001 overlaps 1-2 and n-00000002");
  assert.ok(line.includes("A button") && line.includes("1-2") && !line.includes("n-0"));
});
