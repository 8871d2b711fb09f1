/** What is known of a pair: who won and by what, what it is to achieve, and where it is from. */

import { el } from "../lib/dom.js";
import { renew } from "../lib/renew.js";

const EVIDENCE = {
  tested: "an A/B test",
  voted: "the votes of people",
  constructed: "how it was made: one design was spoiled on purpose",
};
const SIDES = ["the first", "the second"];

/** @param {HTMLElement} place @param {object} pair its document @param {boolean} blind */
export function showFacts(place, pair, blind) {
  renew(place, [pair, blind], () => facts(pair, blind));
}

function facts(pair, blind) {
  const { votes, winner } = pair;
  const decided = winner == null ? "Nobody knows which design won" : `Won: ${SIDES[winner]}`;
  const rows = [
    ["goal", "Goal", pair.goal],
    ["context", "Context", pair.context],
    blind ? null : ["winner", "Winner", `${decided}${pair.evidence ? `, by ${EVIDENCE[pair.evidence]}` : ""}`],
    blind || !votes ? null : ["votes", "Votes", `${votes[0]} for the first, ${votes[1]} for the second`],
    ["company", "Company", pair.company],
    blind ? null : ["source", "Source", pair.source ? link(pair.source) : null],
    ["origin", "From", pair.origin],
  ].filter((row) => row?.[2]);
  const why = el("bdi", null, pair.note || "no reason given");
  const aside = pair.aside && el("p", { class: "notice", "data-fact": "aside" }, "Put aside: ", why);
  const data = { winner: { winner: winner ?? "none", evidence: pair.evidence ?? "" } };
  const row = ([fact, term, value]) => [el("dt", null, term), el("dd", { dir: "auto", dataset: { fact, ...data[fact] } }, value)];
  const told = rows.flatMap(row);
  return [aside, el("dl", null, told)];
}

/** A link where it is one that leads to a page; else only its text. */
function link(address) {
  const known = URL.canParse(address) && ["http:", "https:"].includes(new URL(address).protocol);
  const shown = el("bdi", null, address);
  return known ? el("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, shown) : shown;
}
