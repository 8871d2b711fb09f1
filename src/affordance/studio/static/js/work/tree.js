/** The tree of regions that are there. Built once for each change, in one pass. */

/** @import { Region, Revision } from "#types" */
export class Tree {
  /** @type {Region[]} parents before children, each followed by what is in it */
  regions = [];
  /** @type {Map<string, Region>} */
  #byName = new Map();
  /** @type {Map<string, string[]>} */
  #children = new Map();

  /**
   * @param {Iterable<Revision>} entries of kind region, gone ones too
   * @param {(name: string) => string} titleOf
   */
  constructor(entries, titleOf) {
    /** @type {Map<string | null, Revision[]>} */
    const below = new Map();
    for (const entry of entries) {
      if (entry.document.gone) continue;
      const parent = entry.document.parent ?? null;
      const siblings = below.get(parent);
      if (siblings) siblings.push(entry);
      else below.set(parent, [entry]);
    }
    for (const list of below.values()) list.sort(byPlace);
    /** @type {[Revision, number][]} */
    const ways = [...(below.get(null) ?? [])].reverse().map((entry) => [entry, 0]);
    for (let way = ways.pop(); way; way = ways.pop()) {
      const [entry, depth] = way;
      const { name, document } = entry;
      const [box, parent] = [document.box.xyxy, document.parent ?? null];
      const region = { name, title: titleOf(name), box, parent, depth, entry };
      const inside = below.get(name) ?? [];
      this.regions.push(region);
      this.#byName.set(name, region);
      this.#children.set(
        name,
        inside.map((one) => one.name),
      );
      for (let index = inside.length - 1; index >= 0; index--) ways.push([inside[index], depth + 1]);
    }
  }

  /** @param {string} name */
  region(name) {
    return this.#byName.get(name);
  }

  /** @param {string} name */
  children(name) {
    return this.#children.get(name) ?? [];
  }

  /** From the parent up to the root. @param {string} name */
  ancestors(name) {
    const found = [];
    let above = this.region(name)?.parent ?? null;
    while (above !== null) {
      found.push(above);
      above = this.region(above)?.parent ?? null;
    }
    return found;
  }

  /** All below it, parents first. @param {string} name */
  descendants(name) {
    const found = [...this.children(name)];
    for (let index = 0; index < found.length; index++) found.push(...this.children(found[index]));
    return found;
  }
}

/**
 * By level and number, as the names of proposed regions have them; those that people drew come after.
 * @param {Revision} one
 * @param {Revision} other
 */
function byPlace(one, other) {
  const a = place(one.name);
  const b = place(other.name);
  return a[0] - b[0] || a[1] - b[1] || (one.name < other.name ? -1 : 1);
}

/** @param {string} name */
function place(name) {
  const found = /^(\d+)-(\d+)$/.exec(name);
  return found ? [Number(found[1]), Number(found[2])] : [Number.MAX_SAFE_INTEGER, 0];
}
