/** What the stage does when documents of its screen are others than before. */

/** @param {import("./canvas.js").Stage} stage @param {{keys: Set<string>, by: "me" | "others" | "undo"}} change */
export function changed(stage, { keys, by }) {
  const before = stage.regions;
  stage.refresh();
  const regions = [...keys].filter((key) => key.startsWith("region/"));
  if (by === "others") stage.flashes.add(regions.map((key) => key.slice("region/".length)));
  if ([...(stage.preview?.keys() ?? [])].some((name) => !stage.regions.has(name))) {
    stage.flush();
    stage.cancelDrags();
    stage.showPreview(null);
  }
  if (!before.has(stage.selected) || stage.regions.has(stage.selected)) return;
  if (by === "others") stage.announce(`${stage.selected} was deleted by somebody else.`);
  stage.choose(remaining(stage, before, stage.selected));
}

/** A stroke has stopped: what is there instead is shown beside it. */
export function stopped(stage, entries) {
  for (const { kind, name, document } of entries) {
    if (kind === "region" && document.box) stage.theirs.set(name, document.box.xyxy);
  }
  stage.redraw();
}

/** The nearest region around one that is gone. */
function remaining(stage, before, name) {
  let above = before.get(name)?.parent ?? null;
  while (above !== null && !stage.regions.has(above)) above = before.get(above)?.parent ?? null;
  return above;
}
