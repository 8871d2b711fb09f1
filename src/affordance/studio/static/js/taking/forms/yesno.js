/** Yes or no. */

import { cards } from "./cards.js";

const OPTIONS = [
  { name: "yes", label: "Yes", keys: ["Y"] },
  { name: "no", label: "No", keys: ["N"] },
];

export function yesNo(form, given, { change }) {
  const chosen = given.yes === undefined ? [] : [given.yes ? "yes" : "no"];
  const made = cards({ options: OPTIONS, chosen, legend: form.question || "Yes or no?", look: "short", change });
  return {
    ...made,
    value: () => (made.chosen().length ? { yes: made.chosen()[0] === "yes" } : {}),
    lack: () => (made.chosen().length ? "" : "Neither yes nor no is chosen yet."),
  };
}
