/** The keys of the page: its own, and those of the stage that make sense for a single box. */

import { Keymap } from "../lib/keys.js";

const NOT_HERE = new Set(["Delete", "Backspace", "Shift+Delete", "Shift+Backspace", "[", "]", "P", "C", "O"]);

/**
 * @param {import("../boxes/canvas.js").Stage} stage
 * @param {Record<string, () => void>} acts
 * @param {() => boolean} may whether a question is open and the person may change it
 */
export function keymap(stage, acts, may) {
  const keys = new Keymap();
  keys.add("J", "Next question", "Questions", () => acts.next());
  keys.add("K", "Previous question", "Questions", () => acts.previous());
  keys.add("/", "Find a question", "Questions", () => acts.find());
  keys.add("E", "Edit the wording (Ctrl+Enter saves, Esc leaves it as it was)", "Questions", () => acts.edit(), may);
  keys.add("B", "Go to the box", "Questions", () => acts.box());
  keys.add("X", "Abandon the question, or take that back", "Questions", () => acts.abandon(), may);
  keys.add("V", "Keep a question that a check has dropped", "Questions", () => acts.keep(), may);
  keys.add("Ctrl+Z", "Undo", "Questions", () => acts.undo(), may);
  keys.add(["Ctrl+Shift+Z", "Ctrl+Y"], "Redo", "Questions", () => acts.redo(), may);
  stage.keymap({
    add: (list, ...rest) => {
      const wanted = [list].flat().filter((one) => !NOT_HERE.has(one));
      if (wanted.length) keys.add(wanted, ...rest);
    },
  });
  keys.attach(document);
  return keys;
}
