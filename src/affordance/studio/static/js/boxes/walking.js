import { ROOT } from "../work/documents.js";
import { readingOrder } from "./order.js";

/** @import { Box } from "#types" */

/**
 * What is shown and selected.
 * @typedef {object} Shown
 * @property {Map<string | null, {parent: string | null}>} regions
 * @property {string | null} selected
 * @property {{children: (name: string) => string[]}} sheet
 * @property {(name: string) => Box} box
 */

// From one region to the next by keys: names, or null where there is none.

/**
 * The next region of the same parent, as one reads them.
 * @param {Shown} stage
 * @param {number} by
 */
export function beside(stage, by) {
  const siblings = inOrder(stage, stage.regions.get(stage.selected)?.parent ?? ROOT);
  const at = siblings.indexOf(stage.selected ?? "");
  return siblings[at < 0 ? 0 : (at + by + siblings.length) % siblings.length] ?? null;
}

/** @param {Shown} stage */
export function outward(stage) {
  return stage.regions.get(stage.selected)?.parent ?? null;
}

/** @param {Shown} stage */
export function inward(stage) {
  const { selected } = stage;
  return inOrder(stage, selected !== null && stage.regions.has(selected) ? selected : ROOT)[0] ?? null;
}

/**
 * @param {Shown} stage
 * @param {string} parent
 */
function inOrder(stage, parent) {
  return readingOrder(stage.sheet.children(parent), (name) => stage.box(name));
}
