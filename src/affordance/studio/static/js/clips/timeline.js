/** The whole clip from left to right: thumbnails, where the animation runs, and where the film is. */

import { el } from "../lib/dom.js";
import { fetchReel } from "../film/reel.js";
import { frameInWords } from "./frames.js";

const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 };
const NAMES = { start: "Start of the animation", end: "End of the animation", now: "Frame that is shown" };

/**
 * Events: "seek" (detail: frame of the video), "set" (detail: {edge: "start" | "end", frame, done}): an edge is dragged;
 * `done` at the end of it, or with each key.
 */
export class Timeline extends EventTarget {
  #clip = null; // {frames, rate}
  #at = { start: null, end: null, now: 0 };
  #editable;
  #strip = el("canvas", { class: "strip", "aria-hidden": "true" });
  #band = el("div", { class: "band" });
  #knobs;
  #track;
  #reel = null;
  #note = el("p", { class: "soft strip-note", hidden: true });
  #words = el("p");
  #held = ""; // the knob that is dragged
  #loading = null;

  constructor(place, { editable }) {
    super();
    this.#editable = editable;
    this.#knobs = {
      now: this.#knob("now"),
      start: this.#knob("start"),
      end: this.#knob("end"),
    };
    this.#track = el("div", { class: "track" }, this.#strip, this.#note, this.#band, Object.values(this.#knobs));
    place.append(this.#track, this.#words);
    this.#track.addEventListener("pointerdown", (event) => this.#down(event));
    this.#track.addEventListener("pointermove", (event) => this.#held && this.#move(event, false));
    this.#track.addEventListener("pointerup", (event) => this.#up(event));
    this.#track.addEventListener("pointercancel", (event) => this.#up(event));
    new ResizeObserver(() => void this.#draw()).observe(this.#track);
  }

  /** @param {{frames: number, rate: number, width: number, height: number, src: string}} clip */
  open(clip) {
    this.#clip = clip;
    this.#held = ""; // a knob that is dragged is of the clip that was open
    this.#loading?.abort();
    this.#loading = new AbortController();
    this.#reel?.close();
    this.#reel = null;
    this.#strip.getContext("2d").clearRect(0, 0, this.#strip.width, this.#strip.height);
    void this.#load(clip.src, this.#loading.signal);
  }

  /** @param {{start?: number | null, end?: number | null, now?: number}} at frames of the video */
  show(at) {
    for (const name of Object.keys(at)) {
      if (name !== this.#held) this.#at[name] = at[name];
    }
    if (this.#clip) this.#place();
  }

  #knob(name) {
    const may = name === "now" || this.#editable;
    const label = { role: "slider", "aria-label": NAMES[name], "aria-valuemin": 0 };
    const knob = el("div", { class: `knob ${name}`, tabindex: "0", ...label, "aria-disabled": may ? null : "true" });
    knob.dataset.knob = may ? name : "";
    knob.addEventListener("keydown", (event) => may && this.#key(event, name));
    return knob;
  }

  #key(event, name) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#clip) return;
    const from = this.#value(name);
    const by = STEPS[event.key];
    let frame = null;
    if (by !== undefined) frame = from + by * (event.shiftKey ? 10 : 1);
    else if (event.key === "Home") frame = 0;
    else if (event.key === "End") frame = this.#clip.frames - 1;
    if (frame === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.#put(name, frame, true);
  }

  /** Where a knob is; an edge that nobody has set is at that end of the clip. */
  #value(name) {
    return this.#at[name] ?? (name === "end" ? this.#clip.frames - 1 : 0);
  }

  #put(name, frame, done) {
    const wanted = Math.min(Math.max(0, Math.round(frame)), this.#clip.frames - 1);
    this.#at[name] = wanted;
    this.#place();
    const detail = name === "now" ? wanted : { edge: name, frame: wanted, done };
    this.dispatchEvent(new CustomEvent(name === "now" ? "seek" : "set", { detail }));
  }

  #down(event) {
    if (event.button !== 0 || !this.#clip) return;
    this.#held = event.target.closest("[data-knob]")?.dataset.knob || "now";
    this.#track.setPointerCapture(event.pointerId);
    this.#knobs[this.#held].focus({ preventScroll: true });
    event.preventDefault();
    if (this.#held === "now") this.#move(event, false);
  }

  #up(event) {
    if (!this.#held) return;
    const name = this.#held;
    if (event.type === "pointerup") this.#move(event, true);
    this.#held = "";
    if (event.type === "pointercancel" && name !== "now") this.dispatchEvent(new CustomEvent("set", { detail: null }));
  }

  #move(event, done) {
    const { left, width } = this.#strip.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - left) / width, 0), 1);
    this.#put(this.#held, Math.min(Math.floor(share * this.#clip.frames), this.#clip.frames - 1), done);
  }

  #place() {
    const { frames } = this.#clip;
    const left = (frame) => `${(100 * frame) / frames}%`;
    const [start, end] = [this.#value("start"), this.#value("end")];
    const known = this.#at.start !== null || this.#at.end !== null;
    this.#band.hidden = !known;
    this.#band.style.left = left(start);
    this.#band.style.width = left(Math.max(0, end + 1 - start));
    this.#knobs.start.style.left = left(start);
    this.#knobs.end.style.left = left(end + 1);
    this.#knobs.now.style.left = left(this.#at.now + 0.5);
    for (const [name, knob] of Object.entries(this.#knobs)) {
      knob.setAttribute("aria-valuemax", String(frames - 1));
      knob.setAttribute("aria-valuenow", String(this.#value(name)));
      knob.setAttribute("aria-valuetext",
        name !== "now" && this.#at[name] === null ? "not set" : frameInWords(this.#value(name), this.#clip));
    }
    this.#words.textContent = `${frameInWords(this.#at.now, this.#clip)}.${known ? "" : " Nobody has said when the animation runs."}`;
  }

  async #load(src, signal) {
    this.#note.hidden = true;
    try {
      const reel = await fetchReel(src, { signal });
      if (signal.aborted) return;
      this.#reel = reel;
      await this.#draw();
    } catch (error) {
      if (signal.aborted) return;
      this.#note.textContent = `The filmstrip could not be loaded: ${error.message}.`;
      this.#note.hidden = false;
    }
  }

  async #draw() {
    const [reel, { clientWidth, clientHeight }] = [this.#reel, this.#track];
    if (reel === null || !clientWidth) return;
    const times = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(clientWidth * times), Math.round(clientHeight * times)];
    const pictures = await Promise.all(Array.from({ length: reel.count }, (_, at) => reel.decoded(at)));
    if (reel !== this.#reel) return;
    Object.assign(this.#strip, { width, height });
    const pen = this.#strip.getContext("2d");
    const wide = Math.max(24, (height * pictures[0].width) / pictures[0].height);
    const count = Math.max(1, Math.round(width / wide));
    const each = width / count;
    for (let at = 0; at < count; at++) {
      const picture = pictures[Math.min(pictures.length - 1, Math.floor(((at + 0.5) * pictures.length) / count))];
      pen.save();
      pen.beginPath();
      pen.rect(at * each, 0, each, height);
      pen.clip();
      const scale = Math.max(each / picture.width, height / picture.height);
      const [w, h] = [picture.width * scale, picture.height * scale];
      pen.drawImage(picture, at * each + (each - w) / 2, (height - h) / 2, w, h);
      pen.restore();
    }
  }
}
