import { boxField } from "./geometry.js";

const BURST = 600; // milliseconds within which the next key still belongs to it

/** Small steps by keys: a burst of them on one region is one stroke, which is safe from the first key on. */
export class Nudge {
  /** @param {import("./canvas.js").Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.now = null;
  }

  /** @param {string} name @param {number[]} box as it is saved @param {(box: number[]) => number[]} change */
  step(name, box, change) {
    const { stage } = this;
    const label = `Nudge ${name}`;
    if (this.now !== null && this.now.name !== name) this.flush();
    this.now ??= { name, label, box, burst: stage.sheet.burst(label, "region", name) };
    this.now.box = change(this.now.box);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), BURST);
    stage.showPreview(new Map([[name, this.now.box]]));
    void stage.keep(label, this.now.burst.put({ box: boxField(this.now.box) }));
  }

  /** There are no more steps for now: the stroke may be sent. */
  async flush() {
    const { now, stage } = this;
    clearTimeout(this.timer);
    this.now = null;
    if (now === null) return;
    const ending = now.burst.end();
    stage.settled();
    await stage.keep(now.label, ending);
  }
}
