/** Documents of a screen, a clip or a pair: what they are when nothing is said, and what taking a change back means. */

/** @import { DocumentName, Edit, Fields, LoggedEdit, Revision, Size } from "#types" */

/** @type {Record<string, Fields>} fields of a kind, which a document may leave out */
export const MISSING = {
  region: { parent: null, type: "", dividable: false, gone: false },
  type: { subtype: "", box: null, gone: false },
  retelling: { rationale: "", gone: false },
  validation: { box: null, rejected: false, note: "", told: null, gone: false },
  question: { expressions: {}, question: "", options: [], abandoned: false, dropped: "" },
  reviewed: { done: false, note: "" },
  clip: {
    ...{ start_frame: null, end_frame: null, regions: [], context: null, inputs: [], platform: null },
    ...{ flags: [], aside: false, note: "", done: false },
  },
  pair: {
    ...{ goal: null, context: null, page_type: null, industry: null, device: null, changes: {} },
    ...{ aside: false, note: "" },
  },
  rationale: { law: null, neutral: null, place: 0, meets: "", gone: false },
  review: { seen: [], irrelevant: [], missing: [], note: "", done: false },
  mask: { found: true, brushes: [], accepted: false, clean: false },
  halves: { winner: null, confirmed: false, single: true },
  answer: { given: {}, seconds: 0 },
};
export const MAY_BE_NULL = new Set([
  ...["region/parent", "type/box", "validation/box", "validation/told"],
  ...["clip/start_frame", "clip/end_frame", "clip/context", "clip/platform"],
  ...["pair/goal", "pair/context", "pair/page_type", "pair/industry", "pair/device"],
  ...["rationale/law", "rationale/neutral", "halves/winner"],
]);
const MADE_ELSEWHERE = new Set(["question", "clip", "pair", "halves"]); // what no stroke makes

export const ROOT = "0-0"; // the region that is the whole screen

export const KINDS = Object.keys(MISSING);

/** How a document is found: its kind and name. @param {DocumentName} document */
export function keyOf({ kind, name }) {
  return `${kind}/${name}`;
}

/**
 * The value of a field, also where the document leaves it out.
 * @param {string} kind
 * @param {Fields} document
 * @param {string} field
 */
export function fieldValue(kind, document, field) {
  return document[field] ?? MISSING[kind][field] ?? null;
}

/**
 * A document with fields set.
 * @param {string} kind
 * @param {Fields | null} document null: there is none yet
 * @param {Fields} set
 * @param {string} author
 * @returns {Fields}
 */
export function withSet(kind, document, set, author) {
  const made = { ...(document ?? MISSING[kind]), ...set };
  // As the server writes it down.
  if (kind === "retelling" || kind === "type") made.by = author;
  if (kind === "type") {
    delete made.confidence;
    delete made.inherited;
  }
  return made;
}

/**
 * The region that is the whole screen: where nobody has divided it, the server has none until one is put into it.
 * @param {Size} screen
 * @returns {Revision}
 */
export function wholeOf({ width, height }) {
  const box = { space: "pixel", xyxy: [0, 0, width, height] };
  return { kind: "region", name: ROOT, version: 0, author: "studio", created: "", document: { box, dividable: true } };
}

/**
 * Two edits of one document are one, which comes after what the earlier of them was made of.
 * @param {Edit[]} edits
 */
export function merged(edits) {
  /** @type {Map<string, Edit & {after: number}>} */
  const found = new Map();
  for (const { kind, name, set, after = Infinity } of edits) {
    const earlier = found.get(keyOf({ kind, name }));
    const least = Math.min(after, earlier?.after ?? Infinity);
    found.set(keyOf({ kind, name }), { kind, name, set: { ...earlier?.set, ...set }, after: least });
  }
  return [...found.values()];
}

/**
 * An edit as the log has it: with the values that its fields have before it, and whether there was a document.
 * @param {Edit} edit
 * @param {Fields | null} document as it is before
 * @returns {LoggedEdit}
 */
export function noteOf({ kind, name, set }, document) {
  if (document === null) return { kind, name, set, made: true, before: {} };
  const values = Object.keys(set).map((field) => [field, fieldValue(kind, document, field)]);
  return { kind, name, set, made: false, before: Object.fromEntries(values) };
}

/**
 * Which of the texts of a proposal says the most of a region itself, as in the records of a project.
 * @param {{wo_context?: string | null, with_context?: string | null}} [texts]
 */
export function best(texts) {
  return (texts?.wo_context || texts?.with_context || "").trim();
}

/**
 * The edit that takes one of the log back; null where that is not possible.
 * @param {LoggedEdit} edit
 * @returns {Edit | null}
 */
export function takenBack({ kind, name, made, set, before: earlier }) {
  if (!made) {
    /** @param {[string, unknown]} field */
    const possible = ([field, value]) => value !== null || MAY_BE_NULL.has(`${kind}/${field}`);
    return { kind, name, set: Object.fromEntries(Object.entries(earlier).filter(possible)) };
  }
  if (MADE_ELSEWHERE.has(kind)) return null;
  return { kind, name, set: "gone" in MISSING[kind] ? { gone: true } : without(kind, set) };
}

/**
 * The fields as they are where nobody has said anything, of a kind that cannot be gone.
 * @param {string} kind
 * @param {Fields} set
 */
function without(kind, set) {
  const fields = Object.keys(set).filter((field) => field in MISSING[kind]);
  return Object.fromEntries(fields.map((field) => [field, MISSING[kind][field]]));
}

/**
 * The edit that does one of the log again.
 * @param {LoggedEdit} edit
 * @returns {Edit}
 */
export function doneAgain({ kind, name, made, set }) {
  const back = made && "gone" in MISSING[kind];
  return { kind, name, set: back ? { ...set, gone: false } : set };
}

/**
 * Whether two values of documents are the same.
 * @param {any} one
 * @param {any} other
 * @returns {boolean}
 */
export function same(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => same(one[name], other[name]));
}
