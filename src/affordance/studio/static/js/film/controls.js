/** What a film is played with: buttons, a bar to seek in, loop and speed. */

import { el } from "../lib/dom.js";

const SPEEDS = [0.25, 0.5, 1, 2];
const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  back: "M12 2.5v11l-7-5.5zM3 2.5h1.6v11H3z",
  on: "M4 2.5v11l7-5.5zM11.4 2.5H13v11h-1.6z",
  loop: "M4 4h6V2l3.2 3L10 8V6H5v2.5H3V5a1 1 0 0 1 1-1zm8 8H6v2l-3.2-3L6 8v2h5V7.5h2V11a1 1 0 0 1-1 1z",
};

export class Controls {
  #film;
  #play;
  #loop;
  #bar;
  #time;
  #buttons;

  /** @param {import("./film.js").Film} film */
  constructor(film) {
    this.#film = film;
    this.#play = button("play", "Play", () => film.toggle());
    this.#loop = button("loop", "Loop", () => (film.loop = !film.loop));
    const back = button("back", "One frame back", () => film.step(-1));
    const on = button("on", "One frame on", () => film.step(1));
    this.#bar = el("input", {
      ...{ type: "range", min: 0, max: Math.max(0, film.frames - 1), step: 1, value: 0, "aria-label": "Frame" },
      oninput: () => (film.pause(), film.seek(Number(this.#bar.value))),
    });
    this.#time = el("span", { class: "film-time", "aria-hidden": "true" });
    const speed = el("select", { "aria-label": "Speed", onchange: () => (film.speed = Number(speed.value)) },
      SPEEDS.map((one) => el("option", { value: one, selected: one === 1 }, `${one}×`)));
    this.#buttons = [this.#play, back, on, this.#bar, this.#loop, speed];
    this.element = el("div", { class: "film-controls" },
      this.#bar, el("div", { class: "film-row" }, back, this.#play, on, this.#time, this.#loop, speed));
    this.show();
    this.enable(false);
  }

  /** Nothing can be played before the film is there. */
  enable(there) {
    for (const one of this.#buttons) one.disabled = !there;
  }

  /** As the film stands now. */
  show() {
    const { playing, loop, frame, frames, rate } = this.#film;
    icon(this.#play, playing ? "pause" : "play");
    this.#play.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.#play.title = playing ? "Pause (Space)" : "Play (Space)";
    this.#loop.setAttribute("aria-pressed", String(loop));
    this.#bar.max = String(Math.max(0, frames - 1));
    this.#bar.value = String(frame);
    const at = `${(frame / rate).toFixed(1)} of ${(frames / rate).toFixed(1)} s`;
    this.#bar.setAttribute("aria-valuetext", `Frame ${frame + 1} of ${frames}, ${at}`);
    this.#time.textContent = `${frame + 1} / ${frames}`;
  }
}

function button(name, label, run) {
  const made = el("button", { type: "button", class: "film-button", "aria-label": label, title: label, onclick: run });
  icon(made, name);
  return made;
}

function icon(button, name) {
  if (button.dataset.icon === name) return;
  button.dataset.icon = name;
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 16 16");
  drawing.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  drawing.append(path);
  button.replaceChildren(drawing);
}
