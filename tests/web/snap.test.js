/** Snapping of points and boxes to lines, and which regions are at a point. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { until } from "./page.js";
import { Grid } from "#studio/boxes/grid.js";
import { Latest } from "#studio/boxes/latest.js";
import { Snapper } from "#studio/boxes/snap.js";

/** @import { Box } from "#types" */

const REGIONS = [{ name: "r", box: /** @type {Box} */ ([100, 100, 200, 200]) }];
const KNOWN = [{ box: /** @type {Box} */ ([300, 100, 400, 150]) }];
/** @type {URL[]} what the server was asked */
let asked = [];
/** @type {unknown} */
let reply = null;
/** @type {Snapper} */
let snapper;

beforeEach(() => {
  asked = [];
  reply = { x: null, y: null, corner: null, lines: [] };
  globalThis.fetch = async (url) => {
    asked.push(new URL(String(url), "http://studio"));
    return new Response(JSON.stringify(reply));
  };
  snapper = new Snapper(() => {});
  snapper.setLines("s", REGIONS, KNOWN);
});

/** @type {[string, number, number, object, [number, number]][]} */
const POINTS = [
  ["a corner", 103, 98, {}, [100, 100]],
  ["an edge, in one direction", 103, 150, {}, [100, 150]],
  ["nothing near", 150, 150, {}, [150, 150]],
  ["just out of reach", 107, 150, {}, [107, 150]],
  ["just within reach", 106, 150, {}, [100, 150]],
  ["reach is in pixels of the window: enlarged it is less", 104, 150, { scale: 2 }, [104, 150]],
  ["and reduced it is more", 110, 150, { scale: 0.5 }, [100, 150]],
  ["only the axis that is wanted", 103, 98, { axes: "x" }, [100, 98]],
  ["a region that is left out", 103, 98, { skip: new Set(["r"]) }, [103, 98]],
  ["beyond the end of a line, near", 103, 240, {}, [100, 240]],
  ["beyond the end of a line, far", 103, 250, {}, [103, 250]],
  ["a known element", 297, 147, {}, [300, 150]],
];

for (const [name, x, y, options, expected] of POINTS) {
  test(`a point: ${name}`, () => {
    const found = snapper.point(x, y, { scale: 1, ask: false, ...options });
    assert.deepEqual([found.x, found.y], expected);
    const guides = [expected[0] !== x && "x", expected[1] !== y && "y"].filter(Boolean);
    assert.deepEqual(
      found.guides.map((one) => one.axis),
      guides,
    );
  });
}

test("of two lines the nearer one wins; of equally near ones that of a known element", () => {
  snapper.setLines("s", [{ name: "r", box: [100, 0, 110, 50] }], [{ box: [104, 0, 120, 50] }]);
  assert.equal(snapper.point(101, 25, { scale: 1, ask: false }).x, 100);
  assert.equal(snapper.point(103, 25, { scale: 1, ask: false }).x, 104);
  assert.equal(snapper.point(102, 25, { scale: 1, ask: false }).x, 104);
});

test("a guide goes from end to end of its line", () => {
  const { guides } = snapper.point(103, 150, { scale: 1, ask: false });
  assert.deepEqual(guides, [{ axis: "x", at: 100, from: 100, to: 200 }]);
});

test("of the edges of a moving box the nearer one counts", () => {
  const { dx, dy, guides } = snapper.box([205, 95, 302, 148], { scale: 1, skip: new Set() });
  assert.deepEqual(
    [dx, dy, guides.map((one) => [one.axis, one.at])],
    [
      -2,
      2,
      [
        ["x", 300],
        ["y", 150],
      ],
    ],
  );
  assert.deepEqual(snapper.box([210, 10, 290, 60], { scale: 1, skip: new Set() }), { dx: 0, dy: 0, guides: [] });
});

test("the next line in a direction", () => {
  assert.deepEqual(
    [snapper.x.next(100, 1), snapper.x.next(150, 1), snapper.x.next(100, -1), snapper.x.next(400, 1)],
    [200, 200, null, null],
  );
  assert.equal(snapper.x.next(400, -1), 300);
});

test("where no line is known, the server is asked, and its line counts for the same gesture", async () => {
  reply = { x: 52, y: null, corner: null, lines: [{ axis: "x", at: 52, from: 10, to: 90 }] };
  assert.deepEqual(snapper.point(50, 50, { scale: 1 }), { x: 50, y: 50, guides: [] });
  await until(() => snapper.picture !== null);
  assert.deepEqual(Object.fromEntries(asked[0].searchParams), { screen: "s", x: "50", y: "50", radius: "6" });
  const found = snapper.point(50, 50, { scale: 1 });
  assert.deepEqual([found.x, found.y, found.guides], [52, 50, [{ axis: "x", at: 52, from: 10, to: 90 }]]);
  snapper.release();
  assert.equal(snapper.point(50, 50, { scale: 1 }).x, 50);
});

test("a corner of the picture is taken whole, or not at all", async () => {
  reply = { x: 49, y: 49, corner: [53, 54], lines: [] };
  snapper.point(50, 50, { scale: 1 });
  await until(() => snapper.picture !== null);
  const both = snapper.point(50, 50, { scale: 1 });
  assert.deepEqual([both.x, both.y], [53, 54]);
  const one = snapper.point(50, 50, { scale: 1, axes: "x" });
  assert.deepEqual([one.x, one.y], [49, 50]);
  const far = snapper.point(60, 50, { scale: 1 });
  assert.deepEqual([far.x, far.y], [60, 49]);
  assert.deepEqual(
    far.guides,
    [{ axis: "y", at: 49, from: 40, to: 80 }],
    "a line of unknown length goes past the point",
  );
});

test("where both lines are known, or none is wanted, the server is not asked", () => {
  snapper.point(100, 100, { scale: 1 });
  snapper.point(50, 50, { scale: 1, ask: false });
  assert.equal(snapper.asking.busy, false);
  snapper.point(50, 50, { scale: 1 });
  assert.equal(snapper.asking.busy, true);
});

test("what was found on one screen does not count on another", async () => {
  reply = { x: 52, y: null, corner: null, lines: [] };
  snapper.point(50, 50, { scale: 1 });
  await until(() => snapper.picture !== null);
  snapper.setLines("s", [], []);
  assert.notEqual(snapper.picture, null);
  snapper.setLines("t", [], []);
  assert.equal(snapper.picture, null);
});

test("of questions that come up meanwhile only the last is asked", async () => {
  /** @type {((answer: string) => void)[]} */
  const answers = [];
  /** @type {string[]} */
  const questions = [];
  /** @type {string[]} */
  const taken = [];
  const latest = new Latest(
    (question) => {
      questions.push(question);
      return new Promise((resolve) => answers.push(resolve));
    },
    (answer, question) => taken.push(`${question}: ${answer}`),
  );
  for (const question of ["1", "2", "3"]) latest.put(question);
  assert.deepEqual(questions, ["1"]);
  answers[0]("yes");
  await until(() => questions.length === 2);
  latest.forget();
  answers[1]("no");
  latest.put("4");
  await until(() => questions.length === 3);
  answers[2]("maybe");
  await until(() => taken.length === 2);
  assert.deepEqual(
    [questions, taken],
    [
      ["1", "3", "4"],
      ["1: yes", "4: maybe"],
    ],
  );
});

test("a question that gets no answer does not stop the next one", async () => {
  /** @type {number[]} */
  const taken = [];
  const latest = new Latest(
    (question) => (question === 1 ? Promise.reject(new Error("lost")) : Promise.resolve(question)),
    (answer) => taken.push(answer),
  );
  latest.put(1);
  latest.put(2);
  await until(() => taken.length === 1);
  assert.deepEqual(taken, [2]);
});

/** @type {{name: string, box: Box}[]} */
const NESTED = [
  { name: "inner", box: [20, 20, 40, 40] },
  { name: "root", box: [0, 0, 1000, 800] },
  { name: "outer", box: [10, 10, 500, 400] },
  { name: "far", box: [900, 700, 1000, 800] },
];

/** @type {[number, number, string[]][]} */
const AT = [
  [30, 30, ["inner", "outer", "root"]],
  [40, 40, ["inner", "outer", "root"]],
  [41, 40, ["outer", "root"]],
  [5, 5, ["root"]],
  [1000, 800, ["far", "root"]],
  [-1, 5, []],
  [2000, 2000, []],
];

for (const [x, y, expected] of AT) {
  test(`regions at ${x}, ${y}, the smallest first`, () => {
    assert.deepEqual(new Grid({ width: 1000, height: 800 }, NESTED).at(x, y), expected);
  });
}

/** @type {[Box, string | null][]} */
const AROUND = [
  [[25, 25, 30, 30], "inner"],
  [[20, 20, 40, 40], "outer"],
  [[25, 25, 60, 60], "outer"],
  [[0, 0, 100, 100], "root"],
  [[0, 0, 1000, 800], null],
  [[0, 0, 1001, 800], null],
];

for (const [box, expected] of AROUND) {
  test(`the smallest region around ${box}`, () => {
    assert.equal(new Grid({ width: 1000, height: 800 }, NESTED).around(box), expected);
  });
}

test("a grid finds what a search through all finds", () => {
  let seed = 1;
  const next = (/** @type {number} */ most) => {
    seed = (seed * 48271) % 2147483647;
    return seed % most;
  };
  const regions = Array.from({ length: 300 }, (_, index) => {
    const [x, y] = [next(980), next(680)];
    return { name: String(index), box: /** @type {Box} */ ([x, y, x + 2 + next(300), y + 2 + next(200)]) };
  });
  const grid = new Grid({ width: 1000, height: 700 }, regions);
  for (let index = 0; index < 300; index += 1) {
    const [x, y] = [next(1000), next(700)];
    const expected = regions.filter(({ box }) => x >= box[0] && y >= box[1] && x <= box[2] && y <= box[3]);
    assert.deepEqual(grid.at(x, y).sort(), expected.map((one) => one.name).sort());
  }
});
