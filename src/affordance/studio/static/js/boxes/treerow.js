// One row of the tree: a region in a line.

import { el } from "../lib/dom.js";
import { personOf } from "../work/words.js";
import { scoreWords } from "./order.js";

const INDENT = 14; // pixels for each level

/** What a region is, in a word or two: of the taxonomy, or as it was proposed. */
export function typeWords(sheet, name) {
  const said = sheet.current("type", name);
  if (said) return said.type === "Other" && said.subtype ? said.subtype : said.type;
  return sheet.region(name).entry.document.type ?? "";
}

/**
 * @param {HTMLElement} row
 * @param {import("./rows.js").Row} shown
 * @param {number} index
 * @param {{sheet: import("../work/sheet.js").Sheet, selected: boolean, lines: string[], look: string}} about
 */
export function fillRow(row, { name, level, open, at, of, found }, index, { sheet, selected, lines, look }) {
  const { entry, parent, title: called } = sheet.region(name);
  const { scores } = entry.document;
  const score = scoreWords(scores);
  const type = typeWords(sheet, name);
  const marks = marksOf(entry, lines.map((line) => sheet.inWords(line)));
  const title = parent === null ? "Whole screen" : called;
  row.id = `region-${index}`;
  row.dataset.name = name;
  row.className = ["row tree-row", selected && "at", !found && "path", look].filter(Boolean).join(" ");
  row.style.paddingLeft = `${4 + (level - 1) * INDENT}px`;
  const attributes = { role: "treeitem", "aria-level": level, "aria-setsize": of, "aria-posinset": at };
  for (const [key, value] of Object.entries(attributes)) row.setAttribute(key, value);
  row.setAttribute("aria-selected", String(selected));
  if (open === null) row.removeAttribute("aria-expanded");
  else row.setAttribute("aria-expanded", String(open));
  const said = [title, type || "no type", score.short && score.words, ...marks.map((one) => one.words)].filter(Boolean);
  row.setAttribute("aria-label", said.join(", "));
  row.title = said.join("\n");
  const low = scores && (scores.completeness < 3 || !scores.bounded);
  row.replaceChildren(
    el("span", { class: "twist" }),
    el("span", { class: "name" }, title),
    el("span", { class: "type" }, type),
    ...marks.map((one) => el("span", { class: `mark ${one.look}` }, one.text)),
    el("span", { class: `score${low ? " low" : ""}` }, score.short),
  );
}

function marksOf(entry, lines) {
  const marks = [];
  const person = personOf(entry.author) !== entry.author;
  if (person) marks.push({ text: "•", look: "mine", words: "corrected by a person" });
  if (entry.stuck) marks.push({ text: "?", look: "waits", words: "needs a decision" });
  else if (entry.pending) marks.push({ text: "…", look: "waits", words: "waits to be saved" });
  if (lines.length > 0) marks.push({ text: "!", look: "bad", words: lines.join("; ") });
  return marks;
}
