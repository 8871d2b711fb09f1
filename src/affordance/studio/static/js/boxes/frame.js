import { el } from "../lib/dom.js";
import { Loupe } from "./loupe.js";
import { readLook } from "./paint.js";
import { Pane } from "./pane.js";
import { View } from "./view.js";

const HELP =
  "Boxes of the regions of this screen. N draws one, arrows move the selected one, P, C and brackets go from one to " +
  "the next, the question mark shows all keys.";
let frames = 0;

/** What the stage is made of: the picture with its boxes, the same again for the original proposal, the magnifier, and
 * a line of text. It is painted only when something has changed, and once for all changes between two frames. */
export class Frame {
  /** @param {HTMLElement} container
   * @param {{paintNow: Function, paintBefore: Function, onMoved: () => void}} hands painters get brush, ratio, look */
  constructor(container, { paintNow, paintBefore, onMoved }) {
    const id = `stage-help-${(frames += 1)}`;
    this.view = new View(() => {
      this.redraw();
      onMoved();
    });
    this.now = new Pane(this.view, (brush, ratio) => paintNow(brush, ratio, this.look), {
      role: "application",
      tabindex: "0",
      "aria-roledescription": "screenshot with boxes",
      "aria-describedby": id,
    });
    this.before = new Pane(this.view, (brush, ratio) => paintBefore(brush, ratio, this.look), {
      role: "img",
      "aria-label": "Boxes as they were proposed",
    });
    this.loupe = new Loupe();
    this.note = el("p", { class: "stage-note", hidden: true });
    const titles = ["Original", "Now"].map((text) => el("p", { class: "stage-title", "aria-hidden": "true" }, text));
    this.before.element.append(titles[0]);
    this.now.element.append(titles[1], this.note, this.loupe.canvas);
    this.element = el("div", { class: "stage-panes" }, this.now.element, el("p", { id, class: "unseen" }, HELP));
    container.append(this.element);
    this.#watch();
  }

  get canvas() {
    return this.now.canvas;
  }

  /** @returns {Promise<boolean>} whether the picture came */
  async setPicture(url, screen, name) {
    this.url = url;
    this.canvas.setAttribute("aria-label", `Boxes of ${name}`);
    this.loupe.setPicture(url);
    this.view.show(screen);
    if (this.split) this.before.setPicture(url, screen);
    return this.now.setPicture(url, screen);
  }

  /** The original proposal beside what is now, or not. */
  setSplit(on) {
    this.split = on;
    this.element.classList.toggle("split", on);
    if (!on) this.before.element.remove();
    else {
      this.element.prepend(this.before.element);
      if (this.url) this.before.setPicture(this.url, this.view.screen);
    }
    this.#measure();
    this.redraw();
  }

  setShown(on) {
    this.element.hidden = !on;
  }

  /** A line below the boxes; "" takes it away. @param {string} text @param {string} [kind] a name for what it says */
  tell(text, kind = "") {
    this.note.dataset.kind = kind;
    this.note.textContent = text;
    this.note.hidden = text === "";
  }

  /** Hold the magnifier over a point of the screen, from the next frame on; null: put it away. */
  setLens(point) {
    this.lens = point;
    this.redraw();
  }

  redraw() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      if (!this.gone) this.#paint();
    });
  }

  destroy() {
    this.gone = true;
    this.watching.disconnect();
    this.stop.abort();
    this.element.remove();
  }

  #watch() {
    this.watching = new ResizeObserver(() => this.#measure());
    this.watching.observe(this.now.element);
    this.stop = new AbortController();
    const repaint = () => {
      this.look = null;
      this.redraw();
    };
    for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
      window.matchMedia(query).addEventListener("change", repaint, { signal: this.stop.signal });
    }
  }

  #measure() {
    const { clientWidth, clientHeight } = this.now.element;
    if (clientWidth > 0 && clientHeight > 0) this.view.resize(clientWidth, clientHeight);
  }

  #paint() {
    const ratio = window.devicePixelRatio || 1;
    if (this.look?.ratio !== ratio) this.look = { ...readLook(this.element), ratio };
    this.now.frame();
    if (this.split) this.before.frame();
    const { lens, view } = this;
    if (!lens) this.loupe.hide();
    else this.loupe.show(...lens, ...view.toPane(...lens), view.pane, this.look, () => this.redraw());
  }
}
