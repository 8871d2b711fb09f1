// The boxes page: images, the tree of regions, the screen and the details, about one screen at a time.

import { ApiError } from "../lib/api.js";
import { announce } from "../lib/dom.js";
import { Keymap } from "../lib/keys.js";
import { queue } from "../work/queue.js";
import { Sheet } from "../work/sheet.js";
import { mountStatus } from "../work/status.js";
import { Stage } from "./canvas.js";
import { Deleted } from "./deleted.js";
import { Images } from "./images.js";
import { addPageKeys } from "./pagekeys.js";
import { mountLayout } from "./layout.js";
import { clearMessage, noPicture, noScreens, shownMessage, unknownScreen, unreadable } from "./messages.js";
import { Panel } from "./panel.js";
import { Selection } from "./selection.js";
import { Toolbar } from "./toolbar.js";
import { Tree } from "./tree.js";

const BURST = 200; // milliseconds

class Page {
  #root = document.getElementById("boxes");
  #title = document.getElementById("screen-name");
  #people = document.getElementById("people");
  #round = 0;
  #opening = Promise.resolve(); // done when the image that the title names is there
  #timer = 0; // until the address is written
  #addressed = -BURST; // when it was last
  sheet = null;

  constructor() {
    const mayEdit = this.#root.dataset.edit === "yes";
    const mayRetell = this.#root.dataset.retell === "yes";
    const select = (name) => this.selection.set(name);
    this.mayEdit = mayEdit;
    this.keys = new Keymap();
    this.layout = mountLayout(this.#root);
    this.selection = new Selection();
    this.images = new Images();
    this.stage = new Stage(document.getElementById("stage"), {
      selection: this.selection,
      onProblems: (problems) => this.#warn(problems ?? this.sheet?.problems ?? {}),
      announce,
      editable: mayEdit,
    });
    const enter = (name) => {
      this.layout.focus("stage");
      this.stage.zoomTo(name);
    };
    this.tree = new Tree(this.selection, { mayEdit, onEnter: enter });
    this.deleted = new Deleted({ mayEdit, select });
    const compare = (name, box) => this.stage.showEarlier?.(name, box);
    this.panel = new Panel(this.selection, { mayEdit, mayRetell, compare });
    this.toolbar = new Toolbar(this.stage, {
      mayEdit,
      undo: () => this.undo(),
      redo: () => this.redo(),
      done: () => this.toggleDone(),
      help: () => this.keys.help(),
    });
    this.toolbar.show(null);
    this.#listen();
    addPageKeys(this.keys, this);
    this.stage.keymap(this.keys);
    this.keys.attach(document);
  }

  /** Show the screen that the address asks for, or the first that is to do. */
  async start() {
    const wanted = new URLSearchParams(location.search);
    const id = wanted.get("screen") || this.#root.dataset.first;
    const pictured = new Promise((ready) => this.stage.addEventListener("picture", ready, { once: true }));
    const opening = id ? this.open(id, { region: wanted.get("region") }) : null;
    try {
      await this.images.load();
    } catch (error) {
      if (!id) unreadable("The list of images", error.message, () => void this.start());
    }
    await opening;
    if (id) {
      if (shownMessage() === "unknown") unknownScreen(id, this.images.screens[0]?.id, (first) => void this.open(first));
      this.images.show(this.sheet?.id ?? null);
      if (this.sheet !== null) void pictured.then(markFirstView);
      return;
    }
    if (shownMessage() === "") noScreens();
  }

  /**
   * @param {string} id
   * @param {{region?: string | null}} [options]
   */
  open(id, { region = null } = {}) {
    this.#opening = this.#load(id, region);
    return this.#opening;
  }

  async #load(id, region) {
    const round = ++this.#round;
    await this.leave();
    this.#title.textContent = id;
    this.#title.title = id;
    this.images.show(id);
    let sheet;
    try {
      sheet = await Sheet.open(id);
    } catch (error) {
      if (round === this.#round) this.#failed(id, error);
      return;
    }
    if (round !== this.#round) {
      sheet.close();
      return;
    }
    this.#show(sheet, region);
  }

  /** Keep what is being written or moved. */
  async leave() {
    await this.stage.flush();
    await this.panel.save();
  }

  async undo() {
    await this.leave();
    const label = this.sheet?.undoLabel;
    if (await this.sheet?.undo()) announce(`Undone: ${label}`);
  }

  async redo() {
    await this.leave();
    const label = this.sheet?.redoLabel;
    if (await this.sheet?.redo()) announce(`Done again: ${label}`);
  }

  /** The image before or after the open one. */
  async step(by) {
    const id = this.images.neighbour(by);
    if (id === null) announce(by > 0 ? "This is the last image of the list." : "This is the first image of the list.");
    else await this.open(id);
  }

  /** Mark the image as done, and go to the next one that is not. */
  async done() {
    await this.#opening;
    if (!this.mayEdit || this.sheet === null) return;
    await this.#review(true);
    const next = this.images.nextToDo();
    if (next === null) announce("Done. No image is left to do.");
    else await this.open(next);
    if (next !== null) announce(`Done. Next: ${next}`);
  }

  async undone() {
    await this.#opening;
    if (this.mayEdit && this.sheet !== null) await this.#review(false);
  }

  async toggleDone() {
    await this.#opening;
    return this.sheet?.get("reviewed", "")?.document.done ? this.undone() : this.done();
  }

  async #review(done) {
    await this.leave();
    const note = this.sheet.get("reviewed", "")?.document.note ?? "";
    const label = done ? "Mark as done" : "Take back that it is done";
    await this.sheet.edit(label, [{ kind: "reviewed", name: "", set: { done, note } }]);
  }

  #show(sheet, region) {
    this.sheet?.close();
    this.sheet = sheet;
    this.selection.begin(region !== null && sheet.region(region) ? region : null);
    clearMessage();
    this.stage.setSheet(sheet);
    this.tree.setSheet(sheet);
    this.panel.setSheet(sheet);
    sheet.addEventListener("change", ({ detail }) => this.#changed(sheet, detail));
    sheet.addEventListener("problems", () => sheet === this.sheet && this.#warn(sheet.problems));
    sheet.addEventListener("people", () => this.#present(sheet));
    this.selection.dispatchEvent(new Event("select"));
    this.#warn(sheet.problems);
    this.#present(sheet);
    this.#drawn();
    this.#address();
    document.title = `${sheet.id} · ${document.title.split(" · ").at(-1)}`;
  }

  #failed(id, error) {
    this.sheet?.close();
    this.sheet = null;
    this.stage.setSheet(null);
    this.selection.begin(null);
    this.tree.setSheet(null);
    this.panel.setSheet(null);
    this.deleted.show(null);
    this.toolbar.show(null);
    this.#people.textContent = "";
    if (error instanceof ApiError && error.status === 404) {
      this.#title.textContent = "";
      unknownScreen(id, this.images.screens[0]?.id, (first) => void this.open(first));
    } else unreadable(id, error.message, () => void this.open(id));
  }

  #listen() {
    this.selection.addEventListener("select", () => this.#address());
    this.images.addEventListener("open", ({ detail }) => {
      if (this.layout.narrow) this.layout.show("stage");
      void this.open(detail);
    });
    this.stage.addEventListener("picture", ({ detail }) => {
      if (!detail.there && this.sheet) noPicture(this.sheet.shot.image);
    });
    queue.addEventListener("state", () => this.images.setDecisions(queue.stuck.flat().map((one) => one.screen)));
  }

  #changed(sheet, { keys, by }) {
    if (sheet !== this.sheet) return;
    const { name } = this.selection;
    if (name !== null && !sheet.region(name)) this.selection.set(null);
    this.tree.changed();
    this.panel.changed(keys);
    this.#drawn();
    if (by === "others") announce("Somebody else has changed this image.");
  }

  /** All that follows from the documents of the sheet as they are. */
  #drawn() {
    const { sheet } = this;
    this.deleted.show(sheet);
    this.toolbar.show(sheet);
    const done = Boolean(sheet.get("reviewed", "")?.document.done);
    if (this.images.get(sheet.id) && this.images.get(sheet.id).done !== done) this.images.setDone(sheet.id, done);
  }

  #warn(problems) {
    this.tree.setProblems(problems);
    this.panel.setProblems(problems);
  }

  #present(sheet) {
    if (sheet !== this.sheet) return;
    const { people } = sheet;
    const few = people.length <= 2 ? people : [people.slice(0, 2).join(", "), `${people.length - 2} more`];
    const names = few.join(" and ");
    this.#people.textContent = names && `${names} ${people.length === 1 ? "is" : "are"} here too`;
  }

  /** Browsers take only so many addresses in a while: of a burst, the first and the last one count. */
  #address() {
    const wait = this.#addressed + BURST - performance.now();
    if (wait <= 0) this.#writeAddress();
    else this.#timer ||= setTimeout(() => this.#writeAddress(), wait);
  }

  #writeAddress() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#addressed = performance.now();
    if (this.sheet === null) return;
    const query = new URLSearchParams({ screen: this.sheet.id });
    if (this.selection.name !== null) query.set("region", this.selection.name);
    if (location.search !== `?${query}`) history.replaceState(null, "", `/boxes?${query}`);
  }
}

/** When all three panes are on the screen; benchmarks/studio.py reads it. */
function markFirstView() {
  requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("first view")));
}

mountStatus(document.getElementById("status"));
void new Page().start();
