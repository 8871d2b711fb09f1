// Warnings about boxes: which regions a line speaks of, and the lines that a region has to do with.

import { el } from "../lib/dom.js";
import { renew } from "../lib/renew.js";

/**
 * Which regions have something wrong with them.
 * @param {Object<string, string[]>} problems lines by parent
 * @param {(name: string) => string[]} childrenOf
 * @returns {Map<string, string[]>} lines by region; a parent has those that speak of no child of it
 */
export function byRegion(problems, childrenOf) {
  const found = new Map();
  const add = (name, line) => found.set(name, [...(found.get(name) ?? []), line]);
  for (const [parent, lines] of Object.entries(problems ?? {})) {
    const children = new Set(childrenOf(parent));
    for (const line of lines) {
      const named = new Set(line.split(/[\s,]+/).filter((word) => children.has(word)));
      if (named.size === 0) add(parent, line);
      for (const name of named) add(name, line);
    }
  }
  return found;
}

/**
 * What is wrong with a region and with what it holds, as a list in which the other regions can be gone to.
 * @param {HTMLElement} place
 * @param {import("../work/sheet.js").Sheet} sheet
 * @param {string} name
 * @param {Object<string, string[]>} problems
 * @param {(name: string) => void} select
 */
export function showWarnings(place, sheet, name, problems, select) {
  const parent = sheet.region(name)?.parent;
  const ofParent = parent === null || parent === undefined ? {} : { [parent]: problems[parent] ?? [] };
  const own = byRegion(ofParent, (one) => sheet.children(one)).get(name) ?? [];
  const inside = problems[name] ?? [];
  const names = new Set([...sheet.children(name), ...(parent == null ? [] : sheet.children(parent))]);
  names.delete(name);
  const item = (line) => el("li", {}, ...linked(line, names, select, sheet));
  const list = (lines) => el("ul", { class: "lines warn" }, lines.map(item));
  const none = "Nothing: it lies inside of its parent and overlaps nothing beside it.";
  const words = [...own, ...inside].map((line) => sheet.inWords(line));
  renew(place, [name, own, inside, words, [...names]], () => [
    own.length + inside.length === 0 && el("p", { class: "quiet" }, none),
    own.length > 0 && list(own),
    inside.length > 0 && [el("p", { class: "quiet" }, "Among the regions in it"), list(inside)],
  ]);
}

function linked(line, names, select, sheet) {
  return line.split(/([\s,]+)/).map((word) => {
    if (!names.has(word)) return sheet.inWords(word);
    const button = el("button", { type: "button", class: "link", dataset: { action: `select ${word}` } }, sheet.titleOf(word));
    button.addEventListener("click", () => select(word));
    return button;
  });
}
