/** What is said where there is nothing left to go through. */

const EMPTY = {
  all: "There is no text.",
  failed: "No text has failed.",
  rejected: "Nobody has rejected a region.",
  mine: "You have judged no text yet.",
};

/**
 * @param {string} show what was gone through
 * @param {{left: number, total: number, any: boolean}} counts `any`: whether something was gone through
 * @param {number} skipped
 * @param {() => void} again
 * @returns {{lines: string[], act?: [string, () => void], reason: string}} `reason`: a name for it
 */
export function endOf(show, { left, total, any }, skipped, again) {
  if (!total) {
    return {
      lines: [
        "There is nothing to validate yet.",
        "Regions whose boxes people have corrected are told anew, on the page Boxes or with " +
          "`affordance author reannotate`; their texts are judged here.",
      ],
      reason: "no-texts",
    };
  }
  if (show === "todo" && !left) return { lines: [`All ${total.toLocaleString()} texts are judged.`], reason: "all-judged" };
  if (show === "todo") {
    const counted = `${left.toLocaleString()} of ${total.toLocaleString()} texts are to be judged.`;
    const passed = `You have skipped ${skipped.toLocaleString()} of them.`;
    const where = skipped ? passed : "They are on the screens before this one.";
    return { lines: [counted, where], act: ["Go through them", again], reason: "some-left" };
  }
  if (any) return { lines: ["This was the last one."], act: ["Begin again", again], reason: "last" };
  return { lines: [EMPTY[show]], reason: "none-like-that" };
}
