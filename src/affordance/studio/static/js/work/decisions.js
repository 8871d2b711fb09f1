/** What a person may decide about strokes that stopped. Nothing is dropped: what is not sent is put aside. */

import { keyOf } from "./documents.js";
import { queue } from "./queue.js";
import { newKey, store } from "./store.js";

/** @import { Edit, EditBatch, Revision, StoredBatch } from "#types" */

/**
 * Whether a person has to decide about strokes that stopped together; the page of a study sees to answers itself.
 * @param {EditBatch[]} group
 */
export function isForPeople([first]) {
  return first.edits[0].kind !== "answer";
}

/**
 * Send them again, on top of what is there now. What somebody has deleted and they change or need comes back.
 * @param {StoredBatch[]} strokes that stopped together
 */
export async function useMine(strokes) {
  await send(strokes, (stroke) => stroke);
}

/** Put them aside: they are not sent, and can be looked at and put back. @param {StoredBatch[]} strokes */
export function putAside(strokes) {
  // Each by itself may be put back later: it has to know what stopped the first of them.
  const there = strokes[0].there ?? [];
  return store.revise(strokes, (stroke) => ({ ...stroke, state: "aside", there }));
}

/**
 * Send what was put aside after all, after everything else. Where it no longer fits, that is told again.
 * @param {StoredBatch[]} strokes
 */
export async function putBack(strokes) {
  await send(strokes, ({ id: _, ...stroke }) => stroke);
}

/** Forget what was put aside. @param {StoredBatch[]} strokes */
export function forget(strokes) {
  return store.revise(strokes, (stroke) => (stroke.state === "aside" ? null : undefined));
}

/** Give strokes to the person as a file. @param {StoredBatch[]} strokes */
export function saveToFile(strokes) {
  const content = JSON.stringify({ project: store.project, person: store.person, strokes }, null, 2);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  link.download = `strokes-${strokes[0].screen.replace(/[^\w.-]+/g, "-")}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * @param {StoredBatch[]} strokes
 * @param {(stroke: StoredBatch) => Omit<StoredBatch, "id"> & {id?: number}} place
 */
async function send(strokes, place) {
  const there = new Map(strokes.flatMap((one) => one.there ?? []).map((entry) => [keyOf(entry), entry]));
  await store.revise(strokes, (stroke) => {
    const edits = rebased(stroke.edits, there, stroke.there ?? []);
    return { ...place(stroke), edits, key: newKey(), state: "waiting", detail: "", there: [], refusedOnce: false };
  });
  queue.wake();
}

/**
 * @param {Edit[]} edits
 * @param {Map<string, Revision>} there
 * @param {Revision[]} needed
 */
function rebased(edits, there, needed) {
  const own = new Set(edits.map(keyOf));
  const moved = edits.map((edit) => {
    const entry = there.get(keyOf(edit));
    if (!entry) return edit;
    const back = entry.document.gone === true && !("gone" in edit.set);
    return { ...edit, after: entry.version, set: back ? { ...edit.set, gone: false } : edit.set };
  });
  const parents = new Set(edits.map((edit) => edit.set.parent));
  const back = needed
    .filter((entry) => !own.has(keyOf(entry)) && entry.document.gone && parents.has(entry.name))
    .map(({ kind, name, version }) => ({ kind, name, after: version, on: null, set: { gone: false } }));
  return [...back, ...moved];
}
