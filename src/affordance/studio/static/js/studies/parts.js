/** How a study stands, drawn from what the server tells. */

import { el } from "../lib/dom.js";
import { count, counted, lasting, share, when } from "./numbers.js";

const STATES = { began: "came in", active: "here now", away: "away", finished: "finished", excluded: "excluded", withdrawn: "withdrew" };
const MOST_CELLS = 4000;

/** A table in a region that can be scrolled by keys. `facts`: data attributes of the rows. */
export function table(label, columns, rows, look = "table", facts = []) {
  const heads = columns.map(([name, number]) => el("th", { scope: "col", class: number ? "number" : null }, name));
  const cells = (row) => row.map((value, place) =>
    el(place ? "td" : "th", { scope: place ? null : "row", class: columns[place][1] ? "number" : "name", dir: columns[place][1] ? null : "auto" }, value));
  return el("div", { class: look, tabindex: "0", role: "region", "aria-label": label },
    el("table", null, el("thead", null, el("tr", null, heads)), el("tbody", null, rows.map((row, place) => el("tr", { dataset: facts[place] ?? {} }, cells(row))))));
}

export function progress(found) {
  const { planned, answered, counts, seconds, left_out: out } = found;
  const facts = [
    [`${count(answered)} of ${count(planned)}`, "answered"],
    [count(counts.entered), "came in"],
    [count(counts.active), "here now"],
    [count(counts.finished), "finished"],
    [count(counts.excluded), "excluded"],
    [count(counts.withdrawn), "withdrew"],
    [lasting(seconds), "for an answer (median)"],
    [count(out), "left out"],
  ];
  const reasons = Object.entries(counts.reasons).map(([why, number]) => `${why}: ${number}`);
  return [
    el("progress", { max: Math.max(1, planned), value: answered, "aria-label": "Answered" }),
    el("dl", { class: "told" }, facts.map(([value, name]) => el("div", null, el("dt", null, name), el("dd", null, value)))),
    reasons.length > 0 && el("p", { class: "soft" }, `What does not count: ${reasons.join("; ")}.`),
  ];
}

/** One cell for each item, the fuller the more of its answers are there. */
export function coverage({ coverage: items, per_item: planned, fewest, most }) {
  const levels = new Map();
  for (const [, number] of items) levels.set(number, (levels.get(number) ?? 0) + 1);
  const told = [...levels].sort(([one], [other]) => one - other).map(([number, many]) => `${count(many)} with ${number} of ${planned}`);
  const cell = ([item, number]) => {
    const some = Math.min(3, Math.max(1, Math.round((4 * number) / planned))); // quarters; neither empty nor full
    return el("i", { class: `cell of-${number === 0 ? 0 : number >= planned ? 4 : some}`, title: `${item}: ${number} of ${planned}` });
  };
  const words = told.length > 8 ? [...told.slice(0, 4), "…", ...told.slice(-3)] : told;
  return [
    items.length <= MOST_CELLS && el("div", { class: "strip", "aria-hidden": "true" }, items.map(cell)),
    el("p", { class: "soft" }, `${counted(items.length, "item")}: ${words.join(", ")}. Between ${fewest} and ${most} people are at each.`),
  ];
}

export function hours({ hours: found }) {
  const most = Math.max(1, ...found.map(([, number]) => number));
  const all = found.reduce((sum, [, number]) => sum + number, 0);
  const bars = found.map(([hour, number]) => {
    const bar = el("i", { title: `${hour.slice(11)} UTC: ${counted(number, "answer")}`, class: number ? null : "none" });
    bar.style.height = `${Math.max(2, Math.round((100 * number) / most))}%`;
    return bar;
  });
  const [busiest, peak] = found.reduce((best, one) => (one[1] > best[1] ? one : best), ["", 0]);
  const told = all ? `${counted(all, "answer")}; at most ${count(peak)} in an hour (${busiest.slice(11)} UTC).` : "None.";
  return [el("div", { class: "hours", "aria-hidden": "true" }, bars), el("p", { class: "soft" }, told)];
}

export function agreement({ agreement: found, there, form, disputed, settled }) {
  const rows = found.filter((one) => one.items > 0).map((one) =>
    [one.measure, count(one.items), count(one.answers), share(one.alpha), one.kappa === null ? share(null) : `${share(one.kappa)} (${one.kappa_of})`, share(one.iou)]);
  const columns = [["Measure", false], ["Items", true], ["Answers", true], ["Alpha", true], ["Kappa", true], ["Overlap (IoU)", true]];
  const none = form === "survey" ? "Answers in free words have no agreement that can be counted." : "No item has answers of two people yet.";
  return [
    rows.length ? table("Agreement", columns, rows) : el("p", { class: "soft" }, none),
    there && el("p", null, `Overlap with the boxes that are there: ${share(there.iou)}, over ${counted(there.items, "region")}.`),
    disputed + settled > 0 && el("p", null, `${counted(disputed, "item")} where people differ ${disputed === 1 ? "is" : "are"} open, ${count(settled)} settled.`),
    rows.length > 0 && el("p", { class: "hint" }, "On what counts now, of items that two or more have answered: Krippendorff's alpha; kappa where all items have the same number of people; for boxes the mean overlap of two people."),
  ];
}

export function seats({ people }) {
  if (!people.length) return [el("p", { class: "soft", id: "no-seats" }, "Nobody has come in yet. Make a link below and send it to people.")];
  const columns = [["Code", false], ["State", false], ["Answered", true], ["Given to others", true], ["Median", true], ["Last seen", false]];
  const rows = people.map((one) => [
    el("code", null, one.code),
    one.excluded && one.state === "excluded" ? `${STATES[one.state]}: ${one.excluded}` : STATES[one.state],
    one.state === "withdrawn" ? "" : `${one.answered} of ${one.slots}`,
    one.released ? count(one.released) : "",
    one.state === "withdrawn" ? "" : lasting(one.seconds),
    when(one.seen),
  ]);
  const facts = people.map(({ code, state }) => ({ seat: code, state }));
  return [table("Codes of people", columns, rows, "table tall", facts)];
}

export function review({ finding, columns, lines, note }) {
  const heads = [["Tag", false], ...columns.map((name) => [name, true])];
  return [el("p", null, finding), table("Tags", heads, lines.map(([tag, values]) => [tag, ...values])), el("p", { class: "hint" }, note)];
}
