import { Drafts } from "../lib/drafts.js";
import { between, height, LEAST, width } from "./geometry.js";

/** @import { Box, Size } from "#types" */

const drafts = new Drafts("boxes drawing");

/** A box that is being drawn: first a point is sought, then, with one corner set, the other one. */
export class Drawing {
  /**
   * @param {Size} screen
   * @param {number} x
   * @param {number} y
   */
  constructor(screen, x, y) {
    this.screen = screen;
    /** @type {[number, number] | null} */
    this.anchor = null;
    /** @type {[number, number]} */
    this.corner = [0, 0];
    this.to(x, y);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  to(x, y) {
    this.corner = [Math.round(x), Math.round(y)];
    this.corner[0] = Math.min(Math.max(this.corner[0], 0), this.screen.width);
    this.corner[1] = Math.min(Math.max(this.corner[1], 0), this.screen.height);
  }

  /** The corner stays here. */
  set() {
    this.anchor = [...this.corner];
  }

  /** @returns {Box | null} */
  get box() {
    return this.anchor === null ? null : between(...this.anchor, ...this.corner, this.screen);
  }

  get largeEnough() {
    return this.box !== null && width(this.box) >= LEAST && height(this.box) >= LEAST;
  }
}

/**
 * Keeps the corners of an unfinished box, so that neither a reload nor a closed tab loses them.
 * @param {string} screen
 * @param {Drawing | null} drawing
 */
export function keepDraft(screen, drawing) {
  if (drawing === null || drawing.anchor === null) drafts.drop(screen);
  else drafts.set(screen, [...drawing.anchor, ...drawing.corner]);
}

/**
 * The unfinished box of a screen, or null.
 * @param {string} screenId
 * @param {Size} screen
 */
export function keptDraft(screenId, screen) {
  const found = drafts.get(screenId);
  if (!Array.isArray(found) || found.length !== 4 || !found.every(Number.isFinite)) return null;
  const drawing = new Drawing(screen, found[0], found[1]);
  drawing.set();
  drawing.to(found[2], found[3]);
  return drawing;
}
