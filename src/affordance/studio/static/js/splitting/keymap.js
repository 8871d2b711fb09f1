/** The keys of the page: its own, and those of the stage that make sense for two boxes. */

import { Keymap } from "../lib/keys.js";

const NOT_HERE = new Set(["Delete", "Backspace", "Shift+Delete", "Shift+Backspace", "[", "]", "P", "C", "O", "S", "1"]);

/**
 * @param {import("../boxes/canvas.js").Stage} stage
 * @param {Record<string, Function>} acts
 * @param {() => boolean} may whether a pair is open and the person may change it
 */
export function keymap(stage, acts, may) {
  const keys = new Keymap();
  keys.add("J", "Next pair", "Pairs", () => acts.step(1));
  keys.add("K", "Previous pair", "Pairs", () => acts.step(-1));
  keys.add("/", "Find a pair", "Pairs", () => acts.find());
  keys.add("G", "Go to the box of the other design", "Pairs", () => acts.other());
  keys.add("1", "The first one won", "Pairs", () => acts.won("first"), may);
  keys.add("2", "The second one won", "Pairs", () => acts.won("second"), may);
  keys.add("3", "Nobody knows which won", "Pairs", () => acts.won(null), may);
  keys.add("A", "Confirm, or take that back", "Pairs", () => acts.confirm(), may);
  keys.add("X", "This is no picture of two, or take that back", "Pairs", () => acts.single(), may);
  keys.add("Ctrl+Z", "Undo", "Pairs", () => acts.undo(), may);
  keys.add(["Ctrl+Shift+Z", "Ctrl+Y"], "Redo", "Pairs", () => acts.redo(), may);
  stage.keymap({
    add: (list, ...rest) => {
      const wanted = [list].flat().filter((one) => !NOT_HERE.has(one));
      if (wanted.length) keys.add(wanted, ...rest);
    },
  });
  keys.attach(document);
  return keys;
}
