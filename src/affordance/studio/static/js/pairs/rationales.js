/** The rationales of the pair that is open, in order, and a place to write a new one. */

import { announce, el } from "../lib/dom.js";
import { Composer } from "./composer.js";
import { added, moved, standing } from "./edits.js";
import { RationaleItem } from "./rationale.js";
import { blinded, lastOfOthers, mine, reviewed } from "./reviews.js";

export class Rationales {
  #place = document.getElementById("rationales");
  #list = el("ol", { class: "reasons" });
  #none = el("p", { class: "soft" });
  #may;
  #composer = null;
  #desk = null;
  #items = new Map();

  /** @param {{edit: boolean, review: boolean}} may */
  constructor(may) {
    this.#may = may;
    const others = () => (this.#desk ? standing(this.#desk.entries("rationale").values()) : []);
    if (may.edit) this.#composer = new Composer({ others, onAdd: (made) => this.#add(made) });
    this.#list.addEventListener("keydown", (event) => this.#key(event));
  }

  open(desk) {
    this.#desk = desk;
    this.#items.clear();
    this.#list.replaceChildren();
    this.#composer?.open(desk.id);
    this.#place.replaceChildren(this.#none, this.#list, ...(this.#composer ? [this.#composer.element] : []));
    this.#place.scrollTop = 0;
    this.update();
  }

  async leave() {
    for (const item of this.#items.values()) await item.leave();
  }

  /** Begin a new one. @param {string} [line] what a review found missing */
  compose(line = null) {
    if (line === null) this.#composer?.focus();
    else this.#composer?.meet(line);
  }

  update() {
    const desk = this.#desk;
    const all = standing(desk.entries("rationale").values());
    this.#none.hidden = all.length > 0;
    this.#none.textContent = "Nobody has said yet why the winner won.";
    const names = new Set(all.map((one) => one.name));
    for (const [name, item] of this.#items) {
      if (names.has(name)) continue;
      const entry = desk.get("rationale", name);
      if (item.dirty && entry?.document.gone) {
        item.deleted(entry.author);
        continue;
      }
      item.element.remove();
      this.#items.delete(name);
    }
    for (const { name } of all) if (!this.#items.has(name)) this.#items.set(name, this.#item(name));
    this.#order(all);
    const told = this.#marks();
    for (const { name } of all) {
      const own = { shown: this.#may.review, on: mine(desk).irrelevant.includes(name) };
      this.#items.get(name).update(all, told.filter((one) => one.document.irrelevant?.includes(name)), own);
    }
  }

  #item(name) {
    return new RationaleItem(this.#desk, name, this.#may, {
      move: (one, by) => void this.#move(one, by),
      remove: (one) => void this.#remove(one),
      mark: (one, on) => void this.#mark(one, on),
    });
  }

  /** Reviews of others that I am told of. */
  #marks() {
    return blinded(this.#desk, this.#may.review) ? [] : lastOfOthers(this.#desk);
  }

  /** Elements are moved only where the order is another: what has the focus would lose it. */
  #order(all) {
    const wanted = all.map((one) => this.#items.get(one.name).element);
    const now = [...this.#list.children].filter((one) => wanted.includes(one));
    if (now.length === wanted.length && now.every((one, index) => one === wanted[index])) return;
    const held = document.activeElement;
    this.#list.append(...wanted);
    if (this.#list.contains(held)) held.focus();
  }

  #key(event) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const name = event.target.closest?.("[data-name]")?.dataset.name;
    if (!by || !event.altKey || !name || !this.#may.edit) return;
    event.preventDefault();
    event.stopPropagation();
    void this.#move(name, by);
  }

  async #add(made) {
    const desk = this.#desk;
    const entries = desk.entries("rationale").values();
    await desk.edit("Add a rationale", added(entries, desk.newName("rationale"), made));
    announce("The rationale is added.");
  }

  async #move(name, by) {
    await this.#items.get(name)?.leave();
    const edits = moved(this.#desk.entries("rationale").values(), name, by);
    if (edits.length) await this.#desk.edit("Move a rationale", edits);
  }

  async #remove(name) {
    const at = standing(this.#desk.entries("rationale").values()).findIndex((one) => one.name === name);
    await this.#items.get(name)?.leave();
    const saving = this.#desk.edit("Delete a rationale", [{ kind: "rationale", name, set: { gone: true } }]);
    // At once: whoever goes on meanwhile keeps the focus where they are.
    const left = [...this.#items.values()];
    (left[Math.min(at, left.length - 1)] ?? this.#composer)?.focus();
    await saving;
    announce(`Rationale ${at + 1} is deleted. Ctrl+Z brings it back.`);
  }

  async #mark(name, on) {
    const { irrelevant } = mine(this.#desk);
    const now = on ? [...irrelevant, name] : irrelevant.filter((one) => one !== name);
    await this.#desk.edit("Mark a rationale", [reviewed(this.#desk, { irrelevant: now })]);
  }
}
