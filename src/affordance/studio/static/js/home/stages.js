/** How far the stages are: counted by the server once somebody wants to know, which may take a while. */

import { getJson } from "../lib/api.js";
import { el } from "../lib/dom.js";

const AGAIN = 1000; // ms
const COLUMNS = ["done", "outdated", "pending", "failed"];

/** @param {HTMLDetailsElement} details */
export function mountStages(details) {
  let asked = false;
  const opened = () => {
    if (!details.open || asked) return;
    asked = true;
    show(details).catch((error) => {
      asked = false;
      say(details, `It is not known: ${error.message}. Close this and open it again to try once more.`);
    });
  };
  details.addEventListener("toggle", opened);
  opened(); // by somebody who was faster than this script
}

async function show(details) {
  say(details, "Counting…");
  let found = await getJson("/api/standing");
  while (!found.counted) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    found = await getJson("/api/standing");
  }
  if (found.error) throw new Error(found.error);
  const rows = found.stages.map((one) =>
    el(
      "tr",
      null,
      el("th", { scope: "row" }, one.stage, el("span", { class: "hint" }, one.does)),
      COLUMNS.map((name) => el("td", { class: "number" }, one[name].toLocaleString("en"))),
    ),
  );
  details.querySelector("tbody").replaceChildren(...rows);
  details.querySelector(".table").hidden = false;
  say(details, "Screens by stage. Out of date: made of something that has changed since.");
}

function say(details, text) {
  details.querySelector("#counting").textContent = text;
}
