/** The panel on which somebody says whether a text is right. What is chosen is a draft until it is saved. */

import { Drafts } from "../lib/drafts.js";
import { moment, personOf } from "../work/words.js";

const FIELDS = ["contextual", "purposeful", "truthful"];
const drafts = new Drafts("validation verdict");

export class Verdict {
  #form = document.getElementById("verdict");
  #note = document.getElementById("note");
  #standing = document.getElementById("standing");
  #shown = null;

  constructor() {
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    this.#form.addEventListener("change", (event) => event.target.type === "radio" && this.#chosen());
    this.#note.addEventListener("input", () => this.#keep());
  }

  /** @param {string} screen @param {object} text of `textOf` */
  show(screen, text) {
    this.#shown = { key: `${screen}/${text.name}`, text };
    const saved = text.verdict?.document ?? {};
    const draft = drafts.get(this.#shown.key);
    // What was chosen of other words is not said of these.
    const outdated = draft !== null && draft.told !== text.told.document.functionality;
    const values = outdated ? { note: draft.note } : (draft ?? saved);
    for (const field of FIELDS) this.#choose(field, values[field] ?? null);
    this.#note.value = values.note ?? "";
    this.#tell(draft, outdated);
    this.#acts();
  }

  /** A verdict was not taken, as it was of other words: its note is kept for the next. */
  refused(screen, name, note) {
    drafts.set(`${screen}/${name}`, { note, told: null });
  }

  /** What is chosen; null for each criterion that nobody has judged. */
  get values() {
    const chosen = FIELDS.map((field) => [field, this.#form.elements[field].value]);
    const values = Object.fromEntries(chosen.map(([field, value]) => [field, value ? value === "pass" : null]));
    return { ...values, note: this.#note.value.trim() };
  }

  get complete() {
    return FIELDS.every((field) => this.values[field] !== null);
  }

  /** The note, for who rejects. */
  get note() {
    return this.#note.value.trim();
  }

  /** @param {number} index of the criterion */
  toggle(index) {
    const field = FIELDS[index];
    this.#choose(field, this.values[field] === false);
    this.#chosen();
    return `${field}: ${this.values[field] ? "pass" : "fail"}`;
  }

  focusNote() {
    this.#note.focus();
  }

  /** The choice was saved, or given up. */
  settle() {
    if (this.#shown) drafts.drop(this.#shown.key);
  }

  /** The rest passes, as soon as somebody has judged one of them: it can be seen, and changed. */
  #chosen() {
    for (const field of FIELDS) if (this.values[field] === null) this.#choose(field, true);
    this.#keep();
  }

  #keep() {
    const { told, verdict } = this.#shown.text;
    const draft = { ...this.values, told: told.document.functionality, after: verdict?.version ?? 0 };
    drafts.set(this.#shown.key, draft);
    this.#tell(draft);
    this.#acts();
  }

  #choose(field, value) {
    for (const input of this.#form.elements[field]) {
      input.checked = value !== null && (input.value === "pass") === value;
    }
  }

  #tell(draft, outdated = false) {
    const { verdict } = this.#shown.text;
    const failing = FIELDS.some((field) => this.values[field] === false);
    let said = verdict ? this.#standingOf(verdict) : "Not judged yet.";
    const judgement = verdict ? judgementOf(verdict.document) : "none";
    const state = outdated ? "outdated" : draft ? "unsaved" : judgement;
    Object.assign(this.#standing.dataset, { state, by: verdict ? personOf(verdict.author) : "", failing });
    if (outdated) said = "The text was changed since you judged it: judge it again.";
    else if (draft) {
      said = failing ? "Not saved. A text that fails is exported all the same: edit or reject it." : "Not saved.";
      const meanwhile = verdict && verdict.version !== draft.after;
      if (meanwhile) said = `Not saved. Meanwhile: ${this.#standingOf(verdict)}`;
    }
    this.#standing.textContent = said;
    this.#form.classList.toggle("rejected", !draft && verdict?.document.rejected === true);
  }

  #standingOf({ author, created, document }) {
    const by = `by ${personOf(author)}, ${moment(created)}`;
    const { told } = this.#shown.text;
    const judgement = judgementOf(document);
    const judged = `${judgement === "passed" ? "Passed" : "Judged"} ${by}.`;
    const said = judgement === "rejected" ? `Rejected ${by}. The region goes no further.` : judged;
    const changed = document.told === undefined || document.told === null
      ? told.created > created // nobody has written down which words it was of
      : document.told !== told.document.functionality;
    return changed ? `${said} The text was changed after that.` : said;
  }

  #acts() {
    const button = (act) => this.#form.querySelector(`[data-action="${act}"]`);
    const back = button("take-back");
    if (!back) return;
    back.disabled = !this.#shown.text.verdict;
    button("save").disabled = !this.complete;
  }
}

/** @returns {"rejected" | "passed" | "failed"} */
function judgementOf(document) {
  if (document.rejected) return "rejected";
  return FIELDS.every((field) => document[field]) ? "passed" : "failed";
}
