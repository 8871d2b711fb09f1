/** Reviews of a pair: which round it is, whose review is whose, and what they say. */

import { meta } from "../lib/dom.js";
import { personOf } from "../work/words.js";

/** Who works here, as the names of reviews have them. */
export function me() {
  return personOf(meta("person"));
}

/** @returns {{name: string, person: string, round: number, document: object}[]} by round and person */
export function reviewsOf(desk) {
  return [...desk.entries("review").values()]
    .map((one) => ({ ...one, round: one.document.round, person: one.name.slice(`${one.document.round}-`.length) }))
    .sort((a, b) => a.round - b.round || (a.person < b.person ? -1 : 1));
}

/** The round that one is in: the newest that anybody has begun. */
export function roundOf(desk) {
  return Math.max(1, ...reviewsOf(desk).map((one) => one.round));
}

/** What I say in the round that it is in. @returns {object} of a review that nobody has begun, too */
export function mine(desk) {
  const round = roundOf(desk);
  const { document } = desk.get("review", `${round}-${me()}`) ?? { document: {} };
  return { round, irrelevant: [], missing: [], note: "", done: false, ...document };
}

/** What each of the others said last and is done with. */
export function lastOfOthers(desk) {
  const last = new Map();
  for (const one of reviewsOf(desk)) if (one.document.done && one.person !== me()) last.set(one.person, one);
  return [...last.values()];
}

/** Whether I have still to say what I find before I am told what others do. */
export function blinded(desk, mayReview) {
  const { round, done } = mine(desk);
  return mayReview && !done && lastOfOthers(desk).some((one) => one.round === round);
}

/** An edit of my review. */
export function reviewed(desk, set) {
  const { round } = mine(desk);
  return { kind: "review", name: `${round}-${me()}`, set: { round, ...set } };
}
