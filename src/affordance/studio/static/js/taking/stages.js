/** What is shown before the first question and after the last one. */

import { el } from "../lib/dom.js";
import { makeForm } from "./forms.js";
import { deed, leaf, paragraphs } from "./parts.js";
import { AGES, GENDERS, kept, steps, WITHDRAWING } from "./texts.js";

/**
 * @param {import("./study.js").Study} study
 * @param {{agree: () => Promise<void>, decline: () => Promise<void>}} acts
 */
export function consent(study, { agree, decline }) {
  const yes = deed("agree", "I agree, and take part", agree, "primary");
  const no = deed("decline", "I do not take part", decline);
  return leaf("consent", study.title || "A study",
    paragraphs(study.texts.consent),
    el("h2", null, "What is kept of you"), kept(study).map((one) => el("p", null, one)),
    el("h2", null, "Withdrawing"), WITHDRAWING.map((one) => el("p", null, one)),
    el("div", { class: "actions" }, yes.button, no.button), yes.wrong, no.wrong);
}

export function about(study, { tell }) {
  const select = (id, label, options) => {
    const none = el("option", { value: "" }, "Prefer not to say");
    const field = el("select", { id }, none, options.map((one) => el("option", { value: one }, one)));
    return { field, element: el("div", { class: "field" }, el("label", { for: id }, label), field) };
  };
  const age = select("age", "Age group", AGES);
  const gender = select("gender", "Gender", GENDERS);
  const on = deed("continue", "Go on", () => tell({ age: age.field.value, gender: gender.field.value }), "primary");
  return leaf("about", "About you", el("p", null, "Both are optional. You can go on as it is."),
    age.element, gender.element, el("div", { class: "actions" }, on.button), on.wrong);
}

export function tutorial(study, { begin }) {
  const on = deed("begin", "Begin", begin, "primary");
  return leaf("tutorial", "How it goes", teaching(study), el("div", { class: "actions" }, on.button), on.wrong);
}

/** How it goes, also for the dialog that shows it again. @returns {Node[]} */
export function teaching(study) {
  const { good = [], bad = [] } = study.texts.tutorial ?? {};
  return [
    el("ol", { class: "steps" }, steps(study).map((one) => el("li", null, one))),
    ...paragraphs(study.texts.instruction ?? ""),
    el("div", { class: "two" }, examples("What helps", good, "good"), examples("What does not help", bad, "bad")),
    el("h2", null, "Keys"),
    el("p", null, "Everything can be done by touch, by mouse, or by keys alone. ", el("kbd", null, "?"),
      " shows all keys, ", el("kbd", null, "Ctrl"), "+", el("kbd", null, "Enter"),
      " goes on, and numbers choose an option. You can read this again at any time: “How it goes”, at the top."),
  ];
}

function examples(title, list, look) {
  if (!list.length) return null;
  const lines = list.map((one) => el("li", { dir: "auto" }, one));
  return el("section", null, el("h2", null, title), el("ul", { class: `examples ${look}`, dataset: { examples: look } }, lines));
}

/** All are answered, or nearly: a last look before it is final. */
export function ending(study, { marks, finish, go }) {
  const { slots } = study;
  const open = [...slots.keys()].filter((index) => !marks.has(slots[index].id));
  const on = deed("finish", "I am done", finish, "primary");
  const rest = open.length === 1 ? "1 question is not answered yet" : `${open.length} questions are not answered yet`;
  const link = (index, place) => [place ? ", " : null, el("a", { href: `#${index + 1}` }, `question ${index + 1}`)];
  const more = open.length > LISTED && `, and ${open.length - LISTED} more`;
  return leaf("end", open.length ? rest : "You have answered everything",
    open.length > 0 && el("p", null, "Open: ", open.slice(0, LISTED).map(link), more),
    el("p", null, FINAL),
    el("div", { class: "actions" },
      open.length > 0 && button("answer-open", "Answer what is open", () => go(open[0]), "primary"),
      slots.length > 0 && button("questions", "Back to the questions", () => go(slots.length - 1)),
      open.length === 0 && on.button), on.wrong);
}

const LISTED = 20; // open questions that are named
const FINAL =
  "You can still look at your answers and change them. Once all are there you can say that you are done; then they " +
  "stay as they are, and withdrawing stays possible.";

export function done({ completion, code }) {
  const back = { class: "button primary", href: completion, rel: "noreferrer" };
  return leaf("done", "Thank you: you are done",
    el("p", null, "Your answers are saved. You can close this page."),
    completion && el("div", { class: "actions" }, el("a", back, "Go back to where you came from")),
    completion && el("p", { class: "hint" }, "This tells the service that sent you that you have finished."),
    code && el("p", null, "Your code in this study, if somebody asks for it: ", el("code", { class: "code" }, code)));
}

const OVER = {
  withdrawn: [
    "You have withdrawn",
    "Everything you said in this study is erased, here and on this device. There is nothing more to do; you can " +
      "close this page.",
  ],
  declined: ["You do not take part", "That is fine, and nothing you said is kept. You can close this page."],
  full: [
    "This study is full",
    "Enough people take part already, so there is nothing left to answer. Thank you for coming; you can close this " +
      "page.",
  ],
  changed: [
    "This study is paused",
    "What it is about has changed since it began, and whoever runs it has to look at that first. Your answers so far " +
      "are kept. Come back later by your own link.",
  ],
  missing: [
    "There is no such study",
    "The address may be cut off. Open the link again that you were sent, or ask whoever sent it.",
  ],
  stranger: ["You do not take part in this study"],
  gone: ["You cannot take part in this study"],
  out: [
    "Open your own link again",
    "This visit has ended. Open the link that you were sent, or your own link: you go on where you were, and what " +
      "waits on this device is sent then.",
  ],
};

/**
 * Nothing more is taken. What came too late is shown.
 * @param {import("./study.js").Study} study
 * @param {{slot: string, given: object}[]} late
 */
export async function closed(study, late) {
  const made = leaf("closed", "This study is closed",
    el("p", null, "No more answers are taken. What you answered before is kept as it was; nothing of it is lost."));
  if (!late.length) return made;
  const { slot, given } = late.at(-1);
  const number = study.slots.findIndex((one) => one.id === slot) + 1;
  made.append(el("p", { class: "late", dataset: { question: number } }, `Your last answer${number ? `, to question ${number},` : ""} came after that and ` +
    "was not taken; it stays on this device, and is sent by itself if the study is opened again."));
  const sheet = await study.sheet(slot).catch(() => null); // without it there is only the sentence
  if (!sheet) return made;
  const { element } = makeForm(sheet.form, given, { blocks: sheet.blocks, change: () => {} });
  made.append(el("fieldset", { class: "cards", disabled: true }, el("legend", null, "Your last answer"), element));
  return made;
}

/**
 * There is nothing to do here, and why.
 * @param {keyof typeof OVER} state
 * @param {string} [line] what the server said, shown where there is nothing better
 */
export function over(state, line = "") {
  const [title, said = line] = OVER[state];
  return leaf(state, title, el("p", null, said));
}

/** It did not load. */
export function trouble(line, again) {
  return leaf("failed", "This cannot be shown just now", el("p", { class: "error" }, line),
    el("p", null, "What you have answered is kept. It is tried again as soon as there is a connection."),
    el("div", { class: "actions" }, button("retry", "Try again", again, "primary")));
}

function button(action, label, run, look = null) {
  return el("button", { type: "button", class: look, dataset: { action }, onclick: run }, label);
}
