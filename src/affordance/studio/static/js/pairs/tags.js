/** Tags of the pair that is open: what page it is, what for, and what changed between the designs. */

import { ask } from "../lib/dialog.js";
import { announce, el } from "../lib/dom.js";
import { Drafts } from "../lib/drafts.js";
import { renew } from "../lib/renew.js";
import { Wording } from "../questions/wording.js";
import { ChangesGrid } from "./changes.js";

const FIELDS = [["page_type", "Page type"], ["industry", "Industry"], ["device", "Device"]];
const DEVICES = ["web", "mobile", "tablet"];
const TEXTS = [["goal", "Goal"], ["context", "Context"]];
const LONGEST = 80; // characters of a tag
const drafts = new Drafts("pair");

export class Tags {
  #place = document.getElementById("tags");
  #may;
  #rows;
  #desk = null;
  #fields = new Map();
  #texts = new Map();
  #lists = new Map();
  #grid;
  #aside = el("div", { class: "acts" });

  /** @param {{edit: boolean}} may @param {() => object[]} rows of all pairs, which suggest what tags there are */
  constructor(may, rows) {
    [this.#may, this.#rows] = [may, rows];
    this.#grid = new ChangesGrid(may, (changes, what) => void this.#edit(`Changes: ${what}`, { changes }));
  }

  open(desk) {
    this.#desk = desk;
    this.#grid.reset();
    const fields = FIELDS.map(([field, label]) => this.#field(field, label));
    const texts = TEXTS.map(([field, label]) => this.#text(field, label));
    this.#place.replaceChildren(
      el("div", { class: "tag-fields" }, fields), this.#grid.element, ...texts, this.#aside);
    this.suggest();
    this.update();
  }

  async leave() {
    for (const field of this.#texts.values()) await field.save();
  }

  /** Other pairs have tags that may fit here too. */
  suggest() {
    for (const [field, list] of this.#lists) {
      const used = this.#rows().map((row) => row[field]).filter(Boolean);
      const known = [...new Set([...used, ...(field === "device" ? DEVICES : [])])].sort((a, b) => a.localeCompare(b));
      list.replaceChildren(...known.map((value) => el("option", { value })));
    }
  }

  update() {
    const { document: pair, version, author } = this.#entry;
    for (const [field, input] of this.#fields) {
      if (input !== document.activeElement) input.value = pair[field] ?? "";
    }
    for (const [field, text] of this.#texts) text.setSaved({ text: pair[field] ?? "", version, author });
    this.#grid.update(pair.changes ?? {});
    if (!this.#may.edit) return;
    const label = pair.aside ? "Take it back in" : "Put the pair aside";
    const run = () => void (pair.aside ? this.#back() : this.#put());
    renew(this.#aside, label, () => [el("button", { type: "button", id: "aside", onclick: run }, label)]);
  }

  get #entry() {
    return this.#desk.get("pair", "");
  }

  #edit(label, set, after = this.#entry.version) {
    return this.#desk.edit(label, [{ kind: "pair", name: "", set, after }]);
  }

  #field(field, label) {
    const [id, list] = [`tag-${field}`, el("datalist", { id: `known-${field}` })];
    const input = el("input", {
      ...{ id, list: list.id, maxlength: LONGEST, autocomplete: "off", dir: "auto", readonly: !this.#may.edit },
      onchange: () => void this.#edit(`Tag: ${label.toLowerCase()}`, { [field]: input.value.trim() || null }),
    });
    this.#fields.set(field, input);
    this.#lists.set(field, list);
    return el("p", { class: "tag" }, el("label", { for: id }, label), input, list);
  }

  #text(field, label) {
    const { document: pair, version, author } = this.#entry;
    const key = `${this.#desk.id}/${field}`;
    const text = new Wording({
      label,
      rows: 2,
      data: { part: field },
      saved: { text: pair[field] ?? "", version, author },
      draft: this.#may.edit ? drafts.get(key) : null,
      editable: this.#may.edit,
      onInput: (draft) => (draft === null ? drafts.drop(key) : drafts.set(key, draft)),
      onSave: async (value, after) => {
        try {
          await this.#edit(label, { [field]: value || null }, after);
        } catch (error) {
          return `Not saved: ${error.message}`;
        }
        drafts.drop(key);
        return "";
      },
    });
    this.#texts.set(field, text);
    return text.element;
  }

  async #put() {
    const desk = this.#desk; // another pair may be open once it is answered
    const why = el("input", { id: "why-aside", maxlength: 2000, dir: "auto", autocomplete: "off" });
    const wrong = el("p", { class: "error", hidden: true }, "Say why, so that others know.");
    const body = [
      "It stays in the project, and is in no study and no export until it is taken back in.",
      el("p", null, el("label", { for: "why-aside" }, "Why"), why), wrong,
    ];
    const actions = [{ label: "Put aside", value: true, look: "primary" }, { label: "Leave it", value: false }];
    const sure = await ask({ title: "Put this pair aside?", body, actions, name: "put-pair-aside" });
    if (!sure) return;
    const note = why.value.trim();
    if (!note) return announce("It was not put aside: say why, so that others know.");
    const set = { aside: true, note };
    await desk.edit("Put the pair aside", [{ kind: "pair", name: "", set, after: desk.get("pair", "").version }]);
    announce("The pair is put aside.");
  }

  async #back() {
    await this.#edit("Take the pair back in", { aside: false, note: "" });
    announce("The pair is back.");
  }
}
