import { same } from "../work/documents.js";
import { chip, dashed, edges, inSight, place, setFont } from "./paint.js";

/** How the original proposal is shown, in the order in which the key goes through it. */
export const ORIGINAL = ["off", "over", "beside"];

/** Where people differ from what was proposed first: moved, or taken out.
 * @param {Object<string, {box: number[]}>} originals @param {Map<string, {box: number[]}>} regions those of now
 * @returns {{name: string, box: number[], words: string}[]} */
export function differing(originals, regions) {
  return Object.entries(originals)
    .filter(([name, one]) => !regions.has(name) || !same(one.box, regions.get(name).box))
    .map(([name, one]) => ({ name, box: one.box, words: regions.has(name) ? "as proposed" : "deleted" }));
}

/** What somebody is told who asks for the original proposal. */
export function originalWords(how, differences) {
  if (how === "off") return "Original proposal off";
  const many = differences.length === 1 ? "1 region differs" : `${differences.length} regions differ`;
  return `Original proposal ${how}: ${differences.length === 0 ? "nothing differs" : many}`;
}

/** Boxes that are not those of now, dashed, above them; with words for those that matter. */
export function paintOver(brush, ratio, { view, look, differences, selected }) {
  setFont(brush, look, ratio);
  for (const one of differences) {
    const at = place(one.box, view, ratio);
    if (!inSight(at, brush.canvas)) continue;
    const wide = Math.max(1, Math.round((one.name === selected ? 2.5 : 1.5) * ratio));
    dashed(brush, at, look.surface, wide, []);
    dashed(brush, at, look.truth, wide, [5 * ratio, 4 * ratio]);
    if (one.words === "as proposed" && one.name !== selected) continue;
    const style = { ground: look.truth, ink: look.surface, ratio, right: true };
    chip(brush, `${one.name} ${one.words}`, at[2], at[3], style);
  }
}

/** All proposals, as they are seen beside those of now. */
export function paintBeside(brush, ratio, { view, look, originals, selected }) {
  const line = Math.max(1, Math.round(ratio));
  for (const [name, one] of Object.entries(originals)) {
    const at = place(one.box, view, ratio);
    if (name === selected || !inSight(at, brush.canvas)) continue;
    brush.fillStyle = look.truth;
    edges(brush, at, line);
  }
  const chosen = originals[selected];
  if (!chosen) return;
  const at = place(chosen.box, view, ratio);
  setFont(brush, look, ratio);
  brush.fillStyle = look.surface;
  edges(brush, at, 3 * line, line);
  dashed(brush, at, look.truth, 3 * line, [6 * ratio, 3 * ratio]);
  chip(brush, `${selected} as proposed`, at[0], at[1], { ground: look.truth, ink: look.surface, ratio });
}
