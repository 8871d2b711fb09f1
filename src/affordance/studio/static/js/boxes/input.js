import { Pan } from "./drags.js";
import { Gestures } from "./gestures.js";
import { Grid } from "./grid.js";
import { hover, press } from "./hands.js";

/**
 * Listen to what people do at the stage with the pointer, and to when they leave it.
 * @param {import("./canvas.js").Stage} stage
 * @param {AbortSignal} signal until when
 * @returns {Gestures[]} on the boxes as they are, and as they were proposed
 */
export function listen(stage, signal) {
  const gestures = new Gestures(stage.canvas, stage.view, {
    press: (point, event) => (stage.sheet === null ? null : press(stage, point, event)),
    hover: (point) => stage.sheet !== null && hover(stage, point),
  });
  const before = new Gestures(stage.frame.before.canvas, stage.view, {
    press: (point) => new Pan(stage, point, () => clickBefore(stage, point)),
  });
  stage.selection?.addEventListener("select", () => stage.select(stage.selection.name), { signal });
  stage.canvas.addEventListener("blur", () => stage.flush(), { signal });
  window.addEventListener("pagehide", () => stage.flush(), { signal });
  const space = (event) => {
    if (event.code !== "Space" || (event.type === "keydown" && !stage.awake)) return;
    if (event.type === "keydown") event.preventDefault();
    stage.panning = event.type === "keydown";
    gestures.again();
  };
  for (const kind of ["keydown", "keyup"]) window.addEventListener(kind, space, { signal });
  return [gestures, before];
}

function clickBefore(stage, point) {
  const originals = Object.entries(stage.sheet.originals).map(([name, { box }]) => ({ name, box }));
  const grid = new Grid(stage.screen, originals);
  stage.choose(grid.at(point.x, point.y).find((name) => stage.regions.has(name)) ?? null);
}
