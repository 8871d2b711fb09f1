/** The list of pictures: which of them are shown, and how each is. */

import { el } from "../lib/dom.js";
import { LookedList } from "../lib/lookedlist.js";

const todo = (row) => !row.accepted && !row.clean && !row.aside && (row.marked > 0 || row.touched);
const SHOWS = {
  marked: (row) => !row.clean && (row.marked > 0 || row.touched || row.accepted),
  todo,
  accepted: (row) => row.accepted,
  clean: (row) => row.clean,
  all: () => true,
};

export const keyOf = ({ id, place }) => `${id}/${place}`;

/** What a picture is called. */
export function nameOf({ id, place, one }) {
  return one ? id : `${id}, ${place === 0 ? "first" : "second"} design`;
}

/** A share of a picture in words. */
export function share(value) {
  return value > 0 && value < 0.0005 ? "less than 0.1%" : `${(100 * value).toFixed(1)}%`;
}

export function makeRows() {
  return new LookedList({
    address: "/api/cleaning",
    key: keyOf,
    cells,
    shows: SHOWS,
    done: (row) => !todo(row),
    counted: (rows, all) => `${rows.length.toLocaleString()} of ${all.length.toLocaleString()} pictures`,
    none: "No picture is like that. Show all, to paint over something that was not found.",
  });
}

function cells(row) {
  const { marked, wrong, touched, accepted, clean, aside } = row;
  const found = marked > 0 ? `${share(marked)} found` : marked === null ? "not looked at yet" : "no marker found";
  return [
    el("span", { class: "title" }, el("bdi", null, nameOf(row))),
    el("span", { class: "about" },
      el("span", { class: "soft", "data-unreadable": Boolean(wrong) }, wrong ? "cannot be read" : found),
      accepted && el("span", { class: "chip", "data-chip": "accepted" }, "accepted"),
      clean && el("span", { class: "chip", "data-chip": "clean" }, "nothing to remove"),
      touched && !accepted && el("span", { class: "chip", "data-chip": "painted" }, "painted"),
      aside && el("span", { class: "chip", "data-chip": "aside" }, "aside")),
  ];
}
