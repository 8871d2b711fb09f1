import { ROOT } from "../work/documents.js";
import { readingOrder } from "./order.js";

// From one region to the next by keys: names, or null where there is none.

/** The next region of the same parent, as one reads them. */
export function beside(stage, by) {
  const siblings = inOrder(stage, stage.regions.get(stage.selected)?.parent ?? ROOT);
  const at = siblings.indexOf(stage.selected);
  return siblings[at < 0 ? 0 : (at + by + siblings.length) % siblings.length] ?? null;
}

export function outward(stage) {
  return stage.regions.get(stage.selected)?.parent ?? null;
}

export function inward(stage) {
  return inOrder(stage, stage.regions.has(stage.selected) ? stage.selected : ROOT)[0] ?? null;
}

function inOrder(stage, parent) {
  return readingOrder(stage.sheet.children(parent), (name) => stage.box(name));
}
