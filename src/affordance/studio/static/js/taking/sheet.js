/** One question: what is shown, what is filled in, and the way to the others. */

import { el } from "../lib/dom.js";
import { Keymap } from "../lib/keys.js";
import { showBlocks } from "./blocks.js";
import { blocksOf, makeForm, wide } from "./forms.js";
import { Seconds } from "./seconds.js";

export class SheetView {
  #study;
  #acts;
  #index;
  #form;
  #films;
  #seconds;
  #lack = el("div", { class: "lack", role: "alert", hidden: true });
  #jumps;
  #progress;
  #detach;
  #keymap = new Keymap();

  /**
   * @param {import("./study.js").Study} study
   * @param {number} index of the slot
   * @param {object} sheet
   * @param {{given: object, seconds: number} | null} answer
   * @param {object} acts
   * @param {(given: object, seconds: number, whole: boolean) => void} acts.put
   * @param {(index: number) => void} acts.go
   * @param {Set<string>} acts.marks slots that are answered
   */
  constructor(study, index, sheet, answer, acts) {
    this.#study = study;
    this.#index = index;
    this.#acts = acts;
    this.#seconds = new Seconds(answer?.seconds ?? 0);
    const shown = showBlocks(sheet.blocks, blocksOf(sheet.form, sheet.blocks));
    this.#films = shown.films;
    this.#form = makeForm(sheet.form, answer?.given, { blocks: sheet.blocks, change: () => this.#changed() });
    const bare = !shown.element.childElementCount;
    const place = { stage: "question", question: index + 1, count: study.slots.length };
    this.element = el("div", { class: "sheet", dataset: place }, this.#head(sheet),
      sheet.instruction && this.#instruction(sheet.instruction),
      el("div", { class: wide(sheet.form) || bare ? "sheet-body" : "sheet-body beside" },
        bare ? null : shown.element,
        el("div", { class: "answer" }, this.#form.element, this.#lack)),
      this.#ways());
    this.#bind();
    this.mark();
  }

  /** Show which questions are answered. */
  mark() {
    const { marks } = this.#acts;
    this.#study.slots.forEach((slot, index) => {
      const answered = marks.has(slot.id);
      const link = this.#jumps[index];
      link.classList.toggle("answered", answered);
      link.dataset.state = answered ? "answered" : "open";
      link.setAttribute("aria-label", `Question ${index + 1}, ${answered ? "answered" : "open"}`);
    });
    this.#progress.value = marks.size;
    this.#progress.setAttribute("aria-label", `${marks.size} of ${this.#study.slots.length} answered`);
  }

  help() {
    return this.#keymap.help();
  }

  /** Leave it: nothing plays or listens any more. */
  close() {
    this.#detach();
    this.#seconds.stop();
    this.#films.forEach((film) => film.destroy());
    this.#form.destroy?.();
    this.element.remove();
  }

  #head({ heading }) {
    const { slots } = this.#study;
    this.#progress = el("progress", { max: slots.length, value: 0 });
    this.#jumps = slots.map((_, index) =>
      el("a", { href: `#${index + 1}`, "aria-current": index === this.#index ? "step" : null }, index + 1));
    return el("div", { class: "sheet-head" },
      el("h1", { tabindex: "-1", dir: "auto" }, heading || "Question"),
      el("div", { class: "along" },
        el("span", { class: "at" }, `${this.#index + 1} of ${slots.length}`), this.#progress,
        el("details", { class: "jump" }, el("summary", null, "All questions"),
          el("nav", { "aria-label": "All questions" }, el("ol", null, this.#jumps.map((one) => el("li", null, one))),
            el("p", null, el("a", { href: "#end" }, "To the end"))))));
  }

  /** The same for each question: after the first one it need not take the room. */
  #instruction(text) {
    const said = el("p", { class: "instruction said", dir: "auto" }, text);
    if (this.#index === 0 || text !== this.#study.texts.instruction) return said;
    return el("details", { class: "what-to-do" }, el("summary", null, "What to do"), said);
  }

  #ways() {
    const last = this.#index === this.#study.slots.length - 1;
    return el("div", { class: "ways" },
      el("button", { type: "button", disabled: this.#index === 0, dataset: { action: "back" }, onclick: () => this.#back() }, "Back"),
      el("button", { type: "button", class: "primary", dataset: { action: "next" }, onclick: () => this.#next() }, last ? "To the end" : "Next"));
  }

  #bind() {
    this.#form.bind?.(this.#keymap);
    this.#films[0]?.bind(this.#keymap);
    this.#keymap.add(["Ctrl+Enter", "ArrowRight"], "Go on", "Questions", () => this.#next());
    this.#keymap.add("ArrowLeft", "Go back", "Questions", () => this.#back());
    this.#detach = this.#keymap.attach(document);
  }

  #changed() {
    this.#lack.hidden = true;
    const given = this.#form.empty?.() ? {} : this.#form.value();
    this.#acts.put(given, this.#seconds.count, this.#form.lack() === "");
  }

  #back() {
    if (this.#index > 0) this.#acts.go(this.#index - 1);
  }

  /** An empty answer is pointed out, and may then be left open. */
  #next() {
    const lack = this.#form.lack();
    if (!lack) {
      this.#acts.go(this.#index + 1);
      return;
    }
    const stay = () => {
      this.#lack.hidden = true;
      this.#form.focus();
    };
    const on = () => this.#acts.go(this.#index + 1);
    this.#lack.replaceChildren(el("p", { class: "error" }, lack),
      el("div", { class: "zoom-row" },
        el("button", { type: "button", class: "primary", dataset: { action: "answer" }, onclick: stay }, "Answer it"),
        el("button", { type: "button", dataset: { action: "skip" }, onclick: on }, "Leave it open and go on")));
    this.#lack.hidden = false;
    this.#lack.querySelector("button").focus();
    this.#lack.scrollIntoView({ block: "nearest" });
  }
}
