/** Regions on the frame of a film: drawn, moved and resized by pointer or by keys. */

import { el } from "../lib/dom.js";
import { boxInWords, pixelBox, unitBox } from "./frames.js";

const SIDES = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SLIP = 4; // CSS pixels that a press may move and still be a click
const REST = 700; // ms after the last key, when its steps are one stroke

/**
 * Events: "regions" (detail: {regions, label, step}): how they are now; with `step` it is one of several small ones,
 * after which "rest" comes. "select", "click" on nothing, "drawing" (detail: active).
 */
export class Regions extends EventTarget {
  drawing = false;
  selected = -1;
  #layer = el("div", { class: "regions" });
  #boxes = []; // as records have them
  #size = { width: 1, height: 1 };
  #running = true;
  #editable;
  #drag = null; // {index, side, from, box, moved}
  #timer = 0;

  constructor({ editable }) {
    super();
    this.#editable = editable;
    this.element = this.#layer;
    this.#layer.addEventListener("pointerdown", (event) => this.#down(event));
    this.#layer.addEventListener("pointermove", (event) => this.#move(event));
    this.#layer.addEventListener("pointerup", (event) => this.#up(event, true));
    this.#layer.addEventListener("pointercancel", (event) => this.#up(event, false));
  }

  /** @param {object[]} boxes @param {{width: number, height: number}} size of the video */
  show(boxes, size) {
    if (this.#drag) return;
    this.#boxes = boxes;
    this.#size = size;
    if (this.selected >= boxes.length) this.selected = -1;
    this.#render();
  }

  /** Give up what is being dragged: another clip is to be shown. */
  cancel() {
    this.#drag = null;
  }

  /** Whether the animation runs in the frame that is shown: only then people see the boxes. */
  set running(yes) {
    if (this.#running === yes) return;
    this.#running = yes;
    this.#layer.classList.toggle("off", !yes);
  }

  setDrawing(on) {
    this.drawing = on && this.#editable;
    this.#layer.classList.toggle("drawing", this.drawing);
    this.dispatchEvent(new CustomEvent("drawing", { detail: this.drawing }));
  }

  select(index, focus = true) {
    this.selected = index;
    this.#render();
    if (focus) this.#layer.children[index]?.focus({ preventScroll: true });
    this.dispatchEvent(new Event("select"));
  }

  remove(index) {
    if (!this.#editable || index < 0 || index >= this.#boxes.length) return;
    this.selected = -1;
    this.#tell(this.#boxes.filter((_, at) => at !== index), `Remove region ${index + 1}`);
  }

  /** Set a region by its numbers. @param {number[]} xyxy pixels */
  put(index, xyxy) {
    const { width, height } = this.#size;
    const [x1, x2] = [Math.min(xyxy[0], xyxy[2]), Math.max(xyxy[0], xyxy[2])];
    const [y1, y2] = [Math.min(xyxy[1], xyxy[3]), Math.max(xyxy[1], xyxy[3])];
    const box = pixelBox([x1 / width, y1 / height, x2 / width, y2 / height], this.#size);
    this.#tell(this.#with(index, box), `Change region ${index + 1}`);
  }

  /** A region in the middle, for who draws by keys. */
  add() {
    if (!this.#editable) return;
    this.selected = this.#boxes.length;
    this.#tell([...this.#boxes, pixelBox([0.375, 0.375, 0.625, 0.625], this.#size)], "Draw a region");
    this.select(this.selected);
  }

  #with(index, box) {
    return this.#boxes.map((one, at) => (at === index ? box : one));
  }

  #tell(regions, label, step = false) {
    this.#boxes = regions;
    this.#render();
    this.dispatchEvent(new CustomEvent("regions", { detail: { regions, label, step } }));
  }

  #render() {
    while (this.#layer.children.length > this.#boxes.length) this.#layer.lastChild.remove();
    while (this.#layer.children.length < this.#boxes.length) this.#layer.append(this.#make());
    this.#boxes.forEach((box, index) => {
      const part = this.#layer.children[index];
      const [x1, y1, x2, y2] = unitBox(box, this.#size);
      Object.assign(part.style, {
        left: `${100 * x1}%`, top: `${100 * y1}%`, width: `${100 * (x2 - x1)}%`, height: `${100 * (y2 - y1)}%`,
      });
      part.classList.toggle("chosen", index === this.selected);
      part.setAttribute("aria-label", `Region ${index + 1}: ${boxInWords(box, this.#size)}`);
    });
  }

  #make() {
    const handles = this.#editable ? SIDES.map((side) => el("span", { class: `handle ${side}`, dataset: { side } })) : [];
    const part = el("div", { class: "region", role: "button", tabindex: "0" }, handles);
    const at = () => [...this.#layer.children].indexOf(part);
    part.addEventListener("focus", () => this.selected !== at() && this.select(at(), false));
    part.addEventListener("blur", () => this.#rest());
    part.addEventListener("keydown", (event) => this.#key(event, at()));
    return part;
  }

  #key(event, index) {
    if (!this.#editable || event.ctrlKey || event.metaKey) return;
    if (event.key === "Delete" || event.key === "Backspace") this.remove(index);
    else if (event.key === "Escape") event.currentTarget.blur();
    else if (ARROWS[event.key]) this.#nudge(event, index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #nudge(event, index) {
    const [dx, dy] = ARROWS[event.key].map((one) => one * (event.shiftKey ? 10 : 1));
    const [x1, y1, x2, y2] = pixelBox(unitBox(this.#boxes[index], this.#size), this.#size).xyxy;
    const { width, height } = this.#size;
    const box = event.altKey
      ? [x1, y1, Math.min(width, Math.max(x1 + 1, x2 + dx)), Math.min(height, Math.max(y1 + 1, y2 + dy))]
      : shifted([x1, y1, x2, y2], dx, dy, width, height);
    this.#tell(this.#with(index, { space: "pixel", xyxy: box }), `Move region ${index + 1}`, true);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#rest(), REST);
  }

  #rest() {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.dispatchEvent(new Event("rest"));
  }

  #spot(event) {
    const { left, top, width, height } = this.#layer.getBoundingClientRect();
    const inside = (value) => Math.min(Math.max(value, 0), 1);
    return [inside((event.clientX - left) / width), inside((event.clientY - top) / height)];
  }

  #down(event) {
    if (event.button !== 0) return;
    const part = event.target.closest(".region");
    const index = part && !this.drawing ? [...this.#layer.children].indexOf(part) : -1;
    const from = this.#spot(event);
    if (index >= 0) this.select(index);
    else document.activeElement?.blur?.();
    const side = event.target.dataset?.side ?? "";
    const draws = index < 0 && this.#editable && (this.drawing || event.pointerType === "mouse");
    this.#drag = { index, side, from, at: [event.clientX, event.clientY], moved: false, draws, box: null };
    if (index >= 0) this.#drag.box = unitBox(this.#boxes[index], this.#size);
    if (index >= 0 || draws) {
      this.#layer.setPointerCapture(event.pointerId);
      event.preventDefault();
    }
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag || !this.#editable) return;
    drag.moved ||= Math.hypot(event.clientX - drag.at[0], event.clientY - drag.at[1]) > SLIP;
    if (!drag.moved) return;
    const spot = this.#spot(event);
    if (drag.index < 0 && drag.draws) {
      drag.index = this.#boxes.length;
      drag.box = [...drag.from, ...drag.from];
      drag.side = "se";
      drag.fresh = true;
      this.selected = drag.index;
    }
    if (drag.index < 0) return;
    const [dx, dy] = [spot[0] - drag.from[0], spot[1] - drag.from[1]];
    const unit = drag.side ? stretched(drag.box, drag.side, dx, dy) : shifted(drag.box, dx, dy, 1, 1);
    const box = pixelBox(unit, this.#size);
    this.#boxes = drag.index < this.#boxes.length ? this.#with(drag.index, box) : [...this.#boxes, box];
    this.#render();
  }

  #up(event, kept) {
    const drag = this.#drag;
    if (!drag) return;
    this.#drag = null;
    if (!drag.moved) {
      if (drag.index < 0 && kept) this.dispatchEvent(new Event("click"));
      return;
    }
    if (drag.index < 0) return;
    if (drag.fresh) this.setDrawing(false);
    const label = drag.fresh ? "Draw a region" : `${drag.side ? "Resize" : "Move"} region ${drag.index + 1}`;
    if (kept) this.#tell(this.#boxes, label);
    else this.dispatchEvent(new CustomEvent("regions", { detail: null }));
    if (kept) this.select(drag.index);
  }
}

function shifted([x1, y1, x2, y2], dx, dy, width, height) {
  const [x, y] = [Math.min(Math.max(dx, -x1), width - x2), Math.min(Math.max(dy, -y1), height - y2)];
  return [x1 + x, y1 + y, x2 + x, y2 + y];
}

function stretched([x1, y1, x2, y2], side, dx, dy) {
  const inside = (value) => Math.min(Math.max(value, 0), 1);
  const xs = [side.includes("w") ? inside(x1 + dx) : x1, side.includes("e") ? inside(x2 + dx) : x2];
  const ys = [side.includes("n") ? inside(y1 + dy) : y1, side.includes("s") ? inside(y2 + dy) : y2];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
