import { postJson } from "../lib/api.js";
import { Latest } from "./latest.js";
import { byRegion } from "./warnings.js";

const PAUSE = 200; // milliseconds from one question to the next

/** What is wrong with boxes: as they are saved, and as they would be if what is being dragged stayed there. */
export class Trouble {
  /**
   * @param {(problems: Object<string, string[]> | null) => void} onChange null: nothing is being dragged any more
   * @param {boolean} [warns] false: boxes here are in no tree, so there is nothing to be wrong with them
   */
  constructor(onChange, warns = true) {
    this.onChange = onChange;
    this.warns = warns;
    this.live = null;
    this.telling = null;
    this.asking = new Latest(
      (question) => postJson("/api/problems", question),
      (answer, question) => {
        this.live = { problems: answer.problems, parents: question.concerned };
        this.#tell();
      },
      PAUSE,
    );
  }

  setSheet(sheet) {
    this.clear();
    this.sheet = sheet;
  }

  /** @param {Map<string, number[]>} boxes that are being dragged @param {Object<string, string>} parents of new ones */
  check(boxes, parents = {}) {
    if (!this.warns) return;
    const concerned = new Set(boxes.keys());
    for (const name of boxes.keys()) concerned.add(parents[name] ?? this.sheet.region(name)?.parent);
    const question = { screen: this.sheet.id, boxes: Object.fromEntries(boxes), parents };
    // Not sent: which parents the answer speaks of, also where there is nothing wrong with them any more.
    Object.defineProperty(question, "concerned", { value: concerned, enumerable: false });
    this.asking.put(question);
  }

  /** Nothing is being dragged any more. */
  clear() {
    this.asking.forget();
    if (this.live === null) return;
    this.live = null;
    this.#tell();
  }

  /** Lines by region. @returns {Map<string, string[]>} */
  byRegion() {
    return byRegion(this.#together(), (name) => this.sheet.children(name));
  }

  /** Apart from what has brought it about, and from painting: whoever lists problems has a lot to do. */
  #tell() {
    this.telling ??= setTimeout(() => {
      this.telling = null;
      this.onChange(this.live === null ? null : this.#together());
    });
  }

  #together() {
    const saved = this.sheet?.problems ?? {};
    if (this.live === null) return saved;
    const others = Object.entries(saved).filter(([parent]) => !this.live.parents.has(parent));
    return { ...Object.fromEntries(others), ...this.live.problems };
  }
}
