/** A part of a screenshot with what is around it, drawn on a canvas: what it is about stands out from the rest. */

const AROUND = 0.2; // of the longer side that is shown beyond the box
const LEAST = 48; // pixels of the screen around it at least
const MOST = 4; // times that a pixel of the screen is enlarged at most
const KEPT = 6; // pictures

const pictures = new Map();

/**
 * The screenshot, decoded. The last few are kept, so that what was preloaded is there at once.
 * @param {string} digest
 * @returns {Promise<HTMLImageElement>}
 */
export function pictureOf(digest) {
  let found = pictures.get(digest);
  pictures.delete(digest);
  if (!found) {
    found = loaded(`/pictures/${encodeURIComponent(digest)}`);
    found.catch(() => pictures.delete(digest));
  }
  pictures.set(digest, found);
  for (const oldest of pictures.keys()) {
    if (pictures.size <= KEPT) break;
    pictures.delete(oldest);
  }
  return found;
}

/** The part of a screen that shows a box with what is around it, in the shape of the canvas. */
export function surroundings(box, screen, shape) {
  const [width, height] = [box[2] - box[0], box[3] - box[1]];
  const margin = Math.max(LEAST, AROUND * Math.max(width, height));
  let [w, h] = [width + 2 * margin, height + 2 * margin];
  if (w / h < shape) w = h * shape;
  else h = w / shape;
  const placed = (low, high, size, whole) =>
    size >= whole ? (whole - size) / 2 : Math.min(Math.max((low + high - size) / 2, 0), whole - size);
  const [x, y] = [placed(box[0], box[2], w, screen.width), placed(box[1], box[3], h, screen.height)];
  return [x, y, x + w, y + h];
}

/**
 * Draw as large as the canvas is on the page.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLImageElement | null} picture null: only clears it
 * @param {object} what
 * @param {number[]} what.part of the screen that is shown
 * @param {{box: number[], look: "answer" | "truth", dashed?: boolean, label?: string}[]} [what.marks]
 * @param {number[]} [what.lit] stays bright, the rest is dimmed
 */
export function draw(canvas, picture, { part, marks = [], lit = null }) {
  const { clientWidth, clientHeight } = canvas;
  const density = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(clientWidth * density));
  canvas.height = Math.max(1, Math.round(clientHeight * density));
  const pen = canvas.getContext("2d");
  if (!picture || !clientWidth || !clientHeight) return;
  const scale = Math.min(clientWidth / (part[2] - part[0]), clientHeight / (part[3] - part[1]), MOST);
  const left = (clientWidth - (part[2] - part[0]) * scale) / 2 - part[0] * scale;
  const top = (clientHeight - (part[3] - part[1]) * scale) / 2 - part[1] * scale;
  pen.setTransform(density, 0, 0, density, 0, 0);
  pen.imageSmoothingQuality = "high";
  pen.imageSmoothingEnabled = scale < 3;
  pen.drawImage(picture, left, top, picture.naturalWidth * scale, picture.naturalHeight * scale);
  const onPage = ([x1, y1, x2, y2]) => [x1 * scale + left, y1 * scale + top, (x2 - x1) * scale, (y2 - y1) * scale];
  if (lit) dim(pen, onPage([0, 0, picture.naturalWidth, picture.naturalHeight]), onPage(lit));
  const style = getComputedStyle(canvas);
  for (const mark of marks) outline(pen, onPage(mark.box), style.getPropertyValue(`--${mark.look}`).trim(), mark);
}

function dim(pen, whole, lit) {
  pen.beginPath();
  pen.rect(...whole);
  pen.rect(...lit);
  pen.fillStyle = "rgb(0 0 0 / 0.28)";
  pen.fill("evenodd");
}

function outline(pen, box, colour, { dashed = false, label = "" }) {
  // A light line below, so that it can be seen on a picture of any colour.
  for (const [stroke, width] of [["rgb(255 255 255 / 0.85)", 4], [colour, 2]]) {
    pen.setLineDash(dashed && width === 2 ? [6, 4] : []);
    pen.strokeStyle = stroke;
    pen.lineWidth = width;
    pen.strokeRect(...box);
  }
  pen.setLineDash([]);
  if (!label) return;
  pen.font = "12px system-ui, sans-serif";
  const wide = pen.measureText(label).width + 8;
  const y = box[1] >= 18 ? box[1] - 18 : box[1];
  pen.fillStyle = "rgb(255 255 255 / 0.92)";
  pen.fillRect(box[0], y, wide, 17);
  pen.fillStyle = "#1b1f24";
  pen.fillText(label, box[0] + 4, y + 12.5);
}

async function loaded(address) {
  const picture = new Image();
  picture.fetchPriority = "high"; // before thumbnails
  picture.src = address;
  await picture.decode();
  return picture;
}
