/** Strokes that need a decision: somebody else was first, or the server has refused them. */

import { ask, asking } from "../lib/dialog.js";
import { announce, el } from "../lib/dom.js";
import { forget, isForPeople, putAside, putBack, saveToFile, useMine } from "./decisions.js";
import { keyOf, withSet } from "./documents.js";
import { queue } from "./queue.js";
import { store } from "./store.js";
import { changesInWords, moment, personOf, place, thing } from "./words.js";

/** @import { DocumentName, Edit, EditBatch, Revision, StoredBatch } from "#types" */

const told = new Set();
let pressed = false;
let open = false;

/** Tell of strokes that stopped as soon as it disturbs nobody: not while a button is held or another dialog is open. */
export function watchConflicts() {
  const press = () => {
    pressed = true;
  };
  const release = () => {
    pressed = false;
    tell();
  };
  addEventListener("pointerdown", press, true);
  for (const type of ["pointerup", "pointercancel"]) addEventListener(type, release, true);
  queue.addEventListener("state", tell);
}

/** Go through all that needs a decision, one after the other, until the person leaves one for later. */
export async function decide() {
  if (open) return;
  open = true;
  try {
    for (let group = first(); group; group = first()) {
      told.add(group[0].key);
      if (!(await decideOne(group))) return;
    }
  } finally {
    open = false;
  }
}

function first() {
  return queue.stuck.find(isForPeople);
}

/** The list of what was put aside. */
export async function showAside() {
  while (queue.aside.length) {
    const strokes = queue.aside;
    const choices = strokes.map((stroke) => {
      const back = el("button", { type: "button", value: stroke.key, "data-action": "put-back" }, "Put back");
      const when = ` on ${stroke.screen}, ${moment(stroke.created)}`;
      return el("li", null, el("strong", null, stroke.label), when, mineInWords([stroke]), back);
    });
    const list = el("ul", { class: "aside" }, choices);
    /** @type {StoredBatch[]} */
    let chosen = [];
    list.addEventListener("click", ({ target }) => {
      if (!(target instanceof HTMLButtonElement)) return;
      chosen = strokes.filter((one) => one.key === target.value);
      target.closest("dialog")?.close();
    });
    const answer = await ask({
      title: "Changes that were put aside",
      body: list,
      actions: [
        { label: "Save to a file", value: "file" },
        { label: "Forget all", value: "forget", look: "danger" },
        { label: "Close", value: null },
      ],
      wide: "wide",
      name: "put-aside",
    });
    if (chosen.length) await putBack(chosen);
    else if (answer === "file") saveToFile(strokes);
    else if (answer === "forget") await forget(strokes);
    else return;
    await queue.look();
  }
}

function tell() {
  if (pressed || open || asking()) return;
  const fresh = queue.stuck.find((group) => isForPeople(group) && !told.has(group[0].key));
  if (!fresh) return;
  announce("A change of yours needs a decision.");
  void decide();
}

/**
 * @param {StoredBatch[]} group
 * @returns {Promise<boolean>} whether it was decided
 */
async function decideOne(group) {
  const [first] = group;
  dispatchEvent(new CustomEvent("deciding", { detail: { strokes: group, entries: first.there ?? [] } }));
  const conflict = changedText(first) ? askAgain : askConflict;
  const answer = await (first.state === "conflict" ? conflict(group) : askRefused(group));
  dispatchEvent(new CustomEvent("decided", { detail: { strokes: group } }));
  if (answer === "mine") await useMine(group);
  else if (answer === "aside" || answer === "again") await putAside(group);
  else if (answer === "file") saveToFile(group);
  else return false;
  await queue.look();
  if (answer === "again") judgeAgain(first);
  return true;
}

/** The text that is there instead of the one that a stroke judges. @param {EditBatch} stroke */
function changedText({ edits, there }) {
  /** @param {string} name */
  const judges = (name) => edits.some((edit) => edit.kind === "validation" && edit.name === name && edit.set.told);
  return there?.find((entry) => entry.kind === "retelling" && judges(entry.name));
}

/** A verdict on other words cannot be sent on top of those that are there now. @param {EditBatch[]} group */
function askAgain(group) {
  const text = /** @type {Revision} */ (changedText(group[0]));
  const who = text.author === store.person ? "You" : personOf(text.author);
  return ask({
    title: `${who} changed ${thing(text.kind, text.name)} at ${moment(text.created)}, before your verdict came`,
    body: [
      el("p", { class: "soft" }, `${place(group[0])}. Your verdict was of the text before: judge this one.`),
      el("div", { class: "two" }, [
        side("The text as it is now", theirsInWords([text])),
        side("Yours", mineInWords(group)),
      ]),
    ],
    actions: [
      { label: "Judge it again", value: "again", look: "primary" },
      { label: "Decide later", value: null },
    ],
    wide: "wide",
    name: "text-changed",
  });
}

/** A page that can show the text takes the event; else the page that can is opened. @param {EditBatch} stroke */
function judgeAgain(stroke) {
  const { name } = /** @type {Revision} */ (changedText(stroke));
  const { screen } = stroke;
  const note = stroke.edits.find((edit) => edit.kind === "validation" && edit.name === name)?.set.note ?? "";
  const taken = !dispatchEvent(new CustomEvent("judge", { cancelable: true, detail: { screen, name, note } }));
  if (!taken) location.assign(`/validation?${new URLSearchParams({ show: "all", screen, region: name })}`);
}

/** @param {EditBatch[]} group */
function askConflict(group) {
  const there = group[0].there ?? [];
  const mine = new Set(group.flatMap((one) => one.edits.map(keyOf)));
  const touched = there.filter((entry) => mine.has(keyOf(entry)));
  const { author, created, kind, name, document } = touched[0] ?? there[0];
  const who = author === store.person ? "You" : personOf(author);
  const did = document.gone ? "deleted" : "changed";
  const why = touched.length ? " while you were changing it" : ", which your change needs";
  const title = `${who} ${did} ${thing(kind, name)} at ${moment(created)}${why}`;
  const theirs = author === store.person ? "What is there now" : `${who}’s, as it is now`;
  return ask({
    title,
    body: [
      el("p", { class: "soft" }, `${place(group[0])}. Both stay in the history whatever you choose.`),
      el("div", { class: "two" }, [
        side(theirs, theirsInWords(touched.length ? touched : there)),
        side("Yours", mineInWords(group)),
      ]),
    ],
    actions: [
      { label: "Use mine", value: "mine", look: "primary" },
      { label: author === store.person ? "Keep what is there" : "Keep theirs", value: "aside" },
      { label: "Decide later", value: null },
    ],
    wide: "wide",
    name: did,
  });
}

/** @param {EditBatch[]} group */
function askRefused(group) {
  return ask({
    title: group.length === 1 ? "A change was not accepted" : `${group.length} changes were not accepted`,
    body: [`The server says: ${group[0].detail}`, side(`Yours. ${place(group[0])}`, mineInWords(group))],
    actions: [
      { label: "Put aside", value: "aside", look: "primary" },
      { label: "Try again", value: "mine" },
      { label: "Save to a file", value: "file" },
      { label: "Decide later", value: null },
    ],
    wide: "wide",
    name: "refused",
  });
}

/**
 * @param {string} title
 * @param {HTMLElement} content
 */
function side(title, content) {
  return el("section", null, el("h3", null, title), content);
}

/** @param {Revision[]} entries */
function theirsInWords(entries) {
  return lines(entries, ({ kind, document }) => changesInWords(kind, null, document).slice(1));
}

/** @param {EditBatch[]} strokes */
function mineInWords(strokes) {
  /** @type {Edit[]} */
  const edits = strokes.flatMap((one) => one.edits);
  return lines(edits, ({ kind, set }) => changesInWords(kind, {}, withSet(kind, {}, set, "")));
}

/**
 * @template {DocumentName} T
 * @param {T[]} list
 * @param {(one: T) => string[]} inWords
 */
function lines(list, inWords) {
  const said = list.map((one) => [
    el("dt", null, thing(one.kind, one.name)),
    inWords(one).map((line) => el("dd", null, line)),
  ]);
  return el("dl", { class: "changes" }, said);
}
