/** The keys of the page. */

import { Keymap } from "../lib/keys.js";

const FAR = 10; // pixels with Shift
const ZOOM = 1.25;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const names = (held) => Object.keys(ARROWS).map((key) => held + key);

/**
 * @param {import("./easel.js").Easel} easel
 * @param {Record<string, Function>} acts
 * @param {() => boolean} open whether a picture is open
 * @param {() => boolean} may whether it may be changed, too
 */
export function keymap(easel, acts, open, may) {
  const keys = new Keymap();
  keys.add("J", "Next picture", "Pictures", () => acts.step(1));
  keys.add("K", "Previous picture", "Pictures", () => acts.step(-1));
  keys.add("/", "Find a pair", "Pictures", () => acts.find());
  keys.add("A", "Accept what you have looked at, or take that back", "Pictures", () => acts.accept(), may);
  keys.add("N", "Nothing to remove, or take that back", "Pictures", () => acts.clean(), may);
  const here = () => open() && document.activeElement === easel.canvas;
  const brush = "The brush";
  keys.add("B", "Brush", brush, () => easel.setTool("brush"), may);
  keys.add("E", "Eraser", brush, () => easel.setTool("eraser"), may);
  keys.add("[", "Smaller", brush, () => easel.resize(-1), may);
  keys.add("]", "Larger", brush, () => easel.resize(1), may);
  keys.add("Enter", "Paint or erase where it is", brush, () => easel.dab(), () => here() && may());
  keys.add("Shift+Enter", "The same, along the line from the last place", brush, () => easel.dab(true),
    () => here() && may());
  const move = (times) => (event) => {
    const [dx, dy] = ARROWS[event.key];
    easel.aim(easel.cursor[0] + dx * times, easel.cursor[1] + dy * times);
  };
  keys.add(names(""), "Move it by a pixel", brush, move(1), here);
  keys.add(names("Shift+"), `The same by ${FAR} pixels`, brush, move(FAR), here);
  keys.add("F", "Markers that are found by themselves, with or without", brush, () => acts.found(), may);
  keys.add("Ctrl+Z", "Undo", brush, () => acts.undo(), may);
  keys.add(["Ctrl+Shift+Z", "Ctrl+Y"], "Redo", brush, () => acts.redo(), may);
  const sight = "What is in sight";
  keys.add("1", "Paint", sight, () => acts.look("paint"), open);
  keys.add("2", "Before and after, divided by a slider", sight, () => acts.look("slider"), open);
  keys.add("3", "Before and after in turns; again for the other one", sight, () => acts.look("blink"), open);
  keys.add("4", "Before and after side by side", sight, () => acts.look("beside"), open);
  keys.add("P", "Paint over again, and see it", sight, () => acts.again(), open);
  keys.add("H", "Hide or show what is masked", sight, () => acts.veil(), open);
  keys.add(["+", "="], "Zoom in", sight, () => easel.zoomBy(ZOOM), open);
  keys.add("-", "Zoom out", sight, () => easel.zoomBy(1 / ZOOM), open);
  keys.add("0", "Fit the picture", sight, () => easel.fit(), open);
  keys.attach(document);
  return keys;
}
