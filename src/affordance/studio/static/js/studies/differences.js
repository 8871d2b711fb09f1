/** Where people differ: one item after the other, what was said of it and not by whom, and what is to count. */

import { getJson, postJson } from "../lib/api.js";
import { announce, el } from "../lib/dom.js";
import { showBlocks } from "../taking/blocks.js";
import { blocksOf, makeForm, wide } from "../taking/forms.js";
import { counted, sentence, share } from "./numbers.js";

const root = document.getElementById("differences");
const { study, form: kind } = root.dataset;
const address = `/api/studies/${encodeURIComponent(study)}`;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
let items = [];
let opened = null; // what is shown: {films, form}

async function begin() {
  try {
    ({ items } = await getJson(`${address}/disputed`));
    list();
    const wanted = decodeURIComponent(location.hash.slice(1));
    const first = items.find((one) => one.item === wanted) ?? items.find((one) => !one.settled) ?? items[0];
    if (first) await open(first);
  } catch (error) {
    trouble(error);
  }
}

function trouble(error) {
  const again = el("button", { type: "button", onclick: () => void begin() }, "Try again");
  root.replaceChildren(el("p", { class: "error", role: "alert" }, sentence(error.message)), again);
}

function list() {
  const left = items.filter((one) => !one.settled).length;
  if (!items.length) {
    root.replaceChildren(el("p", null, "Nothing to settle so far. An item comes here once all who were to answer it have done so, and no more than half of them agree."));
    return;
  }
  const link = (one) => el("li", null, el("a", { href: `#${encodeURIComponent(one.item)}`, dataset: { item: one.item }, dir: "auto", onclick: (event) => {
    event.preventDefault();
    void open(one);
  } }, one.item), one.settled && el("span", { class: "mark" }, "settled"));
  root.replaceChildren(
    el("p", { role: "status", dataset: { open: left, settled: items.length - left } }, left ? `${counted(left, "item")} to settle, ${items.length - left} settled.` : "All of them are settled."),
    el("div", { class: "differing" },
      el("nav", { "aria-label": "Items" }, el("ul", { class: "names" }, items.map(link))),
      el("div", { id: "item" })));
}

async function open(one) {
  close();
  history.replaceState(null, "", `#${encodeURIComponent(one.item)}`);
  for (const link of root.querySelectorAll("a[data-item]")) {
    if (link.dataset.item === one.item) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  const place = document.getElementById("item");
  place.replaceChildren(el("p", { class: "soft" }, "Loading"));
  try {
    show(place, one, await getJson(`${address}/sheet?slot=${encodeURIComponent(one.slot)}`));
  } catch (error) {
    place.replaceChildren(el("p", { class: "error", role: "alert" }, sentence(error.message)));
  }
}

function close() {
  opened?.films.forEach((film) => film.destroy());
  opened?.form?.destroy?.();
  opened = null;
}

function show(place, one, sheet) {
  const blocks = showBlocks(sheet.blocks, hidden(sheet));
  const answer = el("div", { class: "answer" });
  opened = { films: blocks.films, form: null };
  const fill = (given) => {
    opened.form?.destroy?.();
    opened.form = makeForm(plain(sheet.form), given, { blocks: sheet.blocks, change: () => {} });
    answer.replaceChildren(opened.form.element);
  };
  const title = el("h2", { tabindex: "-1", dir: "auto" }, one.item);
  place.replaceChildren(title, said(one, sheet, fill),
    el("div", { class: wide(sheet.form) ? "sheet-body" : "sheet-body beside" }, blocks.element, answer),
    deciding(one));
  fill(one.settled?.given ?? {});
  title.focus({ preventScroll: true });
}

/** Whoever decides gives no reason in the form of others: there is a note. */
const plain = (form) => (form.kind === "choice" ? { ...form, reason: "" } : form);

/** What the form shows itself. */
const hidden = (sheet) => blocksOf(sheet.form, sheet.blocks);

function said(one, sheet, fill) {
  const row = ({ given, people, reasons }, place) => el("li", { dataset: { people } },
    el("button", { type: "button", dataset: { action: "take" }, onclick: () => fill(given), "aria-label": `Take ${LETTERS[place] ?? place + 1}: ${words(given, sheet.form)}` }, `Take ${LETTERS[place] ?? place + 1}`),
    el("span", { dir: "auto" }, `${words(given, sheet.form)}, ${counted(people, "person", "people")}`),
    reasons.map((reason) => el("q", { dir: "auto" }, reason)));
  return el("div", { class: "said-of" },
    one.overlap !== null && el("p", { class: "soft" }, `Mean overlap of two people: ${share(one.overlap)}`),
    el("ol", { class: "names", "aria-label": "What was said" }, one.said.map(row)));
}

function words(given, form) {
  if (given.box) return `box ${given.box.xyxy.map(Math.round).join(", ")}`;
  if (given.absent) return "not there";
  const label = (name) => form.options?.find((option) => option.name === name)?.label ?? name;
  return (given.options ?? [given.option]).map(label).join(", ");
}

function deciding(one) {
  const wrong = el("p", { class: "error", role: "alert", hidden: true });
  const note = el("textarea", { id: "note", rows: 2, maxlength: 2000, dir: "auto" });
  note.value = one.settled?.note ?? "";
  const region = kind === "boxes" ? el("input", { type: "checkbox", id: "region" }) : null;
  const send = async (body, told) => {
    wrong.hidden = true;
    try {
      const { settled } = await postJson(`${address}/settle`, { item: one.item, ...body });
      one.settled = settled;
      announce(told);
      list();
      await open((settled && items.find((other) => !other.settled)) || one);
    } catch (error) {
      wrong.textContent = sentence(error.message);
      wrong.hidden = false;
    }
  };
  const settle = () => {
    const lack = opened.form.lack();
    if (lack) {
      wrong.textContent = lack;
      wrong.hidden = false;
      opened.form.focus?.();
      return;
    }
    void send({ given: opened.form.value(), note: note.value, region: region?.checked ?? false }, `${one.item} is settled`);
  };
  return el("div", { class: "deciding" },
    el("div", { class: "field" }, el("label", { for: "note" }, "Why, for whoever asks later"), note),
    region && el("label", { class: "tick" }, region, " Also write it as the box of the region"),
    wrong,
    el("div", { class: "actions" },
      el("button", { type: "button", class: "primary", dataset: { action: "settle" }, onclick: settle }, one.settled ? "Settle anew" : "Settle"),
      one.settled && el("button", { type: "button", dataset: { action: "reopen" }, onclick: () => void send({}, `${one.item} is open again`) }, "Take back")));
}

void begin();
