// In which order regions are shown: as one reads them, or what the verifier likes least first.

/**
 * From top to bottom, and from left to right where boxes stand beside each other: as `reading_order` of
 * author/regions/checks.py.
 * @param {string[]} names
 * @param {(name: string) => number[]} boxOf
 * @returns {string[]}
 */
export function readingOrder(names, boxOf) {
  const boxes = new Map(names.map((name) => [name, boxOf(name)]));
  const byTop = (a, b) => boxes.get(a)[1] - boxes.get(b)[1] || boxes.get(a)[0] - boxes.get(b)[0];
  const byLeft = (a, b) => boxes.get(a)[0] - boxes.get(b)[0] || boxes.get(a)[1] - boxes.get(b)[1];
  let left = [...names].sort(byTop);
  const ordered = [];
  while (left.length > 0) {
    const first = boxes.get(left[0]);
    const row = left.filter((name) => beside(first, boxes.get(name)));
    const taken = new Set(row.length > 0 ? row : left.slice(0, 1));
    ordered.push(...[...taken].sort(byLeft));
    left = left.filter((name) => !taken.has(name));
  }
  return ordered;
}

function beside(one, other) {
  const common = Math.min(one[3], other[3]) - Math.max(one[1], other[1]);
  return common > 0 && 2 * common >= Math.min(one[3] - one[1], other[3] - other[1]);
}

/**
 * Worst first: the least complete, then those whose border holds something else; those without a score come last.
 * @param {string[]} names in the order that holds among equals
 * @param {(name: string) => {completeness: number, bounded: boolean} | null} scoresOf
 * @returns {string[]}
 */
export function worstFirst(names, scoresOf) {
  const place = (name) => {
    const scores = scoresOf(name);
    return scores ? scores.completeness * 2 + (scores.bounded ? 1 : 0) : Infinity;
  };
  const places = new Map(names.map((name) => [name, place(name)]));
  const compare = (a, b) => (places.get(a) === places.get(b) ? 0 : places.get(a) - places.get(b));
  return [...names].sort(compare);
}

/**
 * The score of the verifier, short and in words.
 * @param {{completeness: number, bounded: boolean} | null | undefined} scores
 * @returns {{short: string, words: string}}
 */
export function scoreWords(scores) {
  if (!scores) return { short: "", words: "not looked at by the verifier" };
  const { completeness, bounded } = scores;
  const border = bounded ? "its border holds nothing else" : "its border holds something else";
  const words = `completeness ${completeness} of 3, ${border}`;
  return { short: `${completeness}/3${bounded ? "" : " loose"}`, words };
}
