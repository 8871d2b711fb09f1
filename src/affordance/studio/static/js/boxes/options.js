import { ORIGINAL, originalWords } from "./compare.js";

const NAMES = { snap: "Snapping", loupe: "Magnifier", dim: "Dimming" };

/** How the stage shows things, to begin with. */
export function firstOptions() {
  return { snap: true, loupe: false, original: "off", dim: false };
}

/** @param {import("./canvas.js").Stage} stage @param {string} name @param {boolean | string} value */
export function setOption(stage, name, value) {
  if (!(name in stage.options) || (name === "original" && !ORIGINAL.includes(value))) {
    throw new TypeError(`expected an option of the stage, found ${name}: ${value}`);
  }
  const wanted = name === "original" ? value : value === true || value === "on";
  if (stage.options[name] === wanted) return;
  stage.options[name] = wanted;
  if (name === "original") stage.frame.setSplit(value === "beside");
  if (name === "loupe") stage.frame.setLens(null);
  if (name === "original") stage.announce(originalWords(value, stage.differences()));
  else stage.announce(`${NAMES[name]} ${wanted ? "on" : "off"}`);
  stage.dispatchEvent(new CustomEvent("option", { detail: { name, value: wanted } }));
  stage.redraw();
}
