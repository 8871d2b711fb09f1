/** What to look at in a rationale while it is being written. */

/**
 * @param {{name: string, reason: string, law: ?string, neutral: ?string, sides: string[]}} one `sides` are those that
 *   the server finds named in the reason
 * @param {{name: string, document: object}[]} all that there are
 * @returns {{kind: "side" | "no-law" | "same-reason" | "same-law", text: string}[]}
 */
export function warningsOf({ name, reason, law, neutral, sides }, all) {
  const others = all.filter((other) => other.name !== name);
  const same = others.findIndex((other) => plain(other.document.reason) === plain(reason));
  const found = [];
  const warn = (kind, text) => void found.push({ kind, text });
  if (sides.length && !neutral) {
    warn("side", `It says “${sides[0]}” of a version, and who sees the designs in another order cannot know which.`);
  }
  if (!law) warn("no-law", "It has no law yet: choose the one that explains it best.");
  if (same >= 0 && plain(reason)) warn("same-reason", "Another rationale says the same.");
  else if (law && others.some((other) => other.document.law === law)) {
    warn("same-law", "Another rationale has the same law: see that they are two reasons.");
  }
  return found;
}

function plain(text) {
  return (text ?? "").toLowerCase().replace(/[\s.,;:!?]+/g, " ").trim();
}
