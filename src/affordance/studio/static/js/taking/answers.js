/** The answers of somebody who takes part: what the server has, with what waits on this device on top. */

import { Burst } from "../work/burst.js";
import { useMine } from "../work/decisions.js";
import { keyOf } from "../work/documents.js";
import { Layers } from "../work/layers.js";
import { post } from "../work/post.js";
import { queue } from "../work/queue.js";
import { store } from "../work/store.js";
import { Strokes } from "../work/strokes.js";

const PAUSE = 700; // ms without a change after which an answer is sent
const KIND = "answer";

/** Events: "refused" when the server has turned one down. */
export class Answers extends EventTarget {
  #screen;
  #seat;
  #layers = new Layers(store.person);
  #strokes;
  #burst = null; // of the answer that is being changed
  #timer = 0;
  #told = new Set(); // keys of what was turned down, and was told
  #stop = new AbortController();

  /** @param {string} study @param {string} seat */
  constructor(study, seat) {
    super();
    this.#screen = `study:${study}`;
    this.#seat = seat;
    this.#strokes = new Strokes(this.#screen, this.#layers, (keys) => this.#layers.show(keys));
  }

  /** Read what waits on this device, and listen. */
  async open() {
    const { signal } = this.#stop;
    const on = (type, run) =>
      post.addEventListener(type, ({ detail }) => detail.screen === this.#screen && void run(detail), { signal });
    on("saved", ({ key, entries }) => this.#saved(key, entries));
    on("strokes", ({ key }) => this.#strokes.made(key) || this.#reload());
    queue.addEventListener("state", () => this.#look(), { signal });
    for (const type of ["pagehide", "visibilitychange"]) addEventListener(type, () => void this.pause(), { signal });
    await this.#reload();
  }

  /** What the server has of a slot. @param {{given: object | null, version: number, seconds?: number}} sheet */
  take(slot, { given, version, seconds = 0 }) {
    if (given === null) return;
    const entry = { kind: KIND, name: this.#name(slot), version, author: store.person, created: "" };
    this.#layers.merge({ ...entry, document: { given, seconds } });
    this.#layers.show([keyOf(entry)]);
  }

  /** The answer to a slot as it is here. @returns {{given: object, seconds: number} | null} */
  get(slot) {
    return this.#layers.get(KIND, this.#name(slot))?.document ?? null;
  }

  /** Slots with an answer that the server does not have yet. @returns {Set<string>} */
  get waiting() {
    const cut = this.#seat.length + 1;
    return new Set(this.#layers.pending.flatMap((one) => one.edits.map((edit) => edit.name.slice(cut))));
  }

  /** Answers that the server has turned down, the newest of each slot. @returns {{slot, given, detail}[]} */
  get refused() {
    const cut = this.#seat.length + 1;
    return this.#stuck.map((group) => {
      const [edit] = group.at(-1).edits;
      return { slot: edit.name.slice(cut), given: edit.set.given, detail: group[0].detail };
    });
  }

  /** Send once more what was turned down, as after a study was opened again. */
  async again() {
    await queue.look();
    for (const group of this.#stuck) await useMine(group);
    await queue.look();
  }

  /** A change of the answer to a slot: safe on this device at once, sent when no more comes for a moment. */
  async put(slot, given, seconds) {
    if (this.#burst?.slot !== slot) {
      void this.pause();
      this.#drop(slot);
      this.#burst = { slot, steps: new Burst(this.#strokes, "Answer", { kind: KIND, name: this.#name(slot) }) };
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.pause(), PAUSE);
    await this.#burst.steps.put({ given, seconds });
  }

  /** No more changes for now: what there is may be sent. */
  async pause() {
    clearTimeout(this.#timer);
    const ended = this.#burst;
    this.#burst = null;
    await ended?.steps.end();
  }

  /** Wait until the server has all of them. @returns {Promise<boolean>} false: it cannot be reached, or refuses one */
  async settled() {
    await this.pause();
    queue.wake();
    while (this.#layers.pending.length) {
      if (queue.link !== "online" || this.#stuck.length) return false;
      await new Promise((resolve) => {
        post.addEventListener("saved", resolve, { once: true });
        queue.addEventListener("state", resolve, { once: true });
      });
    }
    return true;
  }

  /** Nothing of them stays on this device. */
  async erase() {
    this.close();
    await store.erase(this.#screen);
    await queue.look();
  }

  close() {
    clearTimeout(this.#timer);
    this.#burst = null;
    this.#stop.abort();
  }

  #name(slot) {
    return `${this.#seat}/${slot}`;
  }

  get #stuck() {
    return queue.stuck.filter((group) => group[0].screen === this.#screen);
  }

  /** Nobody else writes a person's answers: one that met another of theirs, from a second tab, is the newer one. */
  #look() {
    const [first] = this.#stuck;
    if (!first) return;
    if (first[0].state === "conflict") void useMine(first);
    const fresh = this.#stuck.flat().filter((one) => !this.#told.has(one.key));
    for (const one of fresh) this.#told.add(one.key);
    if (fresh.length) this.dispatchEvent(new Event("refused"));
  }

  /** What was turned down is not wanted any more once there is another answer, which is whole by itself. */
  #drop(slot) {
    const gone = this.#stuck.filter((group) => group[0].edits[0].name === this.#name(slot)).flat();
    if (!gone.length) return;
    const keys = new Set(gone.map((one) => one.key));
    this.#layers.setPending(this.#layers.pending.filter((one) => !keys.has(one.key)));
    this.#layers.show([keyOf(gone[0].edits[0])]);
    void store.revise(gone, () => null).then(() => queue.look());
  }

  async #reload() {
    const kept = (await store.strokes()).filter((one) => one.screen === this.#screen && one.state !== "aside");
    const known = new Set(kept.map((one) => one.key));
    const coming = this.#layers.pending.filter((one) => !known.has(one.key) && this.#strokes.unsafe(one.key));
    const earlier = this.#layers.touched();
    this.#layers.setPending([...kept, ...coming]);
    this.#layers.show([...earlier, ...this.#layers.touched()]);
  }

  #saved(key, entries) {
    this.#layers.setPending(this.#layers.pending.filter((one) => one.key !== key));
    for (const entry of entries) this.#layers.saved(entry);
    this.#layers.show(entries.map(keyOf));
  }
}
