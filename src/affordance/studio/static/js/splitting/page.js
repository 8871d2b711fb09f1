/** The page: the list, the picture with the boxes of both designs, and what becomes of it. */

import { announce, el } from "../lib/dom.js";
import { postJson } from "../lib/api.js";
import { draw, pictureOf } from "../lib/crop.js";
import { BoxFields } from "../boxes/boxfields.js";
import { Stage } from "../boxes/canvas.js";
import { Desk } from "../work/desk.js";
import { mountStatus } from "../work/status.js";
import { Board, SIDES } from "./board.js";
import { keymap } from "./keymap.js";
import { makeRows } from "./rows.js";

const UNDECIDED = "First say which of them won: 1, 2, or 3 if nobody knows.";
const at = (id) => document.getElementById(id);

class Page {
  #mayEdit = at("splitting").dataset.edit === "yes";
  #rows = makeRows();
  #stage = new Stage(at("stage"), {
    editable: this.#mayEdit,
    warns: false, // the two boxes are in no tree
    onSelect: (name) => this.#selected(name),
  });
  #fields = SIDES.map(() => new BoxFields({ mayEdit: this.#mayEdit }));
  #desk = null;
  #board = null;
  #now = null; // the row that is open
  #decided = false; // whether somebody has said which won, or that nobody knows, since it was opened
  #undecided = false; // whether somebody wanted to confirm it without that
  #acting = Promise.resolve(); // what was asked for last
  #begun = false; // whether the list was there once
  #turn = 0; // of the last pair that was opened: an earlier one that comes late is dropped

  async start() {
    this.#stage.canvas.setAttribute("aria-describedby", "stage-keys");
    this.#stage.setOption("snap", false); // there are no edges to snap to
    at("fields")?.append(...this.#fields.map((one) => one.element));
    this.#listen();
    await this.#begin(new URLSearchParams(location.search).get("screen"));
  }

  async #begin(wanted = null) {
    try {
      await this.#rows.load();
    } catch (error) {
      const again = el("button", { type: "button", onclick: () => void this.#begin(wanted) }, "Try again");
      return this.#empty([`The pairs cannot be loaded: ${error.message}.`, again]);
    }
    this.#begun = true;
    const row = (wanted && this.#rows.find(wanted)) || this.#rows.first;
    return row ? this.#open(row) : this.#nothing();
  }

  #nothing() {
    if (!this.#rows.pairs) {
      this.#empty(["There are no pairs in this project.", "`affordance author init PROJECT SPEC` takes them in."]);
    } else if (this.#rows.looking) this.#empty(["The pictures are being looked at."]);
    else this.#empty(["All pairs are two pictures: there is nothing to split."]);
  }

  #empty(lines) {
    at("splitting").classList.add("empty-page");
    at("none").hidden = false;
    at("none").replaceChildren(...lines.map((line) => (typeof line === "string" ? el("p", null, line) : line)));
    announce(lines.filter((line) => typeof line === "string").join(" "));
  }

  async #open(row) {
    const turn = ++this.#turn;
    try {
      if (this.#mayEdit) await postJson("/api/splitting/proposal", { screen: row.id });
      const desk = await Desk.open(row.id, `/api/pair?screen=${encodeURIComponent(row.id)}`);
      if (turn !== this.#turn) return desk.close();
      if (!desk.get("halves", "")) throw new Error("nobody has proposed where to cut it");
      this.#show(desk, row);
    } catch (error) {
      if (turn === this.#turn) this.#empty([`The pair ${row.id} cannot be shown: ${error.message}.`]);
    }
    return undefined;
  }

  #show(desk, row) {
    this.#desk?.close();
    this.#board?.close();
    this.#desk = desk;
    this.#now = row;
    this.#decided = this.#undecided = false;
    this.#board = new Board(desk, row);
    desk.addEventListener("change", ({ detail }) => this.#changed(desk, detail));
    at("none").hidden = true;
    at("splitting").classList.remove("empty-page");
    at("title").textContent = row.id;
    this.#rows.mark(row.id);
    history.replaceState(null, "", `?${new URLSearchParams({ screen: row.id })}`);
    this.#stage.setSheet(this.#board);
    this.#stage.select(SIDES[0], { reveal: false });
    this.#tell();
    announce(`${row.id}. ${at("standing").textContent}`);
  }

  get #halves() {
    return { winner: null, confirmed: false, single: true, note: "", ...this.#board?.entry.document };
  }

  #changed(desk, { keys, by }) {
    if (desk !== this.#desk || !keys.has("halves/")) return;
    if (by === "others") announce("Somebody else has changed it.");
    this.#tell();
  }

  /** All that follows from the halves as they are. */
  #tell() {
    const { winner, confirmed, single, note } = this.#halves;
    this.#rows.patch(this.#now.id, { winner, confirmed, single });
    at("standing").textContent = this.#undecided ? UNDECIDED : words(this.#halves);
    at("standing").classList.toggle("done", confirmed && single);
    at("note").hidden = !note || confirmed;
    at("note").textContent = note ? `${note[0].toUpperCase()}${note.slice(1)}.` : "";
    const said = winner !== null || confirmed || this.#decided;
    for (const input of document.querySelectorAll("input[name=winner]")) {
      input.checked = said && input.value === (winner ?? "");
      input.disabled = !this.#mayEdit || !single;
    }
    for (const side of SIDES) {
      const title = side === "first" ? "First" : "Second";
      at(`${side}-title`).textContent = winner === side ? `${title}: won` : title;
      at(`${side}-title`).classList.toggle("won", winner === side);
    }
    this.#fields.forEach((field, index) => field.show(this.#board, SIDES[index]));
    this.#fields.forEach((field, index) => {
      field.element.setAttribute("aria-label", `Box of the ${SIDES[index]} design`);
      field.element.querySelector("h3").firstChild.textContent = `Box of the ${SIDES[index]} `;
    });
    void this.#preview();
    if (!this.#mayEdit) return;
    at("confirm").firstChild.textContent = confirmed ? "Take back " : "Confirm ";
    at("confirm").classList.toggle("primary", !confirmed);
    at("confirm").disabled = !single;
    at("none-of-two").firstChild.textContent = single ? "This is no picture of two " : "It is a picture of two ";
    at("undo").disabled = !this.#desk.canUndo;
    at("redo").disabled = !this.#desk.canRedo;
  }

  /** Both designs by themselves, as they will be cut. */
  async #preview() {
    const board = this.#board;
    let picture = null;
    try {
      picture = await pictureOf(board.shot.digest);
    } catch {
      return; // the stage says that it cannot be loaded
    }
    if (board !== this.#board) return;
    board.boxes.forEach((part, index) => drawPart(at(SIDES[index]), picture, part));
  }

  /** One after the other, and after what keys have begun: `run` sees what came before it. */
  #next(run) {
    this.#acting = this.#acting.then(async () => {
      await this.#stage.flush();
      if (this.#now) await run(this.#halves);
    });
    return this.#acting;
  }

  async #save(label, set) {
    if (!this.#mayEdit) return;
    try {
      await this.#desk.edit(`${label} (${this.#now.id})`, [{ kind: "halves", name: "", set }]);
    } catch (error) {
      announce(`“${label}” could not be kept: ${error.message}`);
    }
  }

  #won(winner) {
    return this.#next(async ({ single }) => {
      if (!single) return;
      this.#decided = true;
      this.#undecided = false;
      const words = winner === null ? "Nobody knows which won" : `The ${winner} one won`;
      await this.#save(words, { winner });
      this.#tell();
      announce(words);
    });
  }

  #confirm() {
    return this.#next(async ({ confirmed, single, winner }) => {
      if (!single) return;
      this.#undecided = !confirmed && winner === null && !this.#decided;
      if (this.#undecided) this.#tell();
      else await this.#save(confirmed ? "Take back" : "Confirm", { confirmed: !confirmed });
      announce(at("standing").textContent);
    });
  }

  #single() {
    return this.#next(async ({ single }) => {
      const label = single ? "No picture of two" : "A picture of two";
      await this.#save(label, { single: !single, confirmed: false });
      announce(at("standing").textContent);
    });
  }

  #step(way) {
    return this.#next(async () => {
      const label = way === "undo" ? this.#desk.undoLabel : this.#desk.redoLabel;
      if (!label) return announce(`There is nothing to ${way}.`);
      await (way === "undo" ? this.#desk.undo() : this.#desk.redo());
      this.#tell();
      return announce(`${way === "undo" ? "Undone" : "Done again"}: ${label}.`);
    });
  }

  /** The list was read anew. */
  #loaded() {
    if (!this.#begun || this.#turn) return;
    if (this.#rows.first) void this.#open(this.#rows.first);
    else this.#nothing();
  }

  #selected(name) {
    if (this.#board && SIDES.includes(name)) this.#board.drawn = name;
  }

  #other() {
    const other = SIDES[(SIDES.indexOf(this.#stage.selected) + 1) % SIDES.length];
    this.#stage.canvas.focus();
    this.#stage.choose(other);
  }

  #listen() {
    const acts = {
      step: (by) => this.#rows.step(by) || announce(by > 0 ? "This is the last one." : "This is the first one."),
      find: () => at("search").focus(),
      other: () => this.#board && this.#other(),
      won: (side) => void this.#won(side),
      confirm: () => void this.#confirm(),
      single: () => void this.#single(),
      undo: () => void this.#step("undo"),
      redo: () => void this.#step("redo"),
    };
    const keys = keymap(this.#stage, acts, () => this.#mayEdit && this.#now !== null);
    this.#rows.addEventListener("open", ({ detail }) => void this.#open(detail));
    this.#rows.addEventListener("loaded", () => this.#loaded());
    for (const input of document.querySelectorAll("input[name=winner]")) {
      input.addEventListener("change", () => acts.won(input.value || null));
    }
    const clicks = { confirm: acts.confirm, undo: acts.undo, redo: acts.redo, help: () => keys.help() };
    Object.assign(clicks, { "none-of-two": acts.single, fit: () => this.#stage.fit() });
    Object.assign(clicks, { zoom: () => this.#stage.zoomTo(this.#stage.selected) });
    for (const [id, run] of Object.entries(clicks)) at(id)?.addEventListener("click", run);
    new ResizeObserver(() => this.#board && void this.#preview()).observe(at("panel"));
  }
}

function words({ winner, confirmed, single }) {
  if (!single) return "This is no picture of two designs: it stays as it is.";
  if (!confirmed) return "Not confirmed: see that each box has one design in it.";
  return winner === null ? "Confirmed. Nobody knows which won." : `Confirmed. The ${winner} one won.`;
}

/** Only what is in the box: the rest is another design. */
function drawPart(canvas, picture, part) {
  const [width, height] = [part[2] - part[0], part[3] - part[1]];
  const whole = document.createElement("canvas");
  Object.assign(whole, { width, height });
  whole.getContext("2d").drawImage(picture, -part[0], -part[1]);
  Object.defineProperties(whole, { naturalWidth: { value: width }, naturalHeight: { value: height } });
  draw(canvas, whole, { part: [0, 0, width, height] });
}

mountStatus(at("status"));
void new Page().start();
