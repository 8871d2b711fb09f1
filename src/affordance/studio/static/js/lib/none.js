/** What a page says where there is nothing to work on, in #none, beside what is hidden then. */

import { announce, el, withCode } from "./dom.js";

const none = document.getElementById("none");

/** @param {(string | Node)[]} lines what is in backticks is a command */
export function showNone(lines) {
  none.parentElement.classList.add("empty-page");
  none.hidden = false;
  none.replaceChildren(...lines.map((line) => (typeof line === "string" ? el("p", null, ...withCode(line)) : line)));
  announce(lines.filter((line) => typeof line === "string").join(" ").replaceAll("`", ""));
}

export function hideNone() {
  none.hidden = true;
  none.parentElement.classList.remove("empty-page");
}
