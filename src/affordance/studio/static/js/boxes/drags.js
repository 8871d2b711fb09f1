import { same } from "../work/documents.js";
import { allowed, around, handlePoint, moved, resized } from "./geometry.js";
import { movedBoxes, placed } from "./edits.js";

const BEGUN = 4; // pixels of the window: less is a click

/** What a pressed pointer does: a click, or, once it has gone some way, a drag. */
class Drag {
  constructor(stage, from) {
    this.stage = stage;
    this.from = from;
    this.begun = false;
  }

  to(point) {
    this.begun ||= Math.hypot(point.px - this.from.px, point.py - this.from.py) >= BEGUN;
    if (this.begun) this.drag(point);
  }

  end(point) {
    if (this.begun) this.finish(point);
    else this.click(point);
  }

  click(point) {
    this.stage.click(point);
  }

  cancel() {
    this.stage.showPreview(null);
  }

  /** The pointer was taken away, as by a window that came up. */
  lost() {
    this.cancel();
  }
}

/** The view follows the pointer. */
export class Pan extends Drag {
  constructor(stage, from, onClick = (point) => stage.click(point)) {
    super(stage, from);
    this.last = from;
    this.click = onClick;
  }

  drag(point) {
    this.stage.view.panBy(point.px - this.last.px, point.py - this.last.py);
    this.last = point;
  }

  finish() {}

  cancel() {}
}

/** A region, or with Shift all that is in it too, follows the pointer. */
export class Move extends Drag {
  constructor(stage, from, name) {
    super(stage, from);
    this.name = name;
    this.boxes = new Map();
  }

  drag(point) {
    const { stage, name } = this;
    const names = point.shift ? [name, ...stage.sheet.descendants(name)] : [name];
    const { box } = stage.regions.get(name);
    let [dx, dy] = [Math.round(point.x - this.from.x), Math.round(point.y - this.from.y)];
    let guides = [];
    if (stage.snaps(point)) {
      const found = stage.snapper.box(moved(box, dx, dy), { scale: stage.view.scale, skip: new Set(names) });
      [dx, dy, guides] = [dx + found.dx, dy + found.dy, found.guides];
    }
    [dx, dy] = allowed(around(names.map((one) => stage.regions.get(one).box)), dx, dy, stage.screen);
    this.boxes = movedBoxes(names, stage.regions, dx, dy);
    stage.showPreview(this.boxes, guides);
  }

  finish() {
    const { stage, name, boxes } = this;
    if (!boxes.has(name) || same(boxes.get(name), stage.regions.get(name).box)) stage.showPreview(null);
    else stage.commit(placed("Move", name, boxes));
  }
}

/** An edge or a corner of a region follows the pointer. */
export class Resize extends Drag {
  constructor(stage, from, name, handle) {
    super(stage, from);
    this.name = name;
    this.handle = handle;
    this.before = stage.regions.get(name).box;
    const [x, y] = handlePoint(this.before, handle);
    this.off = [x - from.x, y - from.y]; // the pointer is seldom right on the edge
    this.axes = (/[ew]/.test(handle) ? "x" : "") + (/[ns]/.test(handle) ? "y" : "");
  }

  drag(point) {
    const { stage } = this;
    const [x, y] = [point.x + this.off[0], point.y + this.off[1]];
    const options = { scale: stage.view.scale, axes: this.axes, skip: new Set([this.name]) };
    const found = stage.snaps(point) ? stage.snapper.point(x, y, options) : { x, y, guides: [] };
    this.box = resized(this.before, this.handle, found.x, found.y, stage.screen);
    stage.frame.setLens(handlePoint(this.box, this.handle));
    stage.showPreview(new Map([[this.name, this.box]]), found.guides);
  }

  finish() {
    const { stage, name, box } = this;
    if (same(box, this.before)) stage.showPreview(null);
    else stage.commit(placed("Resize", name, new Map([[name, box]])));
  }
}

/** A new box: from where the pointer was pressed to where it is let go, or between two clicks. */
export class Sketch extends Drag {
  constructor(stage, from) {
    super(stage, from);
    this.second = stage.pencil.drawing.anchor !== null;
    stage.pencil.aim(from);
    if (!this.second) stage.pencil.setCorner();
  }

  drag(point) {
    this.stage.pencil.aim(point);
  }

  finish(point) {
    this.stage.pencil.aim(point);
    this.stage.pencil.finish(point.shift);
  }

  click(point) {
    if (this.second) this.finish(point);
  }

  cancel() {
    this.stage.pencil.stop();
  }

  /** The corner that is set stays: it goes on as between two clicks. */
  lost() {}
}
