import { HANDLES, handlePoint, height, spoken, width } from "./geometry.js";
import { scoreWords } from "./order.js";
import { chip, chipSize, dashed, dots, edges, handle, hatching, inSight, place, setFont } from "./paint.js";

const MOST = 120; // labels: at most, so that a crowded screen is drawn as fast as an empty one
const SMALL = 12; // pixels of a side below which a box has thin edges only, as there is no room for more
const ROOMY = 56; // pixels that a box must be larger than its label
const SLIM = 28; // pixels of a side below which it has no handle in the middle

/**
 * All boxes of a screen as they are now.
 * @param {CanvasRenderingContext2D} brush @param {number} ratio
 * @param {{view: object, look: object, regions: Iterable<object>, box: (name: string) => number[], selected: ?string,
 *   hover: ?string, warned: Map<string, string[]>, theirs: Map<string, number[]>, flashes: Map<string, number>,
 *   dim: boolean, editable: boolean, root: string}} scene `theirs`: boxes of others that mine are in conflict with
 */
export function paintScene(brush, ratio, scene) {
  const { view, look, selected, hover, root } = scene;
  const line = Math.max(1, Math.round(ratio));
  const shown = [];
  setFont(brush, look, ratio);
  for (const region of scene.regions) {
    const at = place(scene.box(region.name), view, ratio);
    if (inSight(at, brush.canvas)) shown.push([region, at]);
  }
  const chosen = shown.find(([region]) => region.name === selected);
  if (scene.dim && chosen && selected !== root) shade(brush, chosen[1], look);
  brush.fillStyle = look.surface;
  brush.globalAlpha = 0.85;
  for (const [, at] of shown) {
    if (!small(at, ratio)) edges(brush, at, line, line);
  }
  brush.globalAlpha = 1;
  brush.fillStyle = look.accent;
  for (const [region, at] of shown) {
    if (!scene.warned.has(region.name)) edges(brush, at, region.name === hover ? 2 * line : line);
  }
  const labels = new Labels(brush, ratio);
  paintWarned(brush, ratio, shown, scene, labels);
  paintMarks(brush, ratio, shown, scene);
  if (chosen) labels.taken.push(paintSelected(brush, ratio, chosen, scene));
  paintLabels(shown, scene, labels);
}

/** The box that is being drawn, the region that it would be in, and where its corner is. */
export function paintDrawing(brush, ratio, { view, look, drawing, offered, parent }) {
  if (drawing === null) return;
  const line = Math.max(1, Math.round(ratio));
  const { canvas } = brush;
  if (!offered) {
    const [x, y] = place([...drawing.corner, ...drawing.corner], view, ratio);
    for (const [color, wide] of [[look.surface, 3 * line], [look.answer, line]]) {
      brush.globalAlpha = color === look.surface ? 0.6 : 1;
      brush.fillStyle = color;
      brush.fillRect(0, y - Math.floor(wide / 2), canvas.width, wide);
      brush.fillRect(x - Math.floor(wide / 2), 0, wide, canvas.height);
    }
    brush.globalAlpha = 1;
  }
  if (drawing.box === null) return;
  const at = place(drawing.box, view, ratio);
  brush.fillStyle = look.surface;
  edges(brush, at, 3 * line, line);
  if (offered) dashed(brush, at, look.answer, 2 * line, [6 * ratio, 4 * ratio]);
  else {
    brush.fillStyle = look.answer;
    edges(brush, at, 2 * line);
  }
  setFont(brush, look, ratio);
  const words = `${width(drawing.box)} × ${height(drawing.box)}${parent ? ` in ${parent}` : ""}`;
  chip(brush, words, at[0], at[3] + 4 * line, { ground: look.answer, ink: look.surface, ratio });
}

export function paintGuides(brush, ratio, { view, look, guides }) {
  const wide = Math.max(1, Math.round(1.5 * ratio));
  for (const { axis, at, from, to } of guides) {
    const [x1, y1, x2, y2] = place(axis === "x" ? [at, from, at, to] : [from, at, to, at], view, ratio);
    brush.fillStyle = look.truth;
    if (axis === "x") brush.fillRect(x1 - Math.floor(wide / 2), y1, wide, y2 - y1);
    else brush.fillRect(x1, y1 - Math.floor(wide / 2), x2 - x1, wide);
    const size = 3 * wide; // its ends, so that it is no edge of a box
    for (const [x, y] of [[x1, y1], [x2, y2]]) brush.fillRect(x - size / 2, y - size / 2, size, size);
  }
}

/** What somebody who cannot see it is told of a region. */
export function describe(region, box, lines = []) {
  const warnings = lines.length ? [`${lines.length} ${lines.length === 1 ? "warning" : "warnings"}`] : [];
  const waiting = region.entry?.pending ? ["not saved yet"] : [];
  const place = region.parent === null ? [] : [`inside of ${region.parent}`];
  return [titleOf(region), spoken(box), ...place, ...warnings, ...waiting].join(", ");
}

/** Which handles a box has room for, with where they are in the pane. */
export function handlesOf(box, view) {
  const at = [...view.toPane(box[0], box[1]), ...view.toPane(box[2], box[3])];
  const [wide, high] = [width(at), height(at)];
  const room = (one) => one.length === 2 || (one === "n" || one === "s" ? wide >= SLIM : high >= SLIM);
  return HANDLES.filter(room).map((name) => ({ name, at: handlePoint(at, name) }));
}

function shade(brush, at, look) {
  const { width: wide, height: high } = brush.canvas;
  brush.fillStyle = look.surface;
  brush.globalAlpha = 0.7;
  brush.fillRect(0, 0, wide, at[1]);
  brush.fillRect(0, at[3], wide, high - at[3]);
  brush.fillRect(0, at[1], at[0], at[3] - at[1]);
  brush.fillRect(at[2], at[1], wide - at[2], at[3] - at[1]);
  brush.globalAlpha = 1;
}

function paintWarned(brush, ratio, shown, { warned, look }, labels) {
  if (warned.size === 0) return;
  look.hatch ??= hatching(brush, look.answer, ratio);
  for (const [region, at] of shown) {
    if (!warned.has(region.name)) continue;
    if (small(at, ratio)) {
      brush.fillStyle = look.answer;
      edges(brush, at, Math.max(1, Math.round(2 * ratio)));
    } else {
      const band = Math.round(4 * ratio);
      brush.fillStyle = look.surface;
      edges(brush, at, band);
      brush.fillStyle = look.hatch;
      edges(brush, at, band);
    }
    labels.put("!", at[2], at[1], { ground: look.answer, ink: look.surface, right: true });
  }
}

/** What is not saved yet, what waits for a decision, and what others have just changed. */
function paintMarks(brush, ratio, shown, { view, look, theirs, flashes }) {
  for (const [region, at] of shown) {
    if (region.entry?.pending) dots(brush, at, look.answer, ratio);
    if (region.entry?.stuck) {
      dashed(brush, at, look.answer, Math.round(3 * ratio), [2 * ratio, 4 * ratio]);
      chip(brush, "? mine", at[2], at[3], { ground: look.ink, ink: look.surface, ratio, right: true });
      const other = theirs.get(region.name);
      if (other) {
        const there = place(other, view, ratio);
        dashed(brush, there, look.truth, Math.round(2 * ratio), [8 * ratio, 3 * ratio]);
        chip(brush, "? theirs", there[0], there[3], { ground: look.truth, ink: look.surface, ratio });
      }
    }
    const strength = flashes.get(region.name);
    if (!strength) continue;
    brush.globalAlpha = strength;
    brush.fillStyle = look.truth;
    edges(brush, at, Math.round(4 * ratio), Math.round(4 * ratio));
    brush.globalAlpha = 1;
  }
}

function paintSelected(brush, ratio, [region, at], { view, look, box, editable, root }) {
  const line = Math.max(1, Math.round(ratio));
  brush.fillStyle = look.surface;
  edges(brush, at, 4 * line, 2 * line);
  brush.fillStyle = look.answer;
  edges(brush, at, 2 * line, line);
  if (editable && region.name !== root) {
    for (const one of handlesOf(box(region.name), view)) {
      const [x, y] = one.at.map((value) => Math.round(value * ratio));
      handle(brush, x, y, { ground: look.surface, ink: look.answer, ratio });
    }
  }
  const text = `${label(region)}${region.entry?.pending ? "  waiting" : ""}`; // handles hide the dots that say so
  const high = chipSize(brush, text, ratio)[1] + 6 * ratio;
  const y = at[1] - high < 0 ? Math.max(at[1] + 6 * ratio, 0) : at[1] - high;
  return chip(brush, text, Math.max(at[0], 0), y, { ground: look.answer, ink: look.surface, ratio });
}

function paintLabels(shown, { look, selected, root }, labels) {
  const { ratio } = labels;
  for (let index = shown.length - 1; index >= 0; index -= 1) {
    const [region, at] = shown[index];
    if (region.name === selected || region.name === root) continue;
    if (at[2] - at[0] < (24 + ROOMY) * ratio || at[3] - at[1] < (12 + ROOMY) * ratio) continue;
    const text = label(region);
    const [wide, high] = chipSize(labels.brush, text, ratio);
    if (at[2] - at[0] < wide + ROOMY * ratio || at[3] - at[1] < high + ROOMY * ratio) continue;
    labels.put(text, at[0], at[1], { ground: look.surface, ink: look.accent, strength: 0.85 });
  }
}

/** Labels that do not lie on each other, and not more than can be drawn in a frame. */
class Labels {
  constructor(brush, ratio) {
    this.brush = brush;
    this.ratio = ratio;
    this.taken = [];
  }

  put(text, x, y, style) {
    if (this.taken.length >= MOST) return;
    const [wide, high] = chipSize(this.brush, text, this.ratio);
    const left = style.right ? x - wide : x;
    const [right, bottom] = [left + wide, y + high];
    if (this.taken.some((one) => one[0] < right && left < one[2] && one[1] < bottom && y < one[3])) return;
    this.taken.push(chip(this.brush, text, x, y, { ...style, ratio: this.ratio }));
  }
}

function small(at, ratio) {
  return at[2] - at[0] < SMALL * ratio || at[3] - at[1] < SMALL * ratio;
}

function label(region) {
  const { short } = scoreWords(region.entry?.document.scores);
  return short ? `${titleOf(region)}  ${short}` : titleOf(region);
}

/** Only regions of a sheet have another title than their name. */
function titleOf({ title, name }) {
  return title ?? name;
}
