/** The question that is open: what it is, its wording, and what can be done with it. */

import { el, leaveField } from "../lib/dom.js";
import { postJson } from "../lib/api.js";
import { BoxFields } from "../boxes/boxfields.js";
import { Latest } from "../boxes/latest.js";
import { Drafts } from "../lib/drafts.js";
import { renew } from "../lib/renew.js";
import { abandoned, expressionSet, keptAfterAll, optionsSet, questionSet } from "./edits.js";
import { checkWords, exportState, kindOf, KINDS, originWords, writtenBy } from "./words.js";
import { Wording } from "./wording.js";

const NAMES = {
  functionality: "By what it is for",
  description: "By what it looks like",
  intent: "By what somebody wants",
};
const PAUSE = 300; // ms between looks at a wording that is being typed
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const drafts = new Drafts("question");

export class Editor {
  #place = document.getElementById("editor");
  #mayEdit;
  #sheet = null;
  #board = null;
  #name = "";
  #around = null;
  #fields = new Map(); // by part: a kind of expression, "question", or the number of an option
  #doubted = null;
  #standing = el("p", { class: "standing", role: "status" });
  #facts = el("dl", { class: "facts" });
  #acts = el("div", { class: "acts" });
  #boxes;
  #checking = new Latest(
    (wording) => postJson("/api/wording", wording),
    ({ doubts }, { name }) => name === this.#name && this.#doubt(doubts),
    PAUSE,
  );

  /** @param {{mayEdit: boolean}} options */
  constructor({ mayEdit }) {
    this.#mayEdit = mayEdit;
    this.#boxes = new BoxFields({ mayEdit });
  }

  /** Save what is being written, before something else is shown. */
  async leave() {
    for (const field of this.#fields.values()) await field.save();
  }

  /** @param {import("../work/sheet.js").Sheet} sheet @param {import("./board.js").Board} board */
  open(sheet, board, name) {
    this.close();
    [this.#sheet, this.#board, this.#name, this.#around] = [sheet, board, name, null];
    this.#checking.forget();
    const { document } = board.question;
    const wording = document.form === "outcome" ? this.#outcome(document) : this.#expressions(document);
    this.#place.replaceChildren(this.#standing, this.#acts, wording, this.#boxes.element, this.#facts);
    this.#place.scrollTop = 0;
    this.#place.setAttribute("aria-busy", "true");
    this.update();
  }

  /** What the server knows of it besides. */
  setAround(around) {
    this.#around = around;
    this.#place.removeAttribute("aria-busy");
    this.#doubt(around.doubts);
    this.update();
    if ([...this.#fields.values()].some((field) => field.dirty)) this.#check();
  }

  /** What is being typed is saved to its own question first. */
  close() {
    leaveField(this.#place);
    this.#fields.clear();
    this.#name = "";
    this.#place.replaceChildren();
  }

  /** Something of it has changed. */
  update() {
    const entry = this.#board.question;
    const { document } = entry;
    for (const [part, field] of this.#fields) field.setSaved(this.#saved(part));
    const target = {
      gone: this.#around !== null && this.#around.place === null,
      rejected: document.level === "region" && this.#sheet.current("validation", document.target)?.rejected === true,
    };
    const { state, text } = exportState(document, target);
    if (this.#standing.textContent !== text) this.#standing.textContent = text;
    this.#standing.dataset.state = state;
    this.#standing.classList.toggle("out", state !== "kept");
    renew(this.#acts, [document.abandoned, document.dropped], () => this.#buttons(document));
    this.#boxes.show(this.#board, this.#board.target);
    this.#tell(entry);
  }

  focus() {
    const [first] = this.#fields.values();
    first?.focus();
  }

  /** Abandon the question, or take that back. */
  async abandon() {
    const [board, { document }] = [this.#board, this.#board.question];
    await this.leave();
    if (board !== this.#board) return;
    await this.#edit(document.abandoned ? "taken back" : "abandoned", abandoned(!document.abandoned));
  }

  /** A person keeps what a check has dropped. */
  async keep() {
    if (this.#board.question.document.dropped) await this.#edit("kept after all", keptAfterAll());
  }

  #expressions(document) {
    const place = el("section", { "aria-label": "Wording", class: "wordings" }, el("h3", null, "Wording"));
    const add = (kind) => {
      const field = this.#field(kind, { label: NAMES[kind] ?? kind, rows: 3 });
      place.insertBefore(field.element, more);
      return field;
    };
    const more = el("div", { class: "more" });
    place.append(more);
    const kinds = [...new Set([...KINDS, ...Object.keys(document.expressions ?? {})])];
    for (const kind of kinds) {
      if (document.expressions?.[kind] || drafts.get(this.#key(kind)) !== null) add(kind);
      else if (this.#mayEdit) {
        const button = el("button", { type: "button", class: "plain", "data-action": `add ${kind}` }, `Add: ${NAMES[kind].toLowerCase()}`);
        button.addEventListener("click", () => {
          button.remove();
          add(kind).focus();
        });
        more.append(button);
      }
    }
    return place;
  }

  #outcome(document) {
    this.#doubted = el("div", { class: "doubts", role: "status" });
    return el("section", { "aria-label": "Wording", class: "wordings" },
      el("h3", null, "Question"),
      this.#field("question", { label: "What is asked", rows: 3 }).element,
      el("h3", null, "Options"),
      this.#doubted,
      document.options.map((option, index) =>
        this.#field(index, {
          label: LETTERS[index],
          hint: `${option.origin === "target" ? "✓ " : ""}${originWords(option)}`,
          rows: 2,
          data: { origin: option.origin, of: option.of ?? "" },
          look: option.origin === "target" ? "right" : "",
        }).element));
  }

  #field(part, options) {
    const field = new Wording({
      ...options,
      data: { part, ...options.data },
      saved: this.#saved(part),
      draft: this.#mayEdit ? drafts.get(this.#key(part)) : null,
      editable: this.#mayEdit,
      onInput: (draft) => {
        if (draft === null) drafts.drop(this.#key(part));
        else drafts.set(this.#key(part), draft);
        this.#check();
      },
      onSave: (value, after) => this.#save(part, value, after),
    });
    this.#fields.set(part, field);
    return field;
  }

  #key(part) {
    return `${this.#sheet.id}/${this.#name}/${part}`;
  }

  #saved(part) {
    const { document, version, author } = this.#board.question;
    return { text: textOf(document, part), version, author };
  }

  async #save(part, value, after) {
    const key = this.#key(part);
    const { document } = this.#board.question;
    const make = typeof part === "number" ? optionsSet : part === "question" ? questionSet : expressionSet;
    const { set, refused } = make(document, value, part);
    if (refused) return refused;
    try {
      await this.#edit("wording", set, after);
    } catch (error) {
      return `Not saved: ${error.message}`;
    }
    drafts.drop(key);
    return "";
  }

  /** A question that a person has edited keeps its box: it gets the one that its target has now. */
  async #edit(what, set, after = this.#board.question.version) {
    const whole = { box: { space: "pixel", xyxy: [...this.#board.box] }, ...set };
    const edit = { kind: "question", name: this.#name, set: whole, after };
    await this.#sheet.edit(`Question ${this.#name}: ${what}`, [edit]);
  }

  #check() {
    const values = [...this.#fields].map(([part, field]) => [part, field.value]);
    const outcome = this.#fields.has("question");
    const texts = values.filter(([part]) => typeof part === "number").map(([, value]) => value);
    const expressions = outcome ? {} : Object.fromEntries(values.filter(([, value]) => value));
    const question = outcome ? this.#fields.get("question").value : "";
    this.#checking.put({ screen: this.#sheet.id, name: this.#name, expressions, question, options: texts });
  }

  #doubt(doubts) {
    for (const [part, field] of this.#fields) {
      if (typeof part === "string") field.setDoubts(doubts[part] ?? []);
    }
    this.#doubted?.replaceChildren(...(doubts.options ?? []).map((line) => el("p", null, line)));
  }

  #buttons(document) {
    if (!this.#mayEdit) return [];
    const button = (act, words, key, look) =>
      el("button", { type: "button", class: look, dataset: { action: act }, onclick: () => void this[act]() },
        `${words} `, el("kbd", null, key));
    if (document.abandoned) return [button("abandon", "Take back", "X", null)];
    return [
      button("abandon", "Abandon", "X", "danger"),
      document.dropped && button("keep", "Keep it all the same", "V", null),
    ];
  }

  #tell(entry) {
    const { document } = entry;
    const region = document.level === "region";
    const address = `/boxes?${new URLSearchParams({ screen: this.#sheet.id, region: document.target })}`;
    const around = this.#around;
    const apart = (text) => el("bdi", null, text);
    const rows = [
      ["Question", this.#name],
      ["Kind", kindOf(document)],
      ["Target", document.target, (text) => (region ? el("a", { href: address, dataset: { action: "target" } }, text) : text)],
      ["Written on it", around?.own || null, apart],
      ["Looks like", (document.alike ?? []).join(", ") || null],
      ["Not there any more", around?.missing.join(", ") || null],
      ["Group", document.group],
      ["Written", writtenBy(entry) || null],
      ...checkWords(document.checks).map(([check, found]) => [check, found, apart]),
    ].filter(([, text]) => text !== null && text !== undefined);
    renew(this.#facts, [address, region, rows], () =>
      rows.map(([term, text, made = (same) => same]) => [el("dt", null, term), el("dd", null, made(text))]));
  }
}

function textOf(document, part) {
  if (typeof part === "number") return document.options[part]?.text ?? "";
  return (part === "question" ? document.question : document.expressions?.[part]) ?? "";
}
