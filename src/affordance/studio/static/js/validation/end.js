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
 * @returns {{lines: string[], act?: [string, () => void]}}
 */
export function endOf(show, { left, total, any }, skipped, again) {
  if (!total) {
    return {
      lines: [
        "There is nothing to validate yet.",
        "Regions whose boxes people have corrected are told anew, on the page Boxes or with " +
          "`affordance author reannotate`; their texts are judged here.",
      ],
    };
  }
  if (show === "todo" && !left) return { lines: [`All ${total.toLocaleString()} texts are judged.`] };
  if (show === "todo") {
    const counted = `${left.toLocaleString()} of ${total.toLocaleString()} texts are to be judged.`;
    const passed = `You have skipped ${skipped.toLocaleString()} of them.`;
    const where = skipped ? passed : "They are on the screens before this one.";
    return { lines: [counted, where], act: ["Go through them", again] };
  }
  return { lines: [any ? "This was the last one." : EMPTY[show]], act: any ? ["Begin again", again] : undefined };
}
