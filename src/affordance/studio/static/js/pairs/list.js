/** The list of pairs: all rows are here, so that looking for some asks nobody. */

import { el } from "../lib/dom.js";
import { getJson } from "../lib/api.js";
import { MINE, offerMine } from "../lib/mine.js";
import { PickList } from "../lib/picklist.js";
import { renew } from "../lib/renew.js";
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
  #search = document.getElementById("search");
  #show = document.getElementById("show");
  #found = document.getElementById("found");
  #none = document.getElementById("no-match");
  #progress = document.getElementById("progress");
  #said = document.getElementById("progress-said");
  #list;
  #blind = false;
  #mine = new Set(); // assigned to who looks

  constructor() {
    super();
    this.#list = new PickList(document.getElementById("list"), {
      rowHeight: ROW,
      rowClass: () => "pick-row pair-row",
      key: (pair) => pair.id,
      fill: (row, pair) => renew(row, [pair, this.#blind], () => cells(pair, this.#blind)),
      shown: (pair) => this.#fits(pair),
      counted: (rows, all) => this.#tell(rows, all),
    });
    this.#list.addEventListener("open", ({ detail: { item } }) => {
      this.dispatchEvent(new CustomEvent("open", { detail: item.id }));
    });
    this.#search.addEventListener("input", () => this.#list.sift());
    this.#show.addEventListener("change", () => this.#list.sift());
    setInterval(() => document.visibilityState === "visible" && void this.load(), EVERY);
  }

  /** All there are. */
  get rows() {
    return this.#list.all;
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
      this.#mine = offerMine(this.#show, mine);
      this.#list.take(pairs);
    } catch (error) {
      if (!this.rows.length) this.#found.textContent = `The pairs cannot be loaded: ${error.message}`;
      return;
    }
    this.dispatchEvent(new Event("loaded"));
  }

  /** The first that is shown. */
  get first() {
    return this.#list.rows[0]?.id ?? null;
  }

  focusSearch() {
    this.#search.focus();
    this.#search.select();
  }

  setBlind(blind) {
    this.#blind = blind;
    this.#list.sift();
  }

  /** Which pair is open. */
  mark(id) {
    this.#list.mark(id);
  }

  /** What was changed here is in the list before the server has it. */
  patch(id, values) {
    this.#list.patch(id, values);
  }

  step(by) {
    this.#list.step(by);
  }

  #fits(pair) {
    const { search, show } = this.asked;
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return SHOWN[show](pair, this.#mine) && words.every((word) => textOf(pair).includes(word));
  }

  #tell(rows, all) {
    const pairs = (count) => `${count.toLocaleString()} ${count === 1 ? "pair" : "pairs"}`;
    put(this.#found, rows.length === all.length ? pairs(all.length) : `${rows.length.toLocaleString()} of ${pairs(all.length)}`);
    this.#none.hidden = rows.length > 0 || !all.length;
    this.#none.textContent = "No pair is like that. Look for other words, or show all.";
    const kept = all.filter((row) => !row.aside);
    const ready = kept.filter(done).length;
    this.#progress.max = Math.max(1, kept.length);
    this.#progress.value = ready;
    put(this.#said, `${ready.toLocaleString()} of ${kept.length.toLocaleString()} done`);
  }
}

function textOf({ id, company, goal, context, page_type: type, industry, device }) {
  return [id, company, goal, context, type, industry, device].filter(Boolean).join(" ").toLowerCase();
}

function cells(row, blind) {
  const chips = [
    row.aside && ["aside", "put aside"],
    row.wrong && ["unreadable", "cannot be read"],
    row.lawless > 0 && ["no-law", "no law"],
    row.sided > 0 && ["side", "names a side"],
    row.open > 0 && ["open", `${row.open} open`],
    row.winner == null && (row.tied ? ["tied", "tied"] : ["no-winner", "no winner"]),
  ].filter(Boolean);
  const lazy = { alt: "", loading: "lazy", decoding: "async", fetchpriority: "low" }; // designs come first
  const thumbnail = (digest) => el("img", { src: `/thumbnails/${digest}`, ...lazy });
  const about = row.goal || row.company || row.page_type || "";
  return [
    el("span", { class: "thumbnails" }, (row.digests ?? []).map(thumbnail)),
    el("span", { class: "words" },
      el("span", { class: "name" }, el("bdi", null, row.id), el("span", { class: "soft", dir: "auto" }, about)),
      el("span", { class: "about" }, blind ? "" : el("span", null, counted(row.rationales ?? 0)),
        (blind ? [] : chips).map(([kind, text]) => el("span", { class: "chip", "data-chip": kind }, text)))),
  ];
}

function counted(count) {
  return `${count || "no"} ${count === 1 ? "rationale" : "rationales"}`;
}

/** Texts that stay the same are left alone: they would be read out again. */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
