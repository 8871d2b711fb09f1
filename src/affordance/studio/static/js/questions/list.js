/** The list of questions over all screens. Rows are fetched a page at a time, as they come into view. */

import { el, meta } from "../lib/dom.js";
import { getJson } from "../lib/api.js";
import { VirtualList } from "../lib/list.js";
import { personOf } from "../work/words.js";
import { firstWords, kindOf, standingOf } from "./words.js";

const ROW = 72; // CSS pixels
const PAGE = 100;
const PAUSE = 250; // ms after the last letter of a search
const EVERY = 10_000; // ms between looks at what others did

/** Events: "open" (detail: {screen, name}) when somebody chooses a row, "counted" (detail: {all}). */
export class QuestionList extends EventTarget {
  #place = document.getElementById("list");
  #search = document.getElementById("search");
  #show = document.getElementById("show");
  #found = document.getElementById("found");
  #none = document.getElementById("no-match");
  #list;
  #rows = [];
  #pages = new Set(); // that were asked for
  #query = "";
  #round = 0;
  #at = -1;
  #chosen = null;
  #timer = 0;

  constructor() {
    super();
    const render = (row, item, index) => this.#render(row, item, index);
    this.#list = new VirtualList(this.#place, { rowHeight: ROW, render });
    this.#place.addEventListener("click", (event) => this.#clicked(event));
    this.#place.addEventListener("keydown", (event) => this.#key(event));
    this.#search.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.load(), PAUSE);
    });
    this.#show.addEventListener("change", () => void this.load());
    setInterval(() => document.visibilityState === "visible" && void this.#again(), EVERY);
  }

  focusSearch() {
    this.#search.focus();
    this.#search.select();
  }

  /** Begin with the first page of what is looked for. @param {{search?: string, show?: string}} [asked] */
  async load(asked = null) {
    if (asked) {
      this.#search.value = asked.search ?? "";
      if (asked.show && [...this.#show.options].some((one) => one.value === asked.show)) this.#show.value = asked.show;
    }
    this.#query = new URLSearchParams({ search: this.#search.value.trim(), show: this.#show.value }).toString();
    this.#round += 1;
    this.#pages.clear();
    this.#at = -1;
    const first = await this.#fetch(0, true);
    if (first) this.#place.scrollTop = 0;
  }

  /** Where a question is in the list as far as it was fetched. */
  mark(place) {
    this.#chosen = place;
    const index = this.#rows.findIndex((row) => row && same(row, place));
    if (index >= 0) this.#at = index;
    this.#list.refresh();
    this.#follow();
  }

  /** Go on by some rows and open what is there. */
  step(by) {
    const from = this.#at >= 0 ? this.#at : by > 0 ? -1 : this.#rows.length;
    void this.#choose(Math.min(Math.max(from + by, 0), this.#rows.length - 1));
  }

  /** What was changed here is in the list before the server has it. */
  patch({ screen, name }, entry) {
    const index = this.#rows.findIndex((row) => row && same(row, { screen, name }));
    if (index < 0) return;
    const { document } = entry;
    this.#rows[index] = {
      ...this.#rows[index],
      standing: standingOf(document),
      why: document.dropped ?? "",
      by: personOf(meta("person")),
      words: firstWords(document),
    };
    this.#list.refresh(index);
  }

  get total() {
    return this.#rows.length;
  }

  /** The first row that was fetched. */
  get first() {
    return this.#rows[0] ?? null;
  }

  get asked() {
    return { search: this.#search.value.trim(), show: this.#show.value };
  }

  /** Fetch the pages that are known again, without moving anything. */
  async #again() {
    for (const page of [...this.#pages].slice(-3)) await this.#fetch(page, true);
  }

  /** @returns {Promise<boolean>} whether it came, and was still wanted */
  async #fetch(page, anew = false) {
    if (this.#pages.has(page) && !anew) return false;
    this.#pages.add(page);
    const round = this.#round;
    let got;
    try {
      got = await getJson(`/api/questions?${this.#query}&offset=${page * PAGE}&limit=${PAGE}`);
    } catch (error) {
      if (round !== this.#round) return false;
      this.#pages.delete(page);
      if (!this.#rows.length) this.#found.textContent = `The questions cannot be loaded: ${error.message}`;
      return false;
    }
    if (round !== this.#round) return false;
    const fresh = page === 0 && this.#pages.size === 1;
    if (fresh || got.total !== this.#rows.length) this.#resize(got.total, fresh);
    got.rows.forEach((row, index) => (this.#rows[got.offset + index] = row));
    this.#list.setItems(this.#rows);
    this.#tell(got);
    if (this.#chosen) {
      const index = this.#rows.findIndex((row) => row && same(row, this.#chosen));
      if (index >= 0) this.#at = index;
      this.#follow();
    }
    return true;
  }

  #resize(total, fresh) {
    const kept = fresh ? [] : this.#rows;
    this.#rows = Array.from({ length: total }, (_, index) => kept[index] ?? null);
  }

  #tell({ total, all }) {
    const questions = (count) => `${count.toLocaleString()} ${count === 1 ? "question" : "questions"}`;
    this.#found.textContent = total === all ? questions(all) : `${total.toLocaleString()} of ${questions(all)}`;
    this.#none.hidden = total > 0 || all === 0;
    this.#none.textContent = "No question is like that. Look for other words, or show all.";
    this.dispatchEvent(new CustomEvent("counted", { detail: { all } }));
  }

  #render(row, item, index) {
    if (item === null) void this.#fetch(Math.floor(index / PAGE));
    const chosen = item !== null && this.#chosen !== null && same(item, this.#chosen);
    row.id = `question-${index}`;
    row.dataset.index = String(index);
    row.className = `row question-row${chosen ? " chosen" : ""}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-setsize", String(this.#rows.length));
    row.setAttribute("aria-posinset", String(index + 1));
    row.setAttribute("aria-selected", String(chosen));
    row.replaceChildren(...(item === null ? [el("span", { class: "soft" }, "Loading")] : cells(item)));
  }

  #clicked(event) {
    const row = event.target.closest?.("[data-index]");
    if (row) void this.#choose(Number(row.dataset.index));
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

  async #choose(index) {
    if (index < 0 || index >= this.#rows.length) return;
    this.#at = index;
    this.#list.reveal(index);
    if (this.#rows[index] === null) await this.#fetch(Math.floor(index / PAGE));
    const row = this.#rows[index];
    if (!row || this.#at !== index) return;
    this.dispatchEvent(new CustomEvent("open", { detail: { screen: row.screen, name: row.name } }));
  }

  #follow() {
    if (this.#at < 0 || !this.#rows[this.#at]) {
      this.#place.removeAttribute("aria-activedescendant");
      return;
    }
    this.#list.reveal(this.#at);
    this.#place.setAttribute("aria-activedescendant", `question-${this.#at}`);
  }
}

function same(one, other) {
  return one.screen === other.screen && one.name === other.name;
}

function cells({ screen, name, standing, why, by, words, form, level, action }) {
  const told = standing === "kept" ? "" : standing;
  const none = el("span", { class: "soft" }, form ? "without words" : "cannot be read");
  return [
    el("span", { class: "words", dir: "auto" }, words || none),
    el("span", { class: "about" },
      el("span", null, form ? kindOf({ form, level, action }) : name),
      told && el("span", { class: "chip", title: why || null }, told),
      by && el("span", { class: "chip" }, `edited by ${by}`)),
    el("span", { class: "on soft" }, el("bdi", null, screen)),
  ];
}
