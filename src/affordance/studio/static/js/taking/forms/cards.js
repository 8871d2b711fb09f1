/** Options as cards, of which one or several can be chosen, with a number key each. */

import { el } from "../../lib/dom.js";

let count = 0;

/**
 * @param {object} what
 * @param {{name: string, label: string, more?: Node | null, keys?: string[]}[]} what.options
 * @param {boolean} [what.several]
 * @param {string[]} what.chosen
 * @param {string} what.legend
 * @param {string} [what.look] a class
 * @param {() => void} what.change
 */
export function cards({ options, several = false, chosen, legend, look = "", change }) {
  const group = `option-${++count}`;
  const inputs = options.map((one) =>
    el("input", {
      ...{ type: several ? "checkbox" : "radio", name: group, value: one.name },
      checked: chosen.includes(one.name),
      onchange: change,
    }));
  const made = options.map((one, index) =>
    el("div", { class: "card" },
      el("label", null, inputs[index],
        index < 9 && el("kbd", { "aria-hidden": "true" }, String(index + 1)),
        el("span", { class: "card-label", dir: "auto" }, one.label)),
      one.more));
  return {
    element: el("fieldset", { class: `cards ${look}` }, el("legend", null, legend), made),
    /** @returns {string[]} names */
    chosen: () => inputs.filter((one) => one.checked).map((one) => one.value),
    focus: () => (inputs.find((one) => one.checked) ?? inputs[0])?.focus(),
    bind(keymap) {
      options.slice(0, 9).forEach(({ label, keys = [] }, index) => {
        const does = `${several ? "Tick or untick" : "Choose"} ${label}`;
        keymap.add([String(index + 1), ...keys], does, "Answer", () => inputs[index].click());
      });
    },
  };
}
