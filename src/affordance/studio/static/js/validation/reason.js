/** Why a region is rejected. */

import { el } from "../lib/dom.js";
import { ask } from "../lib/dialog.js";
import { Drafts } from "../lib/drafts.js";

const drafts = new Drafts("validation reason");

/**
 * @param {{screen: string, name: string}} place
 * @param {string} note what was written already
 * @returns {Promise<string | null>} null: it is not rejected after all
 */
export async function reasonFor(place, note) {
  const field = el("textarea", { id: "reason", rows: 3, maxlength: 20000, dir: "auto", required: true });
  field.value = drafts.get(keyOf(place)) ?? note;
  const wrong = el("p", { class: "wrong", role: "alert" });
  const body = [
    el("p", null, "A rejected region goes no further: it is not asked about and not exported. It can be taken back."),
    el("p", { class: "field" }, el("label", { for: "reason" }, "Why?"), field),
    wrong,
  ];
  field.addEventListener("input", () => drafts.set(keyOf(place), field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    field.closest("dialog").querySelector("button.danger").click();
  });
  for (;;) {
    const answer = ask({
      title: `Reject ${place.title}`,
      body,
      actions: [
        { label: "Reject and next", value: true, look: "danger" },
        { label: "Cancel", value: false, look: "plain" },
      ],
      name: "reject",
    });
    field.focus();
    const rejected = await answer;
    if (rejected === false) settleReason(place);
    if (!rejected) return null; // Escape may have been meant for something else: what was typed is kept
    if (field.value.trim()) return field.value.trim();
    wrong.textContent = "Expected a reason in a few words, found none.";
  }
}

/** It is saved, or given up. @param {{screen: string, name: string}} place */
export function settleReason(place) {
  drafts.drop(keyOf(place));
}

function keyOf({ screen, name }) {
  return `${screen}/${name}`;
}
