// What the page says where there is nothing to work on, or part of it is missing.

import { el, withCode } from "../lib/dom.js";

const box = document.getElementById("message");

/** Nothing is in the way of the screen. */
export function clearMessage() {
  box.hidden = true;
  box.replaceChildren();
}

/**
 * @param {string} title
 * @param {(string | Node)[]} lines
 * @param {{small?: boolean, kind?: string}} [options] small: beside the screen and not instead of it
 */
function showMessage(title, lines, { small = false, kind = "" } = {}) {
  box.className = small ? "message small" : "message";
  box.dataset.kind = kind;
  const parts = lines.map((line) => (typeof line === "string" ? el("p", {}, ...withCode(line)) : line));
  box.replaceChildren(el("h3", {}, title), ...parts);
  box.hidden = false;
}

/** Which message is shown. */
export function shownMessage() {
  return box.hidden ? "" : box.dataset.kind;
}

export function noScreens() {
  const way = el("p", {}, el("a", { href: "/" }, "Add screenshots on the overview"), ", or in a terminal:");
  showMessage("There are no images yet.", [way, "`affordance author init PROJECT IMAGES...`"], { kind: "no screens" });
}

export function unknownScreen(id, first, open) {
  const lines = [`“${id}” is none of the images of this project. The address may be of another one.`];
  if (first) lines.push(el("button", { type: "button", "data-action": "open-first", onclick: () => open(first) }, `Open ${first}`));
  showMessage("There is no such image.", lines, { kind: "unknown" });
}

export function unreadable(id, detail, again) {
  const retry = el("button", { type: "button", "data-action": "retry", onclick: again }, "Try again");
  showMessage(`${id} cannot be shown.`, [detail, retry], { kind: "unreadable" });
}

/** What stands below an empty tree, where it covers nothing. */
export function noRegions(mayEdit) {
  const draw = mayEdit ? "Press N and draw the first one, or have a model propose them:" : "A model can propose them:";
  const lines = ["No regions yet.", draw, "`affordance author divide PROJECT --model MODEL`"];
  return lines.map((line) => el("p", {}, ...withCode(line)));
}

export function noPicture(image) {
  const lines = [
    `Expected ${image} in the folder of the project, with the content that it had.`,
    "Put it back and load the page again. Boxes and texts are all there.",
  ];
  showMessage("The picture is missing.", lines, { small: true, kind: "no picture" });
}
