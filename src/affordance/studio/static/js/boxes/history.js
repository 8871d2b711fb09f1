// The history of a region: who changed what and when, each version restorable and shown on the canvas.

import { el } from "../lib/dom.js";
import { fieldValue } from "../work/documents.js";
import { versionsOf } from "../work/history.js";
import { changesInWords, moment, personOf } from "../work/words.js";

/** Documents of a region that have a history: what each is called, and what of it is restored. */
const TOLD = {
  region: { label: "Region", fields: ["box", "parent", "type", "dividable", "gone"] },
  type: { label: "Type", fields: ["type", "subtype", "gone"] },
  retelling: { label: "Text", fields: ["description", "functionality", "rationale", "gone"] },
  validation: { label: "Verdict", fields: [] }, // given again on the page for it
};

export class History {
  #list = el("ol", { class: "versions" });
  #sheet = null;
  #name = null;
  #round = 0;
  #mayEdit;
  #compare;

  /** @param {{mayEdit: boolean, compare: (name: string, box: number[] | null) => void}} options */
  constructor({ mayEdit, compare }) {
    this.#mayEdit = mayEdit;
    this.#compare = compare;
    this.element = el("details", { class: "history" }, el("summary", {}, "History"), this.#list);
    this.element.addEventListener("toggle", () => void this.#load());
  }

  show(sheet, name) {
    if (sheet === this.#sheet && name === this.#name) return;
    this.#sheet = sheet;
    this.#name = name;
    this.#list.replaceChildren();
    this.#compare(null, null);
    void this.#load();
  }

  /** A document of the region has a new version. */
  changed() {
    void this.#load();
  }

  async #load() {
    const [sheet, name, round] = [this.#sheet, this.#name, ++this.#round];
    if (!this.element.open || sheet === null || name === null) return;
    const kinds = Object.keys(TOLD).filter((kind) => sheet.get(kind, name)?.version > 0);
    try {
      const all = await versionsOf(sheet.id, kinds, name);
      if (round !== this.#round) return;
      this.#list.replaceChildren(...all.map((one) => this.#row(one)));
      if (all.length === 0) this.#list.append(el("li", { class: "quiet" }, "Not with the server yet."));
    } catch (error) {
      if (round !== this.#round) return;
      this.#list.replaceChildren(el("li", { class: "quiet" }, `Cannot be shown: ${error.message}`));
    }
  }

  #row({ kind, name, version, author, created, document, before, newest }) {
    const { label, fields } = TOLD[kind];
    const actions = [];
    if (kind === "region") {
      const show = el("button", { type: "button", "aria-pressed": "false", "data-action": "compare" }, "Compare");
      show.addEventListener("click", () => this.#toggle(show, document.box.xyxy));
      actions.push(show);
    }
    if (!newest && this.#mayEdit && fields.length > 0) {
      const said = `Restore version ${version} of the ${label.toLowerCase()}`;
      const run = () => void this.#restore(kind, name, document);
      actions.push(el("button", { type: "button", "aria-label": said, "data-action": "restore", onclick: run }, "Restore"));
    }
    return el(
      "li",
      { dataset: { kind, version } },
      el("span", { class: "by" }, `${label} ${version}, ${personOf(author)}, ${moment(created)}`),
      el("span", { class: "what", dir: "auto" }, changesInWords(kind, before, document).join("; ")),
      actions.length > 0 && el("span", { class: "row" }, ...actions),
    );
  }

  #toggle(button, box) {
    const on = button.getAttribute("aria-pressed") !== "true";
    for (const other of this.#list.querySelectorAll("[aria-pressed=true]")) other.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-pressed", String(on));
    this.#compare(on ? this.#name : null, on ? box : null);
  }

  async #restore(kind, name, document) {
    const set = {};
    for (const field of TOLD[kind].fields) {
      const value = fieldValue(kind, document, field);
      if (value !== null) set[field] = value;
    }
    // Whoever wants it back says it of the box that the region has now.
    if (kind !== "region") set.box = this.#sheet.get("region", name).document.box;
    // Where it was may be gone by now: it stays where it is.
    if (kind === "region" && !this.#sheet.region(set.parent)) delete set.parent;
    this.#compare(null, null);
    await this.#sheet.edit(`Restore the ${TOLD[kind].label.toLowerCase()} of ${name}`, [{ kind, name, set }]);
  }
}
