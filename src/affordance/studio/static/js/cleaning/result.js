/** What the server makes of a mask, once that is saved: how much of the picture it is, and the picture after it. */

import { getJson } from "../lib/api.js";
import { share } from "./rows.js";

const at = (id) => document.getElementById(id);

/** Event: "seen" when the picture after it is in sight. */
export class Result extends EventTarget {
  #easel;
  #row = null;
  #version = -1; // of the mask that is told of
  #entry = null;
  #wanted = false; // whether somebody looks at the picture after it
  #asking = 0;
  #seen = -1; // the version of the mask whose picture somebody has looked at
  much = false;

  /** @param {import("./easel.js").Easel} easel */
  constructor(easel) {
    super();
    this.#easel = easel;
  }

  /** Whether somebody has looked at the picture after it, with the mask as it is. */
  get seen() {
    return !this.#entry?.pending && this.#seen === (this.#entry?.version ?? 0);
  }

  /** Another picture. */
  begin(row) {
    this.#row = row;
    this.#version = -1;
    this.#seen = -1;
    this.#asking += 1;
    this.#say("");
  }

  /** Whether the picture after it is looked at. */
  wanted(yes) {
    this.#wanted = yes;
    if (yes) void this.#ask();
  }

  /** The mask as it is. @param {object | null} entry null: nobody has changed it yet */
  take(entry) {
    this.#entry = entry;
    if (entry?.pending) this.#say("Counted and painted over when it is saved.", "pending");
    else if ((entry?.version ?? 0) !== this.#version || this.#wanted) void this.#ask();
  }

  async #ask() {
    if (!this.#row || this.#entry?.pending) return;
    const asking = (this.#asking += 1);
    const row = this.#row;
    const asked = { screen: row.id, place: row.place };
    try {
      const { version, masked, much } = await getJson(`/api/mask?${new URLSearchParams(asked)}`);
      if (asking !== this.#asking) return;
      this.#version = version;
      this.much = much;
      Object.assign(at("masked").dataset, { state: "counted", share: masked });
      at("masked").textContent = masked ? `${share(masked)} of the picture is masked.` : "Nothing is masked.";
      at("much").hidden = !much;
      if (!this.#wanted) return;
      const url = `/api/mask/picture?${new URLSearchParams({ ...asked, version, what: "after" })}`;
      const came = await this.#easel.after.show(url, row.size);
      if (asking !== this.#asking) return;
      this.#easel.tell(came ? "" : "It could not be painted over; try again with P.");
      if (!came) return;
      this.#seen = version;
      this.dispatchEvent(new Event("seen"));
    } catch (error) {
      if (asking === this.#asking) this.#say(`It cannot be counted: ${error.message}`, "error");
    }
  }

  #say(words, state = "") {
    Object.assign(at("masked").dataset, { state, share: "" });
    at("masked").textContent = words || " ";
    at("much").hidden = true;
    this.much = false;
  }
}
