/** Numbers as people read them. */

export const DASH = "–";

/** @param {number} number */
export const count = (number) => number.toLocaleString("en");

/**
 * @param {number} number
 * @param {string} noun
 */
export const counted = (number, noun, nouns = `${noun}s`) => `${count(number)} ${number === 1 ? noun : nouns}`;

/** @param {number | null} value */
export const share = (value) => (value === null ? DASH : value.toFixed(2));

/** Seconds, as minutes where there are many. @param {number | null} seconds */
export function lasting(seconds) {
  if (seconds === null) return DASH;
  return seconds < 90 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`;
}

/** `2026-11-16 06:29 UTC` of ISO 8601. @param {string | null | undefined} moment */
export const when = (moment) => (moment ? `${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC` : DASH);

/** @param {string} line */
export const sentence = (line) => `${line.slice(0, 1).toUpperCase()}${line.slice(1)}${/[.?]$/.test(line) ? "" : "."}`;
