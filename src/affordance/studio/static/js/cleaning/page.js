/** The page: the list, the picture with its mask, and what becomes of it. */

import { announce } from "../lib/dom.js";
import { ask } from "../lib/dialog.js";
import { Opened } from "../lib/opened.js";
import { Desk } from "../work/desk.js";
import { mountStatus } from "../work/status.js";
import { Easel } from "./easel.js";
import { keymap } from "./keymap.js";
import { Result } from "./result.js";
import { keyOf, makeRows, nameOf } from "./rows.js";

const MOST = 400; // strokes on one picture, as the server allows it
const UNTOUCHED = { found: true, brushes: [], accepted: false, clean: false };
const at = (id) => document.getElementById(id);

class Page {
  #mayEdit = at("cleaning").dataset.edit === "yes";
  #rows = makeRows();
  #easel = new Easel(at("stage"), { mayEdit: this.#mayEdit });
  #result = new Result(this.#easel);
  #opened = new Opened(this.#rows, {
    what: "pictures",
    looking: ["The pictures are being looked at for markers."],
    nothing: ["No picture has a marker that is found by itself.", "Show all, to paint over something else."],
    name: nameOf,
    address: ({ id, place }) => ({ screen: id, place }),
    fetch: ({ id }) => Desk.open(id, `/api/pair?screen=${encodeURIComponent(id)}`),
    show: (row) => this.#show(row),
    changed: (detail) => this.#changed(detail),
  });

  async start() {
    this.#listen();
    const asked = new URLSearchParams(location.search);
    const wanted = asked.get("screen") && keyOf({ id: asked.get("screen"), place: asked.get("place") ?? "0" });
    if (wanted) at("show").value = "all";
    await this.#opened.begin(wanted);
  }

  #show(row) {
    void this.#easel.show({ digest: row.digest, size: row.size, name: nameOf(row) });
    this.#result.begin(row);
    void this.#findMarkers(row);
    this.#tell();
  }

  get #desk() {
    return this.#opened.desk;
  }

  get #now() {
    return this.#opened.row;
  }

  async #findMarkers(row) {
    const picture = new Image();
    const asked = { screen: row.id, place: row.place, version: 0, what: "found" };
    picture.src = `/api/mask/picture?${new URLSearchParams(asked)}`;
    try {
      await picture.decode();
    } catch {
      if (row === this.#now) this.#easel.tell("The markers cannot be looked for; what you paint is kept all the same.");
      return;
    }
    if (row === this.#now) this.#easel.setFound(picture);
  }

  get #entry() {
    return this.#desk?.get("mask", String(this.#now?.place)) ?? null;
  }

  get #mask() {
    return { ...UNTOUCHED, ...this.#entry?.document };
  }

  #changed({ keys, by }) {
    if (!keys.has(`mask/${this.#now.place}`)) return;
    if (by === "others") announce("Somebody else has changed the mask.");
    this.#tell();
  }

  /** All that follows from the mask as it is. */
  #tell() {
    const mask = this.#mask;
    this.#easel.setMask(mask);
    this.#result.take(this.#entry);
    const strokes = mask.brushes.length;
    this.#rows.patch(keyOf(this.#now), {
      ...{ touched: (strokes > 0 || !mask.found) && !mask.clean, accepted: mask.accepted, clean: mask.clean },
    });
    const painted = strokes ? `${strokes} ${strokes === 1 ? "stroke" : "strokes"}` : "Nothing painted by hand";
    const open = mask.clean ? "Nothing to remove: it stays as it is." : `Not accepted. ${painted}.`;
    const state = mask.accepted ? "accepted" : mask.clean ? "clean" : "open";
    Object.assign(at("standing").dataset, { state, strokes });
    at("standing").textContent = mask.accepted ? "Accepted: exports have it painted over." : open;
    at("standing").classList.toggle("done", mask.accepted || mask.clean);
    if (!this.#mayEdit) return;
    this.#tellAcceptable();
    at("clean").setAttribute("aria-pressed", String(mask.clean));
    at("found-too").checked = mask.found;
    at("undo").disabled = !this.#desk.canUndo;
    at("redo").disabled = !this.#desk.canRedo;
    at("undo").title = this.#desk.canUndo ? `Undo: ${this.#desk.undoLabel} (Ctrl+Z)` : "Undo (Ctrl+Z)";
    at("clear").disabled = !strokes;
  }

  /** What nobody has looked at cannot be accepted. */
  #tellAcceptable() {
    const { accepted, clean } = this.#mask;
    const ready = !accepted && !clean && this.#result.seen;
    at("accept").firstChild.textContent = accepted ? "Take back " : "Accept ";
    at("accept").disabled = !accepted && !ready;
    at("accept").classList.toggle("primary", ready);
    at("look-first").hidden = accepted || clean || ready;
  }

  /** One stroke of the desk. What is changed is to be accepted anew, and is not without anything to remove. */
  async #save(label, set) {
    if (!this.#mayEdit || !this.#now) return;
    const { accepted, clean } = this.#mask;
    const whole = { ...(accepted ? { accepted: false } : {}), ...(clean ? { clean: false } : {}), ...set };
    try {
      const name = String(this.#now.place);
      await this.#desk.edit(`${label} (${nameOf(this.#now)})`, [{ kind: "mask", name, set: whole }]);
    } catch (error) {
      this.#easel.tell(`“${label}” could not be kept: ${error.message}`);
    }
  }

  #painted(stroke) {
    const { brushes } = this.#mask;
    if (brushes.length >= MOST) {
      this.#easel.setMask(this.#mask);
      this.#easel.tell(`There are ${MOST} strokes on this picture, which is as many as can be kept.`);
      return;
    }
    announce(`${stroke.erase ? "Erased" : "Painted"} at ${stroke.points.at(-1).map(Math.round).join(", ")}`);
    void this.#save(stroke.erase ? "Erase" : "Paint", { brushes: [...brushes, stroke] });
  }

  async #accept() {
    if (at("accept").disabled) {
      const { clean } = this.#mask;
      return announce(clean ? "There is nothing to accept." : "Look at the result first: press 2, 3 or 4.");
    }
    const accepted = !this.#mask.accepted;
    if (accepted && this.#result.much && !(await this.#sure())) return;
    await this.#save(accepted ? "Accept" : "Take back", { accepted });
    announce(at("standing").textContent);
  }

  async #clean() {
    const clean = !this.#mask.clean;
    await this.#save(clean ? "Nothing to remove" : "Take back", { found: !clean, brushes: [], clean });
    announce(at("standing").textContent);
  }

  #sure() {
    return ask({
      title: "Much of the picture is masked",
      body: `${at("masked").textContent} More than 5% is likely to be the page itself, and not markers.`,
      actions: [
        { label: "Accept it all the same", value: true },
        { label: "Look again", value: false, look: "primary", focus: true },
      ],
      name: "much-masked",
    });
  }

  async #retrace(way) {
    await this.#opened.retrace(way);
    if (this.#now) this.#tell();
  }

  #look(look) {
    if (look === "blink" && this.#easel.look === "blink") return this.#easel.after.turn();
    this.#easel.setLook(look);
    this.#result.wanted(look !== "paint");
  }

  #listen() {
    const acts = {
      step: (by) => this.#opened.step(by),
      find: () => at("search").focus(),
      accept: () => void this.#accept(),
      clean: () => void this.#clean(),
      found: () => void this.#save("Markers found", { found: !this.#mask.found }),
      undo: () => void this.#retrace("undo"),
      redo: () => void this.#retrace("redo"),
      look: (look) => this.#look(look),
      again: () => this.#look(this.#easel.look === "paint" ? "slider" : this.#easel.look),
      veil: () => announce(this.#easel.veil() ? "What is masked is shown" : "What is masked is hidden"),
    };
    const open = () => this.#now !== null;
    const keys = keymap(this.#easel, acts, open, () => open() && this.#mayEdit);
    if (this.#mayEdit) this.#result.addEventListener("seen", () => this.#tellAcceptable());
    this.#easel.addEventListener("painted", ({ detail }) => this.#painted(detail));
    this.#easel.addEventListener("brush", () => this.#brushed());
    this.#easel.addEventListener("look", () => this.#looked());
    for (const button of document.querySelectorAll(".looks button")) {
      button.addEventListener("click", () => acts.look(button.dataset.look));
    }
    const clicks = { fit: () => this.#easel.fit(), closer: () => this.#easel.zoomBy(1.25), help: () => keys.help() };
    Object.assign(clicks, { further: () => this.#easel.zoomBy(0.8), accept: acts.accept, again: acts.again, clean: acts.clean });
    Object.assign(clicks, { undo: acts.undo, redo: acts.redo, dab: () => this.#easel.dab() });
    Object.assign(clicks, { clear: () => void this.#save("Take all strokes back", { brushes: [] }) });
    for (const [id, run] of Object.entries(clicks)) at(id)?.addEventListener("click", run);
    at("found-too")?.addEventListener("change", acts.found);
    for (const input of document.querySelectorAll("input[name=tool]")) {
      input.addEventListener("change", () => this.#easel.setTool(input.value));
    }
    at("size")?.addEventListener("change", () => this.#easel.setSize(at("size").valueAsNumber || this.#easel.size));
    for (const id of ["x", "y"]) {
      at(id)?.addEventListener("change", () => this.#easel.aim(at("x").valueAsNumber || 0, at("y").valueAsNumber || 0));
    }
  }

  #brushed() {
    if (!this.#mayEdit) return;
    const { tool, size, cursor } = this.#easel;
    document.querySelector(`input[name=tool][value=${tool}]`).checked = true;
    at("size").value = String(size);
    if (!cursor) return;
    [at("x").value, at("y").value] = cursor.map(String);
  }

  #looked() {
    for (const button of document.querySelectorAll(".looks button")) {
      button.setAttribute("aria-pressed", String(button.dataset.look === this.#easel.look));
    }
  }
}

mountStatus(at("status"));
void new Page().start();
