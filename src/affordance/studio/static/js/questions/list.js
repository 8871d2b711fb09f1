/** The list of questions over all screens. Rows are fetched a page at a time, as they come into view. */

import { el, meta } from "../lib/dom.js";
import { getJson } from "../lib/api.js";
import { PickRows } from "../lib/pickrows.js";
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
  #pages = new Map(); // what comes of those that were asked for
  #query = "";
  #round = 0;
  #anew = true; // whether the rows are those of another search
  #timer = 0;

  constructor() {
    super();
    this.#list = new PickRows(this.#place, { rowHeight: ROW, key: keyOf, fill: (...given) => this.#fill(...given) });
    this.#list.addEventListener("open", ({ detail }) => void this.#open(detail.index));
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
    this.#anew = true;
    if (await this.#fetch(0)) this.#place.scrollTop = 0;
  }

  /** Which question is open. @param {{screen: string, name: string}} place */
  mark(place) {
    this.#list.mark(keyOf(place));
    if (this.#list.at < 0) void this.#seek(keyOf(place));
  }

  /** Go on by some rows and open what is there. */
  step(by) {
    this.#list.step(by);
  }

  /** What was changed here is in the list before the server has it. */
  patch(place, { document }) {
    const told = {
      standing: standingOf(document),
      why: document.dropped ?? "",
      by: personOf(meta("person")),
      words: firstWords(document),
    };
    const here = (row) => row && keyOf(row) === keyOf(place);
    this.#list.put(this.#list.rows.map((row) => (here(row) ? { ...row, ...told } : row)));
  }

  /** The first row that was fetched. */
  get first() {
    return this.#list.rows[0] ?? null;
  }

  get asked() {
    return { search: this.#search.value.trim(), show: this.#show.value };
  }

  /** Fetch the page that has the open question, and show where it is. */
  async #seek(key) {
    const asked = new URLSearchParams({ near: key, limit: "1" });
    const none = { place: null }; // that the server is away is told elsewhere
    const { place } = await getJson(`/api/questions?${this.#query}&${asked}`).catch(() => none);
    if (place === null || this.#list.chosen !== key) return;
    await this.#fetch(Math.floor(place / PAGE));
    if (this.#list.chosen === key) this.#list.mark(key);
  }

  /** Fetch the pages that are known again, without moving anything. */
  async #again() {
    for (const page of [...this.#pages.keys()].slice(-3)) {
      this.#pages.delete(page);
      await this.#fetch(page);
    }
  }

  /** @returns {Promise<boolean>} whether it came, and was still wanted */
  #fetch(page) {
    if (!this.#pages.has(page)) this.#pages.set(page, this.#ask(page));
    return this.#pages.get(page);
  }

  async #ask(page) {
    const round = this.#round;
    let got;
    try {
      got = await getJson(`/api/questions?${this.#query}&offset=${page * PAGE}&limit=${PAGE}`);
    } catch (error) {
      if (round !== this.#round) return false;
      this.#pages.delete(page);
      if (!this.#list.rows.length) this.#found.textContent = `The questions cannot be loaded: ${error.message}`;
      return false;
    }
    if (round !== this.#round) return false;
    this.#take(got);
    return true;
  }

  #take({ total, all, offset, rows }) {
    const known = this.#anew ? [] : this.#list.rows;
    this.#anew = false;
    this.#list.put(Array.from({ length: total }, (_, index) => rows[index - offset] ?? known[index] ?? null));
    this.#tell({ total, all });
  }

  #tell({ total, all }) {
    const questions = (count) => `${count.toLocaleString()} ${count === 1 ? "question" : "questions"}`;
    this.#found.textContent = total === all ? questions(all) : `${total.toLocaleString()} of ${questions(all)}`;
    this.#none.hidden = total > 0 || all === 0;
    this.#none.textContent = "No question is like that. Look for other words, or show all.";
    this.dispatchEvent(new CustomEvent("counted", { detail: { all } }));
  }

  #fill(row, item, index) {
    if (item === null) void this.#fetch(Math.floor(index / PAGE));
    row.replaceChildren(...(item === null ? [el("span", { class: "soft" }, "Loading")] : cells(item)));
  }

  async #open(index) {
    if (this.#list.rows[index] === null) await this.#fetch(Math.floor(index / PAGE));
    const row = this.#list.rows[index];
    if (!row || this.#list.at !== index) return;
    this.dispatchEvent(new CustomEvent("open", { detail: { screen: row.screen, name: row.name } }));
  }
}

function keyOf({ screen, name }) {
  return `${screen}/${name}`;
}

function cells({ screen, name, standing, why, by, words, form, level, action }) {
  const told = standing === "kept" ? "" : standing;
  const none = el("span", { class: "soft" }, form ? "without words" : "cannot be read");
  return [
    el("span", { class: "title", dir: "auto" }, words || none),
    el("span", { class: "about" },
      el("span", null, form ? kindOf({ form, level, action }) : name),
      told && el("span", { class: "chip", title: why || null, "data-chip": standing }, told),
      by && el("span", { class: "chip", "data-chip": "edited" }, `edited by ${by}`)),
    el("span", { class: "on soft" }, el("bdi", null, screen)),
  ];
}
