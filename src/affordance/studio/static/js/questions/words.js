/** Questions in words. */

import { personOf } from "../work/words.js";

const PERSON = "person:";
const FORMS = { ground: "Where is it?", outcome: "What happens?" };
const CHECKS = { leaks: "Gives the answer away", unique: "Has one answer", options: "Options", tries: "Tries" };
const ORIGINS = { target: "right answer", hard: "wrong, of a look-alike", easy: "wrong, of something else" };

export const isPerson = (author) => author.startsWith(PERSON);

/** As in "Where is it? element, click". */
export function kindOf({ form, level, action }) {
  return [`${FORMS[form] ?? form} ${level}`, action].filter(Boolean).join(", ");
}

/** Kinds of wording, in the order in which they are shown. */
export const KINDS = ["functionality", "description", "intent"];

/** What a list shows of a question. */
export function firstWords({ expressions = {}, question = "" }) {
  return [...KINDS, ...Object.keys(expressions)].map((kind) => expressions[kind]).find(Boolean) ?? question;
}

/** @returns {"kept" | "dropped" | "abandoned"} */
export function standingOf({ abandoned, dropped }) {
  return abandoned ? "abandoned" : dropped ? "dropped" : "kept";
}

/**
 * Whether it is exported: a name for it, and a sentence.
 * @param {{rejected: boolean, gone: boolean}} target
 * @returns {{state: "abandoned" | "dropped" | "target-gone" | "target-rejected" | "kept", text: string}}
 */
export function exportState(document, target) {
  if (document.abandoned) return { state: "abandoned", text: "Abandoned by a person: it is not exported." };
  const why = `Dropped by a check: ${document.dropped}. It is not exported.`;
  if (document.dropped) return { state: "dropped", text: why };
  if (target.gone) return { state: "target-gone", text: "Its target is gone: it is not exported." };
  if (target.rejected) return { state: "target-rejected", text: "Its region was rejected: it is not exported." };
  return { state: "kept", text: "Kept: it is exported." };
}

/** What each check found. @returns {[string, string][]} */
export function checkWords(checks = {}) {
  const words = (name, found) => (name === "leaks" && found === "none" ? "no" : found);
  return Object.entries(checks).map(([name, found]) => [CHECKS[name] ?? capital(name), words(name, found)]);
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Where an option is from, as in "wrong, of a look-alike (1-3)". */
export function originWords({ origin, of }) {
  return `${ORIGINS[origin] ?? origin}${of && origin !== "target" ? ` (${of})` : ""}`;
}

/** Who wrote it last, and who asked it first. */
export function writtenBy(entry) {
  const asked = entry.document.by ? `asked by ${entry.document.by}` : "";
  const edited = isPerson(entry.author) ? `edited by ${personOf(entry.author)}` : "";
  return [asked, edited].filter(Boolean).join(", ");
}
