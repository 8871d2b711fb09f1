import { Drafts } from "../lib/drafts.js";
import { between, height, LEAST, width } from "./geometry.js";

const drafts = new Drafts("boxes drawing");

/** A box that is being drawn: first a point is sought, then, with one corner set, the other one. */
export class Drawing {
  constructor(screen, x, y) {
    this.screen = screen;
    this.anchor = null;
    this.to(x, y);
  }

  to(x, y) {
    this.corner = [Math.round(x), Math.round(y)];
    this.corner[0] = Math.min(Math.max(this.corner[0], 0), this.screen.width);
    this.corner[1] = Math.min(Math.max(this.corner[1], 0), this.screen.height);
  }

  /** The corner stays here. */
  set() {
    this.anchor = [...this.corner];
  }

  get box() {
    return this.anchor === null ? null : between(...this.anchor, ...this.corner, this.screen);
  }

  get largeEnough() {
    return this.box !== null && width(this.box) >= LEAST && height(this.box) >= LEAST;
  }
}

/** Keeps the corners of an unfinished box, so that neither a reload nor a closed tab loses them. */
export function keepDraft(screen, drawing) {
  if (drawing === null || drawing.anchor === null) drafts.drop(screen);
  else drafts.set(screen, [...drawing.anchor, ...drawing.corner]);
}

/** The unfinished box of a screen, or null. @returns {Drawing | null} */
export function keptDraft(screenId, screen) {
  const found = drafts.get(screenId);
  if (!Array.isArray(found) || found.length !== 4 || !found.every(Number.isFinite)) return null;
  const drawing = new Drawing(screen, found[0], found[1]);
  drawing.set();
  drawing.to(found[2], found[3]);
  return drawing;
}
