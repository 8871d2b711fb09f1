/** The text before and the text now, side by side, with what differs marked by word; and the field to edit it in. */

import { el } from "../lib/dom.js";
import { Drafts } from "../lib/drafts.js";
import { differences } from "../lib/differences.js";
import { overtaken } from "../lib/overtaken.js";
import { best } from "../work/documents.js";

const PARTS = [["functionality", "Functionality"], ["description", "Description"]];
const drafts = new Drafts("validation text");

export class Texts {
  #place = document.getElementById("texts");
  #onSave;
  #shown = null;
  #fields = null;
  #base = null; // the text that what is in the fields was written from
  #notice = el("div", { class: "overtaken", role: "status" });
  #below = el("div");

  /**
   * @param {(values: {functionality: string, description: string}, after: number) => void} onSave `after`: the version
   *   that they were written from. Calls `settle` when it is done.
   */
  constructor(onSave) {
    this.#onSave = onSave;
  }

  get editing() {
    return this.#fields !== null;
  }

  /** What the region is for, in the words that are before the person. */
  get told() {
    return this.#shown.text.told.document.functionality;
  }

  /** The version of the text that is before the person. */
  get after() {
    return this.#shown.text.told.version;
  }

  /** @param {string} screen @param {object} text of `textOf` @param {Node} past earlier versions */
  show(screen, text, past) {
    const key = `${screen}/${text.name}`;
    const same = this.#shown?.key === key;
    this.#shown = { key, text, past };
    if (same && this.editing) return this.#compare(); // somebody is writing
    this.#fields = null;
    this.#fill();
    if (!same) this.#place.scrollTop = 0;
    const draft = drafts.get(key);
    if (draft) this.edit(draft.values, draft.base);
  }

  /**
   * @param {{functionality: string, description: string}} [values] what the fields begin with
   * @param {{functionality: string, description: string}} [base] what they were written from
   */
  edit(values = this.#now(), base = this.#now()) {
    if (this.editing) return;
    this.#fields = Object.fromEntries(PARTS.map(([part]) => [part, this.#field(part, values[part])]));
    this.#base = base;
    const form = el(
      "form",
      {
        class: "editing",
        onsubmit: (event) => this.#submit(event),
        onkeydown: (event) => this.#key(event),
        oninput: () => this.#keep(),
      },
      this.#notice,
      PARTS.map(([part, label]) =>
        el("p", { class: "field" }, el("label", { for: `edit-${part}` }, label), this.#fields[part])),
      el("p", { class: "acts" },
        el("button", { type: "submit", class: "primary" }, "Save the text ", el("kbd", null, "Ctrl+Enter")),
        el("button", { type: "button", onclick: () => this.leave() }, "Leave it ", el("kbd", null, "Esc"))),
    );
    this.#place.replaceChildren(form, this.#below);
    this.#compare();
    this.#place.scrollTop = 0;
    this.#fields.functionality.focus();
  }

  /** Without saving. */
  leave() {
    this.settle();
    this.#fill();
  }

  /** What was written is saved, or given up. */
  settle() {
    if (!this.#shown || !this.editing) return;
    drafts.drop(this.#shown.key);
    this.#fields = null;
    this.#place.focus({ preventScroll: true });
  }

  #fill() {
    const { text, past } = this.#shown;
    this.#place.replaceChildren(...this.#parts(text), this.#rationale(text), past);
  }

  #field(part, value) {
    const required = part === "functionality";
    const field = el("textarea", { id: `edit-${part}`, rows: 3, dir: "auto", maxlength: 20000, required });
    field.value = value;
    return field;
  }

  /** Somebody may have changed the text meanwhile: their words are shown beside those that are being written. */
  #compare() {
    const now = this.#now();
    const known = [this.#base, this.#values()].some((one) => PARTS.every(([part]) => one[part] === now[part]));
    if (known) this.#base = now;
    this.#notice.hidden = known;
    this.#below.replaceChildren(...this.#parts(this.#shown.text));
    if (known) return;
    const { author } = this.#shown.text.told;
    const acts = { keep: () => this.#keepMine(), use: () => this.leave() };
    this.#notice.replaceChildren(...overtaken(author, PARTS.map(([part, label]) => [label, now[part]]), acts));
  }

  #keepMine() {
    this.#base = this.#now();
    this.#notice.hidden = true;
    this.#keep();
    this.#save();
  }

  #now() {
    const { document } = this.#shown.text.told;
    return Object.fromEntries(PARTS.map(([part]) => [part, document[part]]));
  }

  #values() {
    return Object.fromEntries(PARTS.map(([part]) => [part, this.#fields[part].value.trim()]));
  }

  #keep() {
    drafts.set(this.#shown.key, { values: this.#values(), base: this.#base });
  }

  #key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#submit(event);
    else if (event.key === "Escape") this.leave();
    else return;
    event.stopPropagation();
  }

  #submit(event) {
    event.preventDefault();
    if (!this.#notice.hidden) return this.#notice.querySelector("button").focus();
    this.#save();
  }

  #save() {
    const values = this.#values();
    if (!values.functionality) {
      this.#fields.functionality.reportValidity();
      return;
    }
    this.#onSave(values, this.after);
  }

  #parts({ region, told }) {
    return PARTS.map(([part, label]) => {
      const before = best(region.entry.document[part]);
      const now = told.document[part];
      const runs = differences(before, now);
      const unchanged = before === now ? el("span", { class: "soft" }, " (unchanged)") : null;
      return el("div", { class: "pair", "data-part": part },
        el("h2", null, label, unchanged),
        el("div", { class: "side" }, el("h3", null, "Before"),
          before ? marked(runs.before, "del") : none("There was no text.")),
        el("div", { class: "side now" }, el("h3", null, "Now"),
          now ? marked(runs.after, "ins") : none("There is no text.")));
    });
  }

  #rationale({ told }) {
    const said = told.document.rationale;
    return el("div", { class: "pair" }, el("h2", null, "Why it was told anew"),
      said ? el("p", { class: "whole-text", dir: "auto" }, said) : none("No reason was given."));
  }
}

function marked(runs, tag) {
  return el("p", { dir: "auto" }, runs.map((run) => (run.changed ? el(tag, null, run.text) : run.text)));
}

function none(words) {
  return el("p", { class: "soft" }, words);
}
