/** A whole number from low to high; words say what some of them mean. */

import { el } from "../../lib/dom.js";

const MOST = 11; // steps that are shown as a row

let count = 0;

export function scale(form, given, { change }) {
  const steps = form.high - form.low + 1;
  return steps <= MOST ? row(form, given, change) : number(form, given, change);
}

function row({ low, high, words }, given, change) {
  const group = `scale-${++count}`;
  const values = Array.from({ length: high - low + 1 }, (_, index) => low + index);
  const said = (value) => words?.[value] ?? "";
  const inputs = values.map((value) =>
    el("input", { type: "radio", name: group, value, checked: given.score === value, onchange: change }));
  const steps = values.map((value, index) =>
    el("label", { class: "step" }, inputs[index], el("span", null, value),
      said(value) && el("span", { class: "unseen" }, `: ${said(value)}`)));
  const meant = (value, tag) => el(tag, { dir: "auto" }, said(value) && `${value}: ${said(value)}`);
  const between = values.slice(1, -1).filter(said);
  return {
    element: el("fieldset", { class: "cards" }, el("legend", null, `Choose a number from ${low} to ${high}`),
      el("div", { class: "scale" }, steps),
      el("div", { class: "ends soft", "aria-hidden": "true" },
        meant(low, "span"), meant(high, "span")),
      between.length > 0 &&
        el("ul", { class: "between soft", "aria-hidden": "true" }, between.map((value) => meant(value, "li")))),
    value: () => {
      const chosen = inputs.find((one) => one.checked);
      return chosen ? { score: Number(chosen.value) } : {};
    },
    lack: () => (inputs.some((one) => one.checked) ? "" : "No number is chosen yet."),
    focus: () => (inputs.find((one) => one.checked) ?? inputs[0]).focus(),
    bind(keymap) {
      values.filter((value) => value >= 0 && value <= 9).forEach((value) =>
        keymap.add(String(value), `Choose ${value}`, "Answer", () => inputs[value - low].click()));
    },
  };
}

function number({ low, high, words }, given, change) {
  const id = `scale-${++count}`;
  const limits = { min: low, max: high, step: 1 };
  const field = el("input", { id, name: "score", type: "number", ...limits, value: given.score, oninput: change });
  const right = () => field.value !== "" && field.checkValidity() && Number.isInteger(Number(field.value));
  const meant = Object.entries(words ?? {}).map(([value, said]) => el("li", { dir: "auto" }, `${value}: ${said}`));
  return {
    element: el("div", { class: "field" }, el("label", { for: id }, `A whole number from ${low} to ${high}`), field,
      meant.length > 0 && el("ul", { class: "between soft" }, meant)),
    value: () => (right() ? { score: Number(field.value) } : {}),
    lack: () => (right() ? "" : `Expected a whole number from ${low} to ${high}.`),
    focus: () => field.focus(),
  };
}
