/** The twelve laws, as the reference has them, and a field to choose one. */

import { el } from "../lib/dom.js";

const terms = [...document.querySelectorAll("#reference [data-law]")];
const groups = Map.groupBy(terms, (one) => one.dataset.dimension);

/**
 * A field for the law of a rationale. One that is none of the twelve stays until another is chosen.
 * @param {string | null} law
 * @param {{id: string, disabled: boolean, onchange?: (law: string | null) => void}} options
 */
export function lawField(law, { id, disabled, onchange = () => {} }) {
  const option = (name) => el("option", { value: name, title: meaning(name) }, name);
  const known = terms.some((one) => one.dataset.law === law);
  const field = el("select", { id, disabled },
    el("option", { value: "" }, "No law yet"),
    [...groups].map(([dimension, list]) =>
      el("optgroup", { label: dimension }, list.map((one) => option(one.dataset.law)))),
    law && !known ? el("option", { value: law }, `${law} (none of the twelve)`) : null);
  field.value = law ?? "";
  field.addEventListener("change", () => onchange(field.value || null));
  return field;
}

function meaning(name) {
  return terms.find((one) => one.dataset.law === name)?.nextElementSibling?.firstChild?.textContent ?? "";
}
