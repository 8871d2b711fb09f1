/** Which part of a screen is in sight: fitting, zooming, panning and revealing. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Selection } from "#studio/boxes/selection.js";
import { View } from "#studio/boxes/view.js";

/** @import { Box } from "#types" */

const PANE = { width: 800, height: 600 };
/** @type {View} */
let view;
let changes = 0;

beforeEach(() => {
  view = new View(() => {
    changes += 1;
  });
  view.resize(PANE.width, PANE.height);
  view.show({ width: 1000, height: 500 });
  changes = 0;
});

/** Nearly equal. @param {number[]} found @param {number[]} expected */
function near(found, expected) {
  assert.ok(
    found.length === expected.length && found.every((one, i) => Math.abs(one - expected[i]) < 1e-6),
    `${found}`,
  );
}

/** @param {Box} box */
function inSight(box) {
  const [left, top] = view.toPane(box[0], box[1]);
  const [right, bottom] = view.toPane(box[2], box[3]);
  return left >= 0 && top >= 0 && right <= PANE.width && bottom <= PANE.height;
}

test("a screen is shown as a whole, in the middle, with a margin", () => {
  near([view.scale], [768 / 1000]);
  near(view.toPane(500, 250), [400, 300]);
  assert.ok(inSight([0, 0, 1000, 500]) && view.fitted);
});

test("places in the pane and on the screen are each other's reverse", () => {
  view.zoomBy(3, 100, 200);
  near(view.toScreen(...view.toPane(123, 45)), [123, 45]);
});

test("a pane that changes its size fits again, until somebody has moved the view", () => {
  view.resize(400, 600);
  near([view.scale], [368 / 1000]);
  view.zoomBy(2);
  const [x, y] = view.toScreen(200, 300);
  const { scale } = view;
  view.resize(500, 500);
  near([view.scale, ...view.toScreen(250, 250)], [scale, x, y]);
});

test("zooming keeps what is at the point", () => {
  const place = view.toScreen(150, 250);
  view.zoomBy(2, 150, 250);
  near(view.toScreen(150, 250), place);
  near([view.scale], [2 * 0.768]);
  assert.deepEqual([view.fitted, changes], [false, 1]);
});

test("zooming has limits", () => {
  view.zoomBy(1e6);
  assert.equal(view.scale, 32);
  view.zoomBy(1e-9);
  assert.equal(view.scale, 0.1);
});

test("some of the screen always stays in sight", () => {
  for (const [dx, dy] of [
    [1e5, 1e5],
    [-1e5, -1e5],
  ]) {
    view.panBy(dx, dy);
    const [left, top] = view.toPane(0, 0);
    const [right, bottom] = view.toPane(1000, 500);
    assert.ok(left <= PANE.width - 48 && top <= PANE.height - 48 && right >= 48 - 1e-6 && bottom >= 48 - 1e-6);
  }
});

test("a box is framed in the middle, and small ones are not enlarged without end", () => {
  view.frame([100, 100, 300, 200]);
  near(view.toPane(200, 150), [400, 300]);
  near([view.scale], [0.7 * (768 / 200)]);
  view.frame([100, 100, 101, 101]);
  assert.equal(view.scale, 8);
});

test("revealing moves no further than it has to", () => {
  view.zoomBy(4);
  const [x, y] = [view.x, view.y];
  const [left, top] = view.toScreen(100, 100);
  view.reveal([left, top, left + 10, top + 10]);
  assert.deepEqual([view.x, view.y], [x, y]);
  view.reveal([990, 490, 1000, 500]);
  assert.ok(inSight([990, 490, 1000, 500]));
  near(view.toPane(1000, 500), [PANE.width - 16, PANE.height - 16]);
  view.reveal([0, 0, 10, 10]);
  near(view.toPane(0, 0), [16, 16]);
});

test("a box larger than the pane is centred only if it is out of sight", () => {
  view.zoomBy(4);
  const { x } = view;
  view.reveal([0, 0, 1000, 500]);
  assert.equal(view.x, x);
});

test("a selection announces changes, once each", () => {
  const selection = new Selection();
  let heard = 0;
  selection.addEventListener("select", () => {
    heard += 1;
  });
  selection.set("a");
  selection.set("a");
  assert.deepEqual([selection.name, heard], ["a", 1]);
  selection.begin("b");
  assert.deepEqual([selection.name, heard], ["b", 1]);
  selection.set(null);
  assert.deepEqual([selection.name, heard], [null, 2]);
});
