/**
 * What people fill in, by the kind of form. Each makes `{element, value, lack, focus, bind?, empty?, destroy?}` of the
 * form and of what was given: `value()` is what is kept, `lack()` says what is missing in it, "" where nothing is.
 * `blocks(form, blocks)` of a form are the places of blocks that it shows itself.
 */

import { choice } from "./forms/choice.js";
import { either } from "./forms/either.js";
import { place } from "./forms/place.js";
import { scale } from "./forms/scale.js";
import { tags } from "./forms/tags.js";
import { words } from "./forms/words.js";
import { yesNo } from "./forms/yesno.js";

const FORMS = { choice, either, place, words, scale, tags, "yes or no": yesNo };

/** Whether a form needs the whole width. */
export const wide = ({ kind }) => kind === "either" || kind === "place";

/** Places of blocks that are shown by the form alone. @returns {Set<number>} */
export function blocksOf(form, blocks) {
  return new Set(FORMS[form.kind].blocks?.(form, blocks) ?? []);
}

/** @param {{blocks: object[], change: () => void}} around */
export function makeForm(form, given, around) {
  return FORMS[form.kind](form, given ?? {}, around);
}
