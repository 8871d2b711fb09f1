/** The keys of the page. */

import { Keymap } from "../lib/keys.js";

/**
 * @param {Record<string, (...given: any[]) => void>} acts
 * @param {() => boolean} open whether there is a film to look at
 * @param {() => boolean} may whether it may be changed, too
 */
export function keymap(acts, open, may) {
  const keys = new Keymap();
  keys.add("J", "Next clip", "Clips", () => acts.next());
  keys.add("K", "Previous clip", "Clips", () => acts.previous());
  keys.add("/", "Find a clip", "Clips", () => acts.find());
  keys.add("D", "Done with the clip, or not", "Clips", () => acts.done(), may);
  keys.add("X", "Put the clip aside, or take that back", "Clips", () => acts.aside(), may);
  keys.add("E", "Say where it happens", "Clips", () => acts.edit(), may);
  keys.add("Space", "Play or pause", "Film", () => acts.toggle(), open);
  keys.add(["ArrowLeft", ","], "One frame back", "Film", () => acts.step(-1), open);
  keys.add(["ArrowRight", "."], "One frame on", "Film", () => acts.step(1), open);
  keys.add("Shift+ArrowLeft", "Ten frames back", "Film", () => acts.step(-10), open);
  keys.add("Shift+ArrowRight", "Ten frames on", "Film", () => acts.step(10), open);
  keys.add("I", "The animation starts at this frame", "Animation", () => acts.edge("start"), may);
  keys.add("O", "The animation ends at this frame", "Animation", () => acts.edge("end"), may);
  keys.add("Shift+I", "Go to the start", "Animation", () => acts.visit("start"), open);
  keys.add("Shift+O", "Go to the end", "Animation", () => acts.visit("end"), open);
  keys.add("N", "Draw a region by dragging (Shift+N puts one in the middle)", "Regions", () => acts.draw(), may);
  keys.add("Shift+N", "A new region in the middle", "Regions", () => acts.add(), may);
  keys.add("R", "Next region (arrows move it, with Alt its right or bottom edge; Del removes it)", "Regions",
    () => acts.region(), open);
  keys.add("Ctrl+Z", "Undo", "Clips", () => acts.undo(), may);
  keys.add(["Ctrl+Shift+Z", "Ctrl+Y"], "Redo", "Clips", () => acts.redo(), may);
  keys.attach(document);
  return keys;
}
