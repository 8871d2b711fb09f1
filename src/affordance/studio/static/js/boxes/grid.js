import { area, contains, holds } from "./geometry.js";

/** @import { Box, Size } from "#types" */
/** @typedef {{name: string, box: Box}} Named */

const CELLS = 1024; // about as many, however large the screen is

/** Which regions are at a point, by a grid over the screen: looking up does not depend on how many there are. */
export class Grid {
  /**
   * @param {Size} screen
   * @param {Named[]} regions
   */
  constructor(screen, regions) {
    this.size = Math.max(16, Math.ceil(Math.sqrt((screen.width * screen.height) / CELLS)));
    this.columns = Math.ceil(screen.width / this.size) + 1;
    this.rows = Math.ceil(screen.height / this.size) + 1;
    /** @type {Map<number, Named[]>} */
    this.cells = new Map();
    // Largest first, so that every cell has its smallest last; of equal boxes the outer one comes first.
    for (const region of [...regions].sort((one, other) => area(other.box) - area(one.box))) this.#add(region);
  }

  /**
   * Names of the regions at a point, the smallest first.
   * @param {number} x
   * @param {number} y
   */
  at(x, y) {
    const found = this.#cell(x, y).filter((region) => holds(region.box, x, y));
    return found.reverse().map((region) => region.name);
  }

  /**
   * The smallest region that has all of a box inside, and is not the box itself.
   * @param {Box} box
   * @param {Set<string>} except
   */
  around(box, except = new Set()) {
    const cell = this.#cell(box[0], box[1]);
    for (let index = cell.length - 1; index >= 0; index -= 1) {
      const region = cell[index];
      if (!except.has(region.name) && contains(region.box, box) && area(region.box) > area(box)) return region.name;
    }
    return null;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #cell(x, y) {
    return this.cells.get(Math.floor(y / this.size) * this.columns + Math.floor(x / this.size)) ?? [];
  }

  /** @param {Named} region */
  #add(region) {
    const [left, top, right, bottom] = region.box.map((value) => Math.floor(value / this.size));
    for (let row = Math.max(0, top); row <= Math.min(bottom, this.rows - 1); row += 1) {
      for (let column = Math.max(0, left); column <= Math.min(right, this.columns - 1); column += 1) {
        const key = row * this.columns + column;
        const cell = this.cells.get(key);
        if (cell) cell.push(region);
        else this.cells.set(key, [region]);
      }
    }
  }
}
