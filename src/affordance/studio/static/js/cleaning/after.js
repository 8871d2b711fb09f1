/** The picture after it is painted over, on top of what it was: divided by a slider, in turns, or beside it. */

import { el } from "../lib/dom.js";

const TURN = 800; // milliseconds that each of both is seen
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** Event: "moved" when the slider has. */
export class After extends EventTarget {
  #beside;
  #before;
  #look = "paint";
  #at = 0.5; // where the slider is, of the width of the pane
  #seen = true; // while they take turns
  #timer = 0;
  #url = "";

  /** @param {HTMLImageElement} before @param {import("../boxes/pane.js").Pane} beside */
  constructor(before, beside) {
    super();
    this.#before = before;
    this.#beside = beside;
    this.image = el("img", { class: "stage-picture loading", alt: "", draggable: "false", decoding: "async" });
    this.range = el("input", { type: "range", min: "0", max: "100", value: "50", "aria-label": "How much is shown of before" });
    this.slider = el("p", { class: "slider", hidden: true }, el("span", null, "Before"), this.range, el("span", null, "After"));
    this.range.addEventListener("input", () => this.slideTo(this.range.valueAsNumber / 100));
  }

  /** There is none yet. */
  begin() {
    this.#url = "";
    this.image.classList.add("loading");
    this.#beside.shown = "";
    this.#beside.image.classList.add("loading");
    this.setLook(this.#look);
  }

  /** @param {string} url @param {number[]} size @returns {Promise<boolean>} whether it came, and is still wanted */
  async show(url, [width, height]) {
    if (this.#url === url) return true;
    this.#url = url;
    Object.assign(this.image, { width, height, src: url });
    const came = await Promise.all([
      this.image.decode().then(() => true, () => false),
      this.#beside.setPicture(url, { width, height }),
    ]);
    if (this.#url !== url) return false;
    this.image.classList.toggle("loading", !came[0]);
    if (!came[0]) this.#url = "";
    this.dispatchEvent(new Event("moved"));
    return came[0];
  }

  /** @param {string} look */
  setLook(look) {
    this.#look = look;
    clearInterval(this.#timer);
    this.slider.hidden = look !== "slider";
    this.image.hidden = !["slider", "blink"].includes(look);
    this.#seen = true;
    // Whoever wants nothing to move sees the other one by pressing the same key again.
    if (look === "blink" && !STILL.matches) this.#timer = setInterval(() => this.turn(), TURN);
    this.dispatchEvent(new Event("moved"));
  }

  /** The other one of both. */
  turn() {
    this.#seen = !this.#seen;
    this.dispatchEvent(new Event("moved"));
  }

  slideTo(share) {
    this.#at = Math.min(1, Math.max(0, share));
    this.range.value = String(Math.round(100 * this.#at));
    this.dispatchEvent(new Event("moved"));
  }

  /** Where the picture before is. */
  place(view) {
    const { image } = this;
    image.style.transform = this.#before.style.transform;
    image.classList.toggle("coarse", this.#before.classList.contains("coarse"));
    const left = Math.min(Math.max((this.#at * view.pane.width - view.x) / view.scale, 0), view.screen.width);
    image.style.clipPath = this.#look === "slider" ? `inset(0 0 0 ${left}px)` : "none";
    image.style.visibility = this.#look === "blink" && !this.#seen ? "hidden" : "";
  }

  /** The line between both, or which of them is seen. */
  paint(brush, ratio, view, colours) {
    if (this.#look === "slider") {
      const x = Math.round(this.#at * view.pane.width * ratio);
      for (const [colour, width] of [[colours.surface, 4], [colours.accent, 2]]) {
        brush.fillStyle = colour;
        brush.fillRect(x - (width * ratio) / 2, 0, width * ratio, brush.canvas.height);
      }
    } else if (this.#look === "blink") {
      brush.font = `${13 * ratio}px ${colours.sans}`;
      const words = this.#seen ? "After" : "Before";
      brush.fillStyle = colours.surface;
      brush.fillRect(8 * ratio, 8 * ratio, brush.measureText(words).width + 16 * ratio, 24 * ratio);
      brush.fillStyle = colours.ink;
      brush.textBaseline = "middle";
      brush.fillText(words, 16 * ratio, 20 * ratio);
    }
  }
}
