/** The page: one text at a time, and what is said of it. */

import { announce, el, withCode } from "../lib/dom.js";
import { getJson } from "../lib/api.js";
import { mountStatus } from "../work/status.js";
import { judged, takenBack, toldAnew } from "./edits.js";
import { endOf } from "./end.js";
import { keymap } from "./keymap.js";
import { Looking } from "./looking.js";
import { Looks } from "./looks.js";
import { past } from "./past.js";
import { Queue, SHOWS, textOf } from "./queue.js";
import { reasonFor, settleReason } from "./reason.js";
import { Sheets } from "./sheets.js";
import { Strokes } from "./strokes.js";
import { Texts } from "./texts.js";
import { Verdict } from "./verdict.js";

const EVERY = 10_000; // ms between looks at what others did
const READ = 1_000; // ms that a text is there before it can be judged, where somebody has changed it meanwhile
const at = (id) => document.getElementById(id);

class Page {
  #may = at("validation").dataset.may === "yes";
  #sheets = new Sheets((sheet, event) => this.#changed(sheet, event));
  #looks = new Looks();
  #verdict = new Verdict();
  #texts = new Texts((values, after) => this.#write(values, after));
  #looking = new Looking(at("queue"));
  #strokes = new Strokes(this.#sheets);
  #queue = null;
  #now = null; // {screen, name}
  #skipped = 0;
  #turn = 0; // of the last move: an earlier one that comes late is dropped
  #renewed = -Infinity; // when somebody else has changed the text that is shown

  async start() {
    const asked = new URLSearchParams(location.search);
    at("show").value = asked.get("show") in SHOWS ? asked.get("show") : "todo";
    this.#listen();
    await this.#begin(asked.get("screen") ? { screen: asked.get("screen"), name: asked.get("region") ?? "" } : null);
    setInterval(() => document.visibilityState === "visible" && void this.#recount(), EVERY);
  }

  async #begin(from = null) {
    this.#queue = new Queue(at("show").value, this.#sheets);
    this.#skipped = 0;
    this.#now = null;
    const turn = ++this.#turn;
    try {
      this.#queue.take((await getJson("/api/screens")).screens);
      const first = (from && (await this.#wanted(from))) || (await this.#find(null, 1));
      if (turn === this.#turn && first !== undefined) await this.#open(first);
    } catch (error) {
      const again = ["Try again", () => this.#begin(from)];
      this.#none({ lines: [`The texts cannot be loaded: ${error.message}.`], act: again, reason: "error" });
    }
  }

  /** What the address asks for: a text, or the first one of a screen. */
  async #wanted({ screen, name }) {
    try {
      const sheet = await this.#sheets.get(screen);
      const names = await this.#queue.names(screen);
      const found = name && textOf(sheet, name) ? name : names[0];
      if (found === undefined) return null;
      this.#queue.admit({ screen, name: found });
      return { screen, name: found };
    } catch {
      return null; // no such screen: the page begins with the first one
    }
  }

  async #recount() {
    try {
      this.#queue.take((await getJson("/api/screens")).screens);
      if (this.#now) this.#queue.count(await this.#sheets.get(this.#now.screen));
      this.#tell();
    } catch {
      // The status says that the server cannot be reached.
    }
  }

  /** The next text, or the one before; null: there is none; undefined: somebody has stopped looking for it. */
  async #find(from, way) {
    const turn = this.#turn;
    const blank = () => this.#now || (at("item").hidden = at("none").hidden = true);
    const { found, last } = await this.#looking.through(this.#queue, from, way, blank);
    if (found !== undefined || turn !== this.#turn) return found;
    if (this.#now) this.#say("Stopped.");
    else {
      const act = ["Look further", () => this.#go(way, last)];
      this.#none({ lines: ["Stopped before one was found."], act, reason: "stopped" });
    }
    return undefined;
  }

  async #go(way, from = this.#now) {
    const turn = ++this.#turn;
    try {
      const next = await this.#find(from, way);
      if (turn !== this.#turn || next === undefined) return;
      if (next || way > 0) await this.#open(next);
      else this.#say("This is the first one.");
    } catch (error) {
      this.#say(error.message);
    }
  }

  async #open(place) {
    if (!place) {
      this.#none(endOf(at("show").value, this.#queue.counts, this.#skipped, () => this.#begin()));
      return;
    }
    const moved = this.#now?.screen !== place.screen || this.#now?.name !== place.name;
    const sheet = await this.#sheets.get(place.screen);
    const text = textOf(sheet, place.name);
    const title = sheet.titleOf(place.name);
    this.#now = { ...place, title };
    if (moved) this.#renewed = -Infinity;
    if (!text) {
      this.#say(`The text of ${title} is out of date: its box was changed.`);
      await this.#go(1);
      return;
    }
    at("none").hidden = true;
    at("item").hidden = false;
    const drawn = this.#looks.show(sheet, text);
    this.#verdict.show(place.screen, text);
    this.#texts.show(place.screen, text, past(place.screen, place.name, this.#may ? this.#restore : null));
    this.#queue.count(sheet);
    this.#tell();
    this.#address(place);
    if (moved) announce(`${title} on ${place.screen}. ${text.told.document.functionality}`);
    await drawn;
    const next = await this.#queue.step(place, 1, { most: 1 });
    if (next) void this.#sheets.prepare(next.screen);
  }

  #address({ screen, name }) {
    const show = at("show").value;
    const asked = new URLSearchParams({ ...(show === "todo" ? {} : { show }), screen, region: name });
    history.replaceState(null, "", `?${asked}`);
  }

  #none({ lines, act, reason }) {
    this.#now = null;
    at("item").hidden = true;
    at("none").hidden = false;
    at("none").dataset.reason = reason;
    const button = act ? el("button", { type: "button", "data-action": "continue", onclick: act[1] }, act[0]) : null;
    at("none").replaceChildren(...lines.map((line) => el("p", null, ...withCode(line))), ...(button ? [button] : []));
    this.#tell();
    announce(lines.join(" "));
  }

  #tell() {
    const { left, total } = this.#queue.counts;
    Object.assign(at("togo").dataset, { left, total });
    at("togo").textContent = `${left.toLocaleString()} of ${total.toLocaleString()} to go`;
    const [number, of] = this.#now ? this.#queue.place(this.#now) : [0, 0];
    at("place").textContent = number ? `${number} of ${of} on this screen` : "";
    const undo = document.querySelector('#verdict [data-action="undo"]');
    if (undo) undo.disabled = !this.#strokes.canUndo;
  }

  /** @param {string} words @param {string} [why] a name for why nothing was done */
  #say(words, why = "") {
    at("said").dataset.why = why;
    at("said").textContent = words;
  }

  #changed(sheet, { detail }) {
    this.#queue.count(sheet);
    this.#tell();
    const { screen, name } = this.#now ?? {};
    const concerned = ["region", "type", "retelling", "validation"].some((kind) => detail.keys.has(`${kind}/${name}`));
    if (sheet.id !== screen || !concerned) return;
    const before = this.#texts.told;
    if (detail.by === "others") this.#say(`Somebody else has changed ${name}.`);
    if (detail.by === "others" && textOf(sheet, name)?.told.document.functionality !== before) {
      this.#renewed = performance.now();
    }
    if (!this.#strokes.busy) void this.#open(this.#now);
  }

  /** One stroke: safe on this computer before the page goes on.
   * @param {(sheet: object, name: string) => object[]} edits
   * @param {{next?: boolean, settle?: () => void}} [then] `settle`: what was typed for it is saved */
  async #save(label, edits, said, { next = false, settle = () => {} } = {}) {
    const now = this.#now;
    if (!this.#may || !now || this.#strokes.busy) return;
    try {
      await this.#strokes.save(now, label, edits);
    } catch (error) {
      return this.#say(`Not saved: ${error.message}`);
    }
    this.#verdict.settle();
    settle();
    this.#say(said);
    if (next) await this.#go(1);
    else await this.#open(now);
  }

  #judge(values, said) {
    if (this.#texts.editing) return this.#say("The text is being edited: Ctrl+Enter saves it, Esc leaves it.", "editing");
    if (performance.now() - this.#renewed < READ) return this.#say("The text has just been changed: read it first.", "just-changed");
    const { told } = this.#texts;
    const place = this.#now;
    const then = { next: true, settle: () => settleReason(place) };
    return this.#save(`Verdict on ${place.title}`, (sheet, name) => judged(sheet, name, values, told), said, then);
  }

  #write(values, after) {
    const { name, title } = this.#now;
    const said = `The text of ${title} is saved. Now judge it.`;
    const then = { settle: () => this.#texts.settle() };
    return this.#save(`Text of ${title}`, (sheet) => toldAnew(sheet, name, values, after), said, then);
  }

  #restore = (kind, set) => {
    const { name, title } = this.#now;
    const { told, after } = this.#texts;
    const edits = (sheet) =>
      kind === "retelling" ? toldAnew(sheet, name, set, after) : judged(sheet, name, set, told);
    return this.#save(`Restore ${kind} of ${title}`, edits, "It is as it was.");
  };

  #takeBack() {
    const { title } = this.#now;
    return this.#save(`Take back the verdict on ${title}`, takenBack, `The verdict on ${title} is taken back.`);
  }

  /** A verdict came when its text was another one already. */
  async #again({ screen, name, note }) {
    this.#verdict.refused(screen, name, note);
    this.#strokes.forget({ screen, name });
    await this.#back({ screen, name });
    this.#say(`The text of ${this.#now?.title ?? name} was changed: judge it again.`);
  }

  async #reject() {
    const { title } = this.#now;
    if (this.#texts.editing) return void this.#judge();
    const note = await reasonFor(this.#now, this.#verdict.note);
    if (note === null) return;
    const { contextual, purposeful, truthful } = this.#verdict.values;
    const values = { contextual: contextual ?? true, purposeful: purposeful ?? true, truthful: truthful ?? true };
    await this.#judge({ ...values, rejected: true, note }, `${title} is rejected. U takes it back.`);
  }

  /** The last thing that was said on this page, on whichever screen that was. */
  async #undo() {
    const { said, place } = await this.#strokes.undo();
    if (said) this.#say(said, place ? "" : "nothing-to-undo");
    if (place) await this.#back(place);
  }

  async #back(place) {
    this.#queue.admit(place);
    this.#turn++;
    await this.#open(place);
  }

  #acts() {
    const passing = { contextual: true, purposeful: true, truthful: true };
    return {
      pass: () => this.#judge({ ...passing, note: this.#verdict.note }, `${this.#now.title} passes. U takes it back.`),
      save: () =>
        this.#verdict.complete
          ? this.#judge(this.#verdict.values, `The verdict on ${this.#now.title} is saved. U takes it back.`)
          : this.#say("Nothing is judged yet: A passes all; 1, 2 and 3 fail one.", "not-judged"),
      toggle: (index) => announce(this.#verdict.toggle(index)),
      note: () => this.#verdict.focusNote(),
      edit: () => this.#texts.edit(),
      reject: () => void this.#reject(),
      "take-back": () => this.#takeBack(),
      undo: () => void this.#undo(),
      next: () => void this.#go(1),
      previous: () => void this.#go(-1),
      skip: () => {
        this.#skipped += 1;
        void this.#go(1);
      },
      enlarge: () => void this.#looks.enlarge(),
      stop: () => this.#looking.leave(),
    };
  }

  #listen() {
    const acts = this.#acts();
    const keys = keymap(acts, () => this.#may && this.#now !== null);
    for (const button of document.querySelectorAll("#verdict [data-action]")) {
      button.addEventListener("click", () => acts[button.dataset.action]());
    }
    at("previous").addEventListener("click", acts.previous);
    at("next").addEventListener("click", acts.next);
    at("help").addEventListener("click", () => keys.help());
    at("show").addEventListener("change", () => void this.#begin());
    addEventListener("judge", (event) => {
      event.preventDefault();
      void this.#again(event.detail);
    });
  }
}

mountStatus(at("status"));
void new Page().start();
