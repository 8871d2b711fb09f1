/** Answers in one's own words. */

import { el } from "../../lib/dom.js";

const NEAR = 0.9; // of the longest, from which the count stands out

let count = 0;

export function words(form, given, { change }) {
  const fields = form.fields.map((field) => made(field, given[field.name] ?? "", change));
  const open = () => fields.filter((one) => one.field.needed && !one.area.value.trim());
  return {
    element: el("div", null, fields.map((one) => one.element)),
    value: () => Object.fromEntries(fields.map(({ field, area }) => [field.name, area.value])),
    lack: () => {
      const names = open().map((one) => `“${one.field.label}”`);
      return names.length ? `Nothing is written yet under ${names.join(" and ")}.` : "";
    },
    empty: () => fields.every((one) => !one.area.value.trim()),
    focus: () => (open()[0] ?? fields[0]).area.focus(),
  };
}

function made(field, text, change) {
  const id = `words-${++count}`;
  const left = el("span", { class: "count", id: `${id}-count` });
  const area = el("textarea", {
    ...{ id, name: field.name, rows: field.rows, maxlength: field.longest, dir: "auto", autocomplete: "off" },
    "aria-describedby": field.hint ? `${id}-hint ${id}-count` : `${id}-count`,
    oninput: () => (show(), change()),
  });
  const show = () => {
    left.textContent = `${area.value.length} of at most ${field.longest} characters`;
    left.classList.toggle("near", area.value.length > NEAR * field.longest);
  };
  area.value = text;
  show();
  const optional = field.needed ? null : el("span", { class: "soft" }, " (optional)");
  const element = el("div", { class: "field" },
    el("label", { for: id, dir: "auto" }, field.label, optional),
    field.hint && el("p", { class: "hint", id: `${id}-hint`, dir: "auto" }, field.hint),
    area, el("p", { class: "hint" }, left));
  return { field, area, element };
}
