/** One study, live: what people do is told while they do it. */

import { getJson } from "../lib/api.js";
import { announce, el } from "../lib/dom.js";
import { sentence } from "./numbers.js";
import { agreement, coverage, hours, progress, review, seats } from "./parts.js";

const LEAST = 5_000; // ms between looks
const PATIENCE = 10; // times as long as a look takes, at least

const at = (id) => document.getElementById(id);
const { study } = at("one").dataset;
const address = `/api/studies/${encodeURIComponent(study)}`;
const PARTS = { progress, coverage, hours, agreement, seats };
const shown = new Map();

function put(id, content) {
  const place = at(id);
  if (!place) return;
  const scrolled = place.querySelector(".table")?.scrollTop ?? 0;
  const focused = place.contains(document.activeElement);
  place.replaceChildren(...content.filter(Boolean));
  const table = place.querySelector(".table");
  if (table) table.scrollTop = scrolled;
  if (focused) table?.focus({ preventScroll: true });
}

function show(found) {
  at("paused").hidden = !found.paused;
  at("paused").textContent = found.paused ? `Paused: ${found.paused}` : "";
  if (found.paused) {
    put("progress", [el("p", { class: "soft" }, "It is counted again when it goes on. Nothing is lost.")]);
    shown.clear();
    return;
  }
  for (const [id, draw] of Object.entries(PARTS)) {
    const content = draw(found);
    const text = JSON.stringify(content.map((one) => one && one.outerHTML));
    if (shown.get(id) === text) continue; // what stays the same is left alone: somebody may be reading it
    shown.set(id, text);
    put(id, content);
  }
  const way = at("to-differences");
  if (way) {
    way.hidden = found.disputed + found.settled === 0;
    way.dataset.open = String(found.disputed);
    way.textContent = found.disputed ? `Settle differences (${found.disputed})` : "Settle differences";
  }
}

async function look() {
  const begun = performance.now();
  try {
    show(await getJson(address));
    at("late").hidden = true;
  } catch (error) {
    at("late").textContent = sentence(error.message);
    at("late").hidden = false;
  }
  setTimeout(again, Math.max(LEAST, PATIENCE * (performance.now() - begun)));
}

function again() {
  if (document.visibilityState === "visible") void look();
  else document.addEventListener("visibilitychange", again, { once: true });
}

async function more() {
  const { changed, review: found } = await getJson(`${address}/more`);
  at("changed").hidden = !changed.length;
  at("changed-list").replaceChildren(...changed.map((item) => el("li", { dir: "auto" }, item)));
  at("review").hidden = !found;
  if (found) put("review-table", review(found));
}

const link = at("link");
if (link) {
  history.replaceState(null, "", `/studies/${study}`); // loading the page again must not make another link
  link.select();
  at("copy").hidden = false;
  at("copy").addEventListener("click", async () => {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      at("copy").textContent = "Copied";
      announce("Copied");
    } catch {
      announce("The browser did not allow that; the link is selected, copy it with the keyboard");
    }
  });
}

async function begin() {
  await look();
  await more();
}

begin().catch(() => {}); // a study that is paused says so above
