/** The picture to be painted on: what is masked, the brush, and the picture before and after. */

import { el } from "../lib/dom.js";
import { clamp } from "../boxes/geometry.js";
import { Gestures } from "../boxes/gestures.js";
import { readLook } from "../boxes/paint.js";
import { Pane } from "../boxes/pane.js";
import { View } from "../boxes/view.js";
import { After } from "./after.js";
import { simplified } from "./line.js";
import { Sketch } from "./sketch.js";

const VEIL = 0.6; // how dense the colour of the mask is
const SIZES = [1, 500]; // of the brush: pixels across

/**
 * Events: "painted" (detail: {points, radius, erase}) when somebody has made a stroke; "brush" when its size, its tool or
 * its place has changed; "look" when another way to see it was chosen.
 */
export class Easel extends EventTarget {
  tool = "brush";
  size = 24; // of the brush: pixels across
  look = "paint"; // paint, slider, blink, beside
  #may;
  #sketch = new Sketch();
  #cursor = null; // where keys would paint, in pixels of the picture
  #pointer = null;
  #last = null; // where the last stroke ended
  #veiled = true;
  #panning = false;
  #colours = null;
  #waiting = null;

  /** @param {HTMLElement} container @param {{mayEdit: boolean}} options */
  constructor(container, { mayEdit }) {
    super();
    this.#may = mayEdit;
    this.view = new View(() => this.redraw());
    const described = { "aria-describedby": "stage-keys", "aria-roledescription": "picture to paint on" };
    this.pane = new Pane(this.view, (brush, ratio) => this.#paint(brush, ratio), {
      ...{ role: "application", tabindex: "0", "aria-label": "The picture" },
      ...described,
    });
    this.beside = new Pane(this.view, () => {}, { role: "img", "aria-label": "After it is painted over" });
    this.after = new After(this.pane.image, this.beside);
    this.note = el("p", { class: "stage-note", hidden: true, role: "status" });
    const title = (text) => el("p", { class: "stage-title", "aria-hidden": "true" }, text);
    this.pane.element.append(title("Before"), this.note);
    this.beside.element.append(title("After"));
    this.pane.image.after(this.after.image);
    this.element = el("div", { class: "stage-panes", hidden: true }, this.pane.element);
    container.append(this.element, this.after.slider);
    this.after.addEventListener("moved", () => this.redraw());
    this.#listen();
  }

  get canvas() {
    return this.pane.canvas;
  }

  get cursor() {
    return this.#cursor;
  }

  /** Show a picture, or none (null). @param {{digest: string, size: number[], name: string} | null} picture */
  async show(picture) {
    this.picture = picture;
    this.element.hidden = picture === null;
    this.after.begin();
    this.#last = null;
    if (picture === null) return;
    const [width, height] = picture.size;
    this.#sketch.begin({ width, height });
    this.#cursor = [Math.round(width / 2), Math.round(height / 2)];
    this.canvas.setAttribute("aria-label", `The picture of ${picture.name}`);
    this.tell("");
    this.#measure();
    this.view.show({ width, height });
    this.dispatchEvent(new Event("brush"));
    const there = await this.pane.setPicture(`/pictures/${picture.digest}`, { width, height });
    if (this.picture === picture && !there) this.tell("The picture cannot be loaded; is its file still in the project?");
  }

  setFound(picture) {
    this.#sketch.setFound(picture);
    this.redraw();
  }

  setMask(mask) {
    this.#sketch.setMask(mask);
    this.redraw();
  }

  /** @param {"brush" | "eraser"} tool */
  setTool(tool) {
    this.tool = tool;
    this.#brushed();
  }

  setSize(size) {
    this.size = clamp(Math.round(size), ...SIZES);
    this.#brushed();
  }

  /** Larger or smaller by a step that can be seen. */
  resize(way) {
    const step = Math.max(1, Math.round(this.size * 0.15));
    this.setSize(this.size + way * step);
  }

  /** Put the brush of the keys somewhere. */
  aim(x, y) {
    if (!this.picture) return;
    const [width, height] = this.picture.size;
    this.#cursor = [clamp(Math.round(x), 0, width), clamp(Math.round(y), 0, height)];
    this.view.reveal([...this.#cursor, ...this.#cursor]);
    this.#brushed();
  }

  /** Paint where the brush of the keys is; `line`: from where the last stroke ended. */
  dab(line = false) {
    if (!this.#cursor) return;
    this.#painted(line && this.#last ? [this.#last, this.#cursor] : [this.#cursor]);
  }

  /** Show or hide what is masked. */
  veil(on = !this.#veiled) {
    this.#veiled = on;
    this.redraw();
    return on;
  }

  setLook(look) {
    this.look = look;
    const split = look === "beside";
    this.element.classList.toggle("split", split);
    if (split) this.element.append(this.beside.element);
    else this.beside.element.remove();
    this.after.setLook(look);
    this.#measure();
    this.redraw();
    this.dispatchEvent(new Event("look"));
  }

  fit() {
    this.view.fit();
  }

  zoomBy(factor) {
    this.view.zoomBy(factor);
  }

  tell(text) {
    this.note.textContent = text;
    this.note.hidden = text === "";
  }

  redraw() {
    this.#waiting ??= requestAnimationFrame(() => {
      this.#waiting = null;
      if (!this.picture) return;
      this.pane.frame();
      if (this.look === "beside") this.beside.frame();
      this.after.place(this.view);
    });
  }

  #brushed() {
    this.redraw();
    this.dispatchEvent(new Event("brush"));
  }

  #painted(points) {
    const line = simplified(points);
    this.#last = line.at(-1);
    const stroke = { points: line, radius: this.size / 2, erase: this.tool === "eraser" };
    this.dispatchEvent(new CustomEvent("painted", { detail: stroke }));
  }

  #paint(brush, ratio) {
    this.#colours ??= readLook(this.element);
    const { view, picture } = this;
    if (this.look !== "paint") return this.after.paint(brush, ratio, view, this.#colours);
    this.#sketch.setColour(this.#colours.answer);
    if (this.#veiled) {
      brush.globalAlpha = VEIL;
      brush.imageSmoothingEnabled = view.scale < 3;
      const [width, height] = picture.size.map((side) => side * view.scale * ratio);
      brush.drawImage(this.#sketch.canvas, view.x * ratio, view.y * ratio, width, height);
      brush.globalAlpha = 1;
    }
    const at = this.#pointer ?? (document.activeElement === this.canvas ? this.#cursor : null);
    if (at && this.#may) this.#ring(brush, ratio, at);
  }

  /** The brush, in two colours so that it is seen on any picture; the eraser is dashed. */
  #ring(brush, ratio, at) {
    const [x, y] = this.view.toPane(...at).map((one) => one * ratio);
    const radius = Math.max(2, (this.size / 2) * this.view.scale * ratio);
    for (const [colour, width] of [[this.#colours.surface, 3], [this.#colours.ink, 1]]) {
      brush.setLineDash(this.tool === "eraser" && width === 1 ? [4 * ratio, 3 * ratio] : []);
      brush.strokeStyle = colour;
      brush.lineWidth = width * ratio;
      brush.beginPath();
      brush.arc(x, y, radius, 0, 2 * Math.PI);
      brush.stroke();
    }
    brush.setLineDash([]);
  }

  #measure() {
    const { clientWidth, clientHeight } = this.pane.element;
    if (clientWidth > 0 && clientHeight > 0) this.view.resize(clientWidth, clientHeight);
  }

  #listen() {
    const press = (point, event) => this.#press(point, event);
    const hover = (point) => {
      this.#pointer = point === null ? null : [point.x, point.y];
      this.redraw();
    };
    this.gestures = new Gestures(this.canvas, this.view, { press, hover });
    new Gestures(this.beside.canvas, this.view, { press: (point) => this.#pan(point) });
    new ResizeObserver(() => this.#measure()).observe(this.pane.element);
    for (const kind of ["focus", "blur"]) this.canvas.addEventListener(kind, () => this.redraw());
    for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
      matchMedia(query).addEventListener("change", () => {
        this.#colours = null;
        this.redraw();
      });
    }
    const space = (event) => {
      if (event.code !== "Space" || ![this.canvas, document.body].includes(document.activeElement)) return;
      if (event.type === "keydown") event.preventDefault();
      this.#panning = event.type === "keydown";
    };
    for (const kind of ["keydown", "keyup"]) addEventListener(kind, space);
  }

  #press(point, event) {
    if (!this.picture) return null;
    if (event.button === 1 || this.#panning || this.look === "blink" || this.look === "beside") return this.#pan(point);
    if (this.look === "slider") return this.#slide(point);
    return this.#may ? this.#stroke(point, event.pointerType === "touch") : this.#pan(point);
  }

  #stroke(from, touch) {
    const points = [[from.x, from.y]];
    const draw = (line) => {
      this.#sketch.add({ points: line, radius: this.size / 2, erase: this.tool === "eraser" });
      this.redraw();
    };
    const drop = () => {
      this.#sketch.draw();
      this.redraw();
    };
    draw(points);
    return {
      to: (point) => {
        this.#pointer = touch ? null : [point.x, point.y];
        points.push([point.x, point.y]);
        draw(points.slice(-2));
      },
      end: () => this.#painted(points),
      cancel: drop,
      lost: drop,
    };
  }

  #pan(from) {
    let last = from;
    const to = (point) => {
      this.view.panBy(point.px - last.px, point.py - last.py);
      last = point;
    };
    return { to, end() {}, cancel() {}, lost() {} };
  }

  #slide(from) {
    const to = (point) => this.after.slideTo(point.px / this.view.pane.width);
    to(from);
    return { to, end() {}, cancel() {}, lost() {} };
  }
}
