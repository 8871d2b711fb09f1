/** A place in a picture: a box or a point, by pointer, by touch or by keys. */

import {
  allowed,
  between,
  boxField,
  clamp,
  handlePoint,
  HANDLES,
  height,
  holds,
  LEAST,
  moved,
  resized,
  spoken,
  width,
} from "../../boxes/geometry.js";
import { View } from "../../boxes/view.js";
import { el } from "../../lib/dom.js";
import { Pane, panning, zoomButtons } from "../zoom.js";

const REACH = { touch: 22, mouse: 10 }; // pixels of the pane around a handle
const STEP = 8; // pixels of the pane that an arrow moves it; with Alt it is one of the picture
const FIRST = 0.25; // of the sides, that a box has which a key makes
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TAP = 4; // pixels: less is a tap
const HINTS = {
  box: [
    "Drag over the picture to draw a box, and drag its edges to correct it.",
    "Keys in the picture: Enter makes a box, arrows move it, Shift and arrows change its size, Alt makes small " +
      "steps, Delete takes it away.",
  ],
  point: [
    "Tap the picture at the place.",
    "Keys in the picture: Enter puts a point in the middle, arrows move it, Alt makes small steps, Delete takes it " +
      "away.",
  ],
};

export function place(form, given, { blocks, change }) {
  const block = blocks[place.blocks(form, blocks)[0]];
  const picked = new Picked(form, given, block, change);
  const none = form.box ? "There is no box yet." : "There is no point yet.";
  return {
    element: picked.element,
    value: () => picked.value(),
    lack: () => (picked.mark || picked.absent?.checked ? "" : none),
    focus: () => picked.pane.canvas.focus(),
    destroy: () => picked.destroy(),
  };
}

/** The first picture. */
place.blocks = (form, blocks) => [...blocks.keys()].filter((one) => blocks[one].kind === "still").slice(0, 1);

/** What was picked. A point is a box without sides. */
class Picked {
  mark = null; // [x1, y1, x2, y2] in pixels of the picture
  absent = null;
  #form;
  #change;
  #screen;
  #view;
  #drawing = true; // else a drag moves the picture
  #said;

  constructor(form, given, block, change) {
    const [wide, high] = form.size;
    this.#form = form;
    this.#change = change;
    this.#screen = { width: wide, height: high };
    this.mark = given.box?.xyxy ?? (given.point ? [...given.point.xy, ...given.point.xy] : null);
    this.#view = new View(() => this.#draw());
    const picture = { src: block.src, width: wide, height: high, label: block.label || "Picture to point into" };
    this.pane = new Pane(picture, this.#view, { press: (point, event) => this.#press(point, event) });
    this.#view.show(this.#screen);
    this.pane.canvas.addEventListener("keydown", (event) => this.#key(event), true);
    // A wheel over a picture that is seen as a whole scrolls the page.
    const scrolls = (event) => this.#view.fitted && !event.ctrlKey && !event.metaKey && event.stopPropagation();
    this.pane.element.addEventListener("wheel", scrolls, true);
    this.pane.image.addEventListener("error", () => this.#missing(block.src));
    this.#said = el("p", { class: "soft", role: "status" });
    const [how, keys] = HINTS[form.box ? "box" : "point"];
    this.element = el("fieldset", { class: "cards" },
      el("legend", null, form.box ? "Draw a box around the place" : "Point to the place"),
      el("p", { class: "hint" }, how, el("span", { class: "by-keys" }, ` ${keys}`)),
      this.pane.element,
      el("div", { class: "zoom-row" }, zoomButtons(this.#view), this.#tools()),
      this.#said,
      form.absent && this.#absence(given));
    this.pane.element.style.aspectRatio = `${wide} / ${high}`;
    this.#tell();
  }

  value() {
    if (this.absent?.checked) return { absent: true };
    if (!this.mark) return {};
    if (this.#form.box) return { box: boxField(this.mark) };
    return { point: { space: "pixel", xy: this.mark.slice(0, 2).map(Math.round) } };
  }

  destroy() {
    this.pane.destroy();
  }

  #tools() {
    const label = this.#form.box ? "Draw" : "Point";
    const buttons = [[true, label], [false, "Move the picture"]].map(([drawing, name]) =>
      el("button", { type: "button", "aria-pressed": String(drawing), onclick: () => turn(drawing) }, name));
    const turn = (drawing) => {
      this.#drawing = drawing;
      buttons.forEach((one, index) => one.setAttribute("aria-pressed", String((index === 0) === drawing)));
    };
    return el("span", { class: "zoom-row", role: "group", "aria-label": "What a drag does" }, buttons);
  }

  #absence(given) {
    const turned = () => {
      if (this.absent.checked) this.mark = null;
      this.#tell();
      this.#change();
    };
    this.absent = el("input", { type: "checkbox", name: "absent", checked: given.absent === true, onchange: turned });
    const label = el("span", { class: "card-label" }, "It is not there");
    return el("div", { class: "card" }, el("label", null, this.absent, label));
  }

  #missing(src) {
    const again = () => {
      trouble.remove();
      this.pane.image.src = src;
    };
    const trouble = el("div", { class: "trouble", role: "alert", dataset: { failed: "picture" } },
      el("p", { class: "error" }, "This picture could not be loaded. Your answers are kept."),
      el("button", { type: "button", onclick: again }, "Try again"));
    this.pane.element.before(trouble);
  }

  /** What a press begins: a handle, the box itself, a new one, or moving the picture. */
  #press(point, event) {
    if (!this.#drawing || event.button === 1) return panning(this.#view, point);
    const before = this.mark;
    if (!this.#form.box) return this.#drag(before, (to) => this.#at(to.x, to.y), point);
    const handle = before && this.#handle(point, REACH[event.pointerType] ?? REACH.mouse);
    if (handle) return this.#drag(before, (to) => resized(before, handle, to.x, to.y, this.#screen));
    if (before && holds(before, point.x, point.y)) {
      const by = (to) => allowed(before, to.x - point.x, to.y - point.y, this.#screen);
      return this.#drag(before, (to) => moved(before, ...by(to)));
    }
    return this.#drag(before, (to) => {
      if (Math.hypot(to.px - point.px, to.py - point.py) < TAP) return before;
      const box = between(point.x, point.y, to.x, to.y, this.#screen);
      return width(box) >= LEAST && height(box) >= LEAST ? box : before;
    });
  }

  #drag(before, shaped, first = null) {
    const to = (point) => {
      this.mark = shaped(point);
      this.#draw();
    };
    const back = () => {
      this.mark = before;
      this.#draw();
    };
    if (first) to(first);
    return {
      to,
      end: (point) => {
        to(point);
        if (this.mark !== before) this.#set(this.mark);
      },
      cancel: back,
      lost: back,
    };
  }

  #handle({ px, py }, reach) {
    const away = (handle) => {
      const [x, y] = this.#view.toPane(...handlePoint(this.mark, handle));
      return Math.hypot(x - px, y - py);
    };
    // Corners before edges: on a small box they are close to each other.
    const near = HANDLES.filter((handle) => away(handle) <= reach);
    return near.sort((one, other) => other.length - one.length || away(one) - away(other))[0] ?? null;
  }

  #key(event) {
    const { key, shiftKey, altKey } = event;
    if (event.ctrlKey || event.metaKey) return;
    if ((key === "Delete" || key === "Backspace") && this.mark) this.#set(null);
    else if (key === "Enter" && !this.mark) this.#set(this.#middle());
    else if (key in ARROWS && this.mark) this.#set(this.#stepped(ARROWS[key], shiftKey, altKey));
    else return;
    event.preventDefault();
  }

  #middle() {
    const { width: wide, height: high } = this.#screen;
    if (!this.#form.box) return this.#at(wide / 2, high / 2);
    const half = FIRST / 2;
    return between(wide * (0.5 - half), high * (0.5 - half), wide * (0.5 + half), high * (0.5 + half), this.#screen);
  }

  #stepped([dx, dy], size, small) {
    const by = small ? 1 : Math.max(1, Math.round(STEP / this.#view.scale));
    if (!this.#form.box) return this.#at(this.mark[0] + dx * by, this.mark[1] + dy * by);
    if (size) return resized(this.mark, "se", this.mark[2] + dx * by, this.mark[3] + dy * by, this.#screen);
    return moved(this.mark, ...allowed(this.mark, dx * by, dy * by, this.#screen));
  }

  #at(x, y) {
    const px = clamp(Math.round(x), 0, this.#screen.width - 1);
    const py = clamp(Math.round(y), 0, this.#screen.height - 1);
    return [px, py, px, py];
  }

  #set(mark) {
    this.mark = mark;
    if (mark && this.absent) this.absent.checked = false;
    this.#tell();
    this.#change();
  }

  #tell() {
    const what = this.#form.box ? "box" : "point";
    const where = this.mark && (this.#form.box ? spoken(this.mark) : `${this.mark[0]}, ${this.mark[1]}`);
    const there = where ? `The ${what}: ${where}.` : `No ${what} yet.`;
    this.#said.textContent = this.absent?.checked ? "It is not there." : there;
    this.#draw();
  }

  #draw() {
    if (!this.pane) return;
    this.pane.place();
    const { canvas } = this.pane;
    const density = window.devicePixelRatio || 1;
    const { width: wide, height: high } = this.#view.pane;
    Object.assign(canvas, { width: Math.round(wide * density), height: Math.round(high * density) });
    const pen = canvas.getContext("2d");
    pen.setTransform(density, 0, 0, density, 0, 0);
    if (!this.mark) return;
    const colour = getComputedStyle(canvas).getPropertyValue("--answer").trim();
    const [x1, y1] = this.#view.toPane(this.mark[0], this.mark[1]);
    const [x2, y2] = this.#view.toPane(this.mark[2], this.mark[3]);
    for (const [stroke, line] of [["#ffffff", 5], [colour, 2.5]]) {
      pen.strokeStyle = stroke;
      pen.lineWidth = line;
      if (this.#form.box) pen.strokeRect(x1, y1, x2 - x1, y2 - y1);
      else cross(pen, x1, y1);
    }
    if (!this.#form.box) return;
    for (const handle of HANDLES) {
      const [x, y] = this.#view.toPane(...handlePoint(this.mark, handle));
      pen.fillStyle = "#ffffff";
      pen.fillRect(x - 5, y - 5, 10, 10);
      pen.lineWidth = 1.5;
      pen.strokeRect(x - 5, y - 5, 10, 10);
    }
  }
}

function cross(pen, x, y) {
  pen.beginPath();
  pen.arc(x, y, 9, 0, 2 * Math.PI);
  pen.moveTo(x - 16, y);
  pen.lineTo(x + 16, y);
  pen.moveTo(x, y - 16);
  pen.lineTo(x, y + 16);
  pen.stroke();
}
