/** The list of studies: how far each is, one after the other, as opening one may take a while. */

import { getJson } from "../lib/api.js";
import { count } from "./numbers.js";

async function tell(row) {
  const put = (what, text) => {
    row.querySelector(`[data-told="${what}"]`).textContent = text;
  };
  try {
    const found = await getJson(`/api/studies/${encodeURIComponent(row.dataset.study)}`);
    if (found.paused) {
      put("state", "paused");
      put("answered", "");
      row.title = found.paused;
      return;
    }
    const bar = row.querySelector("progress");
    bar.max = Math.max(1, found.planned);
    bar.value = found.answered;
    put("answered", `${count(found.answered)} of ${count(found.planned)}`);
    put("people", count(found.counts.entered));
    put("finished", count(found.counts.finished));
    if (!found.closed && found.complete) put("state", "complete");
  } catch (error) {
    put("answered", error.message);
  }
}

async function tellAll() {
  for (const row of document.querySelectorAll("tr[data-study]")) await tell(row);
}

void tellAll();
