/** Boxes: corners, moving, resizing, and conversion between pixels and shares. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allowed,
  area,
  around,
  between,
  boxField,
  contains,
  HANDLES,
  handlePoint,
  holds,
  LEAST,
  moved,
  resized,
  spoken,
} from "#studio/boxes/geometry.js";
import { pixelBox, runs, shownAt, unitBox } from "#studio/clips/frames.js";

/** @import { Box } from "#types" */

const SCREEN = { width: 100, height: 80 };
/** @type {Box} */
const BOX = [10, 20, 40, 60];

/** @type {[Box, Box, boolean][]} */
const CONTAINS = [
  [BOX, BOX, true],
  [BOX, [11, 21, 39, 59], true],
  [BOX, [9, 20, 40, 60], false],
  [BOX, [10, 19, 40, 60], false],
  [BOX, [10, 20, 41, 60], false],
  [BOX, [10, 20, 40, 61], false],
];

for (const [outer, inner, expected] of CONTAINS) {
  test(`${inner} is ${expected ? "" : "not "}inside of ${outer}`, () => assert.equal(contains(outer, inner), expected));
}

/** @type {[number, number, boolean][]} */
const HOLDS = [
  [10, 20, true],
  [40, 60, true],
  [25, 40, true],
  [9.9, 40, false],
  [40.1, 40, false],
  [25, 19.9, false],
  [25, 60.1, false],
];

for (const [x, y, expected] of HOLDS) {
  test(`the point ${x}, ${y} is ${expected ? "" : "not "}in the box`, () => assert.equal(holds(BOX, x, y), expected));
}

/** @type {[[number, number, number, number], Box][]} */
const BETWEEN = [
  [[10, 20, 40, 60], BOX],
  [[40, 60, 10, 20], BOX],
  [[40, 20, 10, 60], BOX],
  [[10.4, 19.6, 40.4, 59.5], BOX],
  [
    [-5, -5, 200, 200],
    [0, 0, 100, 80],
  ],
  [
    [120, 90, 130, 95],
    [100, 80, 100, 80],
  ],
];

for (const [corners, expected] of BETWEEN) {
  test(`the box between the corners ${corners}`, () => assert.deepEqual(between(...corners, SCREEN), expected));
}

/** @type {[number, number, [number, number]][]} */
const ALLOWED = [
  [5, 5, [5, 5]],
  [4.6, -4.6, [5, -5]],
  [-50, -50, [-10, -20]],
  [500, 500, [60, 20]],
  [0, 0, [0, 0]],
];

for (const [dx, dy, expected] of ALLOWED) {
  test(`a move by ${dx}, ${dy} stays on the screen`, () => {
    const found = allowed(BOX, dx, dy, SCREEN);
    assert.deepEqual(
      found.map((one) => one + 0),
      expected,
    );
    assert.ok(contains([0, 0, 100, 80], moved(BOX, ...found)));
  });
}

test("a box that is partly outside of the screen may only be moved inwards", () => {
  assert.deepEqual(allowed([90, 70, 110, 90], 5, 5, SCREEN), [0, 0]);
  assert.deepEqual(allowed([90, 70, 110, 90], -30, -30, SCREEN), [-30, -30]);
});

test("moving keeps the size", () => assert.deepEqual(moved(BOX, -3, 4), [7, 24, 37, 64]));

test("the smallest box around several", () => {
  assert.deepEqual(around([BOX, [0, 30, 20, 70], [35, 10, 50, 15]]), [0, 10, 50, 70]);
  assert.deepEqual(around([BOX]), BOX);
});

test("the area is the product of the sides", () => assert.equal(area(BOX), 30 * 40));

/** @type {Record<string, Box>} the box with this handle at 25, 35 */
const RESIZED = {
  nw: [25, 35, 40, 60],
  n: [10, 35, 40, 60],
  ne: [10, 35, 25, 60],
  e: [10, 20, 25, 60],
  se: [10, 20, 25, 35],
  s: [10, 20, 40, 35],
  sw: [25, 20, 40, 35],
  w: [25, 20, 40, 60],
};

test("there are eight handles", () => assert.deepEqual(Object.keys(RESIZED).sort(), [...HANDLES].sort()));

for (const handle of HANDLES) {
  test(`handle ${handle} moves its edges, and no others`, () => {
    assert.deepEqual(resized(BOX, handle, 25.2, 34.8, SCREEN), RESIZED[handle]);
    const [x, y] = handlePoint(BOX, handle);
    assert.deepEqual(resized(BOX, handle, x, y, SCREEN), BOX);
  });

  test(`handle ${handle} leaves at least ${LEAST} pixels, on the screen`, () => {
    for (const [x, y] of [
      [-500, -500],
      [500, 500],
      [-500, 500],
      [500, -500],
    ]) {
      const [x1, y1, x2, y2] = resized(BOX, handle, x, y, SCREEN);
      assert.ok(x2 - x1 >= LEAST && y2 - y1 >= LEAST && x1 >= 0 && y1 >= 0 && x2 <= 100 && y2 <= 80);
    }
  });
}

test("a handle dragged over the opposite edge stops before it", () => {
  assert.deepEqual(resized(BOX, "nw", 90, 70, SCREEN), [38, 58, 40, 60]);
  assert.deepEqual(resized(BOX, "se", 0, 0, SCREEN), [10, 20, 12, 22]);
});

test("handles are at corners and in the middle of edges", () => {
  assert.deepEqual(handlePoint(BOX, "nw"), [10, 20]);
  assert.deepEqual(handlePoint(BOX, "e"), [40, 40]);
  assert.deepEqual(handlePoint(BOX, "s"), [25, 60]);
});

test("documents have whole pixels", () => {
  assert.deepEqual(boxField([0.4, 1.5, 9.6, 10]), { space: "pixel", xyxy: [0, 2, 10, 10] });
});

test("width, height and place are named", () => assert.deepEqual(spoken(BOX).match(/\d+/g), ["30", "40", "10", "20"]));

test("boxes of every space become shares", () => {
  for (const [space, xyxy] of /** @type {[string, number[]][]} */ ([
    ["unit", [0.1, 0.25, 0.4, 0.75]],
    ["mille", [100, 250, 400, 750]],
    ["pixel", [10, 20, 40, 60]],
  ])) {
    assert.deepEqual(unitBox({ space, xyxy }, SCREEN), [0.1, 0.25, 0.4, 0.75]);
  }
});

/** @type {[number[], number[]][]} */
const PIXELS = [
  [[0.1, 0.25, 0.4, 0.75], BOX],
  [
    [-1, -1, 2, 2],
    [0, 0, 100, 80],
  ],
  [
    [0.5, 0.5, 0.5, 0.5],
    [50, 40, 51, 41],
  ],
  [
    [1, 1, 1, 1],
    [99, 79, 100, 80],
  ],
];

for (const [unit, expected] of PIXELS) {
  test(`the shares ${unit} are at least one whole pixel, inside`, () => {
    assert.deepEqual(pixelBox(unit, SCREEN), { space: "pixel", xyxy: expected });
  });
}

test("a frame of the video is shown by the last frame of the film up to it", () => {
  const indexes = [0, 3, 6, 9];
  assert.deepEqual(
    [0, 1, 2, 3, 5, 6, 9, 100].map((frame) => shownAt(indexes, frame)),
    [0, 0, 0, 1, 1, 2, 3, 3],
  );
  assert.equal(shownAt([4, 8], 0), 0);
});

/** @type {[{start_frame?: number | null, end_frame?: number | null}, number[]][]} */
const RUNS = [
  [{}, [0, 1, 2, 3]],
  [{ start_frame: 3 }, [1, 2, 3]],
  [{ start_frame: 4 }, [2, 3]],
  [{ start_frame: 4, end_frame: 6 }, [2]],
  [{ end_frame: 5 }, [0, 1]],
  [{ start_frame: 7, end_frame: 8 }, [2]],
];

for (const [clip, expected] of RUNS) {
  test(`frames of the film in ${JSON.stringify(clip)}`, () => {
    assert.deepEqual(
      [0, 1, 2, 3].filter((frame) => runs([0, 3, 6, 9], frame, clip)),
      expected,
    );
  });
}
