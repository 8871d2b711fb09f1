// The tools above the screen: buttons that name their keys.

import { el } from "../lib/dom.js";
import { ORIGINAL } from "./compare.js";

const ZOOM = 1.25;

export class Toolbar {
  #box = document.getElementById("toolbar");
  #stage;
  #buttons = {};

  /**
   * @param {import("./canvas.js").Stage} stage
   * @param {{mayEdit: boolean, undo: () => void, redo: () => void, done: () => void, help: () => void}} run
   */
  constructor(stage, { mayEdit, undo, redo, done, help }) {
    this.#stage = stage;
    const option = (name) => () => stage.setOption(name, !stage.options[name]);
    const groups = [
      [
        mayEdit && this.#button("draw", "Draw", "Draw a box (N)", () => this.#drawing()),
        this.#button("snap", "Snap", "Snap to edges and corners (S); hold Alt to do without", option("snap")),
        this.#button("loupe", "Magnifier", "Magnifier (Z)", option("loupe")),
        this.#button("original", "Original: off", "As it was proposed: off, over, beside (O)", () => this.#cycle()),
      ],
      [
        this.#button("out", "−", "Zoom out (-)", () => stage.zoomBy(1 / ZOOM), "Zoom out"),
        this.#button("scale", "100%", "Pixel by pixel (1)", () => stage.zoomBy(1 / stage.view.scale)),
        this.#button("in", "+", "Zoom in (+)", () => stage.zoomBy(ZOOM), "Zoom in"),
        this.#button("fit", "Fit", "Fit the screen (0)", () => stage.fit()),
      ],
      mayEdit && [this.#button("undo", "Undo", "", undo), this.#button("redo", "Redo", "", redo)],
      [
        mayEdit && this.#button("done", "Done", "Mark this image as done and go to the next one that is not (D)", done),
        this.#button("help", "?", "All keys (?)", help, "All keys"),
      ],
    ];
    const shown = groups.filter(Boolean).map((group) => group.filter(Boolean));
    const parts = shown.flatMap((group) => [el("span", { class: "gap" }), ...group]);
    this.#box.replaceChildren(...parts.slice(1));
    this.#roving();
    for (const name of ["draw", "snap", "loupe", "done"]) this.#press(name, false);
    this.#press("snap", stage.options.snap);
    stage.addEventListener("option", ({ detail }) => this.#option(detail));
    stage.addEventListener("drawing", ({ detail }) => this.#press("draw", detail.active));
    stage.addEventListener("view", ({ detail }) => this.#scale(detail.scale));
  }

  /** @param {import("../work/sheet.js").Sheet | null} sheet */
  show(sheet) {
    const set = (name, on, title) => {
      const button = this.#buttons[name];
      if (!button) return;
      button.setAttribute("aria-disabled", on ? "false" : "true");
      button.title = title;
    };
    set("undo", sheet?.canUndo, `Undo (Ctrl+Z): ${sheet?.undoLabel || "nothing to undo"}`);
    set("redo", sheet?.canRedo, `Redo (Ctrl+Shift+Z): ${sheet?.redoLabel || "nothing to redo"}`);
    const done = Boolean(sheet?.get("reviewed", "")?.document.done);
    this.#press("done", done);
    const title = done ? "Take back that this image is done (Shift+D)" : "Mark this image as done and go on (D)";
    if (this.#buttons.done) this.#buttons.done.title = title;
  }

  #button(name, text, title, run, label = null) {
    const button = el("button", { type: "button", title, "aria-label": label, "data-tool": name }, text);
    button.addEventListener("click", () => button.getAttribute("aria-disabled") !== "true" && run());
    this.#buttons[name] = button;
    return button;
  }

  #drawing() {
    this.#stage.draw();
    this.#stage.canvas.focus();
  }

  #cycle() {
    const next = (ORIGINAL.indexOf(this.#stage.options.original) + 1) % ORIGINAL.length;
    this.#stage.setOption("original", ORIGINAL[next]);
  }

  #option({ name, value }) {
    if (name !== "original") this.#press(name, value);
    else {
      this.#buttons.original.dataset.value = value;
      this.#buttons.original.textContent = `Original: ${value}`;
    }
  }

  #press(name, on) {
    this.#buttons[name]?.setAttribute("aria-pressed", String(on));
  }

  #scale(scale) {
    const text = `${Math.round(scale * 100)}%`;
    if (this.#buttons.scale.textContent !== text) this.#buttons.scale.textContent = text;
  }

  /** One stop for Tab, arrows within. */
  #roving() {
    const buttons = [...this.#box.querySelectorAll("button")];
    const stop = (chosen) => buttons.forEach((button) => (button.tabIndex = button === chosen ? 0 : -1));
    stop(buttons[0]);
    this.#box.addEventListener("focusin", (event) => stop(event.target));
    this.#box.addEventListener("keydown", (event) => {
      const at = buttons.indexOf(event.target);
      const last = buttons.length - 1;
      const to = { ArrowRight: at + 1, ArrowLeft: at + last, Home: 0, End: last }[event.key];
      if (at < 0 || to === undefined || event.ctrlKey || event.altKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      buttons[to % buttons.length].focus();
    });
  }
}
