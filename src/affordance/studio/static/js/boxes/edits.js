import { ROOT } from "../work/documents.js";
import { area, boxField, contains, moved } from "./geometry.js";

/** @import { Box, Edit } from "#types" */
/** @import { Grid } from "./grid.js" */

/** @typedef {{label: string, edits: Edit[]}} Stroke */
/** @typedef {Map<string, {name: string, box: Box, parent: string | null}>} Regions */

/**
 * The region that a new box belongs to: the selected one if it has all of it inside, else the smallest that has.
 * @param {Box} box
 * @param {{regions: Regions, grid: Grid, selected: string | null}} stage
 */
export function parentOf(box, { regions, grid, selected }) {
  const chosen = selected === null ? undefined : regions.get(selected);
  if (chosen && selected !== ROOT && contains(chosen.box, box) && area(chosen.box) > area(box)) return selected;
  return grid.around(box) ?? ROOT;
}

/**
 * A new region. With `wrap` it takes in those of its siblings that lie inside.
 * @param {string} name
 * @param {Box} box
 * @param {string} parent
 * @param {Regions} regions
 * @returns {Stroke}
 */
export function drawn(name, box, parent, regions, wrap = false) {
  const set = { box: boxField(box), parent, type: "", dividable: false };
  /** @type {Edit[]} */
  const edits = [{ kind: "region", name, set }];
  if (wrap) {
    const inside = [...regions.values()].filter((one) => one.parent === parent && contains(box, one.box));
    edits.push(...inside.map((one) => ({ kind: "region", name: one.name, set: { parent: name } })));
  }
  return { label: `Draw ${name}`, edits };
}

/**
 * New boxes for regions that there are: one step.
 * @param {string} verb
 * @param {string} name
 * @param {Map<string, Box>} boxes
 * @returns {Stroke}
 */
export function placed(verb, name, boxes) {
  const edits = [...boxes].map(([one, box]) => ({ kind: "region", name: one, set: { box: boxField(box) } }));
  return { label: `${verb} ${name}`, edits };
}

/**
 * The boxes of a region, and of all inside of it, when it is moved.
 * @param {string[]} names
 * @param {Regions} regions
 * @param {number} dx
 * @param {number} dy
 */
export function movedBoxes(names, regions, dx, dy) {
  return new Map(names.map((name) => [name, moved(existing(regions, name).box, dx, dy)]));
}

/**
 * A region deleted: with what is inside of it, or so that its children go to its parent.
 * @param {string} name
 * @param {Regions} regions
 * @param {boolean} keepChildren
 * @returns {Stroke}
 */
export function removed(name, regions, keepChildren) {
  const { parent } = existing(regions, name);
  const children = [...regions.values()].filter((one) => one.parent === name);
  const kept = keepChildren ? children.map((one) => ({ kind: "region", name: one.name, set: { parent } })) : [];
  return { label: `Delete ${name}`, edits: [...kept, { kind: "region", name, set: { gone: true } }] };
}

/**
 * @param {Regions} regions
 * @param {string} name
 */
function existing(regions, name) {
  const found = regions.get(name);
  if (!found) throw new TypeError(`there is no region ${name}`);
  return found;
}
