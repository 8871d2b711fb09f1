import { Drawing, keepDraft, keptDraft } from "./drawing.js";
import { drawn, parentOf } from "./edits.js";
import { clamp, LEAST, spoken } from "./geometry.js";

const HOW = "Drag a box, or click two corners. By keys: arrows, then Enter for each corner. Esc stops.";
const THEN = "Now the other corner: click it, or arrows and Enter. Shift takes in what is inside. Esc stops.";
const AGAIN = "Unfinished box from before: Enter to keep drawing, Esc to drop.";
const SETTLED = 400; // milliseconds after the last key until somebody is told where the crosshair is

/** Drawing a new region, with the pointer or by keys alone. */
export class Pencil {
  constructor(stage) {
    this.stage = stage;
    this.drawing = null;
    this.offered = false; // an unfinished box from before is there, and nobody has said yet what to do with it
    this.name = null; // of the region that is being drawn
    this.parent = null; // that it would be in
  }

  /** Whether a box is being drawn. */
  get active() {
    return this.drawing !== null && !this.offered;
  }

  start() {
    const { stage } = this;
    if (!stage.editable) return;
    stage.flush();
    this.#begin(new Drawing(stage.screen, ...this.#middle()));
    this.#note(HOW, "draw");
  }

  /** The crosshair is where the pointer is, or on a line near it. */
  aim(point) {
    const { stage } = this;
    const options = { scale: stage.view.scale };
    const found = stage.snaps(point) ? stage.snapper.point(point.x, point.y, options) : { ...point, guides: [] };
    stage.guides = found.guides;
    this.#to(found.x, found.y);
  }

  /** The crosshair goes some pixels, or to the next edge of a box in that direction. */
  step(dx, dy, jump = false) {
    const { stage } = this;
    let [x, y] = this.drawing.corner;
    if (jump && dx) x = stage.snapper.x.next(x, dx) ?? x;
    else x += dx;
    if (jump && dy) y = stage.snapper.y.next(y, dy) ?? y;
    else y += dy;
    stage.guides = [];
    stage.snapper.release();
    this.#to(x, y);
    stage.view.reveal([...this.drawing.corner, ...this.drawing.corner]);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.active && stage.announce(this.#words()), SETTLED);
  }

  /** Enter: go on with the box that was kept, set a corner, or finish. */
  enter(wrap = false) {
    if (this.offered) {
      this.#begin(this.drawing);
      this.stage.view.reveal(this.drawing.box);
      this.#note(THEN, "corner");
    } else if (this.drawing.anchor === null) this.setCorner();
    else this.finish(wrap);
  }

  /** One corner stays where the crosshair is. */
  setCorner() {
    this.drawing.set();
    keepDraft(this.stage.sheet.id, this.drawing);
    this.name = this.stage.sheet.newName();
    this.#note(THEN, "corner");
    this.stage.redraw();
  }

  finish(wrap = false) {
    const { stage, drawing, name } = this;
    if (!drawing.largeEnough) {
      this.#note(`A box needs at least ${LEAST} by ${LEAST} pixels. ${THEN}`, "too-small");
      return;
    }
    const parent = parentOf(drawing.box, stage);
    const stroke = drawn(name ?? stage.sheet.newName(), drawing.box, parent, stage.regions, wrap);
    this.#end();
    stage.commit(stroke, stroke.edits[0].name);
  }

  /** @returns {boolean} whether there was anything to stop */
  stop() {
    if (this.drawing === null) return false;
    this.#end();
    this.stage.frame.tell("");
    this.stage.announce("No box drawn.");
    return true;
  }

  /** Another screen: what was being drawn stays with its own. */
  leave() {
    this.drawing = null;
    this.parent = null;
    this.offered = false;
  }

  /** Ask whether to go on with the box that was not finished when the page went away. */
  offer() {
    this.drawing = this.stage.editable ? keptDraft(this.stage.sheet.id, this.stage.screen) : null;
    this.offered = this.drawing !== null;
    if (this.offered) this.#note(AGAIN, "unfinished");
  }

  /** Where the crosshair begins: at the pointer, at the selected region, or in the middle of what is in sight. */
  #middle() {
    const { pointing, movable, view } = this.stage;
    if (pointing) return [pointing.x, pointing.y];
    if (movable !== null) return this.stage.box(movable).slice(0, 2);
    return view.toScreen(view.pane.width / 2, view.pane.height / 2);
  }

  #begin(drawing) {
    this.drawing = drawing;
    this.offered = false;
    if (drawing.anchor !== null) this.name = this.stage.sheet.newName();
    this.stage.canvas.focus({ preventScroll: true });
    this.stage.drawingChanged();
  }

  #end() {
    const { stage } = this;
    clearTimeout(this.timer);
    this.leave();
    keepDraft(stage.sheet.id, null);
    stage.snapper.release();
    stage.guides = [];
    stage.trouble.clear();
    stage.frame.setLens(null);
    stage.frame.tell("");
    stage.drawingChanged();
  }

  #to(x, y) {
    const { stage, drawing } = this;
    drawing.to(clamp(x, 0, stage.screen.width), clamp(y, 0, stage.screen.height));
    keepDraft(stage.sheet.id, drawing);
    stage.frame.setLens(drawing.corner);
    this.parent = drawing.largeEnough ? parentOf(drawing.box, stage) : null;
    if (this.parent !== null) stage.trouble.check(new Map([[this.name, drawing.box]]), { [this.name]: this.parent });
    stage.redraw();
  }

  #words() {
    const { corner, box } = this.drawing;
    return box === null ? `${corner[0]}, ${corner[1]}` : spoken(box);
  }

  #note(text, kind) {
    this.stage.frame.tell(text, kind);
    this.stage.announce(text);
  }
}
