import { el } from "../lib/dom.js";
import { Drafts } from "../lib/drafts.js";

/**
 * A field for a text of a document. What is typed is kept on this computer until it is saved: when the field is left,
 * when the page goes away, or by `save`. Esc takes back what is not saved.
 */
export class DraftField {
  /** Says that something is not saved yet. */
  state = el("p", { class: "quiet" });
  #field;
  #drafts;
  #save;
  #required;
  #sheet = null;
  #name = null;
  #now = null; // what the document says
  #base = null; // what the field was filled from: {text, version}

  /**
   * @param {HTMLInputElement | HTMLTextAreaElement} field
   * @param {object} options
   * @param {string} options.place of its drafts
   * @param {boolean} [options.required] an empty text is not saved
   * @param {(sheet: object, name: string, text: string, after: number) => Promise<void>} options.save after: the
   *   version of the document that the field was filled from
   */
  constructor(field, { place, required = false, save }) {
    this.#field = field;
    this.#drafts = new Drafts(place);
    this.#required = required;
    this.#save = save;
    field.addEventListener("input", () => this.#typed());
    field.addEventListener("blur", () => void this.save());
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && field.localName === "input") void this.save();
      else if (event.key === "Escape" && this.dirty) this.drop();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    addEventListener("pagehide", () => void this.save());
  }

  get dirty() {
    return this.#base !== null && this.#text !== this.#base.text;
  }

  /**
   * @param {object} sheet
   * @param {string} name of the document
   * @param {{text: string, version: number}} now what the document says
   */
  show(sheet, name, now) {
    const other = sheet !== this.#sheet || name !== this.#name;
    if (other) void this.save();
    [this.#sheet, this.#name, this.#now] = [sheet, name, now];
    if (other) {
      this.#fill(now);
      this.#restore();
    } else if (!this.dirty) this.#fill(now);
    else if (now.text === this.#base.text) this.#base = now; // it was another part of the document that has changed
    this.#tell();
  }

  async save() {
    const text = this.#text;
    if (!this.dirty || this.#field.readOnly || (this.#required && text === "")) return;
    const [sheet, name, base] = [this.#sheet, this.#name, this.#base];
    this.#base = { ...base, text };
    await this.#save(sheet, name, text, base.version);
    // Not before it is safe: the page may be on its way out.
    this.#drafts.dropSaved(place(sheet, name), (draft) => draft.text === text);
    if (sheet === this.#sheet && name === this.#name) this.#tell();
  }

  /** Take back what is not saved. */
  drop() {
    if (this.#base === null) return;
    this.#drafts.drop(place(this.#sheet, this.#name));
    this.#fill(this.#now);
    this.#tell();
  }

  get #text() {
    return this.#field.value.trim();
  }

  #typed() {
    const { text, version } = this.#base;
    this.#drafts.set(place(this.#sheet, this.#name), { text: this.#text, from: text, version });
    this.#tell();
  }

  #fill(now) {
    this.#base = now;
    if (this.#text !== now.text) this.#field.value = now.text;
  }

  /** What was typed before the page went away. Where somebody has changed the text since, saving it is a conflict. */
  #restore() {
    const kept = this.#drafts.get(place(this.#sheet, this.#name));
    if (!kept || this.#field.readOnly) return;
    if (kept.text === this.#now.text) {
      this.#drafts.drop(place(this.#sheet, this.#name));
      return;
    }
    this.#field.value = kept.text;
    if (kept.from !== this.#now.text) this.#base = { text: kept.from, version: kept.version };
  }

  #tell() {
    this.state.dataset.unsaved = String(this.dirty);
    this.state.textContent = this.dirty ? "Not saved yet: leave the field to save it. Esc takes it back." : "";
  }
}

function place(sheet, name) {
  return `${sheet.id}/${name}`;
}
