/** Adding screens: files are dropped or chosen, sent one after the other, and each says what became of it. */

import { el } from "../lib/dom.js";
import { sendFile } from "./send.js";

const AT_ONCE = 2; // the server decodes one while the next is on its way
const MEGABYTE = 1_000_000;

/** @param {HTMLElement} drop the place to drop files on, with the field to choose them in it */
export function mountUploads(drop) {
  const uploads = new Uploads(drop.dataset.types.split(","), Number(drop.dataset.most));
  const field = drop.querySelector("input");
  field.addEventListener("change", () => {
    uploads.add([...field.files]);
    field.value = ""; // so that the same file can be chosen again
  });
  // Anywhere on the page: beside the place, a browser would open the file instead of the page.
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    drop.classList.toggle("over", drop.contains(event.target));
  });
  addEventListener("dragleave", () => drop.classList.remove("over"));
  addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    drop.classList.remove("over");
    uploads.add([...event.dataTransfer.files]);
  });
  addEventListener("beforeunload", (event) => {
    if (uploads.busy) event.preventDefault();
  });
}

class Uploads {
  #list = document.getElementById("uploads");
  #told = document.getElementById("sent");
  #waiting = [];
  #running = 0;
  #total = 0;
  #ended = { added: 0, known: 0, failed: 0 };

  constructor(types, most) {
    this.types = types;
    this.most = most;
  }

  get busy() {
    return this.#running > 0;
  }

  add(files) {
    for (const file of files) {
      const row = el("li", null, el("span", null, file.name), el("span", { class: "soft" }, "waits"));
      this.#list.append(row);
      this.#waiting.push({ file, row });
    }
    this.#total += files.length;
    this.#list.hidden = false;
    while (this.#running < AT_ONCE && this.#waiting.length) this.#next();
  }

  async #next() {
    const { file, row } = this.#waiting.shift();
    this.#running += 1;
    this.#summary();
    const outcome = await this.#send(file, row);
    this.#running -= 1;
    this.#ended[outcome] += 1;
    this.#summary();
    if (this.#waiting.length) this.#next();
  }

  async #send(file, row) {
    const wrong = this.#wrong(file);
    if (wrong) return tell(row, "failed", el("span", { class: "error" }, wrong));
    const bar = el("progress", { max: 1, value: 0, "aria-label": `How much of ${file.name} is sent` });
    const share = el("span", { class: "soft" }, "0%");
    row.replaceChildren(row.firstChild, el("span", { class: "sending" }, bar, share));
    try {
      const taken = await sendFile(file, (part) => {
        bar.value = part;
        share.textContent = part < 1 ? `${Math.floor(part * 100)}%` : "is looked at";
      });
      return taken.added.length ? tell(row, "added", ...words(taken)) : tell(row, "known", "is in the project already");
    } catch (error) {
      return tell(row, "failed", el("span", { class: "error" }, error.message.replace(`${file.name}: `, "")));
    }
  }

  #wrong(file) {
    if (!this.types.includes(file.type)) return "expected a PNG, JPEG or WebP picture";
    const found = (file.size / MEGABYTE).toFixed(0);
    return file.size > this.most ? `expected at most ${this.most / MEGABYTE} MB, found ${found} MB` : "";
  }

  #summary() {
    const { added, known, failed } = this.#ended;
    const ended = added + known + failed;
    const parts = [
      `${added} ${added === 1 ? "screen" : "screens"} added`,
      ...(known ? [`${known} known already`] : []),
      ...(failed ? [`${failed} not added`] : []),
    ];
    Object.assign(this.#told.dataset, { added, known, failed, left: this.#total - ended });
    this.#told.textContent = ended < this.#total ? `${ended} of ${this.#total} files` : `${parts.join(", ")}.`;
  }
}

function words({ added: [name], copies }) {
  const address = `/boxes?${new URLSearchParams({ screen: name })}`;
  const copied = copies[name] ? [`, which is nearly equal to ${copies[name]}`] : [];
  return ["added as ", el("a", { href: address }, name), ...copied];
}

function tell(row, outcome, ...text) {
  row.replaceChildren(row.firstChild, el("span", null, ...text));
  row.dataset.outcome = outcome;
  return outcome;
}
