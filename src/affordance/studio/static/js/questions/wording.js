/** A field for a text of a question: saved when it is left or with Ctrl+Enter, with doubts about it below. */

import { el } from "../lib/dom.js";
import { overtaken } from "../lib/overtaken.js";

let count = 0;

/** @typedef {{text: string, version: number, author: string}} Saved a text, with the document that it is of */

export class Wording {
  #label;
  #field;
  #doubts;
  #unsaved;
  #notice = el("div", { class: "overtaken", role: "status", hidden: true });
  #now; // as it is saved
  #base; // what is in the field was written from
  #refused = ""; // why what is in the field cannot be saved, until it is something else
  #lines = []; // doubts about it
  #onSave;
  #onInput;

  /**
   * @param {object} options
   * @param {string} options.label
   * @param {string} [options.hint] after the label
   * @param {Saved} options.saved
   * @param {{value: string, base: string} | null} [options.draft] what was typed and not saved, and from which text
   * @param {boolean} options.editable
   * @param {number} [options.rows]
   * @param {string} [options.look] a class
   * @param {Record<string, string | number>} [options.data] data attributes of the element
   * @param {(value: string, after: number) => Promise<string>} options.onSave answers why it cannot be saved, or "";
   *   `after` is the version that it was written from
   * @param {(draft: {value: string, base: string} | null) => void} options.onInput null: there is nothing to be saved
   */
  constructor({ label, hint = "", saved, draft = null, editable, rows = 3, look = "", data = {}, onSave, onInput }) {
    const id = `wording-${++count}`;
    this.#label = label;
    this.#onSave = onSave;
    this.#onInput = onInput;
    this.#doubts = el("div", { class: "doubts", id: `${id}-doubts`, role: "status" });
    const about = { "aria-describedby": `${id}-doubts` };
    this.#field = el("textarea", { id, rows, dir: "auto", maxlength: 20000, readonly: !editable, ...about });
    this.#field.value = draft?.value ?? saved.text;
    this.#base = { ...saved, text: draft?.base ?? saved.text };
    const kept = "Written before and not saved: Ctrl+Enter saves it, Esc takes the saved text back.";
    this.#unsaved = el("p", { class: "unsaved", hidden: !this.dirty }, kept);
    this.setSaved(saved);
    this.#field.addEventListener("input", () => this.#changed());
    this.#field.addEventListener("blur", () => void this.save());
    this.#field.addEventListener("keydown", (event) => this.#key(event));
    this.element = el("div", { class: `wording ${look}`, dataset: data },
      el("label", { for: id }, label, hint && el("span", { class: "soft" }, ` ${hint}`)), this.#field,
      this.#unsaved, this.#notice, this.#doubts);
  }

  get value() {
    return this.#field.value.trim();
  }

  get dirty() {
    return this.value !== this.#base.text.trim();
  }

  focus() {
    this.#field.focus();
  }

  /** The text as it is saved now. What somebody is writing stays, with what it would replace beside it.
   * @param {Saved} saved */
  setSaved(saved) {
    this.#now = saved;
    const { dirty } = this;
    if (dirty && saved.text !== this.#base.text && saved.text.trim() !== this.value) {
      this.#tell();
      return;
    }
    this.#base = saved;
    this.#notice.hidden = true;
    if (!dirty && this.#field.value !== saved.text) this.#field.value = saved.text;
  }

  /** @param {(string | {kind: string, text: string})[]} doubts */
  setDoubts(doubts) {
    this.#lines = doubts.map((one) => (typeof one === "string" ? { kind: "doubt", text: one } : one));
    this.#doubt();
  }

  /** Not while it is to be decided whose text it is. @returns {Promise<boolean>} whether nothing is left to be saved */
  async save() {
    if (this.#field.readOnly || !this.dirty) return true;
    if (!this.#notice.hidden) return false;
    const { value } = this;
    const from = this.#base;
    this.#base = { ...from, text: value }; // first: the change that comes of it is no news
    const refused = await this.#onSave(value, from.version);
    if (refused) {
      this.#base = from;
      this.#field.setAttribute("aria-invalid", "true");
      this.#refused = refused;
      this.#doubt();
      return false;
    }
    this.#field.removeAttribute("aria-invalid");
    this.#unsaved.hidden = true;
    return true;
  }

  #tell() {
    const acts = { keep: () => this.#keepMine(), use: () => this.#useTheirs() };
    this.#notice.replaceChildren(...overtaken(this.#now.author, [[this.#label, this.#now.text]], acts));
    this.#notice.hidden = false;
    this.#unsaved.hidden = true;
  }

  #keepMine() {
    this.#base = this.#now;
    this.#notice.hidden = true;
    this.#changed();
    this.#field.focus();
    void this.save();
  }

  #useTheirs() {
    this.#field.value = this.#now.text;
    this.#base = this.#now;
    this.#notice.hidden = true;
    this.#unsaved.hidden = true;
    this.#field.removeAttribute("aria-invalid");
    this.#changed();
    this.#field.focus();
  }

  #doubt() {
    const lines = this.#refused ? [{ kind: "refused", text: this.#refused }] : this.#lines;
    const now = [...this.#doubts.children].map((one) => one.textContent);
    if (now.join("\n") === lines.map((one) => one.text).join("\n")) return;
    this.#doubts.replaceChildren(...lines.map(({ kind, text }) => el("p", { "data-doubt": kind }, text)));
  }

  #changed() {
    this.#refused = "";
    this.#doubt();
    this.#onInput(this.dirty ? { value: this.value, base: this.#base.text } : null);
  }

  #key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      if (this.#notice.hidden) void this.save();
      else this.#notice.querySelector("button").focus();
    } else if (event.key === "Escape") {
      this.#useTheirs();
      this.#field.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
