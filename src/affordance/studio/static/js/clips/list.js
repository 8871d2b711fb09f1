/** The list of clips, with how far they are. */

import { el } from "../lib/dom.js";
import { getJson } from "../lib/api.js";
import { MINE, offerMine } from "../lib/mine.js";
import { PickList } from "../lib/picklist.js";

const ROW = 64; // CSS pixels
const PAUSE = 150; // ms after the last letter of a search
const EVERY = 15_000; // ms between looks at what others did
const STANDING = { open: "", done: "Done", flagged: "Flagged", aside: "Put aside" };
const MISSING = { start_frame: "start", end_frame: "end", regions: "region", context: "context" };

/** Events: "open" (detail: the clip's id) when somebody chooses a row, "counted" (detail: {all}). */
export class ClipList extends EventTarget {
  #search = document.getElementById("search");
  #show = document.getElementById("show");
  #found = document.getElementById("found");
  #progress = document.getElementById("progress");
  #none = document.getElementById("no-match");
  #list;
  #mine = new Set(); // assigned to who looks
  #timer = 0;

  constructor() {
    super();
    this.#list = new PickList(document.getElementById("list"), {
      rowHeight: ROW,
      key: (clip) => clip.id,
      fill: (row, clip) => row.replaceChildren(...cells(clip)),
      shown: (clip) => this.#fits(clip),
      counted: (rows, all) => this.#tell(rows, all),
    });
    this.#list.addEventListener("open", ({ detail: { item } }) => {
      this.dispatchEvent(new CustomEvent("open", { detail: item.id }));
    });
    this.#search.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#list.sift(), PAUSE);
    });
    this.#show.addEventListener("change", () => this.#list.sift());
    setInterval(() => document.visibilityState === "visible" && void this.load(), EVERY);
  }

  async load() {
    try {
      const { clips, mine } = await getJson("/api/clips");
      this.#mine = offerMine(this.#show, mine);
      this.#list.take(clips);
    } catch (error) {
      if (!this.#list.all.length) this.#found.textContent = `The clips cannot be loaded: ${error.message}`;
      return;
    }
    this.dispatchEvent(new CustomEvent("counted", { detail: { all: this.#list.all.length } }));
  }

  /** The first that is not done, or the first. */
  get first() {
    return (this.#list.rows.find((one) => one.standing === "open") ?? this.#list.rows[0])?.id ?? null;
  }

  mark(id) {
    this.#list.mark(id);
  }

  /** Go on by some rows and open what is there. */
  step(by) {
    this.#list.step(by);
  }

  /** What was changed here is in the list before the server has it. */
  patch(id, document) {
    this.#list.patch(id, summary(document));
  }

  focusSearch() {
    this.#search.focus();
    this.#search.select();
  }

  #fits(clip) {
    const wanted = this.#show.value;
    if (wanted === MINE ? !this.#mine.has(clip.id) : wanted !== "all" && clip.standing !== wanted) return false;
    const words = this.#search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const { id, context = "", platform = "", purpose = "" } = clip;
    const text = `${id} ${context} ${platform} ${purpose}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  }

  #tell(rows, all) {
    const going = all.filter((one) => one.standing === "open" || one.standing === "done");
    const done = going.filter((one) => one.standing === "done").length;
    const clips = (count) => `${count.toLocaleString()} ${count === 1 ? "clip" : "clips"}`;
    const part = rows.length === all.length ? "" : `${rows.length.toLocaleString()} of `;
    this.#found.textContent = `${part}${clips(all.length)}, ${done.toLocaleString()} done`;
    this.#progress.hidden = going.length === 0;
    this.#progress.value = going.length ? done / going.length : 0;
    this.#none.hidden = rows.length > 0 || all.length === 0;
    this.#none.textContent = "No clip is like that. Look for other words, or show all.";
  }
}

function cells({ id, standing, missing, seconds, platform, context, unreadable }) {
  if (unreadable) return [el("span", { class: "title" }, id), el("span", { class: "soft" }, "cannot be read")];
  const left = standing === "open" && missing.length ? `no ${missing.map((one) => MISSING[one]).join(", ")}` : "";
  return [
    el("span", { class: "title" }, el("bdi", null, id)),
    el("span", { class: "about soft" },
      STANDING[standing] && el("span", { class: "chip", "data-chip": standing }, STANDING[standing]),
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
