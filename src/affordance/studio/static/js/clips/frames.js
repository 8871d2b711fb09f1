/** Frames of a video, of which a film shows some, and places in it. */

/** @import { BoxValue, Size } from "#types" */

/** @type {Record<string, (size: Size) => [number, number]>} */
const EXTENT = { unit: () => [1, 1], mille: () => [1000, 1000], pixel: ({ width, height }) => [width, height] };

/**
 * The frame of the film that shows a frame of the video.
 * @param {number[]} indexes by frame of the film
 * @param {number} frame
 */
export function shownAt(indexes, frame) {
  let [low, high] = [0, indexes.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (indexes[middle] <= frame) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Whether a frame of the film is one of the animation, as participants are shown it.
 * @param {number[]} indexes
 * @param {number} frame
 * @param {{start_frame?: number | null, end_frame?: number | null}} clip
 */
export function runs(indexes, frame, { start_frame: start = null, end_frame: end = null }) {
  const until = end === null ? indexes.length - 1 : shownAt(indexes, end);
  const from = start === null ? 0 : Math.min(indexes.findLastIndex((one) => one < start) + 1, until);
  return frame >= from && frame <= until;
}

/**
 * A box as shares of width and height.
 * @param {BoxValue} box
 * @param {Size} size
 */
export function unitBox({ space, xyxy }, size) {
  const [width, height] = EXTENT[space](size);
  return [xyxy[0] / width, xyxy[1] / height, xyxy[2] / width, xyxy[3] / height];
}

/**
 * A box as records have it, in whole pixels, of at least one, and inside.
 * @param {number[]} unit
 * @param {Size} size
 */
export function pixelBox(unit, { width, height }) {
  /** @type {(value: number, most: number) => number} */
  const inside = (value, most) => Math.min(Math.max(Math.round(value), 0), most);
  const [x1, y1] = [inside(unit[0] * width, width - 1), inside(unit[1] * height, height - 1)];
  const [x2, y2] = [inside(unit[2] * width, width), inside(unit[3] * height, height)];
  return { space: "pixel", xyxy: [x1, y1, Math.max(x2, x1 + 1), Math.max(y2, y1 + 1)] };
}

/**
 * As "120 by 80 at 12, 400".
 * @param {BoxValue} box
 * @param {Size} size
 */
export function boxInWords(box, size) {
  const [x1, y1, x2, y2] = pixelBox(unitBox(box, size), size).xyxy;
  return `${x2 - x1} by ${y2 - y1} at ${x1}, ${y1}`;
}

/**
 * As "Frame 12, 0.40 s; the last is 59".
 * @param {number} frame
 * @param {{frames: number, rate: number}} film
 */
export function frameInWords(frame, { frames, rate }) {
  return `Frame ${frame}, ${(frame / rate).toFixed(2)} s; the last is ${frames - 1}`;
}
