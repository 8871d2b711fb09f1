// Re-annotation: which regions of the screen wait to be told anew, and having a model tell them.

import { getJson, postJson } from "../lib/api.js";
import { announce, el, withCode } from "../lib/dom.js";

const PAUSE = 2_000; // milliseconds from one look to the next while it runs

export class RetellingState {
  #sheet = null;
  #screen = null;
  #state = null;
  #trouble = "";
  #timer = 0;
  #round = 0;
  #mayRetell;
  #select;

  /** @param {{mayRetell: boolean, select: (name: string) => void}} options */
  constructor({ mayRetell, select }) {
    this.#mayRetell = mayRetell;
    this.#select = select;
    this.element = el("section", { "aria-label": "Re-annotate", class: "retelling" });
  }

  /** Regions that wait to be told anew. @returns {string[]} */
  get due() {
    return this.#state?.due ?? [];
  }

  /** @param {import("../work/sheet.js").Sheet | null} sheet */
  show(sheet) {
    this.#sheet = sheet;
    const screen = sheet?.id ?? null;
    if (screen === this.#screen) return;
    this.#screen = screen;
    this.#state = null;
    this.#trouble = "";
    this.element.replaceChildren();
    if (screen !== null) void this.#look();
  }

  /** Something of the screen is with the server that was not before. */
  changed() {
    clearTimeout(this.#timer);
    if (this.#screen !== null) this.#timer = setTimeout(() => void this.#look(), PAUSE / 4);
  }

  async #look() {
    clearTimeout(this.#timer);
    const [screen, round] = [this.#screen, ++this.#round];
    try {
      const state = await getJson(`/api/retelling?${new URLSearchParams({ screen })}`);
      if (round !== this.#round) return;
      const ended = this.#state?.running && !state.running;
      this.#state = state;
      this.#trouble = "";
      if (ended) announce(state.error ? `Re-annotation stopped: ${state.error}` : "Re-annotation is done.");
    } catch (error) {
      if (round !== this.#round) return;
      this.#trouble = error.message;
    }
    this.#draw();
    if (this.#state?.running) this.#timer = setTimeout(() => void this.#look(), PAUSE);
  }

  async #start() {
    const screen = this.#screen;
    try {
      await postJson("/api/retelling", { screen });
    } catch (error) {
      this.#trouble = error.message;
      this.#draw();
      return;
    }
    await this.#look();
  }

  #draw() {
    const parts = [el("h3", {}, "Re-annotate")];
    this.element.dataset.due = String(this.due.length);
    if (this.#state !== null) parts.push(...this.#told(this.#state));
    if (this.#trouble) parts.push(el("p", { class: "notice" }, this.#trouble));
    this.element.replaceChildren(...parts);
  }

  #told({ possible, why, model, due, running, error }) {
    if (due.length === 0 && !running) {
      return [el("p", { class: "quiet" }, "Every corrected region has a text of its box.")];
    }
    const names = due.map((name, index) => [index > 0 ? ", " : "", this.#link(name)]);
    const regions = due.length === 1 ? "1 corrected region has" : `${due.length} corrected regions have`;
    const parts = [el("p", {}, `${regions} no text of the new box: `, ...names.flat(), ".")];
    if (running) {
      parts.push(el("p", { role: "status" }, `${model} is telling them anew. You can go on meanwhile.`));
      parts.push(el("progress", { "aria-label": "Re-annotation" }));
    } else if (possible && this.#mayRetell) parts.push(this.#button(model, due.length, Boolean(error)));
    else if (why) parts.push(el("p", { class: "quiet" }, ...withCode(why)));
    if (error && !running) parts.push(el("p", { class: "notice" }, error));
    return parts;
  }

  #link(name) {
    const go = () => this.#select(name);
    return el("button", { type: "button", class: "link", "data-action": `select ${name}`, onclick: go }, this.#sheet.titleOf(name));
  }

  #button(model, count, again) {
    const button = el("button", { type: "button", "data-action": "re-describe" }, `${again ? "Try again" : "Re-annotate"} with ${model}`);
    button.addEventListener("click", () => {
      button.disabled = true;
      void this.#start();
    });
    const regions = count === 1 ? "1 region" : `${count} regions`;
    return el("div", { class: "row" }, button, el("span", { class: "quiet" }, regions));
  }
}
