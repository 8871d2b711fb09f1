/** One of two pictures: a tap chooses, and both can be enlarged together. */

import { el } from "../../lib/dom.js";
import { picture } from "../blocks.js";
import { enlarge } from "../zoom.js";

const SIDES = ["first", "second"];

let count = 0;

export function either(form, given, { blocks, change }) {
  const group = `either-${++count}`;
  const pictures = either.blocks(form, blocks).map((place, side) => ({ ...blocks[place], label: form.labels[side] }));
  const inputs = SIDES.map((side) =>
    el("input", { type: "radio", name: group, value: side, checked: given.side === side, onchange: change }));
  const look = (side) => void enlarge("Both, enlarged", pictures, side);
  const made = pictures.map((one, side) => {
    const holder = el("span", { class: "either-picture" });
    holder.append(picture({ ...one, label: "" }, holder));
    const name = el("span", { class: "either-name" },
      inputs[side], el("kbd", { "aria-hidden": "true" }, side + 1), el("span", { dir: "auto" }, one.label));
    const more = el("span", { class: "unseen" }, ` ${one.label}`);
    return el("div", { class: "either-one" },
      el("label", { class: "either-card" }, name, holder),
      el("button", { type: "button", class: "enlarge", onclick: () => look(side) }, "Enlarge", more));
  });
  const row = el("div", { class: "either" }, made);
  return {
    element: el("fieldset", { class: "cards" },
      el("legend", null, "Choose one of the two"), oneAtATime(row, form.labels), row),
    value: () => {
      const side = inputs.find((one) => one.checked)?.value;
      return side ? { side } : {};
    },
    lack: () => (inputs.some((one) => one.checked) ? "" : "Neither of the two is chosen yet."),
    focus: () => (inputs.find((one) => one.checked) ?? inputs[0]).focus(),
    bind(keymap) {
      inputs.forEach((input, index) => {
        keymap.add(String(index + 1), `Choose ${form.labels[index]}`, "Answer", () => input.click());
      });
      keymap.add("Z", "Enlarge both", "Answer", () => look(0));
    },
  };
}

/** The first two pictures. */
either.blocks = (form, blocks) => [...blocks.keys()].filter((place) => blocks[place].kind === "still").slice(0, 2);

/** On a phone: both, or one in the place of the other, so that a change can be seen. */
function oneAtATime(row, labels) {
  const ways = [["both", "Both"], ["0", labels[0]], ["1", labels[1]]];
  const show = (way) => {
    row.dataset.shown = way;
    buttons.forEach((one, index) => one.setAttribute("aria-pressed", String(ways[index][0] === way)));
  };
  const buttons = ways.map(([way, label]) => el("button", { type: "button", onclick: () => show(way) }, label));
  show("both");
  return el("div", { class: "zoom-row either-ways", role: "group", "aria-label": "What is shown" }, buttons);
}
