/** A question as the stage of the boxes shows a sheet: its target is the one region that can be moved, look-alikes are
 * there to be seen. */

import { ROOT } from "../work/documents.js";
import { isPerson } from "./words.js";

export class Board extends EventTarget {
  originals = {};
  problems = {};
  #sheet;
  #name;
  #around;
  #stop = new AbortController();

  /** @param {import("../work/sheet.js").Sheet} sheet @param {string} name of the question */
  constructor(sheet, name) {
    super();
    this.#sheet = sheet;
    this.#name = name;
    this.id = sheet.id;
    this.shot = sheet.shot;
    this.snaps = sheet.snaps;
    sheet.addEventListener("change", ({ detail }) => this.#changed(detail), { signal: this.#stop.signal });
  }

  get question() {
    return this.#sheet.get("question", this.#name);
  }

  /** What the stage calls the target. */
  get target() {
    return `target ${this.question.document.target}`;
  }

  /** What the server knows of it besides: where the target is now, and what looks like it. */
  setAround(around) {
    this.#around = around;
    this.#tell("me");
  }

  /** Where the question is asked about. A box that a person gave it stays; else it goes with its target. */
  get box() {
    const { author, document } = this.question;
    return isPerson(author) || !this.#around?.place ? document.box.xyxy : this.#around.place;
  }

  regions() {
    const { pending, stuck } = this.question;
    const alike = (this.#around?.alike ?? []).map(({ id, box }) => region(`alike ${id}`, box, { document: {} }));
    return [...alike, region(this.target, this.box, { document: {}, pending, stuck })];
  }

  region(name) {
    return this.regions().find((one) => one.name === name);
  }

  children(name) {
    return name === ROOT ? this.regions().map((one) => one.name) : [];
  }

  ancestors() {
    return [ROOT];
  }

  descendants() {
    return [];
  }

  /** A box that is drawn is the target's: there is no other. */
  newName() {
    return this.target;
  }

  /** The stroke of the stage, as one of the question; of look-alikes nothing can be changed here. */
  async edit(_, edits) {
    const box = edits.find((edit) => edit.name === this.target && edit.set.box)?.set.box;
    const name = this.#name;
    if (box) await this.#sheet.edit(`Question ${name}: box`, [{ kind: "question", name, set: { box } }]);
  }

  /** Small steps of the target, as one stroke of the question. */
  burst() {
    return this.#sheet.burst(`Question ${this.#name}: box`, "question", this.#name);
  }

  close() {
    this.#stop.abort();
  }

  #changed({ keys, by }) {
    if (keys.has(`question/${this.#name}`)) this.#tell(by);
  }

  #tell(by) {
    this.dispatchEvent(new CustomEvent("change", { detail: { keys: new Set([`region/${this.target}`]), by } }));
  }
}

function region(name, box, entry) {
  return { name, box, parent: ROOT, depth: 1, entry };
}
