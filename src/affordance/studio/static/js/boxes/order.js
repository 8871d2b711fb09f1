// In which order regions are shown: as one reads them, or what the verifier likes least first.

/** @import { Box, Scores } from "#types" */
/**
 * From top to bottom, and from left to right where boxes stand beside each other: as `reading_order` of
 * author/regions/checks.py.
 * @param {string[]} names
 * @param {(name: string) => Box} boxOf
 * @returns {string[]}
 */
export function readingOrder(names, boxOf) {
  /** @typedef {{name: string, box: Box}} Named */
  /** @type {(a: Named, b: Named) => number} */
  const byTop = (a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0];
  /** @type {(a: Named, b: Named) => number} */
  const byLeft = (a, b) => a.box[0] - b.box[0] || a.box[1] - b.box[1];
  let left = names.map((name) => ({ name, box: boxOf(name) })).sort(byTop);
  const ordered = [];
  while (left.length > 0) {
    const first = left[0];
    const row = left.filter((one) => beside(first.box, one.box));
    const taken = new Set(row.length > 0 ? row : [first]);
    ordered.push(...[...taken].sort(byLeft));
    left = left.filter((one) => !taken.has(one));
  }
  return ordered.map((one) => one.name);
}

/**
 * @param {Box} one
 * @param {Box} other
 */
function beside(one, other) {
  const common = Math.min(one[3], other[3]) - Math.max(one[1], other[1]);
  return common > 0 && 2 * common >= Math.min(one[3] - one[1], other[3] - other[1]);
}

/**
 * Worst first: the least complete, then those whose border holds something else; those without a score come last.
 * @param {string[]} names in the order that holds among equals
 * @param {(name: string) => Scores | null} scoresOf
 * @returns {string[]}
 */
export function worstFirst(names, scoresOf) {
  /** @param {string} name */
  const place = (name) => {
    const scores = scoresOf(name);
    return scores ? scores.completeness * 2 + (scores.bounded ? 1 : 0) : Infinity;
  };
  const placed = names.map((name) => ({ name, place: place(name) }));
  placed.sort((a, b) => (a.place === b.place ? 0 : a.place - b.place));
  return placed.map((one) => one.name);
}

/**
 * The score of the verifier, short and in words.
 * @param {Scores | null | undefined} scores
 * @returns {{short: string, words: string}}
 */
export function scoreWords(scores) {
  if (!scores) return { short: "", words: "not looked at by the verifier" };
  const { completeness, bounded } = scores;
  const border = bounded ? "its border holds nothing else" : "its border holds something else";
  const words = `completeness ${completeness} of 3, ${border}`;
  return { short: `${completeness}/3${bounded ? "" : " loose"}`, words };
}
