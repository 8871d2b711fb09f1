/** The studies that somebody can begin or go on with. */

import { getJson } from "../lib/api.js";
import { el } from "../lib/dom.js";
import { sentence } from "./parts.js";

const STAGES = { done: "You are done", withdrawn: "You have withdrawn", closed: "Closed", full: "Full" };
const NONE =
  "No study is open for you at the moment; this page will show it once there is one. You may close it and come back " +
  "within a week, in this browser.";

async function show() {
  const place = document.getElementById("studies");
  try {
    const { studies } = await getJson("/api/study");
    place.replaceChildren(studies.length ? el("ul", { class: "studies" }, studies.map(row)) : el("p", null, NONE));
    document.getElementById("title").textContent = studies.length ? "Studies" : "There is nothing to do yet";
  } catch (error) {
    const again = el("button", { type: "button", onclick: () => void show() }, "Try again");
    place.replaceChildren(el("p", { class: "error" }, sentence(error.message)), again);
  }
}

function row({ name, title, stage }) {
  const where = STAGES[stage] ?? (stage === null ? "Not begun" : "Begun");
  const link = el("a", { href: `/study/${encodeURIComponent(name)}`, dir: "auto" }, title);
  return el("li", { dataset: { study: name, stage: stage ?? "" } }, link, el("span", { class: "soft" }, where));
}

void show();
