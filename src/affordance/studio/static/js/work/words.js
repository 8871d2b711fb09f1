/** Documents and their changes in words. */

import { same, valueOf } from "./documents.js";

const KIND = { region: "region", type: "type", retelling: "text", validation: "verdict", question: "question" };

/** A person's name from how revisions name them; others, such as models, as they are. */
export function personOf(author) {
  return author.replace(/^person:/, "");
}

/** What a document is, as in "the text of 1-2". */
export function thing(kind, name) {
  if (kind === "region") return name;
  return kind === "reviewed" ? "the state of the screen" : `the ${KIND[kind]} of ${name}`;
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
 * @param {object | null} before null: there was none
 * @param {object} after
 * @returns {string[]}
 */
export function changesInWords(kind, before, after) {
  const differs = (field) => !before || !same(valueOf(kind, before, field), valueOf(kind, after, field));
  const lines = Object.keys(after)
    .filter(differs)
    .flatMap((field) => fieldInWords(kind, field, after[field], before));
  if (before) return lines.length ? lines : ["no difference"];
  return ["new", ...lines];
}

function fieldInWords(kind, field, value, before) {
  const words = FIELDS[`${kind}/${field}`] ?? FIELDS[field];
  const said = words?.(value, before);
  return said ? [said] : [];
}

const quoted = (label) => (value) => (value ? `${label}: “${value}”` : `${label}: none`);
const verdict = (label) => (value) => `${label}: ${value ? "pass" : "fail"}`;

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
  expressions: (value) => Object.entries(value).map(([kind, text]) => `${kind}: “${text}”`).join("; "),
  "question/question": quoted("question"),
  options: (value) => `options: ${value.map((one) => `“${one.text}”`).join(", ")}`,
  abandoned: (value, before) => (value ? "abandoned" : before ? "not abandoned" : null),
  done: (value) => (value ? "finished" : "not finished"),
};

function round(value) {
  return Math.round(value * 100) / 100;
}
