/** Where a new rationale is written. What is typed stays until it is added, also where the page is closed. */

import { el } from "../lib/dom.js";
import { postJson } from "../lib/api.js";
import { Drafts } from "../lib/drafts.js";
import { Latest } from "../boxes/latest.js";
import { lawField } from "./laws.js";
import { warningsOf } from "./warnings.js";

const PAUSE = 300; // ms
const drafts = new Drafts("new rationale");

export class Composer {
  #reason = el("textarea", {
    ...{ id: "new-reason", rows: 3, dir: "auto", maxlength: 20000, "aria-describedby": "new-doubts" },
    placeholder: "Why the winner won, in a sentence",
  });
  #law = el("span", { class: "law" });
  #meets = el("p", { class: "meets", hidden: true });
  #doubts = el("div", { class: "doubts", id: "new-doubts", role: "status" });
  #found = { sides: [], neutral: null };
  #chosen = null;
  #asked = "";
  #pair = "";
  #others;
  #onAdd;
  #checking = new Latest(
    ({ reason }) => postJson("/api/pair/wording", { reason }),
    (found, { reason }) => {
      if (reason !== this.#reason.value.trim()) return;
      this.#found = found;
      this.#warn();
    },
    PAUSE,
  );

  /**
   * @param {{others: () => object[], onAdd: (made: object) => Promise<void>}} options `others`: the rationales that
   *   there are
   */
  constructor({ others, onAdd }) {
    [this.#others, this.#onAdd] = [others, onAdd];
    const add = el("button", { type: "submit", class: "primary" }, "Add ", el("kbd", null, "Ctrl+Enter"));
    this.element = el("form", { class: "composer", "aria-label": "A new rationale" },
      el("label", { for: "new-reason" }, "New rationale"), this.#meets, this.#reason, this.#law, this.#doubts, add);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#add();
    });
    this.#reason.addEventListener("input", () => this.#changed());
    this.#reason.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void this.#add();
      } else if (event.key === "Escape") this.#reason.blur();
    });
  }

  /** @param {string} pair */
  open(pair) {
    this.#pair = pair;
    const { reason = "", law = null, meets = "" } = drafts.get(pair) ?? {};
    this.#fill(reason, law, meets);
  }

  focus() {
    this.#reason.focus();
  }

  /** Write what a review found missing. @param {string} line */
  meet(line) {
    this.#fill(this.#reason.value.trim() || line, this.#chosen, line);
    this.#changed();
    this.focus();
  }

  #fill(reason, law, meets) {
    this.#reason.value = reason;
    this.#chosen = law;
    this.#asked = meets;
    this.#found = { sides: [], neutral: null };
    this.#meets.hidden = !meets;
    this.#meets.replaceChildren("For what a review found missing: ", el("q", { dir: "auto" }, meets));
    const onchange = (chosen) => {
      this.#chosen = chosen;
      this.#changed();
    };
    const field = lawField(law, { id: "new-law", disabled: false, onchange });
    this.#law.replaceChildren(el("label", { for: "new-law" }, "Law"), field);
    this.#warn();
    if (reason.trim()) this.#checking.put({ reason: reason.trim() });
  }

  #changed() {
    const reason = this.#reason.value;
    if (reason.trim()) drafts.set(this.#pair, { reason, law: this.#chosen, meets: this.#asked });
    else drafts.drop(this.#pair);
    this.#warn();
    if (reason.trim()) this.#checking.put({ reason: reason.trim() });
  }

  #warn() {
    const reason = this.#reason.value.trim();
    const now = { name: "", reason, law: this.#chosen, neutral: null, sides: this.#found.sides };
    const lines = reason ? warningsOf(now, this.#others()) : [];
    const neutral = reason && this.#found.neutral;
    const use = () => {
      this.#reason.value = this.#found.neutral;
      this.#changed();
      this.focus();
    };
    this.#doubts.replaceChildren(...lines.map(({ kind, text }) => el("p", { "data-doubt": kind }, text)),
      ...(neutral ? [el("button", { type: "button", "data-action": "use-wording", onclick: use }, `Say “${neutral}”`)] : []));
  }

  async #add() {
    const reason = this.#reason.value.trim();
    if (!reason) {
      this.#doubts.replaceChildren(el("p", null, "Write why the winner won, then add it."));
      this.focus();
      return;
    }
    const pair = this.#pair;
    await this.#onAdd({ reason, law: this.#chosen, meets: this.#asked });
    drafts.drop(pair);
    if (pair === this.#pair) this.#fill("", null, "");
    this.focus();
  }
}
