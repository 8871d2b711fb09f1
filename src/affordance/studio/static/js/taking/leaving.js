/** Leaving for now, or for good. */

import { ask } from "../lib/dialog.js";
import { announce, el } from "../lib/dom.js";
import { sentence } from "./parts.js";

/** Show somebody their own link. @param {string} link */
export function showLink(link) {
  const address = new URL(link, location.origin).href;
  const look = { class: "own-link", name: "own-link", readonly: true, "aria-label": "Your own link" };
  const field = el("input", { ...look, value: address, onfocus: () => field.select() });
  const copy = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(address);
      announce("Copied");
      button.textContent = "Copied";
    } catch {
      // Not allowed here: it is selected, and can be copied by hand.
      announce("Selected: copy it by hand");
    }
  };
  const button = el("button", { type: "button", onclick: () => void copy() }, "Copy");
  return ask({
    title: "Come back later",
    body: [
      "Your answers are kept. This link is yours alone: it brings you back to where you are, on this device or " +
        "another one. Whoever has it can see and change your answers, so keep it to yourself.",
      el("div", { class: "copied" }, field, button),
    ],
  });
}

/**
 * Ask whether somebody wants to withdraw.
 * @param {() => Promise<void>} withdraw
 */
export async function askToWithdraw(withdraw) {
  let wrong = "";
  for (;;) {
    const sure = await ask({
      title: "Withdraw from the study?",
      body: [
        wrong && el("p", { class: "error", role: "alert" }, wrong),
        "This erases all your answers with every earlier version of them, your age group and gender if you gave " +
          "them, and the number by which a recruiting service knows you. What waits on this device is erased too.",
        "It cannot be undone, and you cannot take part again. What was taken out of the study before, as in a table " +
          "that somebody made yesterday, cannot be called back from here.",
      ].filter(Boolean),
      actions: [
        { label: "Withdraw and erase", value: true, look: "danger" },
        { label: "Stay in the study", value: false },
      ],
    });
    if (!sure) return;
    try {
      await withdraw();
      return;
    } catch (error) {
      wrong = `You have not withdrawn: ${sentence(error.message)}`;
    }
  }
}
