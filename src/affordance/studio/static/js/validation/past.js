/** Earlier versions of a text and of the verdicts on it, each of which can be had back. */

import { el } from "../lib/dom.js";
import { versionsOf } from "../work/history.js";
import { changesInWords, moment, personOf } from "../work/words.js";

const TOLD = { retelling: "Text", validation: "Verdict" };
const FIELDS = {
  retelling: ["functionality", "description", "rationale"],
  validation: ["contextual", "purposeful", "truthful", "rejected", "note"],
};

/**
 * A list that is fetched when somebody opens it.
 * @param {string} screen
 * @param {string} name of the region
 * @param {((kind: string, set: object) => void) | null} restore null: nobody may
 */
export function past(screen, name, restore) {
  const list = el("ol", { class: "past" });
  const details = el("details", { class: "earlier" }, el("summary", null, "Earlier texts and verdicts"), list);
  details.addEventListener("toggle", () => details.open && void fill(list, screen, name, restore));
  return details;
}

async function fill(list, screen, name, restore) {
  list.replaceChildren(el("li", { class: "soft" }, "Loading"));
  try {
    const found = await versionsOf(screen, Object.keys(TOLD), name);
    const rows = found.map((one) => row(one, restore));
    list.replaceChildren(...(rows.length ? rows : [el("li", { class: "soft" }, "There are none.")]));
  } catch (error) {
    list.replaceChildren(el("li", { class: "wrong" }, error.message));
  }
}

function row({ kind, author, created, document, before, newest }, restore) {
  const known = FIELDS[kind].filter((field) => field in document);
  const set = Object.fromEntries(known.map((field) => [field, document[field]]));
  const label = `Restore the ${TOLD[kind].toLowerCase()} by ${personOf(author)}, ${moment(created)}`;
  const button = !restore || newest || document.gone
    ? null
    : el("button", { type: "button", "aria-label": label, "data-action": `restore ${kind}`, onclick: () => restore(kind, set) }, "Restore");
  return el("li", { dataset: { kind, author } },
    el("p", null, el("strong", null, TOLD[kind]), ` by ${personOf(author)}, ${moment(created)}`, button),
    changesInWords(kind, before, document).map((line) => el("p", { class: "soft", dir: "auto" }, line)));
}
