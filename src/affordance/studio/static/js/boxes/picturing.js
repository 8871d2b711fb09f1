import { ROOT } from "../work/documents.js";
import { paintBeside, paintOver } from "./compare.js";
import { paintDrawing, paintGuides, paintScene } from "./scene.js";

/** The boxes as they are now, and all that lies above them. */
export function paintNow(stage, brush, ratio, look) {
  if (stage.sheet === null) return;
  const { view, selected, hover, warned, theirs, editable, pencil, guides, options, earlier } = stage;
  const seen = { view, look, selected };
  const flashes = stage.flashes.now();
  const regions = stage.regions.values();
  const marks = { hover, warned, theirs, editable, flashes, dim: options.dim, root: ROOT };
  paintScene(brush, ratio, { ...seen, ...marks, regions, box: (name) => stage.box(name) });
  if (options.original === "over") paintOver(brush, ratio, { ...seen, differences: stage.differences() });
  if (earlier !== null) paintOver(brush, ratio, { ...seen, differences: [{ ...earlier, words: "earlier" }] });
  paintGuides(brush, ratio, { ...seen, guides });
  const { drawing, offered, parent } = pencil;
  paintDrawing(brush, ratio, { ...seen, drawing, offered, parent });
  if (flashes.size > 0) stage.redraw(); // until they have faded
}

/** The boxes as they were proposed. */
export function paintBefore(stage, brush, ratio, look) {
  if (stage.sheet === null) return;
  const { view, selected, sheet } = stage;
  paintBeside(brush, ratio, { view, look, selected, originals: sheet.originals });
}

/** Load the screenshot; whoever waits for it is told when it is there, or that it cannot be had. */
export async function showPicture(stage, sheet) {
  const there = await stage.frame.setPicture(`/pictures/${sheet.shot.digest}`, stage.screen, sheet.id);
  if (sheet !== stage.sheet || stage.stop.signal.aborted) return;
  if (!there) stage.frame.tell("The picture of this screen cannot be loaded; its boxes are here all the same.");
  stage.dispatchEvent(new CustomEvent("picture", { detail: { there } }));
}
