/** What was assigned to who looks at a list: a choice of it, and the first one unless the address asks for more. */

import { el } from "./dom.js";

export const MINE = "assigned";

/**
 * @param {HTMLSelectElement} select which rows are shown
 * @param {string[]} mine ids
 * @returns {Set<string>}
 */
export function offerMine(select, mine) {
  const known = [...select.options].some((one) => one.value === MINE);
  if (mine.length && !known) {
    select.append(el("option", { value: MINE }, "Assigned to me"));
    const asked = new URLSearchParams(location.search);
    const open = asked.get("screen") ?? asked.get("clip") ?? asked.get("pair");
    if ((asked.get("show") ?? MINE) === MINE && (open === null || mine.includes(open))) select.value = MINE;
  }
  return new Set(mine);
}
