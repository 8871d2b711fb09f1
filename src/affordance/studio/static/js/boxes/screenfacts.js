// Details of the screen itself: what it is, what is wrong on it, and what a person notes about it.

import { el } from "../lib/dom.js";
import { renew } from "../lib/renew.js";
import { DraftField } from "./draftfield.js";

const MOST = 50; // warnings that are listed

export class ScreenFacts {
  #facts = el("p", { class: "quiet" });
  #note = el("textarea", { rows: "3", dir: "auto", maxlength: "2000", "data-field": "note" });
  #lines = el("div", { class: "warnings" });
  #name = el("h2", { class: "named" });
  #words;
  #select;

  /** @param {{mayEdit: boolean, select: (name: string) => void}} options */
  constructor({ mayEdit, select }) {
    this.#select = select;
    this.#note.readOnly = !mayEdit;
    this.#words = new DraftField(this.#note, { place: "boxes note", save });
    const hint = el("p", { class: "quiet" }, "Select a region on the screen or in the tree to correct it.");
    const head = el("section", {}, this.#name, this.#facts, hint);
    const warnings = el("section", { "aria-label": "Warnings" }, el("h3", {}, "Warnings on this image"), this.#lines);
    const note = [el("label", {}, "Note about this image", this.#note), this.#words.state];
    this.columns = [el("div", {}, head, ...note), el("div", {}, warnings)];
  }

  show(sheet, problems) {
    const { width, height, platform, source } = sheet.shot;
    this.#name.textContent = sheet.id;
    this.#facts.textContent = [`${width} by ${height} pixels`, platform, source].filter(Boolean).join(", ");
    const entry = sheet.get("reviewed", "");
    this.#words.show(sheet, "", { text: entry?.document.note ?? "", version: entry?.version ?? 0 });
    this.#warn(sheet, problems);
  }

  /** Keep the note that is being written. */
  save() {
    return this.#words.save();
  }

  #warn(sheet, problems) {
    const all = Object.entries(problems).flatMap(([parent, lines]) => lines.map((line) => [parent, line]));
    const told = all.slice(0, MOST).map(([parent, line]) => [parent, sheet.titleOf(parent), sheet.inWords(line)]);
    const item = ([parent, title, line]) => {
      const attributes = { type: "button", class: "link", dataset: { action: `select ${parent}` }, onclick: () => this.#select(parent) };
      return el("li", {}, el("button", attributes, `In ${title}`), `: ${line}`);
    };
    renew(this.#lines, [told, all.length], () => all.length === 0
      ? [el("p", { class: "quiet" }, "None: regions lie inside of their parents and do not overlap.")]
      : [
          el("ul", { class: "lines warn" }, told.map(item)),
          all.length > MOST && el("p", { class: "quiet" }, `And ${all.length - MOST} more.`),
        ]);
  }
}

async function save(sheet, name, note, after) {
  const set = { done: Boolean(sheet.get("reviewed", name)?.document.done), note };
  await sheet.edit("Note about this image", [{ kind: "reviewed", name, set, after }]);
}
