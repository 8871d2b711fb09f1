/** The list of pairs that are one picture: which of them are shown, and how each is. */

import { el } from "../lib/dom.js";
import { LookedList } from "../lib/lookedlist.js";

const decided = (row) => row.confirmed || !row.single;
const SHOWS = {
  all: () => true,
  todo: (row) => !decided(row) && !row.aside,
  confirmed: (row) => row.single && row.confirmed,
  none: (row) => !row.single,
};

export function makeRows() {
  return new LookedList({
    address: "/api/splitting",
    key: (row) => row.id,
    cells,
    shows: SHOWS,
    done: decided,
    counted: (_, all) => `${all.filter(decided).length.toLocaleString()} of ${all.length.toLocaleString()} decided`,
    none: "No pair is like that. Show all.",
  });
}

function cells({ id, confirmed, single, winner, aside }) {
  const won = winner ? `${winner} won` : "nobody knows which won";
  const state = !single ? "not-two" : confirmed ? "confirmed" : "open";
  const told = !single ? "no picture of two" : confirmed ? won : "to be confirmed";
  return [
    el("span", { class: "title" }, el("bdi", null, id)),
    el("span", { class: "about" },
      el("span", { class: "soft", dataset: { state, winner: winner ?? "" } }, told),
      confirmed && single && el("span", { class: "chip", "data-chip": "confirmed" }, "confirmed"),
      aside && el("span", { class: "chip", "data-chip": "aside" }, "aside")),
  ];
}
