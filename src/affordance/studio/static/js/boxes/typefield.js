// What a region is: a type of the taxonomy, or one of its own; and what it was called when it was proposed.

import { getJson } from "../lib/api.js";
import { el } from "../lib/dom.js";
import { personOf } from "../work/words.js";
import { DraftField } from "./draftfield.js";
import { boxField } from "./geometry.js";

const OTHER = "Other";

export class TypeField {
  #select = el("select", { "data-field": "type" });
  #subtype = el("input", { type: "text", maxlength: "80", "data-field": "subtype", autocomplete: "off" });
  #other;
  #words;
  #dividable = el("input", { type: "checkbox", "data-field": "dividable" });
  #notes = el("div");
  #leaf = new Set();
  #known = new Set();
  #sheet = null;
  #name = null;
  #version = 0; // of the document that the choice was filled from
  #mayEdit;

  /** @param {{mayEdit: boolean}} options */
  constructor({ mayEdit }) {
    this.#mayEdit = mayEdit;
    const save = (sheet, name, text, after) => this.#save(sheet, name, { type: OTHER, subtype: text }, after);
    this.#words = new DraftField(this.#subtype, { place: "boxes subtype", required: true, save });
    this.#other = el("div", { hidden: true }, el("label", {}, "What it is", this.#subtype), this.#words.state);
    const tick = el("label", { class: "tick" }, this.#dividable, "Can be divided further");
    const type = el("label", {}, "Type", this.#select);
    this.element = el("section", { "aria-label": "Type" }, type, this.#other, this.#notes, tick);
    this.#select.disabled = !mayEdit;
    this.#subtype.readOnly = !mayEdit;
    this.#select.addEventListener("change", () => this.#chosen());
    this.#dividable.addEventListener("change", () => void this.#divide());
    void this.#load();
  }

  show(sheet, name) {
    const other = name !== this.#name || sheet !== this.#sheet;
    this.#sheet = sheet;
    this.#name = name;
    const said = sheet.current("type", name);
    const version = sheet.get("type", name)?.version ?? 0;
    this.#option(said?.type);
    this.#words.show(sheet, name, { text: said?.subtype ?? "", version });
    if (other || document.activeElement !== this.#select) {
      this.#version = version;
      const writing = this.#words.dirty || (!other && document.activeElement === this.#subtype);
      this.#select.value = writing ? OTHER : (said?.type ?? "");
    }
    this.#other.hidden = this.#select.value !== OTHER;
    const { document: region } = sheet.get("region", name);
    this.#dividable.checked = Boolean(region.dividable);
    this.#dividable.disabled = !this.#mayEdit || !region.parent;
    this.#tellLeaves(sheet.children(name).length === 0);
    this.#note(said, region);
  }

  /** Keep what is being written. */
  save() {
    return this.#words.save();
  }

  #note(said, region) {
    const lines = [];
    if (region.type) lines.push(el("p", { class: "said", dir: "auto", "data-field": "proposed-type" }, el("b", {}, "As proposed: "), region.type));
    if (said?.inherited) lines.push(el("p", { class: "quiet" }, `Taken over from ${said.inherited}.`));
    const entry = this.#sheet.get("type", this.#name);
    const earlier = !said && entry && !entry.document.gone ? entry.document : null;
    if (earlier) {
      const was = earlier.type === OTHER && earlier.subtype ? earlier.subtype : earlier.type;
      const use = el("button", { type: "button", disabled: !this.#mayEdit, "data-action": "use-type" }, "Use this type");
      const said = { type: earlier.type, subtype: earlier.subtype ?? "" };
      use.addEventListener("click", () => void this.#save(this.#sheet, this.#name, said, entry.version));
      const words = el("span", {}, el("b", {}, "For an earlier box: "), `${was} (${personOf(entry.author)}) `);
      lines.push(el("div", { class: "said" }, words, use));
    }
    this.#notes.replaceChildren(...lines);
  }

  async #load() {
    this.#select.append(new Option("Not said", ""));
    try {
      const { types, leaf } = await getJson("/api/types");
      this.#leaf = new Set(leaf);
      for (const one of types) {
        this.#select.append(el("optgroup", { label: one.group }, ...one.types.map((type) => new Option(type, type))));
        for (const type of one.types) this.#known.add(type);
      }
    } catch (error) {
      this.#select.title = `The types cannot be shown: ${error.message}`;
    }
    this.#select.append(new Option("Other: in your own words", OTHER));
    this.#known.add(OTHER);
    if (this.#sheet?.region(this.#name)) this.show(this.#sheet, this.#name);
  }

  /** A type that the taxonomy does not have is shown as it is. */
  #option(type) {
    if (!type || this.#known.has(type) || this.#known.size === 0) return;
    this.#known.add(type);
    this.#select.append(new Option(type, type));
  }

  #tellLeaves(isLeaf) {
    for (const option of this.#select.options) option.disabled = !isLeaf && this.#leaf.has(option.value);
  }

  #chosen() {
    const type = this.#select.value;
    this.#other.hidden = type !== OTHER;
    if (type === OTHER) {
      this.#subtype.focus(); // it waits for the words
      return;
    }
    this.#words.drop();
    void this.#save(this.#sheet, this.#name, { type, subtype: "" }, this.#version);
  }

  async #save(sheet, name, said, after) {
    const region = sheet.region(name);
    if (!region) return;
    const set = said.type === "" ? { gone: true } : { ...said, box: boxField(region.box), gone: false };
    await sheet.edit(`Change the type of ${name}`, [{ kind: "type", name, set, after }]);
  }

  async #divide() {
    const set = { dividable: this.#dividable.checked };
    await this.#sheet.edit(`Change whether ${this.#name} is divided`, [{ kind: "region", name: this.#name, set }]);
  }
}
