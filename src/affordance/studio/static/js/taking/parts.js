/** Small parts that several stages have. */

import { el } from "../lib/dom.js";

/** Text of somebody in paragraphs: empty lines are between them. */
export function paragraphs(text) {
  const found = text.split(/\n\s*\n/).map((one) => one.trim());
  return found.filter(Boolean).map((one) => el("p", { class: "said", dir: "auto" }, one));
}

/**
 * A page with one thing to read and to decide.
 * @param {string} stage a short name for tests and styles
 */
export function leaf(stage, title, ...content) {
  return el("section", { class: "leaf", dataset: { stage } }, el("h1", { tabindex: "-1", dir: "auto" }, title), content);
}

/**
 * A button that does something which may fail: it cannot be pressed twice, and what went wrong is said beside it.
 * @param {string} action its name in `data-action`
 * @param {string} label
 * @param {() => Promise<unknown>} run
 */
export function deed(action, label, run, look = null) {
  const wrong = el("p", { class: "error deed-error", role: "alert", hidden: true });
  const button = el("button", { type: "button", class: look, dataset: { action } }, label);
  button.addEventListener("click", async () => {
    button.disabled = true;
    wrong.hidden = true;
    try {
      await run();
    } catch (error) {
      wrong.textContent = sentence(error.message);
      wrong.hidden = false;
    } finally {
      button.disabled = false;
    }
  });
  return { button, wrong };
}

export function sentence(line) {
  return `${line.slice(0, 1).toUpperCase()}${line.slice(1)}${/[.?]$/.test(line) ? "" : "."}`;
}
