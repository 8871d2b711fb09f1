// Boxes are [x1, y1, x2, y2] in pixels of the screen: whole numbers, corners ordered, edges between pixels.

/** @import { Box, BoxValue, Size } from "#types" */

/** The least side that a box may have. */
export const LEAST = 2;

/** Handles, by the edges that they move. */
export const HANDLES = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];

/** @param {Box} box */
export const width = (box) => box[2] - box[0];

/** @param {Box} box */
export const height = (box) => box[3] - box[1];

/** @param {Box} box */
export const area = (box) => width(box) * height(box);

/** @type {(value: number, least: number, most: number) => number} */
export const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

/**
 * @param {Box} outer
 * @param {Box} inner
 */
export function contains(outer, inner) {
  return inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];
}

/**
 * Whether a point is in a box; edges are inclusive.
 * @param {Box} box
 * @param {number} x
 * @param {number} y
 */
export function holds(box, x, y) {
  return x >= box[0] && y >= box[1] && x <= box[2] && y <= box[3];
}

/**
 * The box between two corners, within the screen.
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 * @param {Size} screen
 * @returns {Box}
 */
export function between(x1, y1, x2, y2, screen) {
  const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)].map((x) => clamp(Math.round(x), 0, screen.width));
  const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)].map((y) => clamp(Math.round(y), 0, screen.height));
  return [left, top, right, bottom];
}

/**
 * @param {Box} box
 * @param {number} dx
 * @param {number} dy
 * @returns {Box}
 */
export function moved(box, dx, dy) {
  return [box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy];
}

/**
 * How far a box may be moved of what is wanted, so that all of it stays on the screen.
 * @param {Box} box
 * @param {number} dx
 * @param {number} dy
 * @param {Size} screen
 * @returns {[number, number]}
 */
export function allowed(box, dx, dy, screen) {
  /** @type {(by: number, low: number, high: number, size: number) => number} */
  const limit = (by, low, high, size) => clamp(Math.round(by), Math.min(0, -low), Math.max(0, size - high));
  return [limit(dx, box[0], box[2], screen.width), limit(dy, box[1], box[3], screen.height)];
}

/**
 * The smallest box around all.
 * @param {Box[]} boxes
 */
export function around(boxes) {
  return boxes.reduce((found, box) => [
    Math.min(found[0], box[0]),
    Math.min(found[1], box[1]),
    Math.max(found[2], box[2]),
    Math.max(found[3], box[3]),
  ]);
}

/**
 * A box with the edges of a handle at a point; it never gets smaller than `LEAST`, and never turns over.
 * @param {Box} box
 * @param {string} handle
 * @param {number} x
 * @param {number} y
 * @param {Size} screen
 */
export function resized(box, handle, x, y, screen) {
  /** @type {Box} */
  const found = [...box];
  const at = Math.round;
  if (handle.includes("w")) found[0] = clamp(at(x), 0, box[2] - LEAST);
  if (handle.includes("e")) found[2] = clamp(at(x), box[0] + LEAST, screen.width);
  if (handle.includes("n")) found[1] = clamp(at(y), 0, box[3] - LEAST);
  if (handle.includes("s")) found[3] = clamp(at(y), box[1] + LEAST, screen.height);
  return found;
}

/**
 * Where the handles of a box are: a point each, as shares of its sides.
 * @param {Box} box
 * @param {string} handle
 * @returns {[number, number]}
 */
export function handlePoint(box, handle) {
  const x = handle.includes("w") ? box[0] : handle.includes("e") ? box[2] : (box[0] + box[2]) / 2;
  const y = handle.includes("n") ? box[1] : handle.includes("s") ? box[3] : (box[1] + box[3]) / 2;
  return [x, y];
}

/** In words: "240 by 80 at 12, 400". @param {Box} box */
export function spoken(box) {
  return `${width(box)} by ${height(box)} at ${box[0]}, ${box[1]}`;
}

/**
 * As documents have it.
 * @param {Box} box
 * @returns {BoxValue}
 */
export function boxField(box) {
  return { space: "pixel", xyxy: box.map(Math.round) };
}
