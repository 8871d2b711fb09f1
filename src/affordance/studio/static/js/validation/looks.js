/** What a region looks like: the crop, the whole screenshot, and what is known of it in words. */

import { el } from "../lib/dom.js";
import { ask } from "../lib/dialog.js";
import { draw, pictureOf, surroundings } from "../lib/crop.js";
import { spoken } from "../boxes/geometry.js";
import { same } from "../work/documents.js";
import { moment, personOf } from "../work/words.js";

const MISSING = "cannot be loaded; is the file still in the project?";

export class Looks {
  #crop = document.getElementById("crop");
  #whole = document.getElementById("whole");
  #facts = document.getElementById("facts");
  #shown = null;
  #large = null; // what the dialog with the enlarged screenshot consists of, while it is open
  #watch = new ResizeObserver(() => this.#paint());

  constructor() {
    document.getElementById("enlarge").addEventListener("click", () => this.enlarge());
    this.#watch.observe(this.#crop);
    this.#watch.observe(this.#whole);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#paint());
  }

  /**
   * Resolved when the picture is drawn; a picture that is not there is told in its place.
   * @param {import("../work/sheet.js").Sheet} sheet
   * @param {object} text of `textOf`
   */
  async show(sheet, text) {
    const box = text.region.box;
    const before = sheet.originals[text.name]?.box ?? null;
    const picture = this.#shown?.sheet.shot.digest === sheet.shot.digest ? this.#shown.picture : null;
    const moved = before && !same(before, box) ? before : null;
    const shown = { sheet, name: text.name, box, before: moved, picture, missing: false };
    this.#shown = shown;
    this.#tell(sheet, text, before);
    this.#crop.setAttribute("aria-label", `Region ${text.region.title} with what is around it, ${spoken(box)}`);
    if (picture) return this.#paint();
    this.#paintLarge();
    try {
      shown.picture = await pictureOf(sheet.shot.digest);
    } catch {
      shown.missing = true;
    }
    if (this.#shown !== shown) return;
    if (shown.missing) this.#facts.append(el("dt", null, "Picture"), el("dd", { class: "wrong", "data-fact": "missing" }, MISSING));
    this.#paint();
  }

  /** The screenshot as large as the window, at once: a picture that is still loaded is drawn when it comes. */
  async enlarge() {
    if (!this.#shown) return;
    const canvas = el("canvas", { class: "large", role: "img" });
    const [title, note] = [el("span"), el("p", { role: "status" })];
    this.#large = { title, note, canvas };
    const closed = ask({ title, body: [note, canvas], wide: "enlarged", name: "picture" });
    this.#paintLarge();
    this.#watch.observe(canvas);
    await closed;
    this.#watch.unobserve(canvas);
    this.#large = null;
  }

  #paint() {
    if (!this.#shown) return;
    const { box, before, picture, sheet } = this.#shown;
    const shape = this.#crop.clientWidth / Math.max(1, this.#crop.clientHeight);
    const part = surroundings(box, sheet.shot, shape || 1);
    const proposed = before ? [{ box: before, look: "truth", dashed: true, label: "before" }] : [];
    const marks = [...proposed, { box, look: "answer" }];
    draw(this.#crop, picture, { part, marks, lit: box });
    this.#paintWhole(this.#whole);
    this.#paintLarge();
  }

  #paintLarge() {
    if (!this.#large) return;
    const { name, sheet, picture, missing } = this.#shown;
    const { title, note, canvas } = this.#large;
    title.textContent = `${sheet.titleOf(name)} on ${sheet.id}`;
    canvas.setAttribute("aria-label", `The screenshot with ${sheet.titleOf(name)} marked`);
    note.dataset.state = picture ? "shown" : missing ? "missing" : "loading";
    note.textContent = picture ? "" : missing ? `The picture ${MISSING}` : "Loading";
    this.#paintWhole(canvas);
  }

  #paintWhole(canvas) {
    const { box, picture, sheet } = this.#shown;
    draw(canvas, picture, { part: [0, 0, sheet.shot.width, sheet.shot.height], marks: [{ box, look: "answer" }] });
  }

  #tell(sheet, { name, region, told }, before) {
    const type = sheet.current("type", name);
    const typed = type ? [type.type, type.subtype].filter(Boolean).join(": ") : region.entry.document.type;
    const address = `/boxes?${new URLSearchParams({ screen: sheet.id, region: name })}`;
    const rows = [
      ["region", "Region", el("a", { href: address }, region.title)],
      ["screen", "Screen", el("bdi", null, sheet.id)],
      ["type", "Type", typed ? el("bdi", null, typed) : "not known"],
      ["box", "Box", spoken(region.box)],
      ["before", "Before", before === null ? "drawn by a person" : same(before, region.box) ? "the same" : spoken(before)],
      ["author", "Told by", `${personOf(told.document.by || told.author)}, ${moment(told.created)}`],
    ];
    const row = ([fact, term, value]) => [el("dt", null, term), el("dd", { "data-fact": fact }, value)];
    this.#facts.replaceChildren(...rows.flatMap(row));
  }
}
