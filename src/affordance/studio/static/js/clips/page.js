/** The page: the list, the film with its timeline and regions, and what is known of the clip. */

import { announce } from "../lib/dom.js";
import { hideNone, showNone } from "../lib/none.js";
import { Film } from "../film/film.js";
import { rateOf } from "../film/reel.js";
import { Desk } from "../work/desk.js";
import { mountStatus } from "../work/status.js";
import { Fields } from "./fields.js";
import { runs, shownAt } from "./frames.js";
import { keymap } from "./keymap.js";
import { ClipList } from "./list.js";
import { Regions } from "./regions.js";
import { Timeline } from "./timeline.js";

const REST = 700; // ms after the last key at an edge, when its steps are one stroke

const at = (id) => document.getElementById(id);
const FIELD = { start: "start_frame", end: "end_frame" };
const NAMES = { start: "Start", end: "End" };

class Page {
  #mayEdit = at("clips").dataset.edit === "yes";
  #list = new ClipList();
  #fields = new Fields({ editable: this.#mayEdit });
  #timeline = new Timeline(at("timeline"), { editable: this.#mayEdit });
  #regions = new Regions({ editable: this.#mayEdit });
  #desk = null;
  #film = null;
  #wanted = 0; // the frame of the film that is to be seen: to decode it takes a moment
  #burst = null; // small steps that are one stroke
  #resting = 0;
  #turn = 0; // of the last clip that was opened: an earlier one that comes late is dropped

  async start() {
    this.#listen();
    const asked = new URLSearchParams(location.search).get("clip");
    await this.#list.load();
    const first = asked ?? this.#list.first;
    if (first) await this.#open(first);
  }

  get #entry() {
    return this.#desk.get("clip", "");
  }

  get #clip() {
    return this.#entry.document;
  }

  /** The frame of the video that is shown, or is about to be. */
  get #now() {
    return this.#desk.film.indexes[this.#wanted] ?? 0;
  }

  /** Pause, and show a frame of the film. */
  #seek(frame) {
    this.#film.pause();
    this.#wanted = Math.min(Math.max(0, frame), this.#desk.film.indexes.length - 1);
    this.#film.seek(this.#wanted);
  }

  async #open(id) {
    const turn = ++this.#turn;
    await this.#leave();
    try {
      const desk = await Desk.open(id, `/api/clip?screen=${encodeURIComponent(id)}`);
      if (turn !== this.#turn) return desk.close();
      this.#show(desk);
    } catch (error) {
      if (turn === this.#turn) showNone([`The clip cannot be shown: ${error.message}.`]);
    }
  }

  async #leave() {
    await this.#fields.leave();
    await this.#rest();
  }

  #show(desk) {
    // What is typed, dragged or moved by keys while the clip loads is of the one that was open.
    this.#fields.close();
    this.#regions.cancel();
    void this.#rest();
    this.#desk?.close();
    this.#film?.destroy();
    this.#desk = desk;
    desk.addEventListener("change", ({ detail }) => desk === this.#desk && this.#changed(detail));
    hideNone();
    at("title").textContent = desk.id;
    const clip = this.#clip;
    const { digest, frames, width, height } = clip;
    const src = `/api/clip/film/${digest}`;
    this.#film = new Film(at("film"), { ...desk.film, src, label: desk.id, autoplay: false });
    this.#wanted = 0;
    this.#film.addEventListener("frame", ({ detail }) => {
      this.#wanted = detail.frame;
      this.#moved();
    });
    this.#film.addEventListener("ready", () => this.#visit("start"));
    const screen = this.#film.element.querySelector(".film-screen");
    screen.querySelector("canvas").after(this.#regions.element);
    this.#fit(screen);
    this.#timeline.open({ frames, rate: rateOf(clip.rate), width, height, src: `/api/clip/strip/${digest}` });
    this.#timeline.show({ now: 0 });
    this.#fields.open(desk.id, this.#entry);
    this.#regions.setDrawing(false);
    this.#regions.select(-1, false);
    this.#refresh();
    this.#list.mark(desk.id);
    history.replaceState(null, "", `?${new URLSearchParams({ clip: desk.id })}`);
  }

  /** The regions lie on the picture, wherever that is in its place. */
  #fit(screen) {
    const canvas = screen.querySelector("canvas");
    const { element } = this.#regions;
    const fit = () => {
      const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = canvas;
      Object.assign(element.style, { left: `${offsetLeft}px`, top: `${offsetTop}px`, width: `${offsetWidth}px`, height: `${offsetHeight}px` });
    };
    const watch = new ResizeObserver(fit);
    watch.observe(canvas);
    watch.observe(screen);
    fit();
  }

  #changed({ by }) {
    if (by !== "others") this.#list.patch(this.#desk.id, this.#clip);
    this.#refresh();
  }

  /** Everything as the clip is now. */
  #refresh() {
    const clip = this.#clip;
    this.#regions.show(clip.regions ?? [], clip);
    this.#timeline.show({ start: clip.start_frame ?? null, end: clip.end_frame ?? null });
    this.#fields.show(this.#entry, this.#regions.selected);
    this.#moved();
    if (!this.#mayEdit) return;
    at("undo").disabled = !this.#desk.canUndo;
    at("redo").disabled = !this.#desk.canRedo;
  }

  #moved() {
    this.#timeline.show({ now: this.#now });
    this.#regions.running = runs(this.#desk.film.indexes, this.#film.frame, this.#clip);
  }

  #edit(label, set, after = undefined, desk = this.#desk) {
    const edit = { kind: "clip", name: "", set, ...(after === undefined ? {} : { after }) };
    return desk.edit(label, [edit]);
  }

  /** A small step, of which those that follow each other are one stroke. */
  #step(label, set) {
    this.#burst ??= this.#desk.burst(label, "clip", "");
    void this.#burst.put(set);
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => void this.#rest(), REST);
  }

  async #rest() {
    clearTimeout(this.#resting);
    const burst = this.#burst;
    this.#burst = null;
    await burst?.end();
  }

  /** Both edges, with one of them set: the other gives way. */
  #edges(clip, edge, frame) {
    const set = { [FIELD[edge]]: frame };
    const other = edge === "start" ? "end" : "start";
    const there = clip[FIELD[other]] ?? null;
    const passed = frame !== null && there !== null && (edge === "start" ? frame > there : frame < there);
    return passed ? { ...set, [FIELD[other]]: frame } : set;
  }

  async #setEdge(edge, frame) {
    const desk = this.#desk; // another clip may be open once the steps before are saved
    await this.#rest();
    const clip = desk.get("clip", "").document;
    const same = (clip[FIELD[edge]] ?? null) === frame;
    if (same) return this.#refresh();
    const set = this.#edges(clip, edge, frame);
    const both = Object.keys(set).length > 1; // the other one has given way
    const label = frame === null ? `${NAMES[edge]} not known` : `${both ? "Start and end" : NAMES[edge]} at frame ${frame}`;
    await this.#edit(label, set, undefined, desk);
    announce(label);
  }

  #dragged(detail) {
    if (detail === null) return this.#refresh();
    const { edge, frame, done } = detail;
    this.#seek(shownAt(this.#desk.film.indexes, frame));
    if (done) void this.#setEdge(edge, frame);
  }

  #visit(edge) {
    const frame = this.#clip[FIELD[edge]] ?? (edge === "start" ? 0 : this.#clip.frames - 1);
    const { indexes } = this.#desk.film;
    this.#seek(edge === "start" ? firstShown(indexes, frame) : shownAt(indexes, frame));
  }

  #drawn(detail) {
    if (detail === null) return this.#refresh();
    const { regions, label, step } = detail;
    const desk = this.#desk;
    if (step) this.#step(label, { regions });
    else void this.#rest().then(() => this.#edit(label, { regions }, undefined, desk));
  }

  async #undo(way) {
    await this.#leave();
    const label = way === "undo" ? this.#desk.undoLabel : this.#desk.redoLabel;
    if (!label) return announce(`There is nothing to ${way}.`);
    await (way === "undo" ? this.#desk.undo() : this.#desk.redo());
    announce(`${way === "undo" ? "Undone" : "Done again"}: ${label}.`);
  }

  #listen() {
    const open = () => this.#desk !== null && this.#film?.ready === true;
    const acts = {
      next: () => this.#list.step(1),
      previous: () => this.#list.step(-1),
      find: () => this.#list.focusSearch(),
      done: () => this.#fields.done(),
      aside: () => void this.#fields.aside(),
      edit: () => this.#fields.focus(),
      toggle: () => this.#film.toggle(),
      step: (by) => this.#seek(this.#wanted + by),
      edge: (edge) => void this.#setEdge(edge, this.#now),
      visit: (edge) => this.#visit(edge),
      draw: () => this.#regions.setDrawing(!this.#regions.drawing),
      add: () => this.#regions.add(),
      region: () => {
        const count = (this.#clip.regions ?? []).length;
        if (count) this.#regions.select((this.#regions.selected + 1) % count);
      },
      undo: () => void this.#undo("undo"),
      redo: () => void this.#undo("redo"),
    };
    const keys = keymap(acts, open, () => this.#mayEdit && this.#desk !== null);
    this.#list.addEventListener("open", ({ detail }) => void this.#open(detail));
    this.#list.addEventListener("counted", ({ detail }) => this.#counted(detail.all));
    this.#timeline.addEventListener("seek", ({ detail }) => this.#seek(shownAt(this.#desk.film.indexes, detail)));
    this.#timeline.addEventListener("set", ({ detail }) => this.#dragged(detail));
    this.#fields.addEventListener("edit", ({ detail }) => void this.#edit(detail.label, detail.set, detail.after));
    this.#fields.addEventListener("frame", ({ detail }) => void this.#setEdge(detail.edge, detail.frame));
    this.#fields.addEventListener("region", ({ detail }) => this.#regions.put(detail.index, detail.xyxy));
    this.#fields.addEventListener("pick", ({ detail }) => this.#regions.select(detail));
    this.#fields.addEventListener("remove", ({ detail }) => this.#regions.remove(detail));
    this.#regions.addEventListener("regions", ({ detail }) => this.#drawn(detail));
    this.#regions.addEventListener("rest", () => void this.#rest());
    this.#regions.addEventListener("click", () => this.#film?.toggle());
    this.#regions.addEventListener("select", () => this.#desk && this.#fields.show(this.#entry, this.#regions.selected));
    this.#regions.addEventListener("drawing", ({ detail }) => at("draw")?.setAttribute("aria-pressed", String(detail)));
    at("draw")?.addEventListener("click", acts.draw);
    at("undo")?.addEventListener("click", acts.undo);
    at("redo")?.addEventListener("click", acts.redo);
    at("help").addEventListener("click", () => keys.help());
  }

  #counted(all) {
    if (all > 0 || this.#desk) return;
    showNone([
      "There are no clips yet.",
      "Recordings, and clips of a dataset, are added with `affordance author init`, and are then described here.",
    ]);
  }
}

/** The first frame of the film that is not before a frame of the video. */
function firstShown(indexes, frame) {
  const shown = shownAt(indexes, frame);
  return indexes[shown] < frame ? Math.min(shown + 1, indexes.length - 1) : shown;
}

mountStatus(at("status"));
void new Page().start();
