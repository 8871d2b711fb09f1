/** The two designs of a picture, as the stage of the boxes shows a sheet: each is a region that can be moved. */

import { boxField } from "../boxes/geometry.js";
import { ROOT } from "../work/documents.js";

export const SIDES = ["first", "second"];

export class Board extends EventTarget {
  originals = {};
  problems = {};
  snaps = [];
  drawn = SIDES[0]; // which of them a box is that is drawn anew
  #desk;
  #stop = new AbortController();

  /** @param {import("../work/desk.js").Desk} desk @param {{digest: string, size: number[]}} row */
  constructor(desk, { digest, size }) {
    super();
    this.#desk = desk;
    this.id = desk.id;
    this.shot = { digest, width: size[0], height: size[1] };
    desk.addEventListener("change", ({ detail }) => this.#changed(detail), { signal: this.#stop.signal });
  }

  get entry() {
    return this.#desk.get("halves", "");
  }

  /** Where the designs are, the first one first. */
  get boxes() {
    return this.entry.document.boxes.map((box) => box.xyxy);
  }

  regions() {
    const { pending, stuck } = this.entry;
    return this.boxes.map((box, at) => {
      return { name: SIDES[at], box, parent: ROOT, depth: 1, entry: { document: {}, pending, stuck } };
    });
  }

  region(name) {
    return this.regions().find((one) => one.name === name);
  }

  children(name) {
    return name === ROOT ? SIDES : [];
  }

  ancestors() {
    return [ROOT];
  }

  descendants() {
    return [];
  }

  newName() {
    return this.drawn;
  }

  /** The stroke of the stage, as one of the halves. */
  async edit(label, edits) {
    const boxes = this.entry.document.boxes.map(
      (box, at) => edits.find((edit) => edit.name === SIDES[at] && edit.set.box)?.set.box ?? box,
    );
    await this.#desk.edit(label, [{ kind: "halves", name: "", set: moved(boxes) }]);
  }

  /** Small steps of one box, as one stroke of the halves. */
  burst(label, _, name) {
    const burst = this.#desk.burst(label, "halves", "");
    const put = ({ box }) => {
      const boxes = this.boxes.map((one, at) => (SIDES[at] === name ? box : boxField(one)));
      return burst.put(moved(boxes));
    };
    return { put, end: () => burst.end(), drop: () => burst.drop() };
  }

  close() {
    this.#stop.abort();
  }

  #changed({ keys, by }) {
    if (!keys.has("halves/")) return;
    const named = new Set(SIDES.map((name) => `region/${name}`));
    this.dispatchEvent(new CustomEvent("change", { detail: { keys: named, by } }));
  }
}

/** Boxes that were moved are to be confirmed anew, and are those of two designs. */
function moved(boxes) {
  return { boxes, confirmed: false, single: true };
}
