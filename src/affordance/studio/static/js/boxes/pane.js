import { el } from "../lib/dom.js";

const COARSE = 3; // times its size from which on the picture's own pixels are shown

/** A picture with a canvas above it, both showing the same view. */
export class Pane {
  /** @param {import("./view.js").View} view @param {(brush: CanvasRenderingContext2D, ratio: number) => void} paint
   * @param {object} attributes of the canvas */
  constructor(view, paint, attributes) {
    this.view = view;
    this.paint = paint;
    this.image = el("img", { class: "stage-picture", alt: "", draggable: "false", decoding: "async" });
    this.canvas = el("canvas", { class: "stage-boxes", ...attributes });
    this.element = el("div", { class: "stage-pane" }, this.image, this.canvas);
    this.brush = this.canvas.getContext("2d");
    this.shown = "";
  }

  /** @param {string} url @param {{width: number, height: number}} screen @returns {Promise<boolean>} whether it came */
  async setPicture(url, screen) {
    this.image.width = screen.width;
    this.image.height = screen.height;
    if (this.shown === url) return true;
    this.shown = url;
    this.image.classList.add("loading"); // what is there is of another screen
    this.image.src = url;
    const there = await this.image.decode().then(() => true, () => false);
    if (this.shown === url) this.image.classList.toggle("loading", !there);
    return there || this.shown !== url;
  }

  /** Show the view as it is now. */
  frame() {
    const { view, canvas, image } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(view.pane.width * ratio), Math.round(view.pane.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    image.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    image.classList.toggle("coarse", view.scale > COARSE);
    this.brush.setTransform(1, 0, 0, 1, 0, 0);
    this.brush.clearRect(0, 0, width, height);
    this.paint(this.brush, ratio);
  }
}
