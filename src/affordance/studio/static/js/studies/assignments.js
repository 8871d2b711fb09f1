/** Who gets what: people with shares, and an overlap that two of them get. */

import { getJson, postJson } from "../lib/api.js";
import { ask } from "../lib/dialog.js";
import { announce, el } from "../lib/dom.js";
import { count, sentence } from "./numbers.js";

const at = (id) => document.getElementById(id);
const body = document.querySelector("#shares tbody");
let found = { people: [], totals: {} };
const chosen = new Map(); // share by key, of those who get some

async function load() {
  found = await getJson("/api/assignments");
  draw();
}

function draw() {
  const what = at("what").value;
  const { all, assigned, twice } = found.totals[what];
  Object.assign(at("totals").dataset, { all, assigned, twice });
  at("totals").textContent = `${count(all)} ${what}: ${count(assigned)} assigned, ${count(twice)} of them to two people.`;
  at("take-back").hidden = assigned === 0;
  at("assign").disabled = !found.people.length;
  if (!found.people.length) {
    const none = el("td", { colspan: 4, class: "soft" }, "Nobody has joined yet. ", el("a", { href: "/people#invite" }, "Invite somebody"), " first.");
    body.replaceChildren(el("tr", null, none));
    return;
  }
  body.replaceChildren(...found.people.map((one) => row(one, what)));
}

function row({ key, name, role, has }, what) {
  const box = el("input", { type: "checkbox", name: "person", value: key, checked: chosen.has(key) });
  const number = el("input", { type: "number", min: 1, max: 1000, value: chosen.get(key) ?? 1, "aria-label": `Share of ${name}` });
  const follow = () => {
    if (box.checked) chosen.set(key, Number(number.value) || 1);
    else chosen.delete(key);
  };
  box.addEventListener("change", follow);
  number.addEventListener("input", () => {
    box.checked = true;
    follow();
  });
  const { assigned, done } = has[what];
  return el("tr", null,
    el("th", { scope: "row", class: "name" }, el("label", { class: "tick" }, box, el("span", null, el("bdi", null, name), el("span", { class: "hint" }, role)))),
    el("td", null, number), el("td", { class: "number" }, count(assigned)), el("td", { class: "number" }, count(done)));
}

async function send(people, which) {
  at("wrong").hidden = true;
  try {
    const what = at("what").value;
    const sent = { what, which, people, overlap: Number(at("overlap").value), seed: Number(at("seed").value) };
    const { changed } = await postJson("/api/assignments", sent);
    announce(changed ? `${count(changed)} ${what} changed` : "There was nothing to change");
    await load();
  } catch (error) {
    at("wrong").textContent = sentence(error.message);
    at("wrong").hidden = false;
  }
}

at("assigning").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!chosen.size) {
    at("wrong").textContent = "Choose at least one person who gets some.";
    at("wrong").hidden = false;
    return;
  }
  void send([...chosen].map(([person, share]) => ({ person, share })), at("which").value);
});
at("what").addEventListener("change", draw);
at("take-back").addEventListener("click", async () => {
  const what = at("what").value;
  const actions = [{ label: "Take back", value: true, look: "danger" }, { label: "Keep", value: false }];
  const sure = await ask({ title: `Take back all ${what}?`, body: "Nobody has them assigned then. What people did stays.", actions });
  if (sure) await send([], "all");
});

load().catch((error) => {
  at("totals").textContent = sentence(error.message);
});
