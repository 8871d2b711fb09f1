import { el } from "../lib/dom.js";
import { clamp } from "./geometry.js";

const TIMES = 8;
const PIXELS = [20, 12]; // of the screen, across: where there is room, and in a small pane
const ROOM = 420; // pixels of the window
const AWAY = 28; // from the pointer, so that it does not hide what is looked at
const CAPTION = 20;
const KERNEL = [0, -0.6, 0, -0.6, 3.4, -0.6, 0, -0.6, 0];

/** Eight times the pixels around a point, sharpened, with a crosshair on the edge that the point is on. */
export class Loupe {
  constructor() {
    this.canvas = el("canvas", { class: "stage-loupe", hidden: true, "aria-hidden": "true" });
    this.brush = this.canvas.getContext("2d");
    this.pixels = 0;
    this.url = "";
    this.bitmap = null;
  }

  /** The picture to look at. It is decoded when it is looked at first, and away from the page's own thread. */
  setPicture(url) {
    if (url === this.url) return;
    this.url = url;
    this.bitmap?.close();
    this.bitmap = null;
    this.loading = false;
  }

  hide() {
    this.canvas.hidden = true;
  }

  /** Show what is around a point (x, y) of the screen, beside the point (px, py) of the pane.
   * @param {() => void} onReady called when there is something to be shown */
  show(x, y, px, py, pane, look, onReady) {
    if (this.bitmap === null) {
      this.#load(onReady);
      return;
    }
    this.#fit(Math.min(pane.width, pane.height) < ROOM ? PIXELS[1] : PIXELS[0], look);
    this.#sharpen(Math.round(x), Math.round(y));
    this.#paint(Math.round(x), Math.round(y), look);
    const high = this.side + CAPTION;
    const left = px + AWAY + this.side > pane.width ? px - AWAY - this.side : px + AWAY;
    const top = py + AWAY + high > pane.height ? py - AWAY - high : py + AWAY;
    const x1 = clamp(left, 0, Math.max(0, pane.width - this.side));
    const y1 = clamp(top, 0, Math.max(0, pane.height - high));
    this.canvas.style.transform = `translate(${x1}px, ${y1}px)`;
    this.canvas.hidden = false;
  }

  async #load(onReady) {
    if (this.loading) return;
    this.loading = true;
    const { url } = this;
    const bitmap = await fetch(url)
      .then((response) => response.blob())
      .then((blob) => createImageBitmap(blob))
      .catch(() => null); // the stage tells of a picture that does not come
    if (url !== this.url) {
      bitmap?.close();
      return;
    }
    this.bitmap = bitmap;
    if (bitmap !== null) onReady();
  }

  #fit(pixels, look) {
    if (this.pixels === pixels) return;
    this.pixels = pixels;
    this.side = pixels * TIMES;
    this.canvas.width = this.side;
    this.canvas.height = this.side + CAPTION;
    this.brush.font = `12px ${look.sans}`;
    this.brush.textBaseline = "middle";
    this.brush.textAlign = "center";
    this.small = new OffscreenCanvas(pixels + 2, pixels + 2).getContext("2d", { willReadFrequently: true });
  }

  #sharpen(x, y) {
    const [side, half] = [this.pixels + 2, this.pixels / 2 + 1];
    this.small.clearRect(0, 0, side, side);
    this.small.drawImage(this.bitmap, x - half, y - half, side, side, 0, 0, side, side);
    const from = this.small.getImageData(0, 0, side, side);
    const to = this.small.createImageData(side, side);
    for (let row = 1; row < side - 1; row += 1) {
      for (let column = 1; column < side - 1; column += 1) sharpenPixel(from.data, to.data, row, column, side);
    }
    this.small.putImageData(to, 0, 0);
  }

  #paint(x, y, look) {
    const { brush, side } = this;
    brush.imageSmoothingEnabled = false;
    brush.fillStyle = look.raised;
    brush.fillRect(0, 0, side, side + CAPTION);
    brush.drawImage(this.small.canvas, 1, 1, this.pixels, this.pixels, 0, 0, side, side);
    for (const [color, wide] of [[look.surface, 3], [look.answer, 1]]) {
      brush.fillStyle = color;
      brush.fillRect(side / 2 - Math.floor(wide / 2), 0, wide, side);
      brush.fillRect(0, side / 2 - Math.floor(wide / 2), side, wide);
    }
    brush.fillStyle = look.ink;
    brush.fillText(`${x}, ${y}`, side / 2, side + CAPTION / 2);
  }
}

/** One pixel by its four neighbours; what lies off the screen is transparent, and stays so. */
function sharpenPixel(from, to, row, column, side) {
  const center = (row * side + column) * 4;
  if (from[center + 3] === 0) return;
  for (let channel = 0; channel < 3; channel += 1) {
    let sum = 0;
    for (let place = 0; place < 9; place += 1) {
      if (KERNEL[place] === 0) continue;
      const near = center + (Math.floor(place / 3) - 1) * side * 4 + ((place % 3) - 1) * 4;
      sum += KERNEL[place] * from[(from[near + 3] === 0 ? center : near) + channel];
    }
    to[center + channel] = sum; // clamped by the array
  }
  to[center + 3] = 255;
}
