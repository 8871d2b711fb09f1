// Marks on a canvas, in its own pixels. Edges are filled and not stroked: a thousand of them take a millisecond.

const NAMES = ["surface", "raised", "ink", "soft", "rule", "accent", "truth", "answer"];

/** The colours and the font of the page, as they are now. */
export function readLook(element) {
  const style = getComputedStyle(element);
  const look = Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim() || "#888"]));
  return { ...look, sans: style.getPropertyValue("--sans").trim() || "sans-serif" };
}

/** A box of the screen in pixels of the canvas, as whole numbers. */
export function place(box, view, ratio) {
  return [
    Math.round((box[0] * view.scale + view.x) * ratio),
    Math.round((box[1] * view.scale + view.y) * ratio),
    Math.round((box[2] * view.scale + view.x) * ratio),
    Math.round((box[3] * view.scale + view.y) * ratio),
  ];
}

export function inSight(at, canvas) {
  return at[2] >= 0 && at[3] >= 0 && at[0] <= canvas.width && at[1] <= canvas.height;
}

/** The four edges, `width` wide, `out` of the box. */
export function edges(brush, at, width, out = 0) {
  const [x1, y1, x2, y2] = [at[0] - out, at[1] - out, at[2] + out, at[3] + out];
  brush.fillRect(x1, y1, x2 - x1, width);
  brush.fillRect(x1, y2 - width, x2 - x1, width);
  brush.fillRect(x1, y1 + width, width, y2 - y1 - 2 * width);
  brush.fillRect(x2 - width, y1 + width, width, y2 - y1 - 2 * width);
}

export function dashed(brush, at, color, width, dash) {
  brush.save();
  brush.strokeStyle = color;
  brush.lineWidth = width;
  brush.setLineDash(dash);
  brush.strokeRect(at[0] + width / 2, at[1] + width / 2, at[2] - at[0] - width, at[3] - at[1] - width);
  brush.restore();
}

/** Slanting lines to fill with. */
export function hatching(brush, color, ratio) {
  const size = Math.round(6 * ratio);
  const tile = document.createElement("canvas");
  tile.width = size;
  tile.height = size;
  const pen = tile.getContext("2d");
  pen.strokeStyle = color;
  pen.lineWidth = size / 3;
  for (const from of [-size, 0, size]) {
    pen.beginPath();
    pen.moveTo(from - 1, size + 1);
    pen.lineTo(from + size + 1, -1);
    pen.stroke();
  }
  return brush.createPattern(tile, "repeat");
}

/** A label on a ground of its own. `right`: x is its right end.
 * @returns {number[]} where it is */
export function chip(brush, text, x, y, { ground, ink, ratio, right = false, strength = 1 }) {
  const [wide, high] = chipSize(brush, text, ratio);
  const left = right ? x - wide : x;
  brush.fillStyle = ground;
  brush.globalAlpha = strength;
  brush.fillRect(left, y, wide, high);
  brush.globalAlpha = 1;
  brush.fillStyle = ink;
  brush.fillText(text, left + 4 * ratio, y + high / 2);
  return [left, y, left + wide, y + high];
}

const sizes = new Map();

export function chipSize(brush, text, ratio) {
  const key = `${ratio} ${text}`; // there is one font; to ask the canvas for it takes longer than all the rest
  if (!sizes.has(key)) {
    if (sizes.size > 5000) sizes.clear();
    sizes.set(key, Math.ceil(brush.measureText(text).width));
  }
  return [sizes.get(key) + 8 * ratio, Math.round(15 * ratio)];
}

const fonts = new WeakMap(); // what was set, by canvas: to set it again takes milliseconds

export function setFont(brush, look, ratio) {
  const { canvas } = brush;
  const key = `${canvas.width} ${canvas.height} ${ratio} ${look.sans}`; // a canvas of another size has forgotten it
  if (fonts.get(canvas) === key) return;
  fonts.set(canvas, key);
  brush.font = `${Math.round(11 * ratio)}px ${look.sans}`;
  brush.textBaseline = "middle";
  brush.direction = "ltr"; // or the page is laid out first, to know which it has
}

/** Dots at the corners: not yet with the server. */
export function dots(brush, at, color, ratio) {
  const size = Math.round(2 * ratio);
  brush.fillStyle = color;
  const [x1, y1, x2, y2] = at;
  for (const [x, y, dx, dy] of [[x1, y1, 1, 1], [x2, y1, -1, 1], [x1, y2, 1, -1], [x2, y2, -1, -1]]) {
    for (const step of [0, 1, 2]) {
      brush.fillRect(x - dx * size + dx * step * size * 2 - size / 2, y - dy * size * 1.5 - size / 2, size, size);
      brush.fillRect(x - dx * size * 1.5 - size / 2, y - dy * size + dy * step * size * 2 - size / 2, size, size);
    }
  }
}

/** A square handle around a point. */
export function handle(brush, x, y, { ground, ink, ratio }) {
  const size = Math.round(8 * ratio);
  brush.fillStyle = ink;
  brush.fillRect(x - size / 2, y - size / 2, size, size);
  const line = Math.max(1, Math.round(1.5 * ratio));
  brush.fillStyle = ground;
  brush.fillRect(x - size / 2 + line, y - size / 2 + line, size - 2 * line, size - 2 * line);
}
