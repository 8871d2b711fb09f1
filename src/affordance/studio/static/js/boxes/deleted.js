// Regions that were deleted: none of them is lost.

import { announce, el } from "../lib/dom.js";
import { renew } from "../lib/renew.js";
import { ROOT } from "../work/documents.js";
import { moment, personOf } from "../work/words.js";

export class Deleted {
  #box = document.getElementById("deleted");
  #sheet = null;
  #mayEdit;
  #select;

  /** @param {{mayEdit: boolean, select: (name: string) => void}} options */
  constructor({ mayEdit, select }) {
    this.#mayEdit = mayEdit;
    this.#select = select;
    this.#box.addEventListener("toggle", () => this.#list());
  }

  /** @param {import("../work/sheet.js").Sheet | null} sheet */
  show(sheet) {
    this.#sheet = sheet;
    const count = this.#gone().length;
    this.#box.hidden = count === 0;
    this.#box.firstElementChild.textContent = count === 1 ? "1 deleted region" : `${count} deleted regions`;
    this.#list();
  }

  #gone() {
    return this.#sheet === null ? [] : [...this.#sheet.entries("region").values()].filter((one) => one.document.gone);
  }

  #list() {
    if (!this.#box.open) return;
    const gone = this.#gone();
    const row = (entry) => {
      const title = this.#sheet.titleOf(entry.name);
      const told = `${title}, ${personOf(entry.author)}, ${moment(entry.created)}`;
      const attributes = { type: "button", class: "link", "aria-label": `Bring ${title} back`, dataset: { action: `restore ${entry.name}` } };
      const back = el("button", { ...attributes, onclick: () => void this.#back(entry) }, "Bring back");
      return el("li", {}, el("span", { title: told }, told), this.#mayEdit && back);
    };
    const titles = gone.map((one) => this.#sheet.titleOf(one.name));
    renew(this.#box.lastElementChild, [this.#sheet?.id, gone, titles], () => gone.map(row));
  }

  async #back({ name, document }) {
    const set = { gone: false };
    // Where its parent is gone too, it would not be seen.
    if (!this.#sheet.region(document.parent)) set.parent = ROOT;
    await this.#sheet.edit(`Bring ${name} back`, [{ kind: "region", name, set }]);
    this.#select(name);
    announce(`${this.#sheet.titleOf(name)} is back.`);
  }
}
