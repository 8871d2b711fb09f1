// What a region is for and what it looks like, in the words of whoever told it last, to be corrected.

import { announce, el } from "../lib/dom.js";
import { Drafts } from "../lib/drafts.js";
import { differences } from "../lib/differences.js";
import { overtaken } from "../lib/overtaken.js";
import { best } from "../work/documents.js";
import { personOf } from "../work/words.js";
import { boxField } from "./geometry.js";

const PARTS = { functionality: "Functionality", description: "Description" };
const drafts = new Drafts("boxes text");

export class Texts {
  #fields;
  #before = each((part) => el("p", { class: "said", hidden: true, dir: "auto", "data-before": part }));
  #by = el("span", { class: "quiet" });
  #state = el("p", { class: "quiet", "data-field": "text-state" });
  #notice = el("div", { class: "notice", hidden: true });
  #earlier = el("div", { class: "said", hidden: true, "data-field": "earlier-text" });
  #sheet = null;
  #name = null;
  #base = null; // what the fields were filled with, and from which version of the document
  #mayEdit;

  /** @param {{mayEdit: boolean}} options */
  constructor({ mayEdit }) {
    this.#mayEdit = mayEdit;
    this.#fields = each((part) => this.#field(part));
    const labels = each((part) => el("label", {}, PARTS[part], this.#fields[part]));
    const parts = Object.keys(PARTS).flatMap((part) => [labels[part], this.#before[part]]);
    const title = el("h3", { class: "row" }, "Text ", this.#by);
    this.element = el("section", { "aria-label": "Text" }, title, ...parts, this.#state, this.#notice, this.#earlier);
    this.element.addEventListener("focusout", (event) => {
      if (!this.element.contains(event.relatedTarget)) void this.save();
    });
    addEventListener("pagehide", () => void this.save());
  }

  show(sheet, name) {
    const other = sheet !== this.#sheet || name !== this.#name;
    if (other) {
      void this.save();
      this.#notice.hidden = true;
      this.#sheet = sheet;
      this.#name = name;
      this.#fill(told(sheet, name));
      this.#restoreDraft();
    } else this.#refresh();
    this.#tell();
  }

  get dirty() {
    if (this.#base === null) return false;
    return Object.keys(PARTS).some((part) => this.#fields[part].value.trim() !== this.#base[part]);
  }

  /** Keep what was written, as a retelling of the box that the region has. */
  async save() {
    if (!this.dirty || !this.#notice.hidden) return;
    const [sheet, name] = [this.#sheet, this.#name];
    const region = sheet.region(name);
    const values = this.#values();
    if (!region) return;
    if (!values.functionality && !values.description) {
      this.#state.textContent = "Both are empty: nothing is saved until there is a text.";
      return;
    }
    await this.#write(sheet, name, region, values);
  }

  async #write(sheet, name, region, values) {
    const set = { ...values, rationale: "", box: boxField(region.box), gone: false };
    const { version } = this.#base;
    this.#base = { ...this.#base, ...values };
    await sheet.edit(`Write the text of ${sheet.titleOf(name)}`, [{ kind: "retelling", name, set, after: version }]);
    // Not before it is safe: the page may be on its way out.
    drafts.dropSaved(this.#key(sheet, name), (draft) => Object.keys(PARTS).every((part) => draft[part] === values[part]));
    announce(`The text of ${sheet.titleOf(name)} is kept.`);
  }

  #field(part) {
    const field = el("textarea", { rows: "3", dir: "auto", maxlength: "20000", "data-field": part });
    field.readOnly = !this.#mayEdit;
    field.addEventListener("input", () => {
      drafts.set(this.#key(this.#sheet, this.#name), { ...this.#values(), from: this.#base });
      this.#tellState();
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.save().then(() => this.#tell());
      else if (event.key === "Escape" && this.dirty) this.#drop();
      else if (event.key === "Escape") field.blur(); // so that the page's keys are keys again
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return field;
  }

  #values() {
    return each((part) => this.#fields[part].value.trim());
  }

  #key(sheet, name) {
    return `${sheet.id}/${name}`;
  }

  #fill(base) {
    this.#base = base;
    for (const [part, field] of Object.entries(this.#fields)) if (field.value !== base[part]) field.value = base[part];
  }

  #drop() {
    drafts.drop(this.#key(this.#sheet, this.#name));
    this.#notice.hidden = true;
    this.#fill(told(this.#sheet, this.#name));
    this.#tell();
  }

  #restoreDraft() {
    const kept = drafts.get(this.#key(this.#sheet, this.#name));
    if (!kept || !this.#mayEdit) return;
    for (const part of Object.keys(PARTS)) this.#fields[part].value = kept[part] ?? this.#base[part];
    if (!this.dirty) drafts.drop(this.#key(this.#sheet, this.#name));
    else {
      this.#base = kept.from ?? this.#base;
      this.#refresh(); // somebody may have changed it since
    }
  }

  /** Somebody has changed a document of the region: their words are shown beside those that are being written. */
  #refresh() {
    const now = told(this.#sheet, this.#name);
    if (!this.dirty) {
      this.#fill(now);
      return;
    }
    if (Object.keys(PARTS).every((part) => now[part] === this.#base[part])) {
      this.#base = now;
      return;
    }
    const texts = Object.entries(PARTS).map(([part, label]) => [label, now[part]]);
    const acts = { keep: () => this.#keepMine(), use: () => this.#drop() };
    this.#notice.replaceChildren(...overtaken(now.by, texts, acts));
    this.#notice.hidden = false;
  }

  #keepMine() {
    this.#notice.hidden = true;
    this.#base = told(this.#sheet, this.#name);
    void this.save().then(() => this.#tell());
  }

  #tell() {
    const region = this.#sheet.region(this.#name);
    if (!region) return;
    const { document } = region.entry;
    this.#by.textContent = this.#base.by ? `by ${this.#base.by}` : "as proposed";
    this.#tellState();
    for (const part of Object.keys(PARTS)) {
      const before = best(document[part]);
      const place = this.#before[part];
      place.hidden = !before || before === this.#base[part];
      if (place.hidden) continue;
      const runs = differences(before, this.#base[part]).before;
      const words = runs.map((run) => (run.changed ? el("del", {}, run.text) : run.text));
      place.replaceChildren(el("b", {}, "Before: "), ...words);
    }
    this.#tellEarlier();
  }

  #tellState() {
    this.#state.dataset.unsaved = String(this.dirty);
    this.#state.textContent = this.dirty ? "Not saved yet: Ctrl+Enter, or leave the field. Esc takes it back." : "";
  }

  #tellEarlier() {
    const entry = this.#sheet.get("retelling", this.#name);
    const there = entry && !entry.document.gone && !this.#sheet.current("retelling", this.#name);
    this.#earlier.hidden = !there;
    if (!there) return;
    const { functionality, description } = entry.document;
    const use = el("button", { type: "button", disabled: !this.#mayEdit, "data-action": "use-text" }, "Use this text");
    use.addEventListener("click", () => {
      drafts.drop(this.#key(this.#sheet, this.#name));
      this.#fill({ ...this.#base, functionality, description });
      const region = this.#sheet.region(this.#name);
      void this.#write(this.#sheet, this.#name, region, { functionality, description }).then(() => this.#tell());
    });
    this.#earlier.replaceChildren(
      el("p", {}, el("b", {}, `Told of an earlier box, by ${personOf(entry.document.by || entry.author)}`)),
      el("p", { dir: "auto" }, functionality),
      el("p", { dir: "auto" }, description),
      use,
    );
  }
}

/** @param {(part: string) => any} make */
function each(make) {
  return Object.fromEntries(Object.keys(PARTS).map((part) => [part, make(part)]));
}

/** The text that holds: as it was told of the box, or as it was proposed. */
function told(sheet, name) {
  const entry = sheet.get("retelling", name);
  const version = entry?.version ?? 0;
  const said = sheet.current("retelling", name);
  if (said) {
    const { functionality, description } = said;
    return { functionality, description, by: personOf(said.by || entry.author), version };
  }
  const { document } = sheet.region(name).entry;
  return { functionality: best(document.functionality), description: best(document.description), by: "", version };
}
