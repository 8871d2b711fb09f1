/** What is known of a clip, in fields: when and where it runs, what is around it, what it answers to, and flags. */

import { announce, el, leaveField } from "../lib/dom.js";
import { Drafts } from "../lib/drafts.js";
import { renew } from "../lib/renew.js";
import { Wording } from "../questions/wording.js";
import { pixelBox, unitBox } from "./frames.js";
import { InputRows } from "./inputs.js";

const FLAGS = ["sensitive content", "personal data"];
const drafts = new Drafts("clips");

/** Events: "edit" (detail: {label, set, after}), "region" (detail: {index, xyxy}), "pick" and "remove" (detail: index). */
export class Fields extends EventTarget {
  #place = document.getElementById("fields");
  #editable;
  #clip = null;
  #id = "";
  #texts = new Map();
  #start;
  #end;
  #regions;
  #platform;
  #inputs;
  #flags;
  #refused; // why a frame that was typed is not taken
  #away;
  #acts;
  #facts;
  #notice;

  constructor({ editable }) {
    super();
    this.#editable = editable;
  }

  open(id, entry) {
    this.#id = id;
    this.#refused = el("p", { class: "error", role: "alert", hidden: true });
    this.#start = this.#number("Start", "start_frame");
    this.#end = this.#number("End", "end_frame");
    this.#regions = el("div", { class: "region-fields" });
    this.#platform = el("input", { id: "platform", list: "platforms", maxlength: 80, readonly: !this.#editable });
    this.#platform.addEventListener("change", () => {
      this.#edit("Platform", { platform: this.#platform.value.trim() || null });
    });
    this.#inputs = new InputRows({ editable: this.#editable });
    this.#inputs.addEventListener("inputs", ({ detail }) => this.#edit(detail.label, { inputs: detail.inputs }));
    this.#flags = FLAGS.map((flag) => {
      const box = el("input", { type: "checkbox", disabled: !this.#editable, onchange: () => this.#flag() });
      box.value = flag;
      return box;
    });
    this.#away = el("div", { class: "acts" });
    this.#acts = el("div", { class: "acts" });
    this.#notice = el("p", { class: "error", role: "alert", hidden: true });
    this.#facts = el("dl", { class: "facts" });
    this.#texts = new Map([
      ["context", this.#text("context", "Where it happens", "which app, what the person wants", entry)],
      ["note", this.#text("note", "Reason", "for a flag, or to put it aside", entry)],
    ]);
    this.#place.replaceChildren(
      el("section", { "aria-label": "When" }, el("h3", null, "When it runs"),
        el("div", { class: "pair" }, this.#start.label, this.#end.label), this.#refused),
      el("section", { "aria-label": "Where" }, el("h3", null, "Where"), this.#regions),
      el("section", { "aria-label": "Around it" }, el("h3", null, "What is around it"),
        this.#texts.get("context").element,
        el("label", { for: "platform" }, "Platform"), this.#platform),
      el("section", { "aria-label": "Input" }, el("h3", null, "What the person does"), this.#inputs.element),
      el("section", { "aria-label": "Flags" }, el("h3", null, "Left out of studies and exports"),
        this.#flags.map((box) => el("label", { class: "check" }, box, ` ${capital(box.value)}`)),
        this.#texts.get("note").element, this.#notice, this.#away),
      this.#acts,
      this.#facts,
    );
    this.show(entry);
  }

  /** What is being typed is saved to its own clip first. */
  close() {
    leaveField(this.#place);
    this.#id = "";
    this.#texts.clear();
    this.#place.replaceChildren();
  }

  /** Whoever leaves the clip has finished their sentence. */
  async leave() {
    for (const text of this.#texts.values()) await text.save();
  }

  /** As the clip is now. @param {number} [selected] the region that is chosen */
  show(entry, selected = -1) {
    const clip = entry.document;
    this.#clip = entry;
    for (const [name, text] of this.#texts) text.setSaved(this.#saved(name, entry));
    for (const { field, name } of [this.#start, this.#end]) {
      field.max = String(clip.frames - 1);
      if (document.activeElement !== field || field.dataset.dirty !== "yes") field.value = clip[name] ?? "";
    }
    if (document.activeElement !== this.#platform) this.#platform.value = clip.platform ?? "";
    this.#inputs.show(clip.inputs ?? []);
    for (const box of this.#flags) box.checked = (clip.flags ?? []).includes(box.value);
    this.#showRegions(clip, selected);
    if (this.#editable) this.#buttons(clip);
    this.#facts.replaceChildren(...facts(entry).flatMap(([term, value]) => [el("dt", null, term), el("dd", null, value)]));
  }

  /** Put the clip aside, or take that back. A reason has to be there. */
  async aside() {
    const id = this.#id;
    await this.#texts.get("note").save();
    if (id !== this.#id) return;
    const { aside, note } = this.#clip.document;
    this.#notice.hidden = Boolean(aside || note?.trim());
    if (aside) this.#edit("Take back", { aside: false });
    else if (note?.trim()) this.#edit("Put aside", { aside: true });
    else {
      this.#notice.textContent = "Write the reason first.";
      this.#texts.get("note").focus();
    }
  }

  done() {
    const { done } = this.#clip.document;
    this.#edit(done ? "Not done" : "Done", { done: !done });
  }

  focus() {
    this.#texts.get("context")?.focus();
  }

  #edit(label, set, after) {
    this.dispatchEvent(new CustomEvent("edit", { detail: { label, set, after } }));
  }

  #saved(name, { document, version, author }) {
    return { text: document[name] ?? "", version, author };
  }

  #text(name, label, hint, entry) {
    const key = `${this.#id}/${name}`;
    return new Wording({
      ...{ label, hint, saved: this.#saved(name, entry), editable: this.#editable, rows: 2, data: { part: name } },
      draft: this.#editable ? drafts.get(key) : null,
      onInput: (draft) => (draft === null ? drafts.drop(key) : drafts.set(key, draft)),
      onSave: async (value, after) => {
        this.#edit(capital(name), { [name]: value || (name === "note" ? "" : null) }, after);
        drafts.drop(key);
        return "";
      },
    });
  }

  #number(label, name) {
    const field = el("input", { type: "number", name, min: 0, step: 1, inputmode: "numeric", readonly: !this.#editable });
    field.addEventListener("input", () => (field.dataset.dirty = "yes"));
    field.addEventListener("change", () => {
      delete field.dataset.dirty;
      const frame = field.value === "" ? null : Number(field.value);
      const wrong = frame === null ? "" : this.#whyNot(name, frame);
      this.#refused.textContent = wrong;
      this.#refused.hidden = !wrong;
      if (wrong) {
        field.value = this.#clip.document[name] ?? "";
        return;
      }
      this.dispatchEvent(new CustomEvent("frame", { detail: { edge: name === "start_frame" ? "start" : "end", frame } }));
    });
    return { field, name, label: el("label", null, `${label} frame`, field) };
  }

  /** Why a frame cannot be the start or the end; "" where it can. */
  #whyNot(name, frame) {
    const { frames, start_frame: start = null, end_frame: end = null } = this.#clip.document;
    if (!Number.isInteger(frame) || frame < 0 || frame >= frames) {
      return `Frame ${frame} was not taken: the clip has the frames 0 to ${frames - 1}.`;
    }
    if (name === "end_frame" && start !== null && frame < start) {
      return `Frame ${frame} was not taken: it is before the start, frame ${start}.`;
    }
    if (name === "start_frame" && end !== null && frame > end) {
      return `Frame ${frame} was not taken: it is after the end, frame ${end}.`;
    }
    return "";
  }

  #flag() {
    const flags = this.#flags.filter((box) => box.checked).map((box) => box.value);
    this.#edit("Flags", { flags });
  }

  #showRegions(clip, selected) {
    const boxes = clip.regions ?? [];
    const none = this.#editable ? "None yet: drag on the frame to draw one, or press N." : "None.";
    const make = () => boxes.map((_, index) => this.#region(index, clip));
    renew(this.#regions, [boxes.length, clip.width, clip.height], () => (boxes.length ? make() : [el("p", { class: "soft" }, none)]));
    for (const [index, row] of [...this.#regions.querySelectorAll(".region-row")].entries()) {
      row.querySelector("[aria-pressed]").setAttribute("aria-pressed", String(index === selected));
      const { xyxy } = pixelBox(unitBox(boxes[index], clip), clip);
      for (const [at, field] of [...row.querySelectorAll("input")].entries()) {
        if (field.dataset.dirty !== "yes") field.value = String(xyxy[at]); // unless somebody is typing
      }
    }
  }

  #region(index, clip) {
    const fields = ["left", "top", "right", "bottom"].map((name, at) => {
      const field = el("input", { type: "number", min: 0, step: 1, "aria-label": `Region ${index + 1}, ${name}`, "data-edge": name, readonly: !this.#editable });
      field.max = String(at % 2 ? clip.height : clip.width);
      field.addEventListener("input", () => (field.dataset.dirty = "yes"));
      field.addEventListener("blur", () => delete field.dataset.dirty);
      field.addEventListener("change", () => {
        delete field.dataset.dirty;
        const xyxy = fields.map((one) => one.valueAsNumber);
        if (xyxy.every(Number.isFinite)) this.dispatchEvent(new CustomEvent("region", { detail: { index, xyxy } }));
        else {
          const { document } = this.#clip;
          field.value = String(pixelBox(unitBox(document.regions[index], document), document).xyxy[at]);
          announce("An edge of a region needs a number.");
        }
      });
      return field;
    });
    const tell = (type) => () => this.dispatchEvent(new CustomEvent(type, { detail: index }));
    const pick = el("button", { type: "button", class: "plain", "aria-pressed": "false", dataset: { action: `pick ${index}` }, onclick: tell("pick") }, `Region ${index + 1}`);
    const away = el("button", { type: "button", class: "plain", "aria-label": `Remove region ${index + 1}`, dataset: { action: `remove ${index}` }, onclick: tell("remove") }, "Remove");
    return el("div", { class: "region-row" }, pick, this.#editable && away, el("div", { class: "numbers" }, fields));
  }

  #buttons(clip) {
    const button = (place, label, key, run, look = null) => {
      renew(place, label, () => [
        el("button", { type: "button", class: look, onclick: run }, `${label} `, el("kbd", null, key)),
      ]);
    };
    button(this.#away, clip.aside ? "Take back" : "Put aside", "X", () => void this.aside(), clip.aside ? null : "danger");
    button(this.#acts, clip.done ? "Not done after all" : "Done", "D", () => this.done(), clip.done ? null : "primary");
  }
}

function facts({ document: clip, author }) {
  const rows = [
    ["Video", `${clip.width} × ${clip.height}, ${clip.frames} frames, ${Number((clip.frames / rate(clip.rate)).toFixed(2))} s`],
    ["From", clip.source || null],
    ["Purpose", clip.purpose ?? null],
    ["Described by", described(clip)],
    ["Changed last by", author.startsWith("person:") ? author.slice("person:".length) : null],
  ];
  return rows.filter(([, value]) => value);
}

function described({ effect_responses: effects = [], meaning_responses: meanings = [] }) {
  const count = Math.max(effects.length, meanings.length);
  return count ? `${count} ${count === 1 ? "person" : "people"}` : null;
}

function rate(text) {
  const [above, below = "1"] = text.split("/");
  return Number(above) / Number(below);
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}
