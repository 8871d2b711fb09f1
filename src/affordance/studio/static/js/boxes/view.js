import { clamp } from "./geometry.js";

/** @import { Box, Size } from "#types" */

const MOST = 32; // times the size of the picture
const MARGIN = 16; // around what is fitted in
const SEEN = 48; // of the picture always stay in sight

/** Which part of a screen is in sight: where its corner is in the pane, and how large one of its pixels is.
 * Two panes that show the same view are synchronised by it. */
export class View {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.pane = { width: 1, height: 1 };
    this.screen = { width: 1, height: 1 };
    this.fitted = true; // until somebody moves it, it follows the size of the pane
  }

  /** Another screen: shown as a whole. @param {Size} screen */
  show(screen) {
    this.screen = { width: screen.width, height: screen.height };
    this.fit();
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    if (width === this.pane.width && height === this.pane.height) return;
    const [x, y] = this.toScreen(this.pane.width / 2, this.pane.height / 2);
    this.pane = { width: Math.max(1, width), height: Math.max(1, height) };
    if (this.fitted) this.fit();
    else this.center(x, y);
  }

  fit() {
    this.frame([0, 0, this.screen.width, this.screen.height], 1);
    this.fitted = true;
  }

  /** A box as large as it goes, in the middle. @param {Box} box */
  frame(box, share = 0.7) {
    const [width, height] = [this.pane.width - 2 * MARGIN, this.pane.height - 2 * MARGIN];
    const wanted = share * Math.min(width / (box[2] - box[0]), height / (box[3] - box[1]));
    this.scale = clamp(wanted, Math.min(0.05, wanted > 0 ? wanted : 0.05), share === 1 ? 4 : 8);
    if (!(this.scale > 0)) this.scale = 0.05;
    this.fitted = false;
    this.center((box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
  }

  /** Moves no further than it has to so that a box can be seen; nothing if it is in sight already. @param {Box} box */
  reveal(box) {
    const [left, top] = this.toPane(box[0], box[1]);
    const [right, bottom] = this.toPane(box[2], box[3]);
    /** @type {(low: number, high: number, size: number) => number} */
    const by = (low, high, size) => {
      if (high - low > size - 2 * MARGIN) return low > size - SEEN || high < SEEN ? size / 2 - (low + high) / 2 : 0;
      if (low < MARGIN) return MARGIN - low;
      return high > size - MARGIN ? size - MARGIN - high : 0;
    };
    const [dx, dy] = [by(left, right, this.pane.width), by(top, bottom, this.pane.height)];
    if (dx !== 0 || dy !== 0) this.panBy(dx, dy);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  center(x, y) {
    this.x = this.pane.width / 2 - x * this.scale;
    this.y = this.pane.height / 2 - y * this.scale;
    this.#settle();
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  panBy(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.fitted = false;
    this.#settle();
  }

  /**
   * Zooms so that what is at a point of the pane (its middle, if none is given) stays there.
   * @param {number} factor
   */
  zoomBy(factor, px = this.pane.width / 2, py = this.pane.height / 2) {
    const [x, y] = this.toScreen(px, py);
    const least = Math.min(0.1, this.pane.width / this.screen.width / 2, this.pane.height / this.screen.height / 2);
    this.scale = clamp(this.scale * factor, least, MOST);
    this.x = px - x * this.scale;
    this.y = py - y * this.scale;
    this.fitted = false;
    this.#settle();
  }

  /**
   * @param {number} px
   * @param {number} py
   * @returns {[number, number]}
   */
  toScreen(px, py) {
    return [(px - this.x) / this.scale, (py - this.y) / this.scale];
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {[number, number]}
   */
  toPane(x, y) {
    return [x * this.scale + this.x, y * this.scale + this.y];
  }

  #settle() {
    this.x = clamp(this.x, SEEN - this.screen.width * this.scale, this.pane.width - SEEN);
    this.y = clamp(this.y, SEEN - this.screen.height * this.scale, this.pane.height - SEEN);
    this.onChange();
  }
}
