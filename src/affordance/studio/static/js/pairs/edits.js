/** Strokes on a pair. Pure: what is there in, edits out. */

const LEAST = 1e-6; // between the places of two rationales: with less, all are numbered anew

/** The rationales that are there, in order. @param {Iterable<object>} entries of kind rationale */
export function standing(entries) {
  return [...entries].filter((one) => !one.document.gone).sort(byPlace);
}

function byPlace(one, other) {
  const [a, b] = [one.document.place ?? 0, other.document.place ?? 0];
  return a - b || (one.name < other.name ? -1 : 1);
}

/** A new one, after all others. */
export function added(entries, name, { reason, law, neutral = null, meets = "" }) {
  const last = standing(entries).at(-1)?.document.place ?? 0;
  const set = { reason, law, place: last + 1, ...(neutral ? { neutral } : {}), ...(meets ? { meets } : {}) };
  return [{ kind: "rationale", name, set }];
}

/**
 * One moved up (-1) or down (1) by a place.
 * @returns {object[]} none where it is at the end already
 */
export function moved(entries, name, by) {
  const list = standing(entries);
  const from = list.findIndex((one) => one.name === name);
  const to = from + by;
  if (from < 0 || to < 0 || to >= list.length) return [];
  const order = list.toSpliced(from, 1).toSpliced(to, 0, list[from]);
  const [before, after] = [order[to - 1]?.document.place, order[to + 1]?.document.place];
  const place = between(before, after);
  if (place !== null) return [{ kind: "rationale", name, set: { place } }];
  return order.map((one, index) => ({ kind: "rationale", name: one.name, set: { place: index + 1 } }));
}

function between(before, after) {
  if (before === undefined) return after - 1;
  if (after === undefined) return before + 1;
  return after - before > 2 * LEAST ? (before + after) / 2 : null;
}

/** Properties that changed by element, with one more or one less. */
export function changed(changes, element, property, on) {
  const had = changes[element] ?? [];
  const has = on ? [...had.filter((one) => one !== property), property] : had.filter((one) => one !== property);
  const rest = Object.fromEntries(Object.entries(changes).filter(([name]) => name !== element));
  if (!has.length) return rest;
  return element in changes ? { ...changes, [element]: has } : { ...rest, [element]: has };
}
