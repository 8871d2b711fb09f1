const LINE = 16; // pixels that a wheel which counts in lines means by one
const ZOOM = 0.0022; // per pixel of a wheel, so that a notch is about a quarter

/** Pointers and wheels on a canvas: gives gestures what they do, one at a time, in pixels of pane and screen. */
export class Gestures {
  /** @param {HTMLElement} canvas @param {import("./view.js").View} view
   * @param {{press: (point: object, event: PointerEvent) => ?object, hover?: (point: ?object) => void}} hands */
  constructor(canvas, view, hands) {
    this.canvas = canvas;
    this.view = view;
    this.hands = hands;
    this.now = null; // the gesture that is under way
    this.last = null; // where the pointer was
    this.fingers = new Map();
    this.stop = new AbortController();
    const listen = (kind, run, options = {}) =>
      canvas.addEventListener(kind, run, { ...options, signal: this.stop.signal });
    listen("pointerdown", (event) => this.#down(event));
    listen("pointermove", (event) => this.#move(event));
    listen("pointerup", (event) => this.#up(event));
    listen("pointercancel", (event) => this.#lost(event));
    listen("lostpointercapture", (event) => this.#lost(event));
    listen("pointerenter", () => (this.measured = null));
    listen("pointerleave", () => this.#left());
    listen("wheel", (event) => this.#wheel(event), { passive: false });
    listen("auxclick", (event) => event.preventDefault());
  }

  /** The gesture ends without having done anything. @returns {boolean} whether there was one */
  cancel() {
    const { now } = this;
    this.now = null;
    now?.cancel();
    return now !== null;
  }

  /** The gesture goes on where the pointer is: something has changed under it. */
  again() {
    if (this.now !== null && this.last !== null) this.now.to(this.last);
    else if (this.last !== null) this.hands.hover?.(this.last);
  }

  destroy() {
    this.cancel();
    this.stop.abort();
  }

  point(event) {
    // Measured when the pointer comes or is pressed, or the pane changes: on the way it would cost a layout each time.
    const still = event.type === "pointermove" && this.measured === this.view.pane;
    if (!still) this.frame = this.canvas.getBoundingClientRect();
    this.measured = this.view.pane;
    const [px, py] = [event.clientX - this.frame.left, event.clientY - this.frame.top];
    const [x, y] = this.view.toScreen(px, py);
    return { px, py, x, y, shift: event.shiftKey, alt: event.altKey };
  }

  #down(event) {
    this.canvas.focus({ preventScroll: true });
    this.last = this.point(event);
    if (event.pointerType === "touch") {
      this.fingers.set(event.pointerId, this.last);
      if (this.fingers.size === 2) {
        this.cancel();
        return;
      }
    }
    if (this.now !== null || ![0, 1].includes(event.button)) return;
    event.preventDefault();
    this.now = this.hands.press(this.last, event);
    if (this.now !== null) this.canvas.setPointerCapture(event.pointerId);
  }

  #move(event) {
    const point = this.point(event);
    if (this.fingers.size === 2 && this.fingers.has(event.pointerId)) {
      this.#pinch(event.pointerId, point);
      return;
    }
    this.last = point;
    if (this.now !== null) this.now.to(point);
    else this.hands.hover?.(point);
  }

  #up(event) {
    this.fingers.delete(event.pointerId);
    const { now } = this;
    this.now = null;
    now?.end(this.point(event));
  }

  #lost(event) {
    this.fingers.delete(event.pointerId);
    const { now } = this;
    this.now = null;
    now?.lost();
  }

  #left() {
    if (this.now !== null) return;
    this.last = null;
    this.hands.hover?.(null);
  }

  #pinch(id, point) {
    const other = [...this.fingers].find(([one]) => one !== id)[1];
    const before = this.fingers.get(id);
    const apart = (one) => Math.max(1, Math.hypot(one.px - other.px, one.py - other.py));
    this.view.panBy((point.px - before.px) / 2, (point.py - before.py) / 2);
    this.view.zoomBy(apart(point) / apart(before), (point.px + other.px) / 2, (point.py + other.py) / 2);
    this.fingers.set(id, point);
  }

  #wheel(event) {
    event.preventDefault();
    const unit = [1, LINE, this.view.pane.height][event.deltaMode] ?? 1;
    const { px, py } = this.point(event);
    if (event.ctrlKey || event.metaKey) {
      // A pinch on a trackpad comes in small steps, a wheel in large ones.
      const step = Math.max(-120, Math.min(120, event.deltaY * unit));
      this.view.zoomBy(Math.exp(-step * (Math.abs(step) < 20 ? 4 : 1) * ZOOM), px, py);
    } else if (event.shiftKey && event.deltaX === 0) this.view.panBy(-event.deltaY * unit, 0);
    else this.view.panBy(-event.deltaX * unit, -event.deltaY * unit);
    if (this.last !== null) {
      this.last = this.point(event);
      this.again();
    }
  }
}
