/** One of several options, or all that apply; each with what it means and with examples where there are any. */

import { el } from "../../lib/dom.js";
import { showFilm } from "../blocks.js";
import { cards } from "./cards.js";

export function choice(form, given, { blocks, change }) {
  const { several } = form;
  const made = cards({
    options: form.options.map((one) => ({ ...one, more: meaning(one, blocks) })),
    several,
    chosen: several ? (given.options ?? []) : [given.option].filter(Boolean),
    legend: several ? "Choose all that apply" : "Choose one",
    change,
  });
  const reason = form.reason
    ? el("textarea", { rows: 3, maxlength: 5000, dir: "auto", autocomplete: "off", oninput: change })
    : null;
  if (reason) reason.value = given.reason ?? "";
  const optional = el("span", { class: "soft" }, " (optional)");
  const value = () => {
    const chosen = made.chosen();
    const kept = !chosen.length ? {} : several ? { options: chosen } : { option: chosen[0] };
    return reason && reason.value ? { ...kept, reason: reason.value } : kept;
  };
  return {
    element: el("div", null, made.element,
      reason && el("div", { class: "field" }, el("label", null, form.reason, optional, reason))),
    value,
    lack: () => (made.chosen().length ? "" : several ? "Nothing is ticked yet." : "Nothing is chosen yet."),
    focus: made.focus,
    bind: made.bind,
  };
}

/** Where the films are that only the form shows. */
choice.blocks = (form) => form.options.flatMap((one) => one.examples ?? []);

function meaning({ label, definition, examples }, blocks) {
  const films = (examples ?? []).filter((place) => blocks[place]?.kind === "film");
  if (!definition && !films.length) return null;
  const example = (place, number) => {
    const show = () => void showFilm(`${label}, example ${number}`, blocks[place]);
    return el("button", { type: "button", onclick: show }, `Example ${number}`);
  };
  return el("details", { class: "meaning" },
    el("summary", null, films.length ? "What it means, with examples" : "What it means",
      el("span", { class: "unseen" }, `: ${label}`)),
    definition && el("p", { dir: "auto" }, definition),
    films.length > 0 && el("div", { class: "zoom-row" }, films.map((place, index) => example(place, index + 1))));
}
