/** What is said of a text, as edits of the documents of its screen. */

import { boxField } from "../boxes/geometry.js";

/** @typedef {import("../work/sheet.js").Sheet} Sheet */

/** A verdict holds for the box that the text is of, and for the words that were judged.
 * @param {Sheet} sheet @param {string} told what the region is for, as who judges it has seen it */
export function judged(sheet, name, values, told) {
  const set = { rejected: false, ...values, told, box: boxField(sheet.region(name).box), gone: false };
  return [{ kind: "validation", name, set }];
}

/** @param {Sheet} sheet */
export function takenBack(sheet, name) {
  return sheet.current("validation", name) ? [{ kind: "validation", name, set: { gone: true } }] : [];
}

/** A text that a person wrote needs a verdict of its own: the one on the text before is taken back with it.
 * @param {Sheet} sheet @param {number} after the version that it was written from */
export function toldAnew(sheet, name, values, after) {
  const set = { ...values, box: boxField(sheet.region(name).box), gone: false };
  return [{ kind: "retelling", name, set, after }, ...takenBack(sheet, name)];
}
