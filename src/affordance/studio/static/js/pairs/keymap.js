/** The keys of the page. */

import { Keymap } from "../lib/keys.js";

/**
 * @param {Record<string, () => unknown>} acts
 * @param {() => boolean} may whether a pair is open and the person may change it
 */
export function keymap(acts, may) {
  const keys = new Keymap();
  keys.add("J", "Next pair", "Pairs", acts.next);
  keys.add("K", "Previous pair", "Pairs", acts.previous);
  keys.add("/", "Find a pair", "Pairs", acts.find);
  keys.add("B", "Hide who won and why, or show it", "Pairs", acts.blind);
  keys.add("L", "Laws and heuristics", "Pairs", acts.laws);
  keys.add("D", "Side by side, overlay, difference, blink", "Designs", acts.mode);
  keys.add("S", "Swap the sides", "Designs", acts.swap);
  keys.add(["+", "="], "Zoom in", "Designs", () => acts.zoom(1.25));
  keys.add("-", "Zoom out", "Designs", () => acts.zoom(0.8));
  keys.add("0", "Fit both in", "Designs", acts.fit);
  for (const [key, x, y] of [["Left", 1, 0], ["Right", -1, 0], ["Up", 0, 1], ["Down", 0, -1]]) {
    keys.add(`Arrow${key}`, `Move both ${key.toLowerCase()}`, "Designs", () => acts.pan(x, y), acts.onStage);
  }
  keys.add("Space", "Blink: show the other one now", "Designs", acts.blink, acts.blinks);
  keys.add("1", "Rationales", "Panel", () => acts.tab("rationales"));
  keys.add("2", "Review", "Panel", () => acts.tab("review"));
  keys.add("3", "Tags", "Panel", () => acts.tab("tags"));
  keys.add("N", "Write a rationale (Ctrl+Enter adds it)", "Rationales", acts.add, may);
  keys.add("Alt+ArrowUp", "Move the rationale up", "Rationales", () => acts.move(-1), may);
  keys.add("Alt+ArrowDown", "Move the rationale down", "Rationales", () => acts.move(1), may);
  keys.add("Ctrl+Z", "Undo", "Rationales", acts.undo, may);
  keys.add(["Ctrl+Shift+Z", "Ctrl+Y"], "Redo", "Rationales", acts.redo, may);
  keys.attach(document);
  return keys;
}
