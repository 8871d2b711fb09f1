/** The list of clips, with how far they are. */

import { el } from "../lib/dom.js";
import { getJson } from "../lib/api.js";
import { VirtualList } from "../lib/list.js";
import { MINE, offerMine } from "../lib/mine.js";

const ROW = 64; // CSS pixels
const PAUSE = 150; // ms after the last letter of a search
const EVERY = 15_000; // ms between looks at what others did
const STANDING = { open: "", done: "Done", flagged: "Flagged", aside: "Put aside" };
const MISSING = { start_frame: "start", end_frame: "end", regions: "region", context: "context" };

/** Events: "open" (detail: the clip's id) when somebody chooses a row, "counted" (detail: {all}). */
export class ClipList extends EventTarget {
  #place = document.getElementById("list");
  #search = document.getElementById("search");
  #show = document.getElementById("show");
  #found = document.getElementById("found");
  #progress = document.getElementById("progress");
  #none = document.getElementById("no-match");
  #list;
  #all = [];
  #rows = [];
  #chosen = null;
  #mine = new Set(); // assigned to who looks
  #timer = 0;

  constructor() {
    super();
    this.#list = new VirtualList(this.#place, { rowHeight: ROW, render: (...row) => this.#render(...row) });
    this.#place.addEventListener("click", (event) => this.#clicked(event));
    this.#place.addEventListener("keydown", (event) => this.#key(event));
    this.#search.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#choose(), PAUSE);
    });
    this.#show.addEventListener("change", () => this.#choose());
    setInterval(() => document.visibilityState === "visible" && void this.load(), EVERY);
  }

  async load() {
    try {
      const { clips, mine } = await getJson("/api/clips");
      this.#all = clips;
      this.#mine = offerMine(this.#show, mine);
    } catch (error) {
      if (!this.#all.length) this.#found.textContent = `The clips cannot be loaded: ${error.message}`;
      return;
    }
    this.#choose();
    this.dispatchEvent(new CustomEvent("counted", { detail: { all: this.#all.length } }));
  }

  /** The first that is not done, or the first. */
  get first() {
    return (this.#rows.find((one) => one.standing === "open") ?? this.#rows[0])?.id ?? null;
  }

  mark(id) {
    this.#chosen = id;
    this.#list.refresh();
    this.#follow();
  }

  /** Go on by some rows and open what is there. */
  step(by) {
    const at = this.#rows.findIndex((one) => one.id === this.#chosen);
    const from = at >= 0 ? at : by > 0 ? -1 : this.#rows.length;
    this.#open(Math.min(Math.max(from + by, 0), this.#rows.length - 1));
  }

  /** What was changed here is in the list before the server has it. */
  patch(id, document) {
    const index = this.#all.findIndex((one) => one.id === id);
    if (index < 0) return;
    this.#all[index] = { ...this.#all[index], ...summary(document) };
    this.#choose();
  }

  focusSearch() {
    this.#search.focus();
    this.#search.select();
  }

  #choose() {
    const words = this.#search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const wanted = this.#show.value;
    const fits = (one) => {
      if (wanted === MINE ? !this.#mine.has(one.id) : wanted !== "all" && one.standing !== wanted) return false;
      const text = `${one.id} ${one.context ?? ""} ${one.platform ?? ""} ${one.purpose ?? ""}`.toLocaleLowerCase();
      return words.every((word) => text.includes(word));
    };
    this.#rows = this.#all.filter(fits);
    this.#list.setItems(this.#rows);
    this.#tell();
    this.#follow();
  }

  #tell() {
    const going = this.#all.filter((one) => one.standing === "open" || one.standing === "done");
    const done = going.filter((one) => one.standing === "done").length;
    const clips = (count) => `${count.toLocaleString()} ${count === 1 ? "clip" : "clips"}`;
    const part = this.#rows.length === this.#all.length ? "" : `${this.#rows.length.toLocaleString()} of `;
    this.#found.textContent = `${part}${clips(this.#all.length)}, ${done.toLocaleString()} done`;
    this.#progress.hidden = going.length === 0;
    this.#progress.value = going.length ? done / going.length : 0;
    this.#none.hidden = this.#rows.length > 0 || this.#all.length === 0;
    this.#none.textContent = "No clip is like that. Look for other words, or show all.";
  }

  #render(row, item, index) {
    const chosen = item.id === this.#chosen;
    row.id = `clip-${index}`;
    row.dataset.index = String(index);
    row.className = `row clip-row${chosen ? " chosen" : ""}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-setsize", String(this.#rows.length));
    row.setAttribute("aria-posinset", String(index + 1));
    row.setAttribute("aria-selected", String(chosen));
    row.replaceChildren(...cells(item));
  }

  #clicked(event) {
    const row = event.target.closest?.("[data-index]");
    if (row) this.#open(Number(row.dataset.index));
  }

  #key(event) {
    const { page } = this.#list;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const by = steps[event.key];
    if (by === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.step(by);
  }

  #open(index) {
    const row = this.#rows[index];
    if (row) this.dispatchEvent(new CustomEvent("open", { detail: row.id }));
  }

  #follow() {
    const index = this.#rows.findIndex((one) => one.id === this.#chosen);
    if (index < 0) {
      this.#place.removeAttribute("aria-activedescendant");
      return;
    }
    this.#list.reveal(index);
    this.#place.setAttribute("aria-activedescendant", `clip-${index}`);
  }
}

function cells({ id, standing, missing, seconds, platform, context, unreadable }) {
  if (unreadable) return [el("span", { class: "name" }, id), el("span", { class: "soft" }, "cannot be read")];
  const left = standing === "open" && missing.length ? `no ${missing.map((one) => MISSING[one]).join(", ")}` : "";
  return [
    el("span", { class: "name" }, el("bdi", null, id)),
    el("span", { class: "about soft" },
      STANDING[standing] && el("span", { class: "chip" }, STANDING[standing]),
      [`${seconds.toFixed(1)} s`, platform, left].filter(Boolean).join(" · ")),
    el("span", { class: "on soft", dir: "auto" }, context || " "),
  ];
}

/** What the list says of a clip, of its document. */
function summary(document) {
  const { aside, flags = [], done, context, platform } = document;
  const none = (value) => value === null || value === undefined || value === "" || value.length === 0;
  return {
    standing: aside ? "aside" : flags.length ? "flagged" : done ? "done" : "open",
    missing: Object.keys(MISSING).filter((name) => none(document[name])),
    platform: platform ?? "",
    context: (context ?? "").replace(/\s+/g, " ").trim(),
  };
}
