/** What a sheet shows: texts, pictures and films. All of it is shown as text and pictures, whoever made it. */

import { Film } from "../film/film.js";
import { ask } from "../lib/dialog.js";
import { el } from "../lib/dom.js";
import { enlarge } from "./zoom.js";

/**
 * @param {object[]} blocks
 * @param {Set<number>} left out, by place: the form shows those
 * @returns {{element: HTMLElement, films: Film[]}}
 */
export function showBlocks(blocks, left) {
  const films = [];
  const element = el("div", { class: "blocks" });
  blocks.forEach((block, place) => {
    if (left.has(place)) return;
    if (block.kind === "film") films.push(film(element, block, films.length === 0));
    else element.append(block.kind === "still" ? still(block) : text(block));
  });
  element.classList.toggle("two-films", films.length === 2);
  return { element, films };
}

/** A picture that can be enlarged. */
function still(block) {
  const figure = el("figure", { class: "block" }, block.label && el("figcaption", { dir: "auto" }, block.label));
  const open = () => void enlarge(block.label || "Picture", [block]);
  const holder = el("button", { type: "button", class: "still", title: "Enlarge", onclick: open });
  holder.append(picture(block, holder));
  figure.append(holder);
  return figure;
}

/**
 * An image. Where it does not come, that is said after `holder`, which is hidden, and it can be asked for again.
 * @param {{src: string, width: number, height: number, label?: string}} block
 * @param {HTMLElement} holder
 */
export function picture({ src, width, height, label = "" }, holder) {
  const image = el("img", { src, width, height, alt: label, decoding: "async" });
  image.addEventListener("error", () => {
    const again = () => {
      trouble.remove();
      holder.hidden = false;
      image.src = src;
    };
    const trouble = el("div", { class: "trouble", role: "alert", dataset: { failed: "picture" } },
      el("p", { class: "error" }, "This picture could not be loaded. Your answers are kept."),
      el("button", { type: "button", onclick: again }, "Try again"));
    holder.hidden = true;
    holder.after(trouble);
  });
  return image;
}

/** A film in a dialog, such as an example of an option. */
export async function showFilm(title, block) {
  const place = el("div");
  const opened = film(place, { ...block, label: block.label || title }, true);
  await ask({ title, body: place, wide: "wide" });
  opened.destroy();
}

function film(element, block, autoplay) {
  const label = block.label && el("p", { class: "block-label", dir: "auto" }, block.label);
  const place = el("div", { class: "block" }, label);
  element.append(place);
  return new Film(place, { ...block, autoplay });
}

function text({ label, text: said, folded }) {
  const body = el("p", { class: "said", dir: "auto" }, said);
  if (folded) return el("details", { class: "block" }, el("summary", null, label || "More"), body);
  return el("div", { class: "block" }, label && el("h2", { dir: "auto" }, label), body);
}
