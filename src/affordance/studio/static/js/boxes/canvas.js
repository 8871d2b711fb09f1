import { announce as say } from "../lib/dom.js";
import { ROOT } from "../work/documents.js";
import { changed, stopped } from "./changes.js";
import { differing } from "./compare.js";
import { Flashes } from "./flashes.js";
import { Frame } from "./frame.js";
import { Grid } from "./grid.js";
import { clicked } from "./hands.js";
import { listen } from "./input.js";
import { addKeys } from "./keyboard.js";
import { Nudge } from "./nudge.js";
import { firstOptions, setOption } from "./options.js";
import { Pencil } from "./pencil.js";
import { paintBefore, paintNow, showPicture } from "./picturing.js";
import { remove } from "./removing.js";
import { describe } from "./scene.js";
import { Snapper } from "./snap.js";
import { Trouble } from "./trouble.js";

/**
 * The screenshot with all boxes: looking around, selecting, drawing, moving, resizing, deleting.
 *
 * Events: "option" (detail: {name, value}) when an option has changed, by a key or otherwise; "view" (detail: {scale})
 * when another part of the screen is in sight; "drawing" (detail: {active}) when a box begins or ends being drawn;
 * "picture" (detail: {there}) when the picture has come, or cannot be had.
 */
export class Stage extends EventTarget {
  #grid = null;
  #warned = null;

  /**
   * @param {HTMLElement} container
   * @param {{sheet?: object, selection?: EventTarget & {name: ?string, set: (name: ?string) => void},
   *   onSelect?: (name: ?string) => void, onProblems?: (problems: ?Object<string, string[]>) => void,
   *   announce?: (text: string) => void, editable?: boolean, warns?: boolean}} parts `onProblems` is told of problems
   *   while a box is dragged, and null when those that are saved count again; without `warns` there are none
   */
  constructor(container, { sheet = null, selection = null, onSelect, onProblems, announce = say, ...parts }) {
    super();
    const { editable = true, warns = true } = parts;
    this.announce = (text) => announce(this.sheet?.inWords?.(text) ?? text);
    Object.assign(this, { selection, onSelect, editable });
    this.options = firstOptions();
    Object.assign(this, { sheet: null, regions: new Map(), selected: null, theirs: new Map() });
    this.preview = null; // boxes as they would be, while something is dragged
    this.guides = [];
    this.flashes = new Flashes();
    this.pencil = new Pencil(this);
    this.frame = new Frame(container, {
      paintNow: (...brush) => paintNow(this, ...brush),
      paintBefore: (...brush) => paintBefore(this, ...brush),
      onMoved: () => this.dispatchEvent(new CustomEvent("view", { detail: { scale: this.view.scale } })),
    });
    this.snapper = new Snapper(() => this.gestures.again());
    this.trouble = new Trouble((problems) => {
      this.#warned = null;
      onProblems?.(problems);
      this.redraw();
    }, warns);
    this.nudging = new Nudge(this);
    this.stop = new AbortController();
    [this.gestures, this.gesturesBefore] = listen(this, this.stop.signal);
    if (sheet !== null) this.setSheet(sheet);
  }

  /** Show another screen, or none (null). */
  setSheet(sheet) {
    this.flush();
    this.pencil.leave(); // first: a box that is being drawn stays with its screen
    this.cancelDrags();
    this.listening?.abort();
    this.listening = new AbortController();
    Object.assign(this, { sheet, preview: null, hover: null, clicked: null, earlier: null });
    Object.assign(this, { guides: [], theirs: new Map() });
    this.frame.tell("");
    this.frame.setLens(null);
    this.frame.setShown(sheet !== null);
    if (sheet === null) return;
    this.screen = { width: sheet.shot.width, height: sheet.shot.height };
    const on = (kind, run) => sheet.addEventListener(kind, run, { signal: this.listening.signal });
    on("change", (event) => changed(this, event.detail));
    on("problems", () => this.refresh());
    on("conflict", (event) => stopped(this, event.detail?.entries ?? []));
    this.trouble.setSheet(sheet);
    this.refresh();
    showPicture(this, sheet);
    this.select(this.selection?.name ?? null, { reveal: false });
    this.pencil.offer();
    this.drawingChanged();
  }

  /** Select a region, or none. */
  select(name, { reveal = true } = {}) {
    if (name !== this.selected) this.flush();
    this.selected = name;
    if (reveal && this.regions.has(name)) this.view.reveal(this.box(name));
    if (this.focused && this.regions.has(name)) this.announce(this.words(name));
    this.redraw();
  }

  /** The whole screen in sight. */
  fit() {
    this.view.fit();
  }

  /** A region in the middle, as large as it goes. */
  zoomTo(name) {
    if (this.regions.has(name)) this.view.frame(this.box(name));
  }

  zoomBy(factor) {
    this.view.zoomBy(factor);
  }

  /** @param {"snap" | "loupe" | "original" | "dim"} name @param {boolean | string} value */
  setOption(name, value) {
    setOption(this, name, value);
  }

  /** Show the box that a region had once beside the one that it has; null: no longer. */
  showEarlier(name, box) {
    this.earlier = box === null ? null : { name, box };
    if (box !== null && this.sheet !== null) this.view.reveal(box);
    this.redraw();
  }

  /** Add all keys of the stage. @param {import("../lib/keys.js").Keymap} map */
  keymap(map) {
    addKeys(map, this);
  }

  /** Begin to draw a box, or stop. */
  draw() {
    if (this.pencil.active) this.pencil.stop();
    else if (this.sheet !== null) this.pencil.start();
  }

  /** Delete the selected region, with what is inside or without. */
  remove(keepChildren = false) {
    remove(this, keepChildren);
  }

  /** End the stroke that keys are making: to be called before undo. */
  flush() {
    return this.nudging.flush();
  }

  /** Stop drawing or dragging. @returns {boolean} whether there was anything to stop */
  cancel() {
    const stopped = this.cancelDrags();
    return this.pencil.stop() || stopped;
  }

  destroy() {
    this.flush();
    this.listening?.abort();
    this.stop.abort();
    this.gestures.destroy();
    this.gesturesBefore.destroy();
    this.frame.destroy();
  }

  // What follows is for the other modules of the stage.

  get view() {
    return this.frame.view;
  }

  get canvas() {
    return this.frame.canvas;
  }

  /** Whether keys are for the stage. */
  get focused() {
    return this.sheet !== null && document.activeElement === this.canvas;
  }

  /** Whether keys are for the stage, or for nothing at all. */
  get awake() {
    return this.focused || (this.sheet !== null && document.activeElement === document.body);
  }

  /** The selected region, if it may be changed. */
  get movable() {
    return this.editable && this.regions.has(this.selected) && this.selected !== ROOT ? this.selected : null;
  }

  /** Which regions are where. Made when it is asked for: a change is shown sooner without it. */
  get grid() {
    this.#grid ??= new Grid(this.screen, this.sheet.regions());
    return this.#grid;
  }

  /** What is wrong, by region. */
  get warned() {
    this.#warned ??= this.trouble.byRegion();
    return this.#warned;
  }

  /** The box of a region as it is shown. */
  box(name) {
    return this.preview?.get(name) ?? this.regions.get(name).box;
  }

  words(name) {
    return describe(this.regions.get(name), this.box(name), this.warned.get(name));
  }

  /** Where people differ from what was proposed. */
  differences() {
    return this.sheet === null ? [] : differing(this.sheet.originals, this.regions);
  }

  snaps(point) {
    return this.options.snap && !point.alt;
  }

  /** Select, and tell the page. */
  choose(name) {
    if (this.selection) this.selection.set(name);
    if (this.selected !== name) this.select(name);
    this.onSelect?.(name);
  }

  /** A click: the smallest region there; the next click at the same place takes the one around it. */
  click(point) {
    this.choose(clicked(this, point));
  }

  showPreview(boxes, guides = []) {
    this.preview = boxes;
    this.guides = guides;
    if (boxes !== null) this.trouble.check(boxes);
    else {
      this.snapper.release();
      this.trouble.clear();
      this.frame.setLens(null);
    }
    this.redraw();
  }

  /** Save a stroke. @param {?string} wanted the region to select once it is there */
  async commit(stroke, wanted = null) {
    const saving = this.sheet.edit(stroke.label, stroke.edits);
    if (wanted === null) this.settled();
    else {
      this.showPreview(null);
      this.#chooseSoon(wanted);
    }
    await this.keep(stroke.label, saving);
  }

  /** What was moved is where it is shown. */
  settled() {
    this.showPreview(null);
    if (this.focused && this.regions.has(this.selected)) this.announce(this.words(this.selected));
  }

  /** Tell where a stroke cannot be kept. @param {string} label @param {Promise<void>} saving */
  async keep(label, saving) {
    try {
      await saving;
    } catch (error) {
      this.frame.tell(`“${label}” could not be kept: ${error.message}`);
      this.announce(this.frame.note.textContent);
    }
  }

  /** Here at once, and on the rest of the page a moment later: both together take too long for one go. */
  #chooseSoon(name) {
    this.select(name);
    setTimeout(() => this.selected === name && this.choose(name));
  }

  cancelDrags() {
    return [this.gestures, this.gesturesBefore].map((one) => one.cancel()).some(Boolean);
  }

  drawingChanged() {
    this.dispatchEvent(new CustomEvent("drawing", { detail: { active: this.pencil.active } }));
    this.redraw();
  }

  redraw() {
    this.frame.redraw();
  }

  /** All that follows from the regions of the sheet as they are. */
  refresh() {
    const regions = this.sheet.regions();
    this.regions = new Map(regions.map((one) => [one.name, one]));
    this.#grid = null;
    this.#warned = null;
    this.snapper.setLines(this.sheet.id, regions, this.sheet.snaps);
    this.redraw();
  }
}
