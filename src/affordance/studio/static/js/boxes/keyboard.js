import { allowed, clamp, LEAST, moved } from "./geometry.js";
import { ORIGINAL } from "./compare.js";
import { beside, inward, outward } from "./walking.js";

const FAR = 10; // pixels with Shift
const PAN = 48; // pixels of the window
const ZOOM = 1.25;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const names = (held) => Object.keys(ARROWS).map((key) => held + key);

/** All keys of the stage.
 * @param {import("../lib/keys.js").Keymap} map @param {import("./canvas.js").Stage} stage */
export function addKeys(map, stage) {
  const here = () => stage.focused;
  const chosen = () => here() && stage.movable !== null && !stage.pencil.active;
  const drawing = () => here() && stage.pencil.active;
  const open = () => stage.sheet !== null;
  addSight(map, stage, open);

  const screen = "On the screen";
  map.add("N", "Draw a box", screen, () => stage.draw(), () => open() && stage.editable);
  map.add(["Enter", "Shift+Enter"], "Set a corner of the box; with Shift it takes in what is inside", screen,
    (event) => stage.pencil.enter(event.shiftKey), () => stage.pencil.drawing !== null && stage.awake);
  map.add("Escape", "Stop drawing or dragging", screen, () => stage.cancel());
  map.add(names(""), "Move the crosshair or the box by a pixel; the view, if there is none", screen,
    (event) => arrow(stage, ...ARROWS[event.key]), here);
  map.add(names("Shift+"), `The same by ${FAR} pixels`, screen,
    (event) => arrow(stage, ...ARROWS[event.key].map((one) => one * FAR)), here);
  map.add(names("Ctrl+"), "The crosshair to the next edge of a box", screen,
    (event) => stage.pencil.step(...ARROWS[event.key], true), drawing);
  map.add(names("Alt+"), "Move the right or bottom edge", screen,
    (event) => nudge(stage, stretched(2, ...ARROWS[event.key], stage.screen)), chosen);
  map.add(names("Alt+Shift+"), "Move the left or top edge", screen,
    (event) => nudge(stage, stretched(0, ...ARROWS[event.key], stage.screen)), chosen);
  map.add(["Delete", "Backspace"], "Delete the region and what is inside", screen, () => stage.remove(false), chosen);
  map.add(["Shift+Delete", "Shift+Backspace"], "Delete the region and keep what is inside", screen,
    () => stage.remove(true), chosen);
  map.add("]", "Next region beside it", screen, () => go(stage, beside(stage, 1)), here);
  map.add("[", "Previous region beside it", screen, () => go(stage, beside(stage, -1)), here);
  map.add("P", "The region around it", screen, () => go(stage, outward(stage)), here);
  map.add("C", "The first region in it", screen, () => go(stage, inward(stage)), here);
}

function addSight(map, stage, open) {
  const sight = "What is in sight";
  map.add(["+", "="], "Zoom in", sight, () => stage.zoomBy(ZOOM), open);
  map.add("-", "Zoom out", sight, () => stage.zoomBy(1 / ZOOM), open);
  map.add("0", "Fit the screen", sight, () => stage.fit(), open);
  map.add("1", "Pixel by pixel", sight, () => stage.zoomBy(1 / stage.view.scale), open);
  const chosen = () => stage.regions.has(stage.selected);
  map.add("F", "Zoom to the region", sight, () => stage.zoomTo(stage.selected), chosen);
  map.add("S", "Snapping on or off", sight, () => stage.setOption("snap", !stage.options.snap), open);
  map.add("Z", "Magnifier on or off", sight, () => stage.setOption("loupe", !stage.options.loupe), open);
  map.add("O", "Original proposal: off, over, beside", sight, () => {
    const next = (ORIGINAL.indexOf(stage.options.original) + 1) % ORIGINAL.length;
    stage.setOption("original", ORIGINAL[next]);
  }, open);
}

function go(stage, name) {
  if (name === null) stage.announce("There is no such region.");
  else stage.choose(name);
}

function arrow(stage, dx, dy) {
  if (stage.pencil.active) stage.pencil.step(dx, dy);
  else if (stage.movable !== null) nudge(stage, (box) => moved(box, ...allowed(box, dx, dy, stage.screen)));
  else stage.view.panBy(...panned(dx, dy));
}

function nudge(stage, change) {
  const name = stage.movable;
  stage.nudging.step(name, stage.regions.get(name).box, change);
  stage.view.reveal(stage.box(name));
}

/** How far the arrows move the view where there is nothing else to move. */
function panned(dx, dy) {
  return [-Math.sign(dx) * PAN * (Math.abs(dx) > 1 ? 4 : 1), -Math.sign(dy) * PAN * (Math.abs(dy) > 1 ? 4 : 1)];
}

/** A box with an edge moved: the right and bottom ones (`first` is 2), or the left and top ones (0). */
function stretched(first, dx, dy, screen) {
  return (box) => {
    const found = [...box];
    const [axis, by, size] = dx ? [0, dx, screen.width] : [1, dy, screen.height];
    const [least, most] = first ? [box[axis] + LEAST, size] : [0, box[axis + 2] - LEAST];
    found[first + axis] = clamp(box[first + axis] + by, least, most);
    return found;
  };
}
