/** The tree of regions that are there. Built once for each change, in one pass. */

/**
 * @typedef {{name: string, title: string, box: number[], parent: string | null, depth: number, entry: object}} Region
 */
export class Tree {
  /** @type {Region[]} parents before children, each followed by what is in it */
  regions = [];
  #byName = new Map();
  #children = new Map();

  /**
   * @param {Iterable<object>} entries of kind region, gone ones too
   * @param {(name: string) => string} titleOf
   */
  constructor(entries, titleOf) {
    const below = new Map();
    for (const entry of entries) {
      if (entry.document.gone) continue;
      const parent = entry.document.parent ?? null;
      if (!below.has(parent)) below.set(parent, []);
      below.get(parent).push(entry);
    }
    for (const list of below.values()) list.sort(byPlace);
    const ways = [...(below.get(null) ?? [])].reverse().map((entry) => [entry, 0]);
    while (ways.length) {
      const [entry, depth] = ways.pop();
      const { name, document } = entry;
      const [box, parent] = [document.box.xyxy, document.parent ?? null];
      const region = { name, title: titleOf(name), box, parent, depth, entry };
      const inside = below.get(name) ?? [];
      this.regions.push(region);
      this.#byName.set(name, region);
      this.#children.set(name, inside.map((one) => one.name));
      for (let index = inside.length - 1; index >= 0; index--) ways.push([inside[index], depth + 1]);
    }
  }

  /** @returns {Region | undefined} */
  region(name) {
    return this.#byName.get(name);
  }

  /** @returns {string[]} */
  children(name) {
    return this.#children.get(name) ?? [];
  }

  /** From the parent up to the root. @returns {string[]} */
  ancestors(name) {
    const found = [];
    for (let above = this.region(name)?.parent; above != null; above = this.region(above)?.parent) found.push(above);
    return found;
  }

  /** All below it, parents first. @returns {string[]} */
  descendants(name) {
    const found = [...this.children(name)];
    for (let index = 0; index < found.length; index++) found.push(...this.children(found[index]));
    return found;
  }
}

/** By level and number, as the names of proposed regions have them; those that people drew come after. */
function byPlace(one, other) {
  const a = place(one.name);
  const b = place(other.name);
  return a[0] - b[0] || a[1] - b[1] || (one.name < other.name ? -1 : 1);
}

function place(name) {
  const found = /^(\d+)-(\d+)$/.exec(name);
  return found ? [Number(found[1]), Number(found[2])] : [Number.MAX_SAFE_INTEGER, 0];
}
