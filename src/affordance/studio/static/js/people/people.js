/** The page of people: find among many, copy a link. All else are forms, which need no module. */

import { announce } from "../lib/dom.js";

const search = document.getElementById("find");
const found = document.getElementById("found");
const rows = [...document.querySelectorAll("#people tbody tr")];

search?.addEventListener("input", () => {
  const words = search.value.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const name = row.dataset.name;
    row.hidden = !words.every((word) => name.includes(word));
    if (!row.hidden) shown += 1;
  }
  found.dataset.count = String(shown);
  found.textContent = words.length ? `${shown} of ${rows.length}` : `${rows.length} people`;
});

const link = document.getElementById("link");
if (link) {
  // Loading the page again must not make another link.
  history.replaceState(null, "", "/people");
  link.select();
  const button = document.getElementById("copy");
  button.addEventListener("click", copy);
  button.hidden = false;
}

async function copy() {
  link.select();
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(link.value);
    else if (!document.execCommand("copy")) throw new Error("not allowed");
    announce("Copied");
    const button = document.getElementById("copy");
    button.textContent = "Copied";
    button.dataset.state = "copied";
  } catch {
    announce("The browser did not allow that; the link is selected, copy it with the keyboard");
  }
}
