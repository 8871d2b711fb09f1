/** Two designs that move and zoom together: side by side, one over the other, their difference, or in turn. */

import { announce, el } from "../lib/dom.js";
import { pictureOf } from "../lib/crop.js";
import { Pan } from "../boxes/drags.js";
import { Gestures } from "../boxes/gestures.js";
import { View } from "../boxes/view.js";

export const MODES = ["side", "overlay", "difference", "blink"];
const NAMES = ["First design", "Second design"];
const TURN = 800; // ms that each is shown
const COARSE = 3; // times its size from which on the picture's own pixels are shown
const OTHER_SCALE = 1.25; // times as wide: one of them was taken at another scale, and both are shown as wide
const STEP = 64; // pixels that an arrow moves them

export class Stage {
  mode = "side";
  swapped = false;
  #root;
  #panes;
  #view = new View(() => this.#redraw());
  #split = el("input", { type: "range", min: 0, max: 100, value: 50, "aria-label": "How much of which design" });
  #alone = el("div", { class: "alone", role: "group", "aria-label": "Which designs" });
  #below;
  #pair = null;
  #pictures = [null, null];
  #wrong = ["", ""];
  #turn = 0; // of the pair that was opened last
  #blinking = 0; // which is shown
  #timer = 0;
  #frame = 0;
  #still = matchMedia("(prefers-reduced-motion: reduce)");

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root;
    this.#panes = [0, 1].map(() => {
      const canvas = el("canvas", { tabindex: 0, role: "img", "aria-describedby": "stage-keys" });
      const caption = el("figcaption");
      return { canvas, caption, element: el("figure", null, caption, el("div", { class: "pane" }, canvas)) };
    });
    this.#below = el("p", { class: "below" }, this.#split, el("span", { class: "soft" }));
    for (const [what, label] of [["both", "Both"], ["0", "First"], ["1", "Second"]]) {
      const choose = () => this.#show(what);
      this.#alone.append(el("button", { type: "button", "data-show": what, onclick: choose }, label));
    }
    root.append(this.#alone, el("div", { class: "panes" }, this.#panes.map((one) => one.element)), this.#below);
    for (const { canvas } of this.#panes) {
      new Gestures(canvas, this.#view, { press: (point) => new Pan({ view: this.#view }, point, () => {}) });
    }
    new ResizeObserver(() => this.#measure()).observe(this.#panes[0].canvas.parentElement);
    this.#split.addEventListener("input", () => this.#redraw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#redraw());
    this.#show("both");
    this.setMode("side");
  }

  /** @param {object} pair its document @param {boolean} blind */
  async setPair(pair, blind) {
    const same = this.#pair && String(this.#pair.digests) === String(pair?.digests);
    this.#pair = pair;
    this.blind = blind;
    if (same || !pair) {
      this.#caption();
      return this.#redraw();
    }
    const turn = ++this.#turn;
    this.#pictures = [null, null];
    this.#wrong = ["", ""];
    this.#caption();
    this.#view.show(this.#size());
    await Promise.all(pair.digests.map((digest, place) => this.#load(digest, place, turn)));
    return undefined;
  }

  setBlind(blind) {
    this.blind = blind;
    this.#caption();
  }

  /** @param {"side" | "overlay" | "difference" | "blink"} mode */
  setMode(mode) {
    this.mode = mode;
    this.#root.dataset.mode = mode;
    const byHand = mode === "blink" && this.#still.matches;
    this.#below.hidden = mode !== "overlay" && !byHand;
    this.#split.hidden = mode !== "overlay";
    this.#panes[1].element.hidden = mode !== "side";
    this.#below.lastChild.textContent = byHand ? "Space shows the other one." : "";
    clearInterval(this.#timer);
    if (mode === "blink" && !this.#still.matches) this.#timer = setInterval(() => this.#flip(), TURN);
    this.#caption();
    this.#measure();
  }

  swap() {
    this.swapped = !this.swapped;
    this.#caption();
    this.#redraw();
  }

  /** Blinking goes on by hand from now on. */
  blink() {
    clearInterval(this.#timer);
    this.#flip();
    announce(`${this.#names()[this.#blinking]} is shown.`);
  }

  fit() {
    this.#view.fit();
  }

  zoom(factor) {
    this.#view.zoomBy(factor);
  }

  pan(x, y) {
    this.#view.panBy(x * STEP, y * STEP);
  }

  /** Whether a key was pressed on one of the designs. */
  get focused() {
    return this.#panes.some((one) => one.canvas === document.activeElement);
  }

  /** What is in sight, for whoever wants to know: the same for both. */
  get sight() {
    return { x: this.#view.x, y: this.#view.y, scale: this.#view.scale };
  }

  async #load(digest, place, turn) {
    try {
      const picture = await pictureOf(digest);
      if (turn === this.#turn) this.#pictures[place] = picture;
    } catch {
      if (turn === this.#turn) this.#wrong[place] = "The picture cannot be loaded.";
    }
    if (turn !== this.#turn) return;
    this.#caption();
    this.#redraw();
  }

  /** Places of the images, in the order in which they are shown. */
  get #order() {
    return this.swapped ? [1, 0] : [0, 1];
  }

  #names() {
    return this.#order.map((place) => NAMES[place]);
  }

  #caption() {
    const { winner } = this.#pair ?? {};
    this.#panes.forEach(({ caption, canvas, element }, at) => {
      const shown = this.mode === "blink" ? this.#blinking : at;
      const place = this.#order[shown];
      const won = !this.blind && this.mode !== "overlay" && this.mode !== "difference" && winner === place;
      const name = this.mode === "overlay" ? this.#names().join(" | ")
        : this.mode === "difference" ? "What differs is bright" : NAMES[place];
      element.classList.toggle("won", won);
      element.dataset.design = this.mode === "overlay" || this.mode === "difference" ? "both" : String(place);
      const wrong = this.#wrong[place];
      const loading = this.#pair && !wrong && !this.#pictures[place];
      caption.replaceChildren(el("span", null, name), won ? el("span", { class: "chip" }, "✓ Winner") : "",
        loading ? el("span", { class: "soft" }, "Loading") : "", wrong ? el("span", { class: "error" }, wrong) : "");
      canvas.setAttribute("aria-label", `${name}${won ? ", the winner" : ""}${wrong ? `. ${wrong}` : ""}`);
    });
  }

  #show(what) {
    this.#root.dataset.show = what;
    for (const one of this.#alone.children) one.setAttribute("aria-pressed", String(one.dataset.show === what));
  }

  #flip() {
    this.#blinking = 1 - this.#blinking;
    this.#caption();
    this.#redraw();
  }

  /** Times that each picture is drawn, so that both are as wide where they were taken at different scales. */
  #scales() {
    const [first, second] = this.#pair.sizes;
    const ratio = first[0] / second[0];
    return Math.max(ratio, 1 / ratio) < OTHER_SCALE ? [1, 1] : [1, ratio];
  }

  #size() {
    const scales = this.#scales();
    const side = (at) => Math.max(...this.#pair.sizes.map((size, place) => size[at] * scales[place]));
    return { width: side(0), height: side(1) };
  }

  #measure() {
    const { clientWidth, clientHeight } = this.#panes.find((one) => one.canvas.clientWidth)?.canvas ?? {};
    if (clientWidth) this.#view.resize(clientWidth, clientHeight);
    this.#redraw();
  }

  #redraw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw() {
    const [one, two] = this.#order;
    this.#panes.forEach(({ canvas }, at) => {
      const pen = prepared(canvas);
      if (!this.#pair || !canvas.clientWidth) return;
      if (this.mode === "side") this.#put(pen, this.#order[at]);
      else if (at === 1) return;
      else if (this.mode === "blink") this.#put(pen, this.#order[this.#blinking]);
      else if (this.mode === "difference") this.#difference(pen, one, two);
      else this.#overlay(pen, canvas, one, two);
    });
    this.#root.dataset.sight = Object.values(this.sight).map((value) => value.toFixed(3)).join(" ");
  }

  #difference(pen, one, two) {
    this.#put(pen, one);
    if (!this.#pictures[one] || !this.#pictures[two]) return;
    pen.globalCompositeOperation = "difference";
    this.#put(pen, two);
    pen.globalCompositeOperation = "source-over";
  }

  #overlay(pen, canvas, one, two) {
    const at = (canvas.clientWidth * Number(this.#split.value)) / 100;
    this.#put(pen, one);
    pen.save();
    pen.beginPath();
    pen.rect(at, 0, canvas.clientWidth, canvas.clientHeight);
    pen.clip();
    pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    this.#put(pen, two);
    pen.restore();
    pen.fillStyle = getComputedStyle(canvas).color;
    pen.fillRect(at - 1, 0, 2, canvas.clientHeight);
  }

  #put(pen, place) {
    const picture = this.#pictures[place];
    if (!picture) return;
    const { x, y, scale } = this.#view;
    const [width, height] = this.#pair.sizes[place].map((side) => side * scale * this.#scales()[place]);
    pen.imageSmoothingEnabled = scale < COARSE;
    pen.imageSmoothingQuality = "high";
    pen.drawImage(picture, x, y, width, height);
  }
}

function prepared(canvas) {
  const density = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * density));
  canvas.height = Math.max(1, Math.round(canvas.clientHeight * density));
  const pen = canvas.getContext("2d");
  pen.setTransform(density, 0, 0, density, 0, 0);
  return pen;
}
