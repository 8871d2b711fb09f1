/** What may be sent next, and what stays until somebody has decided. Pure: strokes in, strokes out. */

import { keyOf } from "./documents.js";

/** @import { EditBatch } from "#types" */

/** How long a stroke that may still change is held back at most, in ms. */
export const HOLD = 2_000;

/**
 * Whether a stroke may still change. A clock that was set back must not hold one back for days.
 * @param {{held?: number}} stroke
 * @param {number} now
 */
export function isHeld({ held = 0 }, now) {
  return held > now && held <= now + 2 * HOLD;
}

/**
 * A stroke that met a conflict or was refused stops all later ones on its documents, which were made on top of it;
 * those stop what is on theirs.
 * @template {EditBatch} T
 * @param {T[]} strokes of one person, in the order in which they were made
 * @param {number} [now] when they were read, at the latest: one that is held back then holds back those after it
 * @returns {{ready: Map<string, T>, waiting: T[], stuck: T[][]}} `ready`: the first to be sent for each
 *   screen; `stuck`: lists of strokes that wait for one decision, the one that caused it first
 */
export function plan(strokes, now = Date.now()) {
  const ready = new Map();
  const begun = new Set();
  const waiting = [];
  const stuck = [];
  /** @type {Map<string, T[]>} */
  const stopped = new Map();
  for (const stroke of strokes) {
    if (stroke.state === "aside") continue;
    const documents = stroke.edits.map((edit) => `${stroke.screen}\n${keyOf(edit)}`);
    let group = documents.map((one) => stopped.get(one)).find(Boolean);
    if (!group && stroke.state === "waiting") {
      waiting.push(stroke);
      if (!begun.has(stroke.screen) && !isHeld(stroke, now)) ready.set(stroke.screen, stroke);
      begun.add(stroke.screen);
      continue;
    }
    if (!group) {
      group = [];
      stuck.push(group);
    }
    group.push(stroke);
    for (const one of documents) stopped.set(one, group);
  }
  return { ready, waiting, stuck };
}
