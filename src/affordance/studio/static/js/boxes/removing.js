import { removed } from "./edits.js";

/** Delete the selected region, with what is inside or without. @param {import("./canvas.js").Stage} stage */
export function remove(stage, keepChildren) {
  const name = stage.movable;
  if (name === null) return;
  stage.flush();
  const inside = stage.sheet.descendants(name).length;
  const stroke = removed(name, stage.regions, keepChildren);
  stage.choose(stage.regions.get(name).parent);
  stage.commit(stroke);
  const rest = inside === 0 ? "" : keepChildren ? ", what was inside stays" : ` and ${inside} inside of it`;
  stage.announce(`Deleted ${name}${rest}. Ctrl+Z brings it back.`);
}
