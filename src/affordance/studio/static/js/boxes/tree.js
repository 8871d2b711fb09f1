// The tree of regions: a virtual ARIA tree whose selection is that of the page.

import { announce, el } from "../lib/dom.js";
import { VirtualList } from "../lib/list.js";
import { moveUnder, mountDragging, refusal } from "./carry.js";
import { noRegions } from "./messages.js";
import { treeRows } from "./rows.js";
import { fillRow, typeWords } from "./treerow.js";
import { byRegion } from "./warnings.js";

const ROW = 32; // pixels

export class Tree {
  #box = document.getElementById("region-tree");
  #find = document.getElementById("find-region");
  #worstButton = document.getElementById("worst");
  #carrying = document.getElementById("carrying");
  #none = document.getElementById("region-none");
  #count = document.getElementById("region-count");
  #list;
  #selection;
  #mayEdit;
  #sheet = null;
  #dropCarried;
  #closed = new Set();
  #problems = new Map();
  #worst = false;
  #cut = null;
  #drop = null;
  #places = new Map();
  #chosen = -1;
  #frame = 0;

  /**
   * @param {EventTarget & {name: string | null, set(name: string | null): void}} selection
   * @param {{mayEdit: boolean, onEnter: (name: string) => void}} options
   */
  constructor(selection, { mayEdit, onEnter }) {
    this.#selection = selection;
    this.#mayEdit = mayEdit;
    const attributes = { role: "tree", "aria-label": "Regions", tabindex: "0", "data-home": "" };
    for (const [name, value] of Object.entries(attributes)) this.#box.setAttribute(name, value);
    this.#list = new VirtualList(this.#box, { rowHeight: ROW, render: (...given) => this.#render(...given) });
    selection.addEventListener("select", () => this.#selected());
    this.#box.addEventListener("keydown", (event) => this.#pressed(event, onEnter));
    this.#box.addEventListener("click", (event) => this.#clicked(event));
    this.#box.addEventListener("dblclick", (event) => {
      const row = event.target.closest("[data-name]");
      if (row && !event.target.closest(".twist")) onEnter(row.dataset.name);
    });
    this.#worstButton.addEventListener("click", () => this.toggleWorst());
    this.#find.addEventListener("input", () => this.#draw());
    this.#find.addEventListener("keydown", (event) => this.#searching(event));
    this.#dropCarried = mountDragging(this.#box, {
      canCarry: (name) => this.#mayEdit && this.#sheet !== null && this.#sheet.region(name)?.parent !== null,
      refused: (name, under) => refusal(this.#sheet, name, under),
      inWords: (line) => this.#sheet.inWords(line),
      onOver: (name, over, why) => this.#over(name, over, why),
      onOpen: (name) => this.#open(name, true),
      onDrop: (name, under) => void this.#put(name, under),
    });
  }

  /** @param {import("../work/sheet.js").Sheet | null} sheet */
  setSheet(sheet) {
    this.#dropCarried(); // a row that is dragged is of the sheet that was open
    this.#sheet = sheet;
    this.#closed = new Set();
    this.#problems = new Map();
    this.#cut = null;
    this.#carrying.hidden = true;
    if (this.#find.value) this.#find.value = "";
    this.#draw();
    this.#box.scrollTop = 0;
  }

  /** The regions of the sheet, or what is wrong with them, are others now. */
  changed() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  /** @param {Object<string, string[]>} problems by parent */
  setProblems(problems) {
    this.#problems = this.#sheet === null ? new Map() : byRegion(problems, (name) => this.#sheet.children(name));
    this.#list.refresh();
  }

  toggleWorst() {
    this.#worst = !this.#worst;
    this.#worstButton.setAttribute("aria-pressed", String(this.#worst));
    this.#draw();
    if (this.#worst) this.#list.reveal(0);
    else this.#reveal();
    announce(this.#worst ? "Worst score first" : "Reading order");
  }

  findFocus() {
    this.#find.focus();
    this.#find.select();
  }

  focus() {
    this.#box.focus();
  }

  get carried() {
    return this.#cut;
  }

  /** Take the selected region up, to be put under another one. */
  cut() {
    const { name } = this.#selection;
    if (!this.#mayEdit || this.#sheet === null || name === null) return;
    if (this.#sheet.region(name)?.parent === null) {
      announce("The whole screen cannot be put under a region.");
      return;
    }
    this.#cut = name;
    const [put, leave] = [el("kbd", {}, "V"), el("kbd", {}, "Esc")];
    const how = [" is taken up. Select where it belongs. ", put, " puts it there, ", leave, " leaves it."];
    this.#carrying.replaceChildren(el("b", {}, this.#sheet.titleOf(name)), ...how);
    this.#carrying.hidden = false;
    this.#list.refresh();
    announce(`${this.#sheet.titleOf(name)} is taken up. Select where it belongs and press V, or Escape.`);
  }

  paste() {
    if (this.#cut === null || this.#selection.name === null) return;
    const why = refusal(this.#sheet, this.#cut, this.#selection.name);
    if (!why) {
      void this.#put(this.#cut, this.#selection.name);
      return;
    }
    announce(`Not possible: ${why}.`);
    const how = [`Not possible: ${why}. Select another one, or press `, el("kbd", {}, "Esc"), "."];
    this.#carrying.replaceChildren(...how);
  }

  cancel() {
    this.#cut = null;
    this.#carrying.hidden = true;
    this.#list.refresh();
  }

  async #put(name, under) {
    this.cancel();
    this.#closed.delete(under);
    await moveUnder(this.#sheet, name, under);
    this.#selection.set(name);
    announce(this.#sheet.inWords(`${name} is under ${under} now.`));
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const rows = this.#sheet === null ? [] : treeRows(this.#sheet, this.#options());
    this.#places = new Map(rows.map((row, index) => [row.name, index]));
    this.#chosen = this.#places.get(this.#selection.name) ?? -1;
    this.#list.setItems(rows);
    this.#told(rows);
    this.#point();
  }

  #options() {
    const words = this.#find.value.trim().toLowerCase();
    const fits = words === "" ? null : (name) => this.#text(name).includes(words);
    return { closed: this.#closed, worst: this.#worst, fits };
  }

  #told(rows) {
    const count = this.#sheet === null ? 0 : this.#sheet.regions().filter((one) => one.parent !== null).length;
    const found = rows.filter((row) => row.found).length;
    const all = `${count.toLocaleString("en")} region${count === 1 ? "" : "s"}`;
    this.#count.textContent = this.#sheet === null ? "\u00a0" : this.#find.value.trim() ? `${found} of ${all}` : all;
    const bare = count === 0 && this.#find.value.trim() === "";
    this.#box.hidden = rows.length === 0;
    this.#box.classList.toggle("bare", bare);
    this.#none.hidden = this.#sheet === null || (rows.length > 0 && !bare);
    const unlike = "No region has this in its name, type or text.";
    this.#none.replaceChildren(...(bare ? noRegions(this.#mayEdit) : [unlike]));
  }

  #text(name) {
    const document = this.#sheet.region(name).entry.document;
    const told = this.#sheet.current("retelling", name);
    const called = [name, this.#sheet.titleOf(name), typeWords(this.#sheet, name)];
    const own = [document.functionality, document.description].flatMap((one) => Object.values(one ?? {}));
    const all = [...called, told?.functionality, told?.description, ...own];
    return all.filter((one) => typeof one === "string").join("\n").toLowerCase();
  }

  #selected() {
    if (this.#sheet === null) return;
    this.#reveal();
    const now = this.#places.get(this.#selection.name) ?? -1;
    for (const index of [this.#chosen, now]) this.#list.refresh(index);
    this.#chosen = now;
    this.#point();
  }

  #reveal() {
    const { name } = this.#selection;
    if (name === null || !this.#sheet?.region(name)) return;
    const hidden = this.#sheet.ancestors(name).filter((above) => this.#closed.delete(above));
    if (hidden.length > 0 || this.#frame) this.#draw();
    this.#list.reveal(this.#places.get(name) ?? -1);
  }

  #point() {
    const row = this.#list.row(this.#places.get(this.#selection.name) ?? -1);
    if (row) this.#box.setAttribute("aria-activedescendant", row.id);
    else this.#box.removeAttribute("aria-activedescendant");
  }

  #open(name, on) {
    if (on) this.#closed.delete(name);
    else this.#closed.add(name);
    this.#draw();
  }

  #clicked(event) {
    const row = event.target.closest("[data-name]");
    if (!row) return;
    const { name } = row.dataset;
    if (event.target.closest(".twist") && row.hasAttribute("aria-expanded")) this.#open(name, this.#closed.has(name));
    else this.#selection.set(name);
  }

  #pressed(event, onEnter) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#sheet === null) return;
    const at = this.#places.get(this.#selection.name) ?? -1;
    const rows = this.#list.items;
    const within = (index) => Math.min(Math.max(index, 0), rows.length - 1);
    const go = (index) => rows.length > 0 && this.#selection.set(rows[within(index)].name);
    const ways = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => this.#inward(rows[at], () => go(at + 1)),
      ArrowLeft: () => this.#outward(rows[at]),
      Enter: () => at >= 0 && onEnter(rows[at].name),
      "*": () => this.#openAll(rows[at]),
    };
    if (!ways[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    ways[event.key]();
  }

  #inward(row, next) {
    if (row?.open === false) this.#open(row.name, true);
    else if (row?.open) next();
  }

  #outward(row) {
    if (!row) return;
    if (row.open && this.#options().fits === null) this.#open(row.name, false);
    else if (this.#sheet.region(row.name).parent !== null) this.#selection.set(this.#sheet.region(row.name).parent);
  }

  #openAll(row) {
    const parent = row ? this.#sheet.region(row.name).parent : null;
    for (const name of parent === null ? [row?.name] : this.#sheet.children(parent)) this.#closed.delete(name);
    this.#draw();
  }

  #searching(event) {
    const rows = this.#list.items.filter((row) => row.found);
    if (event.key === "ArrowDown") this.#box.focus();
    else if (event.key === "Escape" && this.#find.value) this.#find.value = "";
    else if (event.key !== "Enter" || rows.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter" || event.key === "ArrowDown") {
      const at = rows.findIndex((row) => row.name === this.#selection.name);
      const to = event.key === "ArrowDown" ? Math.max(at, 0) : (at + 1) % rows.length;
      if (rows[to]) this.#selection.set(rows[to].name);
    }
    if (event.key === "Escape") this.#draw();
  }

  #over(name, over, why) {
    this.#drop = name === null || over === null || over === name ? null : { name: over, why };
    this.#list.refresh();
  }

  #render(row, shown, index) {
    const { name } = shown;
    if (!this.#sheet.region(name)) return; // the sheet has changed: rows are made anew in the next frame
    const look = `${name === this.#cut ? "cut " : ""}${this.#dropLook(name)}`;
    const selected = name === this.#selection.name;
    fillRow(row, shown, index, { sheet: this.#sheet, selected, lines: this.#problems.get(name) ?? [], look });
  }

  #dropLook(name) {
    if (this.#drop?.name !== name) return "";
    return this.#drop.why ? "refuse" : "drop";
  }
}
