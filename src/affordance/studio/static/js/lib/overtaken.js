/** That somebody else has changed a text while it is being written: their words, and what is to become of both. */

import { el, meta } from "./dom.js";

/**
 * What a notice says.
 * @param {string} author as revisions name them; "" where nobody is known
 * @param {[string, string][]} texts what is there now, each with its label
 * @param {{keep: () => void, use: () => void}} acts `keep`: go on with what is written here; `use`: take theirs
 * @returns {HTMLElement[]}
 */
export function overtaken(author, texts, { keep, use }) {
  const who = author === meta("person") ? "You" : author.replace(/^person:/, "") || "Somebody";
  return [
    el("p", null, el("bdi", null, who), " changed this text while you were writing."),
    ...texts.map(([label, text]) => el("p", { dir: "auto" }, el("b", null, `${label}: `), text || "none")),
    el("div", { class: "row" },
      el("button", { type: "button", "data-action": "keep-mine", onclick: keep }, "Keep mine"),
      el("button", { type: "button", "data-action": "use-theirs", onclick: use }, "Use theirs")),
  ];
}
