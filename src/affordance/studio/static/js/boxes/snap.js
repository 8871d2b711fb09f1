import { getJson } from "../lib/api.js";
import { clamp } from "./geometry.js";
import { Latest } from "./latest.js";

/** @import { Box } from "#types" */
/** @typedef {{at: number, from: number, to: number}} Extent */
/** @typedef {Extent & {name: string | null}} Line whose edge it is; null: of the page itself */
/** @typedef {Extent & {axis: string}} Guide */
/** @typedef {{x: number | null, y: number | null, corner: number[] | null, lines: Guide[]}} Answer */

const REACH = 6; // pixels of the window
const BESIDE = 48; // pixels of the window past its end that a line still attracts
const RADIUS = [4, 64]; // pixels of the screen that the server looks around in

/** Lines of one axis, sorted: where one is, from where to where it goes, and whose edge it is. */
class Lines {
  /** @param {Line[]} lines */
  constructor(lines) {
    this.lines = lines.sort((one, other) => one.at - other.at);
  }

  /**
   * The nearest one to `at` that passes by `across`; those of the page itself win over those that were drawn.
   * @param {number} at
   * @param {number} across
   * @param {number} reach
   * @param {number} beside
   * @param {Set<string | null>} skip
   */
  near(at, across, reach, beside, skip) {
    /** @type {Line | null} */
    let best = null;
    for (let index = this.#first(at - reach); index < this.lines.length; index += 1) {
      const line = this.lines[index];
      if (line.at > at + reach) break;
      if (skip.has(line.name) || across < line.from - beside || across > line.to + beside) continue;
      const better = best === null ? 1 : Math.abs(best.at - at) - Math.abs(line.at - at);
      if (better > 0 || (better === 0 && line.name === null)) best = line;
    }
    return best;
  }

  /**
   * The next one after `at`, in a direction.
   * @param {number} at
   * @param {number} direction
   */
  next(at, direction) {
    const index = direction > 0 ? this.#first(at + 0.5) : this.#first(at - 0.5) - 1;
    return this.lines[index]?.at ?? null;
  }

  /** @param {number} at */
  #first(at) {
    let [low, high] = [0, this.lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.lines[middle].at < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Draws points to the edges of what the page or the detector knows, of other regions, and of the picture itself. */
export class Snapper {
  /** @param {() => void} onFound called when the server has found a line near the last point */
  constructor(onFound) {
    this.on = true;
    /** @type {Answer | null} what the server found last */
    this.picture = null;
    this.asking = new Latest(
      (query) => getJson(`/api/snap?${query}`),
      (answer) => {
        this.picture = answer;
        onFound();
      },
    );
    /** @type {{x: Lines, y: Lines} | null} */
    this.made = null;
    this.screen = "";
    /** @type {[{name: string, box: Box}[], {box: Box}[]]} */
    this.sources = [[], []];
  }

  get x() {
    return this.#lines().x;
  }

  get y() {
    return this.#lines().y;
  }

  /**
   * @param {string} screen
   * @param {{name: string, box: Box}[]} regions
   * @param {{box: Box}[]} known
   */
  setLines(screen, regions, known) {
    if (screen !== this.screen) this.release();
    this.screen = screen;
    this.sources = [regions, known];
    this.made = null; // until somebody drags
  }

  /**
   * A point near lines, on them. `axes` says in which directions it may be drawn; `ask`: whether the picture counts.
   * @param {number} x
   * @param {number} y
   * @param {{scale: number, axes?: string, skip?: Set<string | null>, ask?: boolean}} options
   * @returns {{x: number, y: number, guides: Guide[]}}
   */
  point(x, y, { scale, axes = "xy", skip = new Set(), ask = true }) {
    const [reach, beside] = [REACH / scale, BESIDE / scale];
    const byX = axes.includes("x") ? this.x.near(x, y, reach, beside, skip) : null;
    const byY = axes.includes("y") ? this.y.near(y, x, reach, beside, skip) : null;
    /** @type {Guide[]} */
    const guides = [];
    const found = { x, y, guides };
    if (byX) found.x = this.#guide(guides, "x", byX);
    if (byY) found.y = this.#guide(guides, "y", byY);
    if (!ask || ((byX || !axes.includes("x")) && (byY || !axes.includes("y")))) return found;
    this.#byPicture(found, { x: byX ? "" : axes, y: byY ? "" : axes }, reach);
    const radius = clamp(Math.round(reach), RADIUS[0], RADIUS[1]);
    const at = { x: String(Math.max(0, Math.round(x))), y: String(Math.max(0, Math.round(y))) };
    this.asking.put(new URLSearchParams({ screen: this.screen, ...at, radius: String(radius) }));
    return found;
  }

  /**
   * By how much a box that is being moved is drawn: of its opposite edges, the one that is nearer to a line counts.
   * @param {Box} box
   * @param {{scale: number, skip: Set<string | null>}} options
   */
  box(box, { scale, skip }) {
    const [reach, beside] = [REACH / scale, BESIDE / scale];
    /** @type {Guide[]} */
    const guides = [];
    /** @type {(lines: Lines, axis: string, low: number, high: number, across: number) => number} */
    const best = (lines, axis, low, high, across) => {
      const found = [low, high]
        .flatMap((at) => {
          const line = lines.near(at, across, reach, beside, skip);
          return line === null ? [] : [{ at, line }];
        })
        .sort((one, other) => Math.abs(one.line.at - one.at) - Math.abs(other.line.at - other.at))[0];
      return found ? this.#guide(guides, axis, found.line) - found.at : 0;
    };
    const dx = best(this.x, "x", box[0], box[2], (box[1] + box[3]) / 2);
    const dy = best(this.y, "y", box[1], box[3], (box[0] + box[2]) / 2);
    return { dx, dy, guides };
  }

  /** What was found for a gesture does not count for the next one. */
  release() {
    this.picture = null;
    this.asking.forget();
  }

  #lines() {
    if (this.made !== null) return this.made;
    const [regions, known] = this.sources;
    /** @type {Line[]} */
    const x = [];
    /** @type {Line[]} */
    const y = [];
    for (const { name, box } of [...regions, ...known.map((one) => ({ name: null, box: one.box }))]) {
      x.push({ at: box[0], from: box[1], to: box[3], name }, { at: box[2], from: box[1], to: box[3], name });
      y.push({ at: box[1], from: box[0], to: box[2], name }, { at: box[3], from: box[0], to: box[2], name });
    }
    this.made = { x: new Lines(x), y: new Lines(y) };
    return this.made;
  }

  /**
   * @param {Guide[]} guides
   * @param {string} axis
   * @param {Extent} line
   */
  #guide(guides, axis, line) {
    guides.push({ axis, at: line.at, from: line.from, to: line.to });
    return line.at;
  }

  /**
   * @param {{x: number, y: number, guides: Guide[]}} found
   * @param {{x: string, y: string}} axes
   * @param {number} reach
   */
  #byPicture(found, axes, reach) {
    const { picture } = this;
    if (picture === null) return;
    /** @type {(one: number | null, other: number) => boolean} */
    const close = (one, other) => one !== null && Math.abs(one - other) <= reach;
    const [cornerX, cornerY] = picture.corner ?? [null, null];
    const corner = axes.x === "xy" && axes.y === "xy" && close(cornerX, found.x) && close(cornerY, found.y);
    const [x, y] = corner ? [cornerX, cornerY] : [picture.x, picture.y];
    /** @type {["x" | "y", number | null][]} */
    const lines = [
      ["x", x],
      ["y", y],
    ];
    for (const [axis, at] of lines) {
      if (!axes[axis].includes(axis) || at === null || at === undefined || !close(at, found[axis])) continue;
      const line = picture.lines.find((one) => one.axis === axis && Math.abs(one.at - at) < 1);
      const across = axis === "x" ? found.y : found.x;
      const ends = { from: line?.from ?? across - 20, to: line?.to ?? across + 20 };
      found[axis] = this.#guide(found.guides, axis, { at, ...ends });
    }
  }
}
