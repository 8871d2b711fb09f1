/** The page of somebody who takes part in a study: from consent to the end. */

import { ApiError } from "../lib/api.js";
import { ask } from "../lib/dialog.js";
import { announce } from "../lib/dom.js";
import { same } from "../work/documents.js";
import { post } from "../work/post.js";
import { queue } from "../work/queue.js";
import { Answers } from "./answers.js";
import { askToWithdraw, showLink } from "./leaving.js";
import { sentence } from "./parts.js";
import { SheetView } from "./sheet.js";
import { about, closed, consent, done, ending, over, teaching, trouble, tutorial } from "./stages.js";
import { Study } from "./study.js";

const PLAIN = new Set(["withdrawn", "full"]);
const AGAIN = 15_000; // ms after which it is looked whether a closed study is open again
const UNDER_WAY = new Set(["about", "tutorial", "slots"]);
const STATUS = { 401: "out", 403: "stranger", 404: "missing", 410: "gone", 503: "changed" };

const root = document.getElementById("taking");
const study = new Study(root.dataset.study);
const marks = new Set(); // slots that are answered
const parts = {
  teach: document.getElementById("teach"),
  keys: document.getElementById("keys"),
  later: document.getElementById("later"),
  withdraw: document.getElementById("withdraw"),
  out: document.getElementById("out"),
  status: document.getElementById("status"),
  refused: document.getElementById("refused"),
};
let answers = null;
let view = null; // of the question that is shown
let shown = null; // {index, given} of it
let late = null; // what came too late, as it is shown
let waiting = 0; // the timer of the next look
let turn = 0; // of what is shown: an answer of the server that comes after the next turn is old
let declined = false;

/** Show a part, or the question, with the focus at its beginning. */
function put(element) {
  turn += 1;
  view?.close();
  view = null;
  shown = null;
  root.replaceChildren(element);
  scrollTo(0, 0);
  element.querySelector("h1")?.focus({ preventScroll: true });
  document.title = `${element.querySelector("h1")?.textContent ?? ""} · ${study.title || study.name}`;
}

async function begin() {
  try {
    await study.load();
    await arrive();
  } catch (error) {
    fail(error);
  }
}

/** Show the stage at which the person is. */
async function arrive() {
  const { stage, changed } = study;
  parts.withdraw.hidden = stage === "consent" || stage === "withdrawn";
  parts.later.hidden = !study.back || !UNDER_WAY.has(stage);
  parts.teach.hidden = stage !== "slots" || !study.has_tutorial;
  parts.keys.hidden = true;
  parts.status.hidden = stage !== "slots";
  if ((stage === "slots" || stage === "closed") && answers === null) await open();
  if (stage === "slots") await answers.again();
  tellRefused();
  late = null;
  if (stage === "closed") await close();
  else if (PLAIN.has(stage)) {
    if (stage === "withdrawn") await forget();
    put(over(declined ? "declined" : stage));
  } else if (changed && stage !== "done") put(over("changed"));
  else if (stage === "slots") await turnTo();
  else put(STAGES[stage]());
}

const say = (what) => async (content) => {
  await study.say(what, content);
  await arrive();
};

const STAGES = {
  consent: () => consent(study, { agree: () => say("consent")({ agreed: true }), decline }),
  about: () => about(study, { tell: say("about") }),
  tutorial: () => tutorial(study, { begin: () => say("taught")({}) }),
  done: () => done(study),
};

async function open() {
  answers = new Answers(study.name, study.code);
  answers.addEventListener("refused", () => void look());
  await answers.open();
  for (const slot of study.slots) if (slot.answered) marks.add(slot.id);
  for (const slot of answers.waiting) marks.add(slot);
}

/** Nothing more is taken, until the study is opened again. */
async function close() {
  clearTimeout(waiting);
  waiting = setTimeout(() => void look(), AGAIN);
  const { refused } = answers;
  if (late !== null && same(refused, late)) return; // somebody may be reading it
  late = refused;
  put(await closed(study, refused));
}

/** What the server does not take while the study is open, and why. */
function tellRefused() {
  const [first] = study.stage === "slots" ? answers.refused : [];
  parts.refused.hidden = !first;
  if (!first) return;
  const number = study.slots.findIndex((slot) => slot.id === first.slot) + 1;
  const which = number ? `Your answer to question ${number}` : "An answer of yours";
  parts.refused.textContent = `${which} was not taken: ${sentence(first.detail)} You can answer it again.`;
}

/** The question that the address names, or the one at which the person was. */
async function turnTo() {
  if (study.stage !== "slots") return;
  const wanted = location.hash.slice(1);
  if (wanted === "end" || !study.slots.length) {
    await answers.pause();
    parts.keys.hidden = true;
    put(ending(study, { marks, finish, go }));
    return;
  }
  const number = Number(wanted);
  await show(number >= 1 && number <= study.slots.length ? number - 1 : study.at);
}

async function show(index) {
  const { id } = study.slots[index];
  const mine = (turn += 1);
  await answers.pause();
  let sheet;
  try {
    sheet = await study.sheet(id);
  } catch (error) {
    if (mine !== turn) return;
    // One that went to somebody else: which are left has to be asked for anew.
    if (error instanceof ApiError && error.status === 404) put(trouble(sentence(error.message), () => void begin()));
    else fail(error, () => void show(index));
    return;
  }
  if (mine !== turn) return;
  answers.take(id, sheet);
  const acts = { marks, go, put: (given, seconds, whole) => keep(id, given, seconds, whole) };
  const made = new SheetView(study, index, sheet, answers.get(id), acts);
  put(made.element);
  view = made;
  shown = { index, given: answers.get(id)?.given ?? null };
  parts.keys.hidden = false;
  announce(`Question ${index + 1} of ${study.slots.length}`);
  if (index + 1 < study.slots.length) void study.prepare(study.slots[index + 1].id);
}

function go(index) {
  location.hash = index >= study.slots.length ? "#end" : `#${index + 1}`;
}

function keep(slot, given, seconds, whole) {
  if (whole) marks.add(slot);
  else marks.delete(slot);
  view?.mark();
  if (shown) shown.given = given;
  answers.put(slot, given, seconds).catch((error) => announce(`This answer could not be kept: ${error.message}`));
}

async function finish() {
  if (!(await answers.settled())) {
    if (answers.refused.length) throw new Error("an answer of yours was not taken; give it again first");
    throw new Error("some of your answers are on this device only; wait for a connection, then press it again");
  }
  await study.say("finish");
  if (study.stage === "done") await forget();
  await arrive();
}

async function decline() {
  declined = true;
  await study.say("withdraw");
  await arrive();
}

async function withdraw() {
  await study.say("withdraw");
  await forget();
  post.tell({ type: "withdrawn", screen: `study:${study.name}` }); // to this tab too
}

/** Nothing of what was said stays on this device. */
async function forget() {
  marks.clear();
  view?.close();
  view = null;
  const erased = answers ?? new Answers(study.name, study.code ?? "");
  answers = null;
  await erased.erase();
}

/** Somebody else may have changed where the person is: the study was closed, or another tab is done. */
async function look() {
  const known = () => JSON.stringify([study.stage, study.changed, study.slots.map((slot) => slot.id)]);
  const before = known();
  try {
    await study.load();
  } catch {
    return; // the way to the server is told of by the status
  }
  if (known() !== before) await arrive();
  else if (study.stage === "closed") await close();
  else if (answers) tellRefused();
}

/** Somebody comes back to this tab: what they have answered in another one is shown here too. */
async function comeBack() {
  if (document.visibilityState !== "visible" || !study.stage) return;
  await look();
  if (!answers || !shown || answers.waiting.size) return;
  const { index } = shown;
  const { id } = study.slots[index];
  const mine = turn;
  try {
    answers.take(id, await study.renewed(id));
  } catch {
    return; // as it was: the way to the server is told of by the status
  }
  for (const slot of study.slots) if (slot.answered) marks.add(slot.id);
  if (mine !== turn || answers.waiting.size) return;
  if (same(answers.get(id)?.given ?? null, shown.given)) view.mark();
  else await show(index);
}

function fail(error, again = () => void begin()) {
  const state = error instanceof ApiError ? STATUS[error.status] : undefined;
  put(state ? over(state, sentence(error.message)) : trouble(sentence(error.message), again));
  if (state) return;
  const mine = turn;
  addEventListener("online", () => mine === turn && again(), { once: true });
}

parts.teach.addEventListener("click", () => void ask({ title: "How it goes", body: teaching(study), wide: "wide" }));
parts.keys.addEventListener("click", () => void view?.help());
parts.later.addEventListener("click", () => void showLink(study.back));
parts.withdraw.addEventListener("click", () => void askToWithdraw(withdraw));
addEventListener("focus", () => void comeBack());
document.addEventListener("visibilitychange", () => void comeBack());
addEventListener("hashchange", () => answers && void turnTo());
queue.addEventListener("state", () => (parts.out.hidden = queue.link !== "signed out"));
post.addEventListener("withdrawn", ({ detail }) => detail.screen === `study:${study.name}` && void begin());

void begin();
