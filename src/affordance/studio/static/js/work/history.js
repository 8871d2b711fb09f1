/** All versions of documents of a region. */

import { getJson } from "../lib/api.js";

/** @import { Fields, Revision } from "#types" */
/** @typedef {Revision & {before: Fields | null, newest: boolean}} Version */

/**
 * The versions of its documents of these kinds, the newest first, each with the document `before` it, or null, and
 * whether it is the `newest` of its kind.
 * @param {string} screen
 * @param {string[]} kinds
 * @param {string} name
 */
export async function versionsOf(screen, kinds, name) {
  const found = await Promise.all(kinds.map((kind) => ofKind(screen, kind, name)));
  return found.flat().sort((a, b) => (a.created === b.created ? 0 : a.created < b.created ? 1 : -1));
}

/**
 * @param {string} screen
 * @param {string} kind
 * @param {string} name
 * @returns {Promise<Version[]>}
 */
async function ofKind(screen, kind, name) {
  /** @type {{versions: Revision[]}} */
  const { versions } = await getJson(`/api/history?${new URLSearchParams({ screen, kind, name })}`);
  return versions.map((one, index) => ({
    ...one,
    before: versions[index - 1]?.document ?? null,
    newest: index === versions.length - 1,
  }));
}
