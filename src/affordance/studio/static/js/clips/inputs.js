/** What the person does before or during an animation, a row for each input. */

import { el } from "../lib/dom.js";
import { same } from "../work/documents.js";

/** Events: "inputs" (detail: {inputs, label}). */
export class InputRows extends EventTarget {
  element = el("div", { class: "inputs" });
  #editable;
  #inputs = [];
  #shown = null;

  constructor({ editable }) {
    super();
    this.#editable = editable;
  }

  /** @param {{summary: string, modality?: string[], type?: string[]}[]} inputs */
  show(inputs) {
    this.#inputs = inputs;
    if (same(inputs, this.#shown) || this.element.contains(document.activeElement) && this.#shown?.length === inputs.length) return;
    this.#render();
  }

  #render(fresh = false) {
    this.#shown = this.#inputs;
    const rows = [...this.#inputs, ...(fresh ? [{ summary: "" }] : [])].map((input, index) => this.#row(input, index));
    const add = el("button", { type: "button", class: "plain", "data-action": "add-input", onclick: () => this.#add() }, "Add an input");
    const none = el("p", { class: "soft" }, "Nothing is said of it.");
    this.element.replaceChildren(...(rows.length ? rows : [none]), ...(this.#editable ? [add] : []));
  }

  /** It is one when something is said of it. */
  #add() {
    this.#render(true);
    [...this.element.querySelectorAll("input.summary")].at(-1).focus();
  }

  #row(input, index) {
    const field = (name, value, label, list = null) => {
      const made = el("input", { class: name, list, maxlength: 400, readonly: !this.#editable, dir: "auto", "aria-label": `Input ${index + 1}: ${label}`, placeholder: label });
      made.value = value;
      made.addEventListener("change", () => this.#changed(index, row));
      return made;
    };
    const away = el("button", { type: "button", class: "plain", "aria-label": `Remove input ${index + 1}` }, "Remove");
    away.addEventListener("click", () => this.#remove(index));
    const row = el("div", { class: "input-row" },
      field("summary", input.summary, "in words, such as “taps the heart”"),
      field("modality", (input.modality ?? []).join(", "), "by what: touch, mouse", "modalities"),
      field("type", (input.type ?? []).join(", "), "how: tap, swipe", "types"),
      this.#editable && away);
    return row;
  }

  #changed(index, row) {
    const listed = (name) => row.querySelector(`.${name}`).value.split(",").map((one) => one.trim()).filter(Boolean);
    const summary = row.querySelector(".summary").value.trim();
    const input = { ...this.#inputs[index], summary, modality: listed("modality"), type: listed("type") };
    row.querySelector(".summary").setAttribute("aria-invalid", String(!summary));
    if (!summary) return;
    const inputs = index < this.#inputs.length ? this.#inputs.map((one, at) => (at === index ? input : one)) : [...this.#inputs, input];
    this.#tell(inputs, index < this.#inputs.length ? `Change input ${index + 1}` : "Add an input");
  }

  #remove(index) {
    const inputs = this.#inputs.filter((_, at) => at !== index);
    this.#tell(inputs, `Remove input ${index + 1}`);
    this.#render();
  }

  #tell(inputs, label) {
    this.#inputs = inputs;
    this.#shown = inputs;
    this.dispatchEvent(new CustomEvent("inputs", { detail: { inputs, label } }));
  }
}
