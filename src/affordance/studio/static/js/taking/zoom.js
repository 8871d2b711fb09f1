/** A picture in a pane, enlarged and moved by pointer, touch, wheel, keys and buttons. */

import { Gestures } from "../boxes/gestures.js";
import { View } from "../boxes/view.js";
import { ask } from "../lib/dialog.js";
import { el } from "../lib/dom.js";

const STEP = 1.5; // times, of a button or a key
const WAY = 48; // pixels of the pane that an arrow moves it
const HOW = "Drag to move, pinch or Ctrl and the wheel to enlarge; keys: arrows, +, − and 0.";
const ARROWS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Panes with the same `view` show the same part. */
export class Pane {
  #watch;
  #gestures;

  /**
   * @param {{src: string, width: number, height: number, label?: string}} picture
   * @param {View} view
   * @param {{press: (point: object, event: PointerEvent) => object | null}} [hands] what a pointer does; it moves the
   *   picture where none are given
   */
  constructor(picture, view, hands = { press: (point) => panning(view, point) }) {
    this.view = view;
    this.image = el("img", { class: "pane-picture", alt: "", src: picture.src, draggable: "false" });
    this.image.style.width = `${picture.width}px`;
    this.image.style.height = `${picture.height}px`;
    const name = picture.label || "Picture";
    this.canvas = el("canvas", { class: "pane-canvas", tabindex: "0", role: "application", "aria-label": name });
    this.element = el("div", { class: "pane" }, this.image, this.canvas);
    this.#gestures = new Gestures(this.canvas, view, hands);
    this.#watch = new ResizeObserver(([{ contentRect: { width, height } }]) => {
      if (width && height) view.resize(width, height); // of two panes, one may be hidden
    });
    this.#watch.observe(this.element);
    this.canvas.addEventListener("keydown", (event) => {
      if (!event.defaultPrevented && zoomKey(view, event)) event.preventDefault();
    });
  }

  /** Put the picture where the view has it. */
  place() {
    const { x, y, scale } = this.view;
    this.image.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }

  destroy() {
    this.#gestures.destroy();
    this.#watch.disconnect();
  }
}

/** Buttons to enlarge, to make smaller and to see all of it. */
export function zoomButtons(view) {
  const button = (label, sign, run) =>
    el("button", { type: "button", class: "zoom-button", "aria-label": label, title: label, onclick: run }, sign);
  return [
    button("Enlarge", "+", () => view.zoomBy(STEP)),
    button("Make smaller", "−", () => view.zoomBy(1 / STEP)),
    el("button", { type: "button", onclick: () => view.fit() }, "Show all"),
  ];
}

/** A gesture that moves the picture. */
export function panning(view, start) {
  let last = start;
  const done = () => {};
  return {
    to: (point) => {
      view.panBy(point.px - last.px, point.py - last.py);
      last = point;
    },
    end: done,
    cancel: done,
    lost: done,
  };
}

/**
 * Pictures in a dialog, side by side with the same part in sight; where there is little room, one at a time.
 * @param {string} title
 * @param {{src: string, width: number, height: number, label?: string}[]} pictures
 * @param {number} [first] the one that is shown first
 */
export async function enlarge(title, pictures, first = 0) {
  const panes = [];
  const view = new View(() => panes.forEach((pane) => pane.place()));
  panes.push(...pictures.map((picture) => new Pane(picture, view)));
  view.show({
    width: Math.max(...pictures.map((one) => one.width)),
    height: Math.max(...pictures.map((one) => one.height)),
  });
  const shown = pictures.map((picture, index) => {
    const caption = pictures.length > 1 && el("figcaption", { dir: "auto" }, picture.label);
    return el("figure", { class: "enlarged-one" }, caption, panes[index].element);
  });
  const row = el("div", { class: "enlarged-row", dataset: { count: pictures.length, shown: first } }, shown);
  const show = (index) => {
    row.dataset.shown = String(index);
    buttons.forEach((one, at) => one.setAttribute("aria-pressed", String(at === index)));
  };
  const buttons = pictures.length > 1 ? pictures.map((one, index) =>
    el("button", { type: "button", class: "one-at-a-time", onclick: () => show(index) }, one.label)) : [];
  show(first);
  row.addEventListener("keydown", ({ key }) => {
    if (key === "1" || key === "2") show(Math.min(Number(key), pictures.length) - 1);
  });
  const tools = el("div", { class: "zoom-row" }, zoomButtons(view), buttons);
  await ask({ title, body: [tools, row, el("p", { class: "soft enlarged-hint" }, HOW)], wide: "enlarged" });
  panes.forEach((pane) => pane.destroy());
}

/** @returns {boolean} whether the key was one of these */
function zoomKey(view, { key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return false;
  if (key === "+" || key === "=") view.zoomBy(STEP);
  else if (key === "-") view.zoomBy(1 / STEP);
  else if (key === "0") view.fit();
  else if (key in ARROWS) view.panBy(...ARROWS[key].map((one) => one * WAY));
  else return false;
  return true;
}
