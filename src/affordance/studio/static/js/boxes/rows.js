// The tree as rows: which regions are shown, in which order, at which depth. Pure.

import { readingOrder, worstFirst } from "./order.js";

/** @import { Region } from "#types" */
/** @typedef {{name: string, level: number, open: boolean | null, at: number, of: number, found: boolean}} Row */
/** @typedef {((name: string) => boolean) | null} Fits */

/**
 * What a screen says of its regions.
 * @typedef {object} Regions
 * @property {() => Region[]} regions
 * @property {(name: string) => Region | undefined} region
 * @property {(name: string) => string[]} children
 * @property {(name: string) => string[]} ancestors
 */

/**
 * @param {Regions} sheet
 * @param {object} options
 * @param {Set<string>} options.closed regions whose children are not shown
 * @param {boolean} options.worst all regions in one list, those that the verifier likes least first
 * @param {Fits} options.fits only what fits is shown, and the way to it
 * @returns {Row[]}
 */
export function treeRows(sheet, { closed, worst, fits }) {
  return worst ? flatRows(sheet, fits) : nestedRows(sheet, closed, fits);
}

/**
 * @param {Regions} sheet
 * @param {Set<string>} closed
 * @param {Fits} fits
 */
function nestedRows(sheet, closed, fits) {
  const shown = fits === null ? null : shownBy(sheet, fits);
  /** @param {string} name */
  const boxOf = (name) => /** @type {Region} */ (sheet.region(name)).box;
  /** @param {string} name */
  const below = (name) => {
    const names = shown === null ? sheet.children(name) : sheet.children(name).filter((one) => shown.has(one));
    return readingOrder(names, boxOf);
  };
  const roots = sheet.regions().filter((one) => one.parent === null && (shown === null || shown.has(one.name)));
  const names = roots.map((one) => one.name);
  const waiting = stack(names, 1);
  const rows = [];
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    const children = below(row.name);
    // What a search has found is never hidden.
    row.open = children.length === 0 ? null : shown !== null || !closed.has(row.name);
    row.found = fits === null || fits(row.name);
    rows.push(row);
    if (row.open) waiting.push(...stack(children, row.level + 1));
  }
  return rows;
}

/**
 * @param {Regions} sheet
 * @param {Fits} fits
 * @returns {Row[]}
 */
function flatRows(sheet, fits) {
  const all = nestedRows(sheet, new Set(), null).filter((row) => sheet.region(row.name)?.parent !== null);
  const names = all.map((row) => row.name).filter((name) => fits === null || fits(name));
  const ordered = worstFirst(names, (name) => sheet.region(name)?.entry.document.scores ?? null);
  return ordered.map((name, index) => ({ name, level: 1, open: null, at: index + 1, of: names.length, found: true }));
}

/**
 * @param {Regions} sheet
 * @param {(name: string) => boolean} fits
 */
function shownBy(sheet, fits) {
  const shown = new Set();
  for (const { name } of sheet.regions()) {
    if (!fits(name)) continue;
    shown.add(name);
    for (const above of sheet.ancestors(name)) shown.add(above);
  }
  return shown;
}

/**
 * @param {string[]} names
 * @param {number} level
 * @returns {Row[]}
 */
function stack(names, level) {
  const rows = names.map((name, index) => ({ name, level, open: null, at: index + 1, of: names.length, found: true }));
  return rows.reverse();
}
