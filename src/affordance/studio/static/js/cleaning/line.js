/** The line that a brush was drawn along, with as few points as show it. */

const MOST = 4000; // points of one stroke, as the server allows it

/** To a tenth of a pixel. */
export function rounded([x, y]) {
  return [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
}

/**
 * The same line without the points that lie on the way, as far as anybody can see.
 * @param {number[][]} points
 * @param {number} tolerance pixels of the picture
 */
export function simplified(points, tolerance = 0.4) {
  const distinct = points.map(rounded).filter(([x, y], at, all) => !at || x !== all[at - 1][0] || y !== all[at - 1][1]);
  const kept = distinct.length > 2 ? thinned(distinct, tolerance) : distinct;
  return kept.length <= MOST ? kept : simplified(kept, 2 * tolerance);
}

function thinned(points, tolerance) {
  const keep = new Set([0, points.length - 1]);
  const waiting = [[0, points.length - 1]];
  while (waiting.length) {
    const [first, last] = waiting.pop();
    let [far, at] = [tolerance, -1];
    for (let index = first + 1; index < last; index += 1) {
      const off = distance(points[index], points[first], points[last]);
      if (off > far) [far, at] = [off, index];
    }
    if (at < 0) continue;
    keep.add(at);
    waiting.push([first, at], [at, last]);
  }
  return points.filter((_, index) => keep.has(index));
}

/** From a point to the piece of a line between two others. */
function distance([x, y], [x1, y1], [x2, y2]) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const along = length ? Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length)) : 0;
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}
