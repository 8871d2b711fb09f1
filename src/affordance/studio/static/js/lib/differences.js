/** What differs between two texts, by word. */

const MOST = 1200; // words of a text; longer ones differ as a whole, for the table grows with the square

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter(undefined, { granularity: "word" }) : null;

/** @typedef {{text: string, changed: boolean}} Run */

/**
 * The texts in runs: `before` has what stayed and what went, `after` what stayed and what came.
 * @param {string} before
 * @param {string} after
 * @returns {{before: Run[], after: Run[]}}
 */
export function differences(before, after) {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  if (old.length > MOST || now.length > MOST) {
    const changed = before !== after;
    return { before: before ? [{ text: before, changed }] : [], after: after ? [{ text: after, changed }] : [] };
  }
  const table = common(old, now);
  /** @type {{before: Run[], after: Run[]}} */
  const found = { before: [], after: [] };
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && equal(old[i], now[j])) {
      put(found.before, old[i++], false);
      put(found.after, now[j++], false);
    } else if (j >= now.length || (i < old.length && table[i + 1][j] >= table[i][j + 1])) {
      put(found.before, old[i++], true);
    } else put(found.after, now[j++], true);
  }
  return found;
}

/** Words with the space after them, signs each by itself; put together they are the text. @param {string} text */
function wordsOf(text) {
  const parts = segmenter
    ? Array.from(segmenter.segment(text), (one) => one.segment)
    : (text.match(/\s+|[^\s]+/g) ?? []);
  /** @type {string[]} */
  const words = [];
  for (const part of parts) {
    if (words.length && /^\s+$/.test(part)) words[words.length - 1] += part;
    else words.push(part);
  }
  return words;
}

/**
 * How long the longest common run of the rests is, for each pair of places.
 * @param {string[]} old
 * @param {string[]} now
 */
function common(old, now) {
  const table = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      table[i][j] = equal(old[i], now[j]) ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
}

/**
 * The space after a word does not count.
 * @param {string} one
 * @param {string} other
 */
function equal(one, other) {
  return one === other || one.trimEnd() === other.trimEnd();
}

/**
 * @param {Run[]} runs
 * @param {string} text
 * @param {boolean} changed
 */
function put(runs, text, changed) {
  const last = runs.at(-1);
  if (last && last.changed === changed) last.text += text;
  else runs.push({ text, changed });
}
