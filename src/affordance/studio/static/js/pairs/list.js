/** The list of pairs: all rows are here, so that looking for some asks nobody. */

import { el } from "../lib/dom.js";
import { getJson } from "../lib/api.js";
import { VirtualList } from "../lib/list.js";
import { MINE, offerMine } from "../lib/mine.js";
import { renew } from "./renew.js";
import { me } from "./reviews.js";

const ROW = 64; // CSS pixels
const EVERY = 10_000; // ms between looks at what others did

const doubtful = (row) => row.lawless > 0 || row.sided > 0 || row.wrong !== "";
const tagged = (row) => Boolean(row.page_type && row.industry && row.device && Object.keys(row.changes ?? {}).length);
const done = (row) => row.rationales > 0 && !doubtful(row) && row.open === 0;

/** Which rows each choice shows. What was put aside is shown by itself, and among all. */
const SHOWN = {
  all: () => true,
  todo: (row) => !row.aside && !row.rationales,
  doubtful: (row) => !row.aside && doubtful(row),
  open: (row) => !row.aside && row.open > 0,
  review: (row) => !row.aside && row.rationales > 0 && !row.reviewed?.includes(me()),
  untagged: (row) => !row.aside && !tagged(row),
  undecided: (row) => !row.aside && row.winner == null,
  aside: (row) => row.aside,
  [MINE]: (row, mine) => !row.aside && mine.has(row.id),
};

/** Events: "open" (detail: the id) when somebody chooses a row, "loaded" when the rows have come. */
export class PairList extends EventTarget {
  rows = [];
  #place = document.getElementById("list");
  #search = document.getElementById("search");
  #show = document.getElementById("show");
  #found = document.getElementById("found");
  #none = document.getElementById("no-match");
  #progress = document.getElementById("progress");
  #said = document.getElementById("progress-said");
  #list;
  #shown = [];
  #chosen = null;
  #blind = false;
  #mine = new Set(); // assigned to who looks

  constructor() {
    super();
    const render = (row, item, index) => this.#render(row, item, index);
    this.#list = new VirtualList(this.#place, { rowHeight: ROW, render });
    this.#place.addEventListener("click", ({ target }) => this.#clicked(target));
    this.#place.addEventListener("keydown", (event) => this.#key(event));
    this.#search.addEventListener("input", () => this.#filter());
    this.#show.addEventListener("change", () => this.#filter());
    setInterval(() => document.visibilityState === "visible" && void this.load(), EVERY);
  }

  get asked() {
    return { search: this.#search.value.trim(), show: this.#show.value };
  }

  /** @param {{search?: string, show?: string}} asked what is looked for */
  look({ search = "", show = "all" }) {
    this.#search.value = search;
    if ([...this.#show.options].some((one) => one.value === show)) this.#show.value = show;
  }

  async load() {
    try {
      const { pairs, mine } = await getJson("/api/pairs");
      this.rows = pairs;
      this.#mine = offerMine(this.#show, mine);
    } catch (error) {
      if (!this.rows.length) this.#found.textContent = `The pairs cannot be loaded: ${error.message}`;
      return;
    }
    this.#filter();
    this.dispatchEvent(new Event("loaded"));
  }

  /** The first that is shown. */
  get first() {
    return this.#shown[0]?.id ?? null;
  }

  focusSearch() {
    this.#search.focus();
    this.#search.select();
  }

  setBlind(blind) {
    this.#blind = blind;
    this.#list.refresh();
  }

  /** Which pair is open. */
  mark(id) {
    this.#chosen = id;
    this.#list.refresh();
    const index = this.#index;
    if (index < 0) return this.#place.removeAttribute("aria-activedescendant");
    this.#list.reveal(index);
    this.#place.setAttribute("aria-activedescendant", `pair-${index}`);
    return undefined;
  }

  /** What was changed here is in the list before the server has it. */
  patch(id, values) {
    const row = this.rows.find((one) => one.id === id);
    if (!row) return;
    Object.assign(row, values);
    this.#tell();
    const index = this.#shown.indexOf(row);
    if (index >= 0) this.#list.refresh(index);
  }

  step(by) {
    const from = this.#index >= 0 ? this.#index : by > 0 ? -1 : this.#shown.length;
    this.#choose(Math.min(Math.max(from + by, 0), this.#shown.length - 1));
  }

  get #index() {
    return this.#shown.findIndex((one) => one.id === this.#chosen);
  }

  #filter() {
    const { search, show } = this.asked;
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    this.#shown = this.rows.filter((row) => SHOWN[show](row, this.#mine) && words.every((word) => textOf(row).includes(word)));
    this.#list.setItems(this.#shown);
    this.#none.hidden = this.#shown.length > 0 || !this.rows.length;
    this.#none.textContent = "No pair is like that. Look for other words, or show all.";
    this.#tell();
    this.mark(this.#chosen);
  }

  #tell() {
    const pairs = (count) => `${count.toLocaleString()} ${count === 1 ? "pair" : "pairs"}`;
    const [shown, all] = [this.#shown.length, this.rows.length];
    put(this.#found, shown === all ? pairs(all) : `${shown.toLocaleString()} of ${pairs(all)}`);
    const kept = this.rows.filter((row) => !row.aside);
    const ready = kept.filter(done).length;
    this.#progress.max = Math.max(1, kept.length);
    this.#progress.value = ready;
    put(this.#said, `${ready.toLocaleString()} of ${kept.length.toLocaleString()} done`);
  }

  #render(row, item, index) {
    const chosen = item.id === this.#chosen;
    row.id = `pair-${index}`;
    row.dataset.index = String(index);
    row.className = `row pair-row${chosen ? " chosen" : ""}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-setsize", String(this.#shown.length));
    row.setAttribute("aria-posinset", String(index + 1));
    row.setAttribute("aria-selected", String(chosen));
    renew(row, [item, this.#blind], () => cells(item, this.#blind));
  }

  #clicked(target) {
    const row = target.closest?.("[data-index]");
    if (row) this.#choose(Number(row.dataset.index));
  }

  #key(event) {
    const { page } = this.#list;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const by = steps[event.key];
    if (by === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.step(by);
  }

  #choose(index) {
    const row = this.#shown[index];
    if (row) this.dispatchEvent(new CustomEvent("open", { detail: row.id }));
  }
}

function textOf({ id, company, goal, context, page_type: type, industry, device }) {
  return [id, company, goal, context, type, industry, device].filter(Boolean).join(" ").toLowerCase();
}

function cells(row, blind) {
  const chips = [
    row.aside && "put aside",
    row.wrong && "cannot be read",
    row.lawless > 0 && "no law",
    row.sided > 0 && "names a side",
    row.open > 0 && `${row.open} open`,
    row.winner == null && (row.tied ? "tied" : "no winner"),
  ].filter(Boolean);
  const lazy = { alt: "", loading: "lazy", decoding: "async", fetchpriority: "low" }; // designs come first
  const thumbnail = (digest) => el("img", { src: `/thumbnails/${digest}`, ...lazy });
  const about = row.goal || row.company || row.page_type || "";
  return [
    el("span", { class: "thumbnails" }, (row.digests ?? []).map(thumbnail)),
    el("span", { class: "words" },
      el("span", { class: "name" }, el("bdi", null, row.id), el("span", { class: "soft", dir: "auto" }, about)),
      el("span", { class: "about" }, blind ? "" : el("span", null, counted(row.rationales ?? 0)),
        (blind ? [] : chips).map((chip) => el("span", { class: "chip" }, chip)))),
  ];
}

function counted(count) {
  return `${count || "no"} ${count === 1 ? "rationale" : "rationales"}`;
}

/** Texts that stay the same are left alone: they would be read out again. */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
