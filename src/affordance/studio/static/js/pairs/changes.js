/** What changed between two designs: elements by their properties, as a grid of those that did. */

import { el } from "../lib/dom.js";
import { renew } from "../lib/renew.js";
import { changed } from "./edits.js";

const PROPERTIES = [...document.getElementById("changing").content.querySelectorAll("span")];

export class ChangesGrid {
  #may;
  #onChange;
  #changes = {};
  #begun = new Set(); // elements that were chosen and have no property yet
  #table = el("table", { class: "changes-grid" });
  #more;

  /** @param {{edit: boolean}} may @param {(changes: object, what: string) => void} onChange */
  constructor(may, onChange) {
    [this.#may, this.#onChange] = [may, onChange];
    this.#more = el("select", { id: "change-element" }, el("option", { value: "" }, "Add an element"),
      document.getElementById("changeable").content.cloneNode(true));
    this.#more.addEventListener("change", () => this.#begin());
    const scrolls = { class: "table", tabindex: 0, role: "group", "aria-label": "Changes" };
    const label = el("label", { class: "unseen", for: "change-element" }, "Add an element that changed");
    this.element = el("section", { class: "changed", "aria-label": "What changed" },
      el("h3", null, "What changed"), el("div", scrolls, this.#table), may.edit ? [label, this.#more] : null);
  }

  /** Another pair. */
  reset() {
    this.#begun.clear();
  }

  update(changes) {
    this.#changes = changes;
    for (const name of Object.keys(changes)) this.#begun.delete(name);
    const names = [...Object.keys(changes), ...this.#begun];
    renew(this.#table, [changes, names], () => this.#made(names, this.#properties()));
  }

  #made(names, properties) {
    if (!names.length) return [el("tbody", null, el("tr", null, el("td", { class: "soft" }, "Nothing yet.")))];
    const head = el("tr", null, el("td"), properties.map(({ name, first }) =>
      el("th", { scope: "col", class: first ? "first" : null }, el("span", null, name))));
    return [el("thead", null, head), el("tbody", null, names.map((name) => this.#row(name, properties)))];
  }

  /** The known ones in their groups, and what else there is. */
  #properties() {
    const known = PROPERTIES.map((one, index) => ({
      name: one.textContent,
      first: one.dataset.group !== PROPERTIES[index - 1]?.dataset.group,
    }));
    const names = new Set(known.map((one) => one.name));
    const others = [...new Set(Object.values(this.#changes).flat())].filter((name) => !names.has(name));
    return [...known, ...others.map((name, index) => ({ name, first: index === 0 }))];
  }

  #row(element, properties) {
    const cell = ({ name, first }, at) => el("td", { class: first ? "first" : null }, this.#box(element, name, at));
    return el("tr", null, el("th", { scope: "row", dir: "auto" }, element), properties.map(cell));
  }

  #box(element, property, index) {
    const box = el("input", {
      ...{ type: "checkbox", id: `change-${element}-${index}`, "aria-label": `${element}: ${property}`, dataset: { element, property } },
      disabled: !this.#may.edit,
      onchange: () => {
        const now = changed(this.#changes, element, property, box.checked);
        if (!(element in now)) this.#begun.add(element);
        this.#onChange(now, `${element}, ${property}`);
      },
    });
    box.checked = (this.#changes[element] ?? []).includes(property);
    return box;
  }

  #begin() {
    const element = this.#more.value;
    this.#more.value = "";
    if (!element) return;
    if (!(element in this.#changes)) this.#begun.add(element);
    this.update(this.#changes);
    this.#table.querySelector(`#${CSS.escape(`change-${element}-0`)}`)?.focus();
  }
}
