/** A film that can be looked at frame by frame, with a green box around what to attend to. */

import { el } from "../lib/dom.js";
import { Controls } from "./controls.js";
import { fetchReel, rateOf } from "./reel.js";

const AHEAD = 8; // frames that are decoded before they are shown
const SLEPT = 500; // ms without a frame after which the clock begins anew
const GREEN = "#00ff00"; // as models are shown it
const LINE = 3; // CSS pixels
const ATTEND = "Attend to the green box: it is there while the animation runs.";

/**
 * Events: "ready" when it can be played, "frame" (detail.frame) for each that is shown, "end" when the last one was,
 * also where it begins again.
 */
export class Film extends EventTarget {
  frame = 0;
  playing = false;
  #src;
  #drawn;
  #attend;
  #loop = true;
  #speed = 1;
  #autoplay;
  #reel = null;
  #canvas;
  #note;
  #controls;
  #request = 0; // of the next picture while it plays
  #begun = 0; // when the clock began, with the frame it began at
  #from = 0;
  #ticked = 0;
  #wanted = 0; // the frame that is to be shown as soon as it is decoded
  #stop = new AbortController();

  /**
   * @param {HTMLElement} element that it is put into
   * @param {object} film
   * @param {string} film.src of a reel
   * @param {number | string} film.rate frames a second
   * @param {number} film.frames
   * @param {number} film.width
   * @param {number} film.height
   * @param {string} [film.label] what it shows
   * @param {number[][]} [film.attend] boxes in unit space
   * @param {[number, number] | null} [film.drawn] the first and the last frame with the boxes; null: they are in the
   *   pictures already
   * @param {boolean} [film.autoplay] it never begins by itself for people who want less motion
   */
  constructor(element, { src, rate, frames, width, height, label = "", attend = [], drawn = null, autoplay = true }) {
    super();
    this.#src = src;
    this.rate = rateOf(rate);
    this.frames = frames;
    this.#attend = attend ?? [];
    this.#drawn = drawn;
    this.#autoplay = autoplay && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#canvas = el("canvas", { width, height, role: "img", "aria-label": label || "Film" });
    this.#canvas.style.setProperty("--ratio", String(width / height));
    this.#canvas.style.setProperty("--wide", String(width));
    this.#canvas.style.aspectRatio = `${width} / ${height}`;
    this.#note = el("div", { class: "film-note" });
    this.#controls = new Controls(this);
    this.element = el("div", { class: "film", role: "group", "aria-label": label ? `Film: ${label}` : "Film" },
      this.#attend.length > 0 && el("p", { class: "film-attend" }, el("span", { class: "film-mark" }), ATTEND),
      el("div", { class: "film-screen" }, this.#canvas, this.#note),
      this.#controls.element);
    element.append(this.element);
    const { signal } = this.#stop;
    this.#canvas.addEventListener("click", () => this.toggle(), { signal });
    const watch = new ResizeObserver(() => this.#draw());
    watch.observe(this.#canvas);
    signal.addEventListener("abort", () => watch.disconnect());
    void this.#load();
  }

  get loop() {
    return this.#loop;
  }

  set loop(on) {
    this.#loop = on;
    this.#controls.show();
  }

  get speed() {
    return this.#speed;
  }

  set speed(times) {
    this.#speed = times;
    this.#rewind(this.frame);
  }

  /** Whether it can be played. */
  get ready() {
    return this.#reel !== null;
  }

  play() {
    if (this.playing || this.#reel === null) return;
    this.playing = true;
    this.#rewind(this.frame >= this.frames - 1 ? 0 : this.frame);
    this.#controls.show();
    this.#next();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.#request);
    this.#controls.show();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Show a frame. @param {number} frame */
  seek(frame) {
    if (this.#reel === null) return;
    const wanted = Math.min(Math.max(0, Math.round(frame)), this.frames - 1);
    this.#rewind(wanted);
    void this.#show(wanted);
  }

  /** Pause, and go some frames on or back. @param {number} by */
  step(by) {
    this.pause();
    this.seek(this.#wanted + by);
  }

  /** Keys of a page that play this film. @param {import("../lib/keys.js").Keymap} keymap */
  bind(keymap, when = () => true) {
    const may = () => this.ready && this.element.isConnected && when();
    keymap.add("Space", "Play or pause", "Film", () => this.toggle(), may);
    keymap.add(",", "One frame back", "Film", () => this.step(-1), may);
    keymap.add(".", "One frame on", "Film", () => this.step(1), may);
  }

  destroy() {
    this.pause();
    this.#stop.abort();
    this.#reel?.close();
    this.#reel = null;
    this.element.remove();
  }

  async #load() {
    const { signal } = this.#stop;
    const bar = el("progress", { max: 1, "aria-label": "Loading the film" });
    this.#note.replaceChildren(el("p", null, "Loading the film"), bar);
    try {
      const reel = await fetchReel(this.#src, { signal, onProgress: (share) => (bar.value = share) });
      await reel.decoded(0);
      if (signal.aborted) return;
      this.#reel = reel;
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
      return;
    }
    this.frames = this.#reel.count;
    this.rate = this.#reel.rate;
    this.#note.replaceChildren();
    this.#controls.enable(true);
    await this.#show(0);
    this.dispatchEvent(new Event("ready"));
    if (this.#autoplay) this.play();
  }

  #fail(error) {
    this.pause();
    this.#controls.enable(false);
    const again = el("button", { type: "button", "data-action": "retry", onclick: () => void this.#load() }, "Try again");
    const line = `The film could not be loaded: ${error.message}.`;
    this.#note.replaceChildren(el("p", { class: "error", role: "alert" }, line), again);
    const { signal } = this.#stop;
    addEventListener("online", () => again.isConnected && void this.#load(), { once: true, signal });
  }

  #rewind(frame) {
    this.#from = frame;
    this.#begun = performance.now();
    this.#ticked = this.#begun;
  }

  #next() {
    this.#request = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now) {
    if (!this.playing) return;
    // After the page was away, or the computer asleep, it goes on where it was.
    if (now - this.#ticked > SLEPT) this.#rewind(this.frame);
    this.#ticked = now;
    const due = this.#from + Math.floor((Math.max(0, now - this.#begun) * this.rate * this.#speed) / 1000);
    if (due >= this.frames) this.#over();
    else if (due !== this.frame || this.#wanted !== due) this.#reach(due);
    if (this.playing) this.#next();
  }

  /** The frame that is due, if it is decoded; else the clock waits for it. */
  #reach(due) {
    for (let ahead = 1; ahead <= AHEAD; ahead++) this.#prepare((due + ahead) % this.frames);
    if (this.#reel.at(due)) void this.#show(due);
    else {
      this.#prepare(due);
      this.#rewind(due);
    }
  }

  #prepare(frame) {
    this.#reel.decoded(frame).catch((error) => this.#stop.signal.aborted || this.#fail(error));
  }

  #over() {
    this.dispatchEvent(new Event("end"));
    if (!this.#loop) {
      this.pause();
      return;
    }
    this.#rewind(0);
    this.#reach(0);
  }

  async #show(frame) {
    this.#wanted = frame;
    if (!this.#reel.at(frame)) {
      try {
        await this.#reel.decoded(frame);
      } catch (error) {
        if (!this.#stop.signal.aborted) this.#fail(error);
        return;
      }
      if (this.#wanted !== frame || this.#reel === null) return;
    }
    this.frame = frame;
    this.#draw();
    this.#controls.show();
    this.dispatchEvent(new CustomEvent("frame", { detail: { frame } }));
  }

  #draw() {
    const bitmap = this.#reel?.at(this.frame);
    if (!bitmap) return;
    const canvas = this.#canvas;
    const times = Math.max(1, (canvas.clientWidth * (window.devicePixelRatio || 1)) / bitmap.width);
    const [width, height] = [Math.round(bitmap.width * times), Math.round(bitmap.height * times)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const pen = canvas.getContext("2d");
    pen.imageSmoothingQuality = "high";
    pen.drawImage(bitmap, 0, 0, width, height);
    const [first, last] = this.#drawn ?? [1, 0];
    if (this.frame < first || this.frame > last) return;
    const line = (LINE * width) / Math.max(1, canvas.clientWidth || width);
    for (const [x1, y1, x2, y2] of this.#attend) {
      const box = [x1 * width, y1 * height, (x2 - x1) * width, (y2 - y1) * height];
      for (const [colour, wide] of [["rgb(0 0 0 / 0.6)", line * 1.8], [GREEN, line]]) {
        pen.strokeStyle = colour;
        pen.lineWidth = wide;
        pen.strokeRect(...box);
      }
    }
  }
}
