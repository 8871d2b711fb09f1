/** The page: the list, the picture with the boxes of both designs, and what becomes of it. */

import { announce } from "../lib/dom.js";
import { postJson } from "../lib/api.js";
import { draw, pictureOf } from "../lib/crop.js";
import { Opened } from "../lib/opened.js";
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
  #opened = new Opened(this.#rows, {
    what: "pairs",
    looking: ["The pictures are being looked at."],
    nothing: ["All pairs are two pictures: there is nothing to split."],
    name: ({ id }) => id,
    address: ({ id }) => ({ screen: id }),
    fetch: (row) => this.#fetch(row),
    show: (row) => this.#show(row),
    changed: (detail) => this.#changed(detail),
  });
  #board = null;
  #decided = false; // whether somebody has said which won, or that nobody knows, since it was opened
  #undecided = false; // whether somebody wanted to confirm it without that
  #acting = Promise.resolve(); // what was asked for last

  async start() {
    this.#stage.canvas.setAttribute("aria-describedby", "stage-keys");
    this.#stage.setOption("snap", false); // there are no edges to snap to
    at("fields")?.append(...this.#fields.map((one) => one.element));
    this.#listen();
    await this.#opened.begin(new URLSearchParams(location.search).get("screen"));
  }

  /** With a proposal where to cut it, unless there is one. */
  async #fetch({ id }) {
    if (this.#mayEdit) await postJson("/api/splitting/proposal", { screen: id });
    const desk = await Desk.open(id, `/api/pair?screen=${encodeURIComponent(id)}`);
    if (desk.get("halves", "")) return desk;
    desk.close();
    throw new Error("nobody has proposed where to cut it");
  }

  #show(row) {
    this.#board?.close();
    this.#decided = this.#undecided = false;
    this.#board = new Board(this.#desk, row);
    this.#stage.setSheet(this.#board);
    this.#stage.select(SIDES[0], { reveal: false });
    this.#tell();
  }

  get #desk() {
    return this.#opened.desk;
  }

  get #now() {
    return this.#opened.row;
  }

  get #halves() {
    return { winner: null, confirmed: false, single: true, note: "", ...this.#board?.entry.document };
  }

  #changed({ keys, by }) {
    if (!keys.has("halves/")) return;
    if (by === "others") announce("Somebody else has changed it.");
    this.#tell();
  }

  /** All that follows from the halves as they are. */
  #tell() {
    const { winner, confirmed, single, note } = this.#halves;
    this.#rows.patch(this.#now.id, { winner, confirmed, single });
    const state = !single ? "not-two" : confirmed ? "confirmed" : this.#undecided ? "undecided" : "open";
    Object.assign(at("standing").dataset, { state, winner: winner ?? "" });
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
      field.element.dataset.side = SIDES[index];
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
    const desk = this.#desk;
    this.#acting = this.#acting.then(async () => {
      await this.#stage.flush();
      if (this.#now && desk === this.#desk) await run(this.#halves);
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

  #retrace(way) {
    return this.#next(async () => {
      await this.#opened.retrace(way);
      this.#tell();
    });
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
      step: (by) => this.#opened.step(by),
      find: () => at("search").focus(),
      other: () => this.#board && this.#other(),
      won: (side) => void this.#won(side),
      confirm: () => void this.#confirm(),
      single: () => void this.#single(),
      undo: () => void this.#retrace("undo"),
      redo: () => void this.#retrace("redo"),
    };
    const keys = keymap(this.#stage, acts, () => this.#mayEdit && this.#now !== null);
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
