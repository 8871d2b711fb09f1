/** One rationale: its reason, law and neutral wording, what is doubtful about it, and what reviewers say. */

import { el } from "../lib/dom.js";
import { postJson } from "../lib/api.js";
import { Drafts } from "../lib/drafts.js";
import { renew } from "../lib/renew.js";
import { Latest } from "../boxes/latest.js";
import { Wording } from "../questions/wording.js";
import { personOf } from "../work/words.js";
import { lawField } from "./laws.js";
import { warningsOf } from "./warnings.js";

const PAUSE = 300; // ms between looks at a reason that is being typed
const drafts = new Drafts("rationale");

export class RationaleItem {
  #desk;
  #name;
  #may;
  #acts;
  #reason;
  #neutral = null;
  #law;
  #number = el("span", { class: "ordinal" });
  #place = el("div", { class: "neutral" });
  #buttons = el("div", { class: "acts" });
  #marks = el("ul", { class: "marks" });
  #gone = el("div", { class: "overtaken", role: "status", hidden: true });
  #sides;
  #all = [];
  #checking = new Latest(
    ({ reason }) => postJson("/api/pair/wording", { reason }),
    (found, { reason }) => reason === this.#reason.value && this.#doubt(found),
    PAUSE,
  );

  /**
   * @param {import("../work/desk.js").Desk} desk
   * @param {string} name
   * @param {{edit: boolean, review: boolean}} may
   * @param {{move: Function, remove: Function, mark: Function}} acts
   */
  constructor(desk, name, may, acts) {
    [this.#desk, this.#name, this.#may, this.#acts] = [desk, name, may, acts];
    this.#sides = desk.wording?.[name] ?? { sides: [], neutral: null };
    this.#reason = this.#wording("reason", "Reason", 3);
    this.#law = el("span", { class: "law" });
    this.#gone.addEventListener("pointerdown", (event) => event.preventDefault()); // the text keeps the focus
    this.element = el("li", { class: "rationale", "data-name": name },
      el("div", { class: "top" }, this.#number, this.#buttons),
      this.#gone, this.#reason.element, this.#law, this.#place, this.#marks);
  }

  get dirty() {
    return this.#reason.dirty || (this.#neutral?.dirty ?? false);
  }

  focus() {
    this.#reason.focus();
  }

  async leave() {
    if (!this.#gone.hidden) return;
    await this.#reason.save();
    await this.#neutral?.save();
  }

  /**
   * @param {object[]} all the rationales that there are, in order
   * @param {{person: string, round: number}[]} marks who finds it irrelevant
   * @param {{shown: boolean, on: boolean}} mine whether I do
   */
  update(all, marks, mine) {
    this.#all = all;
    const at = all.findIndex((one) => one.name === this.#name);
    const { document, version, author } = this.#entry;
    this.#gone.hidden = true;
    this.element.setAttribute("aria-label", `Rationale ${at + 1}`);
    this.#number.textContent = `${at + 1}`;
    this.#reason.setSaved({ text: document.reason, version, author });
    this.#showLaw(document.law ?? null);
    this.#showNeutral(document, version, author);
    this.#showButtons(at, all.length, mine);
    const said = ({ person, round }) => [el("bdi", null, person), ` finds it irrelevant (round ${round})`];
    this.#marks.replaceChildren(...marks.map((one) => el("li", null, said(one))));
    this.element.classList.toggle("doubted", marks.length > 0);
    this.#warn();
  }

  /** Somebody has deleted it while it was being written. */
  deleted(author) {
    const back = () => void this.#bringBack();
    const drop = () => {
      drafts.drop(this.#key("reason"));
      drafts.drop(this.#key("neutral"));
      this.element.remove();
    };
    this.#gone.replaceChildren(
      el("p", null, el("bdi", null, personOf(author)), " deleted this rationale while you were writing."),
      el("div", { class: "row" },
        el("button", { type: "button", "data-action": "restore", onclick: back }, "Bring it back with my text"),
        el("button", { type: "button", "data-action": "discard", onclick: drop }, "Let it go")));
    this.#gone.hidden = false;
  }

  get #entry() {
    return this.#desk.get("rationale", this.#name);
  }

  async #bringBack() {
    const { version } = this.#entry;
    const set = { reason: this.#reason.value, gone: false };
    await this.#desk.edit("Bring back a rationale", [{ kind: "rationale", name: this.#name, set, after: version }]);
    drafts.drop(this.#key("reason"));
  }

  #wording(field, label, rows) {
    const { document, version, author } = this.#entry;
    return new Wording({
      label,
      rows,
      data: { part: field },
      saved: { text: document[field] ?? "", version, author },
      draft: this.#may.edit ? drafts.get(this.#key(field)) : null,
      editable: this.#may.edit,
      onInput: (draft) => {
        if (draft === null) drafts.drop(this.#key(field));
        else drafts.set(this.#key(field), draft);
        this.#warn();
        if (field === "reason") this.#checking.put({ reason: this.#reason.value });
      },
      onSave: (value, after) => this.#save(field, value, after),
    });
  }

  #key(field) {
    return `${this.#desk.id}/${this.#name}/${field}`;
  }

  async #save(field, value, after) {
    if (!this.#gone.hidden) return "Decide above what becomes of it.";
    if (field === "reason" && !value) return "A rationale says something. Delete it where it is not needed.";
    try {
      await this.#edit("Word a rationale", { [field]: value || null }, after);
    } catch (error) {
      return `Not saved: ${error.message}`;
    }
    drafts.drop(this.#key(field));
    return "";
  }

  #edit(label, set, after = this.#entry.version) {
    return this.#desk.edit(label, [{ kind: "rationale", name: this.#name, set, after }]);
  }

  #showLaw(law) {
    const field = this.#law.querySelector("select");
    if (field && (field.value || null) === law) return;
    const id = `law-${this.#name}`;
    const onchange = (chosen) => void this.#edit("Choose a law", { law: chosen });
    const make = () => [el("label", { for: id }, "Law"), lawField(law, { id, disabled: !this.#may.edit, onchange })];
    renew(this.#law, [law, this.#entry.version], make);
  }

  #showNeutral(document, version, author) {
    const wanted = Boolean(document.neutral) || drafts.get(this.#key("neutral")) !== null;
    if (wanted && this.#neutral === null) this.#neutral = this.#wording("neutral", "Without a side", 2);
    if (!wanted && !this.#neutral?.dirty) this.#neutral = null;
    this.#neutral?.setSaved({ text: document.neutral ?? "", version, author });
    const offered = this.#may.edit && this.#neutral === null ? this.#sides.neutral : null;
    renew(this.#place, [this.#neutral !== null, offered], () => [this.#neutral?.element ?? this.#offer(offered)]);
  }

  #offer(neutral) {
    if (!neutral) return null;
    const use = () => void this.#edit("Word a rationale without a side", { neutral });
    return el("div", { class: "offer" }, el("p", null, "Without a side: ", el("q", { dir: "auto" }, neutral)),
      el("button", { type: "button", "data-action": "use-wording", onclick: use }, "Use this wording"));
  }

  #showButtons(at, count, mine) {
    renew(this.#buttons, [at, count, mine], () => this.#made(at, count, mine));
  }

  #made(at, count, mine) {
    const button = (act, label, words, more = {}) =>
      el("button", { type: "button", "data-action": act, "aria-label": words, title: words, ...more }, label);
    const parts = [];
    if (this.#may.edit) {
      const move = (by) => () => this.#acts.move(this.#name, by);
      const ordinal = `rationale ${at + 1}`;
      parts.push(
        button("up", "↑", `Move ${ordinal} up (Alt+↑)`, { onclick: move(-1), disabled: at === 0 }),
        button("down", "↓", `Move ${ordinal} down (Alt+↓)`, { onclick: move(1), disabled: at === count - 1 }),
        button("remove", "Delete", `Delete ${ordinal}`, { onclick: () => this.#acts.remove(this.#name) }),
      );
    }
    if (mine.shown) {
      const onclick = () => this.#acts.mark(this.#name, !mine.on);
      const words = `Rationale ${at + 1} is irrelevant`;
      parts.push(button("mark", "Irrelevant", words, { onclick, "aria-pressed": String(mine.on) }));
    }
    return parts;
  }

  #doubt(found) {
    this.#sides = found;
    const { document, version, author } = this.#entry;
    this.#showNeutral(document, version, author);
    this.#warn();
  }

  #warn() {
    const { document } = this.#entry;
    const neutral = this.#neutral?.value || document.neutral || null;
    const now = { name: this.#name, reason: this.#reason.value, law: document.law ?? null, neutral };
    this.#reason.setDoubts(this.#may.edit ? warningsOf({ ...now, sides: this.#sides.sides }, this.#all) : []);
  }
}
