/** Documents and their changes in words. */

import { same, fieldValue } from "./documents.js";
import { isDrawn } from "./titles.js";

/** @import { DocumentName, Fields } from "#types" */

/** @type {Record<string, string>} */
const KIND = {
  ...{ region: "region", type: "type", retelling: "text", validation: "verdict", question: "question" },
  review: "review",
};
/** @type {Record<string, string>} */
const ALONE = {
  ...{ reviewed: "the state of the screen", clip: "the clip", pair: "the pair", halves: "the cut" },
  ...{ rationale: "a rationale", answer: "an answer" },
};
const OF_PAIRS = new Set(["pair", "rationale", "review", "mask", "halves"]);

/** A person's name from how revisions name them; others, such as models, as they are. @param {string} author */
export function personOf(author) {
  return author.replace(/^person:/, "");
}

/**
 * What a document is, as in "the text of 1-2".
 * @param {string} kind
 * @param {string} given its name
 */
export function thing(kind, given) {
  const name = isDrawn(given) ? "a region that somebody drew" : given;
  if (kind === "region") return name;
  if (kind === "mask") return `the mask of the ${name === "0" ? "first" : "second"} design`;
  return ALONE[kind] ?? `the ${KIND[kind]} of ${name}`;
}

/** What a stroke was made on, as in "Screen checkout". @param {{screen: string, edits: DocumentName[]}} stroke */
export function place({ screen, edits: [{ kind }] }) {
  if (kind === "answer") return `Study ${screen.replace(/^study:/, "")}`;
  return `${kind === "clip" ? "Clip" : OF_PAIRS.has(kind) ? "Pair" : "Screen"} ${screen}`;
}

/** A time of today as 12:03, an earlier one with its date. @param {string} created ISO 8601 */
export function moment(created) {
  const time = new Date(created);
  if (Number.isNaN(time.getTime())) return created;
  const clock = time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return time.toDateString() === new Date().toDateString() ? clock : `${time.toLocaleDateString()}, ${clock}`;
}

/** As "240 by 80 at 12, 400". @param {number[]} box */
function boxInWords(box) {
  const [x1, y1, x2, y2] = box.map((one) => Math.round(one * 100) / 100);
  return `${round(x2 - x1)} by ${round(y2 - y1)} at ${x1}, ${y1}`;
}

/**
 * What differs between two versions of a document, a line for each field.
 * @param {string} kind
 * @param {Fields | null} before null: there was none
 * @param {Fields} after
 * @returns {string[]}
 */
export function changesInWords(kind, before, after) {
  /** @param {string} field */
  const differs = (field) => !before || !same(fieldValue(kind, before, field), fieldValue(kind, after, field));
  const lines = Object.keys(after)
    .filter(differs)
    .flatMap((field) => fieldInWords(kind, field, after[field], before));
  if (before) return lines.length ? lines : ["no difference"];
  return ["new", ...lines];
}

/**
 * @param {string} kind
 * @param {string} field
 * @param {any} value
 * @param {Fields | null} before
 */
function fieldInWords(kind, field, value, before) {
  const words = FIELDS[`${kind}/${field}`] ?? FIELDS[field];
  const said = words?.(value, before);
  return said ? [said] : [];
}

/** @typedef {(value: any, before: Fields | null) => string | null} InWords */

/** @type {(label: string) => InWords} */
const quoted = (label) => (value) => (value ? `${label}: “${value}”` : `${label}: none`);
/** @type {(label: string) => InWords} */
const verdict = (label) => (value) => `${label}: ${value ? "pass" : "fail"}`;

/** @type {Record<string, InWords>} by field, or by kind and field */
const FIELDS = {
  "region/box": (value, before) => `${before ? "box now " : "box "}${boxInWords(value.xyxy)}`,
  "question/box": (value) => `box ${boxInWords(value.xyxy)}`,
  box: () => null,
  parent: (value) => (value === null ? "the screen itself" : `inside of ${value}`),
  "type/type": (value) => `type ${value}`,
  "region/type": (value) => (value ? `called “${value}”` : null),
  subtype: (value) => (value ? `subtype ${value}` : null),
  dividable: (value, before) => (value || before ? (value ? "can be divided" : "cannot be divided") : null),
  gone: (value, before) => (value ? "taken away" : before ? "back again" : null),
  "retelling/description": quoted("description"),
  "retelling/functionality": quoted("functionality"),
  rationale: quoted("rationale"),
  contextual: verdict("contextual"),
  purposeful: verdict("high-level purpose"),
  truthful: verdict("nothing hallucinated"),
  rejected: (value, before) => (value ? "rejected" : before ? "not rejected" : null),
  note: (value) => (value ? `note: “${value}”` : null),
  expressions: (value) => listOf(Object.entries(value), ([kind, text]) => `${kind}: “${text}”`, "; "),
  "question/question": quoted("question"),
  options: (value) => `options: ${listOf(value, (one) => `“${one.text}”`)}`,
  abandoned: (value, before) => (value ? "abandoned" : before ? "not abandoned" : null),
  done: (value) => (value ? "finished" : "not finished"),
  start_frame: (value) => (value === null ? "start not known" : `starts at frame ${value}`),
  end_frame: (value) => (value === null ? "end not known" : `ends at frame ${value}`),
  regions: (value) => (value.length ? `regions: ${listOf(value, (one) => boxInWords(one.xyxy), "; ")}` : "no region"),
  context: quoted("context"),
  platform: quoted("platform"),
  inputs: (value) => (value.length ? `inputs: ${listOf(value, (one) => `“${one.summary}”`)}` : "no input"),
  flags: (value) => (value.length ? `flags: ${value.join(", ")}` : "no flags"),
  "rationale/reason": quoted("reason"),
  "rationale/law": (value) => `law: ${value ?? "none"}`,
  "rationale/neutral": quoted("without a side"),
  "rationale/place": (_, before) => (before ? "at another place" : null),
  irrelevant: (value) => `irrelevant: ${value.length || "none"}`,
  missing: (value) => `missing: ${listOf(value, (one) => `“${one}”`) || "nothing"}`,
  page_type: quoted("page type"),
  industry: quoted("industry"),
  device: quoted("device"),
  goal: quoted("goal"),
  changes: (value) => `changed: ${Object.keys(value).join(", ") || "nothing"}`,
  aside: (value, before) => (value ? "put aside" : before ? "not put aside" : null),
  found: (value) => (value ? "with the markers that are found" : "without the markers that are found"),
  brushes: (value) => `painted by hand: ${value.length ? strokesInWords(value) : "nothing"}`,
  accepted: (value, before) => (value ? "accepted" : before ? "not accepted" : null),
  clean: (value, before) => (value ? "nothing to remove" : before ? "something to remove" : null),
  boxes: (value) => `cut: ${listOf(value, (one) => boxInWords(one.xyxy), "; ")}`,
  winner: (value) => (value === null ? "nobody knows which won" : `the ${value} one won`),
  confirmed: (value, before) => (value ? "confirmed" : before ? "not confirmed" : null),
  "answer/given": (value) => listOf(Object.entries(value), ([name, one]) => `${name}: ${givenInWords(one)}`, "; "),
  single: (value) => (value ? "a picture of two designs" : "no picture of two designs"),
};

/**
 * @param {any[]} list
 * @param {(one: any) => string} inWords
 */
function listOf(list, inWords, separator = ", ") {
  return list.map(inWords).join(separator);
}

/**
 * @param {any} value
 * @returns {any}
 */
function givenInWords(value) {
  if (typeof value === "string") return `“${value}”`;
  return Array.isArray(value) ? value.map(givenInWords).join(", ") : (value.xyxy ?? value.xy ?? value);
}

/** @param {{points: number[][]}[]} brushes at least one */
function strokesInWords(brushes) {
  const [x, y] = (brushes.at(-1)?.points.at(-1) ?? []).map(Math.round);
  return `${brushes.length} ${brushes.length === 1 ? "stroke" : "strokes"}, the last one to ${x}, ${y}`;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 100) / 100;
}
