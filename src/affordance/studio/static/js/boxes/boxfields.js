// The box of a region as four numbers.

import { announce, el, leaveField } from "../lib/dom.js";
import { boxField, LEAST } from "./geometry.js";

const EDGES = ["Left", "Top", "Right", "Bottom"];
const BURST = 600; // milliseconds: steps within them are one stroke

export class BoxFields {
  #inputs;
  #why = el("p", { class: "notice", role: "alert", hidden: true });
  #size = el("span", { class: "quiet" });
  #sheet = null;
  #name = null;
  #timer = 0; // not 0: somebody is writing
  #burst = null; // the stroke of it, while what is written is a box
  #mayEdit;

  /** @param {{mayEdit: boolean}} options */
  constructor({ mayEdit }) {
    this.#mayEdit = mayEdit;
    const input = (edge) => el("input", { type: "number", step: "1", min: "0", "data-edge": edge.toLowerCase() });
    this.#inputs = EDGES.map(input);
    const fields = EDGES.map((edge, index) => el("label", {}, edge, this.#inputs[index]));
    const title = el("h3", { class: "row" }, "Box ", this.#size);
    this.element = el("section", { "aria-label": "Box" }, title, el("div", { class: "fields" }, ...fields), this.#why);
    for (const field of this.#inputs) {
      field.addEventListener("input", () => void this.#typed());
      field.addEventListener("blur", () => void this.save());
      field.addEventListener("keydown", (event) => {
        if (event.key === "Enter") void this.save();
        else if (event.key === "Escape" && this.#timer) this.#drop();
        else return;
        event.preventDefault();
        event.stopPropagation();
      });
    }
    addEventListener("pagehide", () => void this.save());
  }

  show(sheet, name) {
    if (sheet !== this.#sheet || name !== this.#name) this.#leave();
    this.#sheet = sheet;
    this.#name = name;
    if (this.#timer) return;
    const region = sheet.region(name);
    const fixed = !this.#mayEdit || region.parent === null;
    const { width, height } = sheet.shot;
    this.#inputs.forEach((input, index) => {
      const value = String(region.box[index]);
      if (input.value !== value) input.value = value;
      input.max = String(index % 2 === 0 ? width : height);
      input.readOnly = fixed;
    });
    this.#size.textContent = `${region.box[2] - region.box[0]} by ${region.box[3] - region.box[1]} pixels`;
    this.#complain("");
  }

  async save() {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    const why = refused(this.#box, this.#sheet.shot);
    this.#complain(why);
    if (why) return;
    this.#timer = 0;
    const burst = this.#burst;
    this.#burst = null;
    await burst?.end();
  }

  /** Something else is to be shown: what is typed is saved to what it was typed for, or dropped where it is no box. */
  #leave() {
    leaveField(this.element);
    void this.save();
    if (!this.#timer) return;
    this.#timer = 0;
    void this.#takeBack();
    announce(`The numbers that were typed are discarded. ${this.#why.textContent}`);
  }

  get #box() {
    return this.#inputs.map((input) => input.valueAsNumber);
  }

  /** What is written is safe at once where it is a box. */
  async #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), BURST);
    if (refused(this.#box, this.#sheet.shot)) {
      await this.#takeBack();
      return;
    }
    const name = this.#name;
    this.#burst ??= this.#sheet.burst(`Change the box of ${name}`, "region", name);
    await this.#burst.put({ box: boxField(this.#box) });
  }

  async #takeBack() {
    const burst = this.#burst;
    this.#burst = null;
    await burst?.drop();
  }

  #drop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    void this.#takeBack();
    this.show(this.#sheet, this.#name);
  }

  #complain(why) {
    this.#why.hidden = why === "";
    this.#why.textContent = why;
    for (const input of this.#inputs) input.setAttribute("aria-invalid", String(why !== ""));
  }
}

function refused(box, { width, height }) {
  if (!box.every(Number.isInteger)) return "Expected four whole numbers of pixels.";
  const [left, top, right, bottom] = box;
  if (left < 0 || top < 0 || right > width || bottom > height) {
    return `Expected a box on the screen, which is ${width} by ${height} pixels.`;
  }
  if (right - left < LEAST || bottom - top < LEAST) {
    return `Expected Right and Bottom to be at least ${LEAST} pixels beyond Left and Top.`;
  }
  return "";
}
