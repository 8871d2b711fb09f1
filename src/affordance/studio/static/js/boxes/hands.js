import { Move, Pan, Resize, Sketch } from "./drags.js";
import { contains, holds } from "./geometry.js";
import { handlesOf } from "./scene.js";

const GRIP = 8; // pixels of the window around a handle or an edge
const CURSORS = { n: "ns", s: "ns", e: "ew", w: "ew", nw: "nwse", se: "nwse", ne: "nesw", sw: "nesw" };

/** What a pressed pointer begins. Only the selected region is ever moved, so that nothing is moved by accident: a drag
 * that begins anywhere else moves the view. */
export function press(stage, point, event) {
  stage.flush();
  if (event.button === 1 || stage.panning) return new Pan(stage, point, () => {});
  if (stage.pencil.active) return new Sketch(stage, point);
  const handle = handleAt(stage, point);
  if (handle !== null) return new Resize(stage, point, stage.movable, handle);
  return grabs(stage, point) ? new Move(stage, point, stage.movable) : new Pan(stage, point);
}

/** The pointer is over the stage, or has left it (null). */
export function hover(stage, point) {
  stage.pointing = point;
  const over = point !== null && !stage.pencil.active ? (stage.grid.at(point.x, point.y)[0] ?? null) : null;
  if (point !== null && stage.pencil.active) stage.pencil.aim(point);
  else if (stage.options.loupe) stage.frame.setLens(point === null ? null : inScreen(stage, point));
  if (over !== stage.hover) {
    stage.hover = over;
    stage.redraw();
  }
  stage.canvas.style.cursor = point === null ? "" : cursorAt(stage, point);
}

/** What a click means: the smallest region there; at the same place again, the one around it. @returns {?string} */
export function clicked(stage, point) {
  const hits = stage.grid.at(point.x, point.y);
  const again = stage.clicked && near(stage.clicked, point) && stage.clicked.name === stage.selected;
  const name = hits[again ? (hits.indexOf(stage.selected) + 1) % hits.length : 0] ?? null;
  stage.clicked = { px: point.px, py: point.py, name };
  return name;
}

/** Whether two points of the window are at the same place, as far as a hand is concerned. */
function near(one, other) {
  return Math.hypot(one.px - other.px, one.py - other.py) < GRIP;
}

function cursorAt(stage, point) {
  if (stage.panning) return "grab";
  if (stage.pencil.active) return "crosshair";
  const handle = handleAt(stage, point);
  if (handle !== null) return `${CURSORS[handle]}-resize`;
  return grabs(stage, point) ? "move" : "default";
}

function handleAt(stage, point) {
  if (stage.movable === null) return null;
  const found = handlesOf(stage.box(stage.movable), stage.view).find(
    ({ at }) => Math.abs(at[0] - point.px) <= GRIP && Math.abs(at[1] - point.py) <= GRIP,
  );
  return found?.name ?? null;
}

/** Whether a drag moves the selected region: at its edge, or inside where it is the smallest or was just clicked, and
 * not where it fills all that is in sight. */
function grabs(stage, point) {
  const { movable: name, view } = stage;
  if (name === null) return false;
  const box = stage.box(name);
  const reach = GRIP / view.scale;
  if (!holds([box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach], point.x, point.y)) return false;
  const sight = [...view.toScreen(0, 0), ...view.toScreen(view.pane.width, view.pane.height)];
  if (contains(box, sight)) return false;
  const within = holds([box[0] + reach, box[1] + reach, box[2] - reach, box[3] - reach], point.x, point.y);
  if (!within || stage.grid.at(point.x, point.y)[0] === name) return true;
  return stage.clicked?.name === name && near(stage.clicked, point);
}

function inScreen(stage, point) {
  const [x, y] = [Math.round(point.x), Math.round(point.y)];
  return holds([0, 0, stage.screen.width, stage.screen.height], x, y) ? [x, y] : null;
}
