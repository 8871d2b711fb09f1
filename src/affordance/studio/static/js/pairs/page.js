/** The page: the list of pairs, the two designs, and what is said of them. */

import { announce, el, leaveField } from "../lib/dom.js";
import { hideNone, showNone } from "../lib/none.js";
import { Desk } from "../work/desk.js";
import { mountStatus } from "../work/status.js";
import { personOf } from "../work/words.js";
import { standing } from "./edits.js";
import { showFacts } from "./facts.js";
import { keymap } from "./keymap.js";
import { PairList } from "./list.js";
import { Rationales } from "./rationales.js";
import { ReviewPanel } from "./review.js";
import { MODES, Stage } from "./stage.js";
import { TabList } from "./tabs.js";
import { Tags } from "./tags.js";

const TABS = ["rationales", "review", "tags"];
const at = (id) => document.getElementById(id);

class Page {
  #may = { edit: at("pairs").dataset.edit === "yes", review: at("pairs").dataset.review === "yes" };
  #list = new PairList();
  #stage = new Stage(at("stage"));
  #rationales = new Rationales(this.#may);
  #review = new ReviewPanel(this.#may, { write: (line) => this.#write(line) });
  #tags = new Tags(this.#may, () => this.#list.rows);
  #tabs = new TabList(TABS);
  #desk = null;
  #blind = false;
  #turn = 0; // of the pair that was opened last: an earlier one that comes late is dropped

  async start() {
    this.#listen();
    const asked = new URLSearchParams(location.search);
    this.#list.look({ search: asked.get("search") ?? "", show: asked.get("show") ?? "all" });
    await this.#list.load();
    const first = asked.get("pair") ?? this.#list.first;
    if (first) await this.#open(first);
    else if (!this.#list.rows.length) this.#nothing(["There are no pairs yet.",
      "They are taken in with `affordance author init PROJECT SPEC`, where SPEC is a dataset of pairs of designs."]);
  }

  async #open(id) {
    const turn = ++this.#turn;
    await this.#leave();
    try {
      const desk = await Desk.open(id, `/api/pair?screen=${encodeURIComponent(id)}`);
      if (turn !== this.#turn) return desk.close();
      for (const name of TABS) leaveField(at(name));
      this.#desk?.close();
      this.#desk = desk;
      this.#show();
    } catch (error) {
      if (turn === this.#turn) this.#nothing([`The pair cannot be shown: ${error.message}.`]);
    }
    return undefined;
  }

  #show() {
    const desk = this.#desk;
    hideNone();
    desk.addEventListener("change", () => desk === this.#desk && this.#changed());
    desk.addEventListener("people", () => desk === this.#desk && this.#title());
    this.#title();
    this.#rationales.open(desk);
    this.#review.open(desk);
    this.#tags.open(desk);
    this.#changed();
    this.#list.mark(desk.id);
    const { search, show } = this.#list.asked;
    const asked = { ...(search ? { search } : {}), ...(show === "all" ? {} : { show }) };
    history.replaceState(null, "", `?${new URLSearchParams({ ...asked, pair: desk.id })}`);
  }

  get #pair() {
    return this.#desk.get("pair", "").document;
  }

  #changed() {
    void this.#stage.setPair(this.#pair, this.#blind);
    showFacts(at("facts"), this.#pair, this.#blind);
    this.#rationales.update();
    this.#review.update();
    this.#tags.update();
    const all = standing(this.#desk.entries("rationale").values());
    const { page_type, industry, device, changes = {}, aside = false, goal } = this.#pair;
    const lawless = all.filter((one) => !one.document.law).length;
    this.#list.patch(this.#desk.id, {
      ...{ page_type, industry, device, changes, aside, lawless, rationales: all.length },
      goal: (goal ?? "").slice(0, 120),
    });
    this.#tabs.label("rationales", all.length ? `Rationales (${all.length})` : "Rationales");
    if (!this.#may.edit) return;
    at("undo").disabled = !this.#desk.canUndo;
    at("redo").disabled = !this.#desk.canRedo;
    at("undo").title = `Undo ${this.#desk.undoLabel} (Ctrl+Z)`;
    at("redo").title = `Redo ${this.#desk.redoLabel} (Ctrl+Shift+Z)`;
  }

  #title() {
    const { id, people } = this.#desk;
    const there = people.length ? el("span", { class: "soft" }, ` ${people.map(personOf).join(", ")} here too`) : "";
    at("title").replaceChildren(el("bdi", null, id), there);
  }

  #nothing(lines) {
    this.#desk?.close();
    this.#desk = null;
    showNone(lines);
  }

  async #leave() {
    await this.#rationales.leave();
    await this.#review.leave();
    await this.#tags.leave();
  }

  #write(line) {
    this.#tabs.choose("rationales");
    this.#rationales.compose(line);
  }

  async #step(way) {
    if (!this.#desk) return;
    await this.#leave();
    const label = way === "undo" ? this.#desk.undoLabel : this.#desk.redoLabel;
    if (!label) return announce(`There is nothing to ${way}.`);
    if (await (way === "undo" ? this.#desk.undo() : this.#desk.redo())) {
      announce(`${way === "undo" ? "Undone" : "Done again"}: ${label}.`);
    }
    return undefined;
  }

  #setBlind() {
    this.#blind = !this.#blind;
    at("blind").setAttribute("aria-pressed", String(this.#blind));
    at("pairs").classList.toggle("blind", this.#blind);
    this.#list.setBlind(this.#blind);
    this.#stage.setBlind(this.#blind);
    if (this.#desk) showFacts(at("facts"), this.#pair, this.#blind);
    announce(this.#blind ? "Who won and why is hidden." : "Who won and why is shown.");
  }

  #setMode(mode) {
    this.#stage.setMode(mode);
    for (const one of document.querySelectorAll("[data-mode][aria-pressed]")) {
      one.setAttribute("aria-pressed", String(one.dataset.mode === mode));
    }
  }

  #laws() {
    const panel = at("reference");
    panel.hidden = !panel.hidden;
    at("laws").setAttribute("aria-expanded", String(!panel.hidden));
    if (panel.hidden) at("laws").focus();
    else panel.focus();
  }

  #listen() {
    const acts = {
      next: () => this.#list.step(1),
      previous: () => this.#list.step(-1),
      find: () => this.#list.focusSearch(),
      blind: () => this.#setBlind(),
      laws: () => this.#laws(),
      mode: () => {
        const next = MODES[(MODES.indexOf(this.#stage.mode) + 1) % MODES.length];
        this.#setMode(next);
        announce(document.querySelector(`button[data-mode="${next}"]`).textContent);
      },
      swap: () => {
        this.#stage.swap();
        at("swap").setAttribute("aria-pressed", String(this.#stage.swapped));
      },
      zoom: (factor) => this.#stage.zoom(factor),
      fit: () => this.#stage.fit(),
      pan: (x, y) => this.#stage.pan(x, y),
      onStage: () => this.#stage.focused,
      blink: () => this.#stage.blink(),
      blinks: () => this.#stage.mode === "blink",
      tab: (name) => this.#tabs.choose(name, true),
      add: () => this.#write(null),
      move: () => false, // in the list itself, which knows which one is meant
      undo: () => void this.#step("undo"),
      redo: () => void this.#step("redo"),
    };
    const keys = keymap(acts, () => this.#may.edit && this.#desk !== null);
    this.#list.addEventListener("open", ({ detail }) => void this.#open(detail));
    this.#list.addEventListener("loaded", () => this.#desk && this.#tags.suggest());
    for (const name of ["swap", "fit", "blind", "undo", "redo", "laws"]) {
      at(name)?.addEventListener("click", () => acts[name]());
    }
    for (const one of document.querySelectorAll("button[data-mode]")) {
      one.addEventListener("click", () => this.#setMode(one.dataset.mode));
    }
    at("reference-close").addEventListener("click", acts.laws);
    at("reference").addEventListener("keydown", ({ key }) => key === "Escape" && acts.laws());
    at("help").addEventListener("click", () => keys.help());
  }
}

mountStatus(at("status"));
void new Page().start();
