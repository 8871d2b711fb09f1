// Details: of the selected region, or of the screen where none is selected.

import { el } from "../lib/dom.js";
import { renew } from "../lib/renew.js";
import { personOf } from "../work/words.js";
import { BoxFields } from "./boxfields.js";
import { History } from "./history.js";
import { scoreWords } from "./order.js";
import { RetellingState } from "./retelling.js";
import { ScreenFacts } from "./screenfacts.js";
import { Texts } from "./texts.js";
import { TypeField } from "./typefield.js";
import { showWarnings } from "./warnings.js";

export class Panel {
  #pane = document.getElementById("pane-panel");
  #selection;
  #sheet = null;
  #problems = {};
  #parts;
  #facts;
  #retelling;
  #head = el("section", {});
  #last = el("span");
  #score = el("section", { "aria-label": "Score of the verifier" });
  #lines = el("div", { class: "warnings" });
  #columns;

  /**
   * @param {import("./selection.js").Selection} selection
   * @param {{mayEdit: boolean, mayRetell: boolean, compare: (name: ?string, box: ?number[]) => void}} options
   */
  constructor(selection, { mayEdit, mayRetell, compare }) {
    const select = (name) => selection.set(name);
    this.#selection = selection;
    this.#retelling = new RetellingState({ mayRetell, select });
    this.#facts = new ScreenFacts({ mayEdit, select });
    const [box, type, texts] = [new BoxFields({ mayEdit }), new TypeField({ mayEdit }), new Texts({ mayEdit })];
    const history = new History({ mayEdit, compare });
    this.#parts = { box, type, texts, history };
    const warnings = el("section", { "aria-label": "Warnings" }, el("h3", {}, "Warnings"), this.#lines);
    this.#columns = [
      el("div", {}, this.#head, box.element, type.element),
      el("div", {}, texts.element),
      el("div", {}, this.#score, warnings, history.element),
    ];
    selection.addEventListener("select", () => this.#draw());
  }

  /** @param {import("../work/sheet.js").Sheet | null} sheet */
  async setSheet(sheet) {
    this.#sheet = sheet;
    this.#problems = sheet?.problems ?? {};
    this.#retelling.show(sheet);
    this.#draw();
    this.#pane.scrollTop = 0;
  }

  /** Keep what is being written. */
  async save() {
    const { box, type, texts } = this.#parts;
    for (const part of [box, type, texts, this.#facts]) await part.save();
  }

  /** @param {Set<string>} keys of documents that are others now */
  changed(keys) {
    const { name } = this.#selection;
    this.#draw();
    if (name !== null && [...keys].some((key) => key.endsWith(`/${name}`))) this.#parts.history.changed();
    if ([...keys].some((key) => /^(region|retelling)\//.test(key))) this.#retelling.changed();
  }

  /** @param {Object<string, string[]>} problems by parent */
  setProblems(problems) {
    this.#problems = problems;
    this.#draw();
  }

  focusText() {
    this.#pane.querySelector("[data-field=functionality]")?.focus();
  }

  focusType() {
    this.#pane.querySelector("[data-field=type]")?.focus();
  }

  #draw() {
    const sheet = this.#sheet;
    const { name } = this.#selection;
    if (sheet === null) {
      this.#pane.replaceChildren();
      return;
    }
    if (name === null || !sheet.region(name)) {
      this.#put("screen", [...this.#facts.columns, this.#retelling.element]);
      this.#facts.show(sheet, this.#problems);
      this.#parts.history.show(sheet, null);
      return;
    }
    this.#put("region", this.#columns);
    this.#columns[2].lastElementChild.before(this.#retelling.element);
    this.#tellHead(sheet, name);
    for (const part of Object.values(this.#parts)) part.show(sheet, name);
    this.#tellScore(sheet.region(name).entry.document.scores);
    showWarnings(this.#lines, sheet, name, this.#problems, (other) => this.#selection.set(other));
  }

  #put(what, columns) {
    if (this.#pane.dataset.shows === what && this.#pane.firstElementChild) return;
    void this.save(); // a field that is taken away is not left
    this.#pane.dataset.shows = what;
    this.#pane.replaceChildren(el("div", { class: "panel" }, ...columns));
  }

  #tellHead(sheet, name) {
    const { parent, entry, title: called } = sheet.region(name);
    const go = () => this.#selection.set(parent);
    const inside = sheet.children(name).length;
    const count = inside === 0 ? "no regions in it" : inside === 1 ? "1 region in it" : `${inside} regions in it`;
    const last = entry.pending ? "waits to be saved" : `last changed by ${personOf(entry.author)}`;
    const title = parent === null ? "Whole screen" : called;
    const outer = parent === null ? null : sheet.titleOf(parent);
    const where = () => ["Inside of ", el("button", { type: "button", class: "link", onclick: go }, outer), ", "];
    renew(this.#head, [title, parent, outer, count], () => [
      el("h2", { class: "named" }, title),
      el("p", { class: "quiet" }, outer !== null && where(), `${count}, `, this.#last, "."),
    ]);
    this.#last.textContent = last;
  }

  #tellScore(scores) {
    const { words } = scoreWords(scores);
    const reason = scores?.reason ? [el("p", { class: "said", dir: "auto" }, scores.reason)] : [];
    const line = el("p", {}, `${words[0].toUpperCase()}${words.slice(1)}.`);
    this.#score.replaceChildren(el("h3", {}, "Verifier"), line, ...reason);
  }
}
