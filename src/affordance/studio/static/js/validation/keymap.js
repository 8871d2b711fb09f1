/** The keys of the page. */

import { Keymap } from "../lib/keys.js";

const CRITERIA = ["Contextual", "Purposeful", "Truthful"];

/**
 * @param {Record<string, (...values: any[]) => void>} acts
 * @param {() => boolean} may whether there is a text and the person may judge it
 */
export function keymap(acts, may) {
  const keys = new Keymap();
  for (const [index, name] of CRITERIA.entries()) {
    keys.add(String(index + 1), `${name}: fail, or pass again`, "Verdict", () => acts.toggle(index), may);
  }
  keys.add("A", "All pass, and next", "Verdict", () => acts.pass(), may);
  keys.add("Enter", "Save what is chosen, and next", "Verdict", () => acts.save(), may);
  keys.add("R", "Reject the region, with a reason", "Verdict", () => acts.reject(), may);
  keys.add("N", "Write a note (Esc leaves it)", "Verdict", () => acts.note(), may);
  keys.add("T", "Take the verdict back", "Verdict", () => acts["take-back"](), may);
  keys.add("U", "Undo the last thing said on this page", "Verdict", () => acts.undo());
  keys.add("E", "Edit the text (Ctrl+Enter saves, Esc leaves)", "Text", () => acts.edit(), may);
  keys.add("ArrowRight", "Next", "Move", () => acts.next());
  keys.add("ArrowLeft", "Previous", "Move", () => acts.previous());
  keys.add("S", "Skip", "Move", () => acts.skip());
  keys.add("Z", "Enlarge the screenshot", "Move", () => acts.enlarge());
  keys.add("Escape", "Leave the field, or stop looking through screens", "Move", () => {
    document.activeElement?.blur();
    acts.stop();
  });
  keys.attach(document);
  return keys;
}
