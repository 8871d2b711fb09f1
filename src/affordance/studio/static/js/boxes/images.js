// The images of the project: how far each of them is, which is open, which comes next.

import { getJson } from "../lib/api.js";
import { el } from "../lib/dom.js";
import { MINE, offerMine } from "../lib/mine.js";
import { PickRows } from "../lib/pickrows.js";

const ROW = 72; // pixels
const PAUSE = 10_000; // milliseconds from one look at the server to the next
const COUNT = new Intl.NumberFormat("en");

const FILTERS = {
  all: (one) => !one.aside,
  todo: (one) => !one.done && !one.aside,
  done: (one) => one.done,
  mine: (one, decisions) => decisions.has(one.id),
  [MINE]: (one, _, assigned) => assigned.has(one.id) && !one.aside,
  aside: (one) => Boolean(one.aside),
};
const NONE = {
  all: "No image has this in its name.",
  todo: "Nothing is left to do here.",
  done: "No image is marked as done yet. D marks the one that is open.",
  mine: "Nothing needs a decision of yours.",
  [MINE]: "No image is assigned to you any more.",
  aside: "No image was put aside.",
};

/** Events: "open" (detail: the id), "loaded". */
export class Images extends EventTarget {
  #list;
  #box = document.getElementById("image-list");
  #find = document.getElementById("find-image");
  #filter = document.getElementById("filter-image");
  #none = document.getElementById("image-none");
  #screens = [];
  #places = new Map();
  #mine = new Map(); // what I said is done, until the server says so too
  #decisions = new Set();
  #assigned = new Set();
  #timer = 0;

  constructor() {
    super();
    const attributes = { role: "listbox", "aria-label": "Images", tabindex: "0", "data-home": "" };
    for (const [name, value] of Object.entries(attributes)) this.#box.setAttribute(name, value);
    this.#list = new PickRows(this.#box, {
      rowHeight: ROW,
      key: (one) => one.id,
      rowClass: (one) => `image-row${one.aside ? " aside" : ""}`,
      fill: (row, one) => fill(row, one, this.#decisions.has(one.id)),
      eager: false, // to open an image takes a while
    });
    this.#list.addEventListener("open", ({ detail: { item } }) => {
      this.dispatchEvent(new CustomEvent("open", { detail: item.id }));
    });
    this.#find.addEventListener("input", () => this.#sift());
    this.#filter.addEventListener("change", () => this.#sift());
    this.#find.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") this.#box.focus();
      else if (event.key === "Enter" && this.#list.rows.length > 0) this.#list.choose(Math.max(0, this.#list.at));
      else if (event.key === "Escape" && this.#find.value) this.#clear();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** All of them, in order. */
  get screens() {
    return this.#screens;
  }

  /** @param {string} id */
  get(id) {
    return this.#screens[this.#places.get(id) ?? -1];
  }

  /** Ask the server, and go on asking while the page is visible. */
  async load() {
    clearTimeout(this.#timer);
    try {
      const { screens, mine } = await getJson("/api/screens");
      this.#assigned = offerMine(this.#filter, mine);
      this.#take(screens);
    } finally {
      this.#timer = setTimeout(() => this.#again(), PAUSE);
    }
    this.dispatchEvent(new Event("loaded"));
  }

  /** Which image is open. */
  show(id) {
    this.#list.mark(id);
  }

  /** The image after the open one in the list as it is shown, or before it; null at the end. */
  neighbour(by) {
    const { rows, chosen } = this.#list;
    const from = this.#places.get(chosen) ?? -1;
    const after = (one) => this.#places.get(one.id) > from;
    const before = (one) => this.#places.get(one.id) < from;
    return (by > 0 ? rows.find(after) : rows.findLast(before))?.id ?? null;
  }

  /** The next image that is to do, from the open one on and then from the first; null if there is none. */
  nextToDo() {
    const from = this.#places.get(this.#list.chosen) ?? -1;
    const round = [...this.#screens.slice(from + 1), ...this.#screens.slice(0, Math.max(from, 0))];
    return round.find((one) => FILTERS.todo(one))?.id ?? null;
  }

  /** What the open page knows before the server has told it. */
  setDone(id, done) {
    this.#mine.set(id, done);
    this.#take(this.#screens);
  }

  /** Screens on which a stroke of mine needs a decision. @param {Iterable<string>} ids */
  setDecisions(ids) {
    const now = new Set(ids);
    if (now.size === this.#decisions.size && [...now].every((id) => this.#decisions.has(id))) return;
    this.#decisions = now;
    this.#sift();
  }

  findFocus() {
    this.#find.focus();
    this.#find.select();
  }

  async #again() {
    if (document.visibilityState === "hidden") {
      document.addEventListener("visibilitychange", () => void this.#again(), { once: true });
      return;
    }
    await this.load().catch(() => {}); // the status in the bar says that the server is away
  }

  #take(screens) {
    this.#screens = screens.map((one) => {
      const said = this.#mine.get(one.id);
      if (said === undefined || said === one.done) {
        this.#mine.delete(one.id);
        return one;
      }
      return { ...one, done: said };
    });
    this.#places = new Map(this.#screens.map((one, place) => [one.id, place]));
    const going = this.#screens.filter((one) => !one.aside);
    const done = going.filter((one) => one.done).length;
    const all = going.length;
    document.getElementById("overall").textContent = `${COUNT.format(done)} of ${COUNT.format(all)} done`;
    document.querySelector("#overall-bar > i").style.width = `${all ? (100 * done) / all : 0}%`;
    this.#sift();
  }

  #sift() {
    const words = this.#find.value.trim().toLowerCase().split(/\s+/);
    const passes = FILTERS[this.#filter.value];
    const fits = (one) => words.every((word) => one.id.toLowerCase().includes(word)) && passes(one, this.#decisions, this.#assigned);
    const items = this.#screens.filter(fits);
    this.#list.put(items);
    this.#none.hidden = items.length > 0 || this.#screens.length === 0;
    const reason = this.#find.value.trim() ? "all" : this.#filter.value;
    this.#none.dataset.reason = reason;
    this.#none.textContent = NONE[reason];
    this.#box.hidden = items.length === 0;
  }

  #clear() {
    this.#find.value = "";
    this.#sift();
  }
}

function fill(row, one, decision) {
  if (row.dataset.screen !== one.id || row.dataset.digest !== one.digest) build(row, one);
  const { chip, first, second } = words(one, decision);
  const [name, line, more, meter] = row.lastElementChild.children;
  name.replaceChildren(el("b", {}, one.id), ...(chip ? [el("span", { class: `chip ${chip.look}` }, chip.text)] : []));
  line.textContent = first;
  more.textContent = second;
  meter.firstElementChild.style.width = `${share(one)}%`;
  row.title = [one.id, first, second].filter(Boolean).join("\n");
}

function build(row, one) {
  row.dataset.screen = one.id;
  row.dataset.digest = one.digest;
  const thumb = el("div", { class: "thumb" });
  const picture = el("img", { alt: "", loading: "lazy", decoding: "async", width: "72", height: "48" });
  picture.addEventListener("error", () => thumb.replaceChildren("no picture"));
  picture.src = `/thumbnails/${one.digest}`;
  thumb.append(picture);
  row.replaceChildren(
    thumb,
    el(
      "div",
      { class: "told" },
      el("div", { class: "name" }),
      el("div", { class: "progress" }),
      el("div", { class: "progress" }),
      el("div", { class: "meter" }, el("i")),
    ),
  );
}

function words(one, decision) {
  const count = (n, what) => (n > 0 ? [`${COUNT.format(n)} ${what}`] : []);
  const all = count(one.regions, one.regions === 1 ? "region" : "regions")[0] ?? "no regions yet";
  const chip = decision
    ? { text: "decide", look: "warn" }
    : one.done
      ? { text: "done", look: "done" }
      : one.aside
        ? { text: "put aside", look: "" }
        : null;
  return {
    chip,
    first: one.corrected > 0 ? `${COUNT.format(one.corrected)} of ${COUNT.format(one.regions)} corrected` : all,
    second: one.aside || [...count(one.untold, "to re-annotate"), ...count(one.unvalidated, "to validate")].join(", "),
  };
}

function share(one) {
  if (one.done) return 100;
  return one.regions > 0 ? Math.min(100, (100 * one.corrected) / one.regions) : 0;
}
