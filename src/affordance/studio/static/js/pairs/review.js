/** Rounds of review: what I find, and what others have found. */

import { announce, el } from "../lib/dom.js";
import { Drafts } from "../lib/drafts.js";
import { renew } from "../lib/renew.js";
import { standing } from "./edits.js";
import { blinded, me, mine, reviewed, reviewsOf, roundOf } from "./reviews.js";

const TYPED = { dir: "auto", autocomplete: "off" };
const drafts = new Drafts("review");

export class ReviewPanel {
  #place = document.getElementById("review");
  #may;
  #acts;
  #desk = null;
  #shown = false; // whether I want to see what others say before I am done
  #heading = el("h3");
  #marked = el("p", { class: "soft" });
  #line = el("input", { id: "missing", maxlength: 2000, ...TYPED });
  #lines = el("ul", { class: "lines" });
  #note = el("textarea", { id: "review-note", rows: 2, maxlength: 20000, ...TYPED });
  #ends = el("div", { class: "acts" });
  #theirs = el("section", { "aria-label": "Reviews of others" });

  /** @param {{edit: boolean, review: boolean}} may @param {{write: (line: string) => void}} acts */
  constructor(may, acts) {
    [this.#may, this.#acts] = [may, acts];
    const form = el("form", { class: "missing" }, el("label", { for: "missing" }, "What is missing"),
      el("div", { class: "line" }, this.#line, el("button", null, "Add")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#addLine();
    });
    this.#line.addEventListener("input", () => this.#keep("missing", this.#line.value));
    this.#note.addEventListener("input", () => this.#keep("note", this.#note.value));
    this.#note.addEventListener("change", () => void this.#saveNote());
    const own = el("section", { "aria-label": "My review" }, this.#heading, this.#marked, form, this.#lines,
      el("label", { for: "review-note" }, "Note"), this.#note, this.#ends);
    this.#place.append(...(may.review ? [own] : []), this.#theirs);
  }

  open(desk) {
    this.#desk = desk;
    this.#shown = false;
    this.#line.value = drafts.get(this.#key("missing")) ?? "";
    this.#note.value = drafts.get(this.#key("note")) ?? mine(desk).note;
    this.update();
  }

  /** Save what is being written, before something else is shown. */
  async leave() {
    if (this.#desk && this.#may.review && drafts.get(this.#key("note")) !== null) await this.#saveNote();
  }

  update() {
    const { round, irrelevant, missing, done, note } = mine(this.#desk);
    Object.assign(this.#place.dataset, { round, done });
    this.#heading.textContent = `Round ${round}${done ? ", done" : ""}`;
    const marked = irrelevant.length ? `${irrelevant.length} marked as irrelevant.` : "None marked as irrelevant.";
    this.#marked.textContent = `${marked} Mark them among the rationales.`;
    if (this.#note !== document.activeElement && drafts.get(this.#key("note")) === null) this.#note.value = note;
    renew(this.#lines, [this.#desk.id, round, missing], () => missing.map((text) => this.#missing(text)));
    renew(this.#ends, [this.#desk.id, round, done], () => (done ? this.#ended() : this.#ending()));
    const others = reviewsOf(this.#desk).filter((one) => one.person !== me() || !this.#may.review);
    const hidden = blinded(this.#desk, this.#may.review) && !this.#shown;
    const all = standing(this.#desk.entries("rationale").values());
    const state = [this.#desk.id, hidden, others, all.map(({ name, document }) => [name, document.meets])];
    const heading = el("h3", null, "What others find");
    renew(this.#theirs, state, () => [heading, hidden ? this.#hidden() : this.#told(others, all)]);
  }

  #key(field) {
    return `${this.#desk.id}/${mine(this.#desk).round}/${field}`;
  }

  #keep(field, value) {
    if (value) drafts.set(this.#key(field), value);
    else drafts.drop(this.#key(field));
  }

  #write(label, set) {
    return this.#desk.edit(label, [reviewed(this.#desk, set)]);
  }

  async #saveNote() {
    drafts.drop(this.#key("note"));
    await this.#write("Note for the review", { note: this.#note.value });
  }

  async #addLine() {
    const { missing } = mine(this.#desk);
    const text = this.#line.value.trim();
    if (!text || missing.includes(text)) return;
    this.#line.value = "";
    drafts.drop(this.#key("missing"));
    await this.#write("Say what is missing", { missing: [...missing, text] });
  }

  #missing(text) {
    const back = () => {
      const { missing } = mine(this.#desk);
      void this.#write("Take back what is missing", { missing: missing.filter((one) => one !== text) });
    };
    return el("li", null, el("span", { dir: "auto" }, text),
      el("button", { type: "button", "aria-label": `Take back: ${text}`, onclick: back }, "Take back"));
  }

  #ending() {
    const finish = async () => {
      await this.leave();
      const seen = standing(this.#desk.entries("rationale").values()).map((one) => one.name);
      await this.#write("Finish the review", { done: true, seen });
      announce("Your review of this pair is done.");
    };
    const button = { type: "button", id: "finish", class: "primary", onclick: () => void finish() };
    return [el("button", button, "I am done")];
  }

  #ended() {
    const next = roundOf(this.#desk) + 1;
    const begin = async () => {
      const edit = { kind: "review", name: `${next}-${me()}`, set: { round: next, done: false } };
      await this.#desk.edit(`Begin round ${next}`, [edit]);
      announce(`Round ${next} begins.`);
    };
    const reopen = () => void this.#write("Reopen the review", { done: false });
    return [
      el("button", { type: "button", id: "reopen", onclick: reopen }, "Not done after all"),
      el("button", { type: "button", id: "again", onclick: () => void begin() }, `Begin round ${next}`),
    ];
  }

  #hidden() {
    const show = () => {
      this.#shown = true;
      this.update();
    };
    return [
      el("p", { class: "soft" }, "Others are done with this round. What they say is shown when you are, too."),
      el("button", { type: "button", id: "show-others", onclick: show }, "Show it now"),
    ];
  }

  #told(others, all) {
    const done = others.filter((one) => one.document.done).toReversed();
    const begun = others.filter((one) => !one.document.done).map((one) => one.person);
    return [
      done.map((one) => this.#review(one, all)),
      begun.length ? el("p", { class: "soft" }, `Under way: ${begun.join(", ")}.`) : null,
      others.length ? null : el("p", { class: "soft" }, "Nobody has reviewed this pair yet."),
    ];
  }

  #review({ person, round, document }, all) {
    const number = (name) => all.findIndex((one) => one.name === name) + 1;
    const words = (at) => (at ? `Rationale ${at} is irrelevant` : "A rationale that is gone was irrelevant");
    const marked = (document.irrelevant ?? []).map((name) => el("li", { "data-irrelevant": number(name) }, words(number(name))));
    const missing = (document.missing ?? []).map((line) => {
      const met = all.some((one) => one.document.meets === line);
      const write = el("button", { type: "button", "data-action": "write", onclick: () => this.#acts.write(line) }, "Write it");
      return el("li", { "data-written": String(met) }, "Missing: ", el("q", { dir: "auto" }, line), " ",
        met ? el("span", { class: "chip" }, "✓ written") : this.#may.edit ? write : null);
    });
    const none = !marked.length && !missing.length ? el("li", null, "Nothing to be done") : null;
    return el("article", { class: "their-review", "data-person": person },
      el("h4", null, el("bdi", null, person), el("span", { class: "soft" }, ` round ${round}`)),
      el("ul", { class: "lines" }, marked, missing, none),
      document.note ? el("p", { dir: "auto" }, document.note) : null);
  }
}
