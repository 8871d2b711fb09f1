/** Questions to the person, on the native dialog: it holds the focus, and Escape leaves it. */

import { el } from "./dom.js";

const ACTIONS = new Map([
  [null, "close"],
  [true, "confirm"],
  [false, "cancel"],
]);

let count = 0;

/**
 * Ask, and wait for the answer. The focus goes to the title, so that a key that was meant for the page decides nothing,
 * unless an action has `focus`. Escape is null.
 * @param {object} options
 * @param {string | Node} options.title
 * @param {string | Node | (string | Node)[]} [options.body] texts become paragraphs
 * @param {{label: string, value: any, look?: "primary" | "danger" | "plain", focus?: boolean}[]} [options.actions]
 * @param {string} [options.wide] a class for the dialog
 * @param {string} [options.name] what it asks, for scripts and tests
 * @returns {Promise<any>}
 */
export function ask({ title, body = [], actions = [{ label: "Close", value: null }], wide = "", name = "" }) {
  const id = `dialog-${++count}`;
  const parts = [body].flat().map((one) => (typeof one === "string" ? el("p", null, one) : one));
  const heading = el("h2", { id, tabindex: "-1" }, title);
  const content = el("div", { class: "dialog-body" }, parts);
  const attributes = { "aria-labelledby": id, class: wide || null, "data-dialog": name || null };
  const dialog = /** @type {HTMLDialogElement} */ (el("dialog", attributes, heading, content));
  const before = document.activeElement;
  return new Promise((resolve) => {
    /** @type {any} */
    let answer = null;
    const buttons = actions.map(({ label, value, look, focus }) => {
      const choose = () => {
        answer = value;
        dialog.close();
      };
      const action = ACTIONS.get(value) ?? String(value);
      return el(
        "button",
        { type: "button", class: look ?? null, autofocus: focus, "data-action": action, onclick: choose },
        label,
      );
    });
    dialog.append(el("div", { class: "actions" }, buttons));
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    if (!actions.some((one) => one.focus)) heading.focus();
  });
}

/** Whether a dialog is open. */
export function asking() {
  return document.querySelector("dialog[open]") !== null;
}
