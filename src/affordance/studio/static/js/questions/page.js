/** The page: the list, the screenshot with the box of the question, and its wording. */

import { announce } from "../lib/dom.js";
import { hideNone, showNone } from "../lib/none.js";
import { getJson } from "../lib/api.js";
import { Stage } from "../boxes/canvas.js";
import { Sheet } from "../work/sheet.js";
import { mountStatus } from "../work/status.js";
import { Board } from "./board.js";
import { Editor } from "./editor.js";
import { keymap } from "./keymap.js";
import { QuestionList } from "./list.js";

const at = (id) => document.getElementById(id);

class Page {
  #mayEdit = at("questions").dataset.edit === "yes";
  #list = new QuestionList();
  #editor = new Editor({ mayEdit: this.#mayEdit });
  #stage = new Stage(at("stage"), {
    editable: this.#mayEdit,
    warns: false, // the box of a question is in no tree
    onSelect: (name) => this.#selected(name),
  });
  #sheet = null;
  #board = null;
  #now = null; // {screen, name}
  #turn = 0; // of the last question that was opened: an earlier one that comes late is dropped

  async start() {
    this.#stage.canvas.setAttribute("aria-describedby", "stage-keys");
    this.#listen();
    const asked = new URLSearchParams(location.search);
    await this.#list.load({ search: asked.get("search") ?? "", show: asked.get("show") ?? "all" });
    const [screen, name] = [asked.get("screen"), asked.get("question")];
    const first = this.#list.first;
    if (screen && name) await this.#open({ screen, name });
    else if (screen) await this.#open(await firstOf(screen));
    else if (first) await this.#open(first);
  }

  async #open(place) {
    const turn = ++this.#turn;
    await this.#editor.leave();
    if (place === null) return this.#nothing("This screen has no questions: `affordance author ask` makes them.");
    const { screen, name } = place;
    try {
      const sheet = this.#sheet?.id === screen ? this.#sheet : await Sheet.open(screen);
      if (turn !== this.#turn) return sheet === this.#sheet ? undefined : sheet.close();
      if (!sheet.get("question", name)) throw new Error(`there is no question ${name} on this screen`);
      this.#show(sheet, { screen, name });
      const around = await getJson(`/api/question?${new URLSearchParams({ screen, name })}`);
      if (turn !== this.#turn) return;
      this.#board.setAround(around);
      this.#editor.setAround(around);
      this.#stage.select(this.#board.target, { reveal: true });
    } catch (error) {
      if (turn === this.#turn) this.#nothing(`The question cannot be shown: ${error.message}.`);
    }
  }

  #show(sheet, place) {
    if (sheet !== this.#sheet) {
      this.#sheet?.close();
      this.#sheet = sheet;
      sheet.addEventListener("change", ({ detail }) => this.#changed(sheet, detail));
    }
    this.#board?.close();
    this.#now = place;
    this.#board = new Board(sheet, place.name);
    hideNone();
    this.#stage.setSheet(this.#board);
    this.#stage.select(this.#board.target, { reveal: true });
    this.#editor.open(sheet, this.#board, place.name);
    this.#list.mark(place);
    at("title").textContent = place.screen;
    const { search, show } = this.#list.asked;
    const asked = { ...(search ? { search } : {}), ...(show === "all" ? {} : { show }) };
    const address = new URLSearchParams({ ...asked, screen: place.screen, question: place.name });
    history.replaceState(null, "", `?${address}`);
    this.#tellUndo();
  }

  #nothing(words) {
    this.#now = null;
    this.#editor.close();
    showNone([words]);
  }

  #counted(all) {
    if (all > 0 || this.#now) return;
    showNone([
      "There are no questions yet.",
      "They are made of look-alike elements and regions with `affordance author ask`, and are then corrected here.",
    ]);
  }

  #changed(sheet, { keys, by }) {
    if (sheet !== this.#sheet || !this.#now) return;
    for (const key of keys) {
      const name = key.startsWith("question/") ? key.slice("question/".length) : null;
      if (name && by !== "others") this.#list.patch({ screen: sheet.id, name }, sheet.get("question", name));
    }
    this.#editor.update();
    this.#tellUndo();
  }

  /** Only the target is ever selected: look-alikes are there to be seen. */
  #selected(name) {
    if (this.#board && name !== this.#board.target) this.#stage.select(this.#board.target, { reveal: false });
  }

  #tellUndo() {
    if (!this.#mayEdit) return;
    at("undo").disabled = !ours(this.#sheet.undoLabel);
    at("redo").disabled = !ours(this.#sheet.redoLabel);
  }

  /** Steps go by screen: what was done on another page is taken back there. */
  async #step(way) {
    await this.#editor.leave();
    await this.#stage.flush();
    const label = way === "undo" ? this.#sheet.undoLabel : this.#sheet.redoLabel;
    if (!ours(label)) {
      const elsewhere = `The last step on this screen was made on another page: ${label}.`;
      announce(label ? elsewhere : `There is nothing to ${way}.`);
      return;
    }
    await (way === "undo" ? this.#sheet.undo() : this.#sheet.redo());
    announce(`${way === "undo" ? "Undone" : "Done again"}: ${label}.`);
  }

  #listen() {
    const acts = {
      next: () => this.#list.step(1),
      previous: () => this.#list.step(-1),
      find: () => this.#list.focusSearch(),
      edit: () => this.#editor.focus(),
      box: () => this.#stage.canvas.focus(),
      abandon: () => void this.#editor.abandon(),
      keep: () => void this.#editor.keep(),
      undo: () => void this.#step("undo"),
      redo: () => void this.#step("redo"),
    };
    const keys = keymap(this.#stage, acts, () => this.#mayEdit && this.#now !== null);
    this.#list.addEventListener("open", ({ detail }) => void this.#open(detail));
    this.#list.addEventListener("counted", ({ detail }) => this.#counted(detail.all));
    const pressed = ({ detail }) => at("draw")?.setAttribute("aria-pressed", String(detail.active));
    this.#stage.addEventListener("drawing", pressed);
    at("draw")?.addEventListener("click", () => this.#stage.draw());
    at("undo")?.addEventListener("click", acts.undo);
    at("redo")?.addEventListener("click", acts.redo);
    at("fit").addEventListener("click", () => this.#stage.fit());
    at("zoom").addEventListener("click", () => this.#board && this.#stage.zoomTo(this.#board.target));
    at("help").addEventListener("click", () => keys.help());
  }
}

function ours(label) {
  return label.startsWith("Question ");
}

async function firstOf(screen) {
  const { rows } = await getJson(`/api/questions?${new URLSearchParams({ screen, limit: "1" })}`);
  return rows[0] ?? null;
}

mountStatus(at("status"));
void new Page().start();
