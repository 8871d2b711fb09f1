/** Tags of one's own, with those that were used before at hand, and a note. */

import { announce, el } from "../../lib/dom.js";

const LONGEST = 60; // characters of a tag
const MOST = 30;
const NOTE = 5000;

let count = 0;

export function tags(form, given, { change }) {
  const id = `tags-${++count}`;
  let chosen = [...(given.tags ?? [])];
  const list = el("ul", { class: "chips", "aria-label": "Tags" });
  const known = el("div", { class: "zoom-row" });
  const typed = { dir: "auto", autocomplete: "off" };
  const about = { list: `${id}-known`, "aria-describedby": `${id}-hint` };
  const field = el("input", { id, name: "tag", type: "text", maxlength: LONGEST, ...typed, ...about });
  const note = el("textarea", { id: `${id}-note`, name: "note", rows: 2, maxlength: NOTE, ...typed, oninput: change });
  note.value = given.note ?? "";

  const set = (next, said) => {
    chosen = next;
    show();
    announce(said);
    change();
  };
  const add = (tag) => {
    const made = tag.trim().replace(/\s+/g, " ");
    field.value = "";
    if (made && !chosen.includes(made) && chosen.length < MOST) set([...chosen, made], `Added ${made}`);
  };
  const remove = (tag) => {
    set(chosen.filter((one) => one !== tag), `Removed ${tag}`);
    field.focus();
  };
  const show = () => {
    const away = (tag) => ({ class: "plain", "aria-label": `Remove ${tag}`, dataset: { action: "remove", tag }, onclick: () => remove(tag) });
    list.replaceChildren(...chosen.map((tag) =>
      el("li", null, el("span", { dir: "auto" }, tag), el("button", { type: "button", ...away(tag) }, "×"))));
    const rest = form.known.filter((tag) => !chosen.includes(tag));
    known.replaceChildren(...rest.map((tag) =>
      el("button", { type: "button", dir: "auto", dataset: { action: "add", tag }, onclick: () => add(tag) }, `+ ${tag}`)));
    before.hidden = rest.length === 0;
  };
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === ",") {
      event.preventDefault();
      add(field.value);
    } else if (event.key === "Backspace" && field.value === "" && chosen.length) remove(chosen.at(-1));
  });
  field.addEventListener("blur", () => add(field.value));
  const before = el("div", null, el("p", { class: "hint" }, "Used before"), known);
  const hint = "Type one and press Enter. Backspace in the empty field takes the last one away.";
  const suggested = el("datalist", { id: `${id}-known` }, form.known.map((tag) => el("option", { value: tag })));
  const optional = el("span", { class: "soft" }, " (optional)");
  show();
  return {
    element: el("div", null,
      el("div", { class: "field" }, el("label", { for: id }, "Tags"),
        el("p", { class: "hint", id: `${id}-hint` }, hint), list, field, suggested, before),
      el("div", { class: "field" }, el("label", { for: `${id}-note` }, "Note", optional), note)),
    value: () => ({ tags: chosen, note: note.value }),
    lack: () => (chosen.length ? "" : "There is no tag yet."),
    empty: () => !chosen.length && !note.value.trim(),
    focus: () => field.focus(),
  };
}
