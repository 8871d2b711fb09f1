/** Which texts are gone through, in which order, and how many are to go. */

import { meta } from "../lib/dom.js";

const CRITERIA = ["contextual", "purposeful", "truthful"];
const judged = (counts) => counts.validated + counts.failed + counts.rejected;

/** What can be gone through. `of`: whether a screen may have any, by its counts; `has`: whether a text is one. */
export const SHOWS = {
  todo: { of: (counts) => counts.unvalidated > 0, has: (text) => !text.verdict },
  all: { of: (counts) => counts.unvalidated + judged(counts) > 0, has: () => true },
  failed: {
    of: (counts) => counts.failed > 0,
    has: ({ verdict }) => verdict && !verdict.document.rejected && CRITERIA.some((one) => !verdict.document[one]),
  },
  rejected: { of: (counts) => counts.rejected > 0, has: (text) => text.verdict?.document.rejected === true },
  mine: {
    of: (counts) => judged(counts) > 0,
    has: (text) => text.verdict?.author === meta("person"),
  },
};

/** The text of a region and the verdict on it, as they hold for its box; null where it was not told anew.
 * @param {import("../work/sheet.js").Sheet} sheet @param {string} name */
export function textOf(sheet, name) {
  const region = sheet.region(name);
  if (!region || !sheet.current("retelling", name)) return null;
  const verdict = sheet.current("validation", name) ? sheet.get("validation", name) : null;
  return { name, region, told: sheet.get("retelling", name), verdict };
}

/** All texts of a screen. */
function textsOf(sheet) {
  return sheet.regions().map((one) => textOf(sheet, one.name)).filter((one) => one !== null);
}

/** Of all names in order, the nearest beside one that is still there; that one itself may be gone by now. */
function beside(name, all, there, way) {
  const at = all.indexOf(name);
  if (at < 0) return undefined;
  const rest = way > 0 ? all.slice(at + 1) : all.slice(0, at).reverse();
  return rest.find((one) => there.includes(one));
}

export class Queue {
  #show;
  #sheets;
  #counts = new Map(); // by screen: {left, total}
  #order = []; // screens that may have some
  #ranks = new Map(); // of all screens, in the order of the server
  #names = new Map(); // by screen that was looked at: names in the order in which they are gone through

  /** @param {keyof SHOWS} show @param {import("./sheets.js").Sheets} sheets */
  constructor(show, sheets) {
    this.#show = SHOWS[show];
    this.#sheets = sheets;
  }

  /** What the server counts. Screens that were gone through keep their place, so that one can go back to them. */
  take(screens) {
    this.#ranks = new Map(screens.map((one, index) => [one.id, index]));
    const wanted = new Set(screens.filter((one) => this.#show.of(one)).map((one) => one.id));
    this.#order = screens.map((one) => one.id).filter((id) => wanted.has(id) || this.#names.has(id));
    this.#counts = new Map(
      screens.map((one) => [one.id, { left: one.unvalidated, total: one.unvalidated + judged(one) }]),
    );
  }

  /** A screen that is open is counted here: what was said a moment ago is not at the server yet. */
  count(sheet) {
    const texts = textsOf(sheet);
    this.#counts.set(sheet.id, { left: texts.filter((one) => !one.verdict).length, total: texts.length });
  }

  /** Over all screens. @returns {{left: number, total: number, any: boolean}} `any`: whether there was one to show */
  get counts() {
    const sum = { left: 0, total: 0, any: [...this.#names.values()].some((names) => names.length > 0) };
    for (const { left, total } of this.#counts.values()) {
      sum.left += left;
      sum.total += total;
    }
    return sum;
  }

  /** Where in its screen a text is: [place, of how many]. */
  place({ screen, name }) {
    const names = this.#names.get(screen) ?? [];
    return [names.indexOf(name) + 1, names.length];
  }

  /**
   * The next text, or the one before; without a place to go on from, the first or last.
   * @param {{screen: string, name: string} | null} from
   * @param {1 | -1} way
   * @param {object} [options]
   * @param {(done: number, of: number, screen: string) => void} [options.looking] told of screens that were looked
   *   through in vain, and which was the last
   * @param {AbortSignal} [options.signal] leaves it
   * @param {number} [options.most] screens to look through
   * @returns {Promise<{screen: string, name: string} | null>}
   */
  async step(from, way, { looking = () => {}, signal, most = Infinity } = {}) {
    const before = from ? (this.#names.get(from.screen) ?? []) : [];
    const names = from ? await this.names(from.screen) : [];
    const next = from ? beside(from.name, [...new Set([...before, ...names])], names, way) : undefined;
    if (next !== undefined) return { screen: from.screen, name: next };
    let index = from ? this.#order.indexOf(from.screen) : way > 0 ? -1 : this.#order.length;
    if (from && index < 0) {
      const rank = this.#rank(from.screen);
      index = this.#order.findLastIndex((id) => this.#rank(id) < rank) + (way > 0 ? 0 : 1);
    }
    for (let at = index + way, done = 0; at >= 0 && at < this.#order.length && done < most; at += way, done++) {
      if (done) looking(done, this.#order.length, this.#order[at - way]);
      const there = await this.names(this.#order[at]);
      if (signal?.aborted) return null;
      if (there.length) return { screen: this.#order[at], name: way > 0 ? there[0] : there.at(-1) };
    }
    return null;
  }

  /** The texts of a screen: those that were there when it was looked at first and still are, then new ones. */
  async names(screen) {
    let sheet;
    try {
      sheet = await this.#sheets.get(screen);
    } catch (error) {
      if (this.#names.has(screen)) throw error;
      this.#names.set(screen, []); // a screen that cannot be read does not hold up the others
      return [];
    }
    const texts = new Map(textsOf(sheet).map((one) => [one.name, one]));
    const kept = (this.#names.get(screen) ?? []).filter((name) => texts.has(name));
    const known = new Set(kept);
    const fresh = [...texts.values()].filter((one) => !known.has(one.name) && this.#show.has(one));
    const names = [...kept, ...fresh.map((one) => one.name)];
    this.#names.set(screen, names);
    this.count(sheet);
    return names;
  }

  /** A text that is looked at, though it is not among those that are gone through. */
  admit({ screen, name }) {
    const names = this.#names.get(screen) ?? [];
    if (!names.includes(name)) this.#names.set(screen, [...names, name]);
    if (this.#order.includes(screen)) return;
    this.#order = [...this.#order, screen].sort((a, b) => this.#rank(a) - this.#rank(b));
  }

  /** A screen that was added since is after all others. */
  #rank(screen) {
    return this.#ranks.get(screen) ?? this.#ranks.size;
  }
}
