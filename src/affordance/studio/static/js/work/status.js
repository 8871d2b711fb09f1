/** Where the person's strokes are, said truthfully at all times. */

import { el } from "../lib/dom.js";
import { decide, showAside, watchConflicts } from "./conflicts.js";
import { isForPeople } from "./decisions.js";
import { queue } from "./queue.js";
import { store } from "./store.js";
import { personOf } from "./words.js";

let mounted = false;

/**
 * Show it in an element, and begin to send what waits. A second time it does nothing: the shell of all pages does it.
 * @param {HTMLElement} element
 */
export function mountStatus(element) {
  if (mounted) return;
  mounted = true;
  const said = el("span", { role: "status", class: "status" });
  const decision = el("button", {
    type: "button",
    class: "status-button",
    hidden: true,
    "data-action": "decide",
    onclick: () => void decide(),
  });
  const aside = el("button", {
    type: "button",
    class: "plain",
    hidden: true,
    "data-action": "show-aside",
    onclick: () => void showAside(),
  });
  const back = `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
  const signIn = el(
    "a",
    { class: "status-button", href: back, hidden: true, "data-action": "sign-in" },
    "Sign in again",
  );
  const others = el("span", { class: "status soft", hidden: true });
  element.replaceChildren(others, said, signIn, decision, aside);
  const show = () => {
    const { text, look } = inWords(queue, store);
    put(said, text);
    const stuck = queue.stuck.filter(isForPeople).flat().length;
    const counts = {
      waiting: queue.waiting.length + queue.fresh + store.unsafe,
      stuck: queue.stuck.flat().length,
      aside: queue.aside.length,
    };
    Object.assign(said.dataset, { look, link: queue.link, durable: store.durable, ...counts });
    put(decision, stuck && (stuck === 1 ? "1 needs a decision" : `${stuck} need a decision`));
    put(aside, queue.aside.length && `${queue.aside.length} put aside`);
    put(others, queue.others.length && ofOthers(queue.others));
    signIn.hidden = queue.link !== "signed out";
  };
  queue.addEventListener("state", show);
  addEventListener("beforeunload", (event) => {
    if (store.unsafe || store.amending || (!store.durable && queue.kept)) event.preventDefault();
  });
  watchConflicts();
  queue.start();
  show();
}

/**
 * @param {Pick<typeof queue, "link" | "waiting" | "fresh" | "stuck" | "person">} queue
 * @param {Pick<typeof store, "durable" | "unsafe">} store
 * @returns {{text: string, look: "saved" | "waiting" | "trouble"}}
 */
export function inWords({ link, waiting, fresh, stuck, person }, { durable, unsafe }) {
  const count = waiting.length + fresh + unsafe;
  const kept = durable ? `${count} kept on this computer` : `${count} waiting, not kept on this computer`;
  if (link === "signed out") return { text: count ? `Signed out: ${kept}` : "Signed out", look: "trouble" };
  if (link === "somebody else") {
    const who = `${personOf(person)} has signed in here`;
    return { text: count ? `${who}: ${kept} until you sign in again` : `${who}: load the page again`, look: "trouble" };
  }
  if (link === "elsewhere") {
    const other = "Another project is served here";
    return { text: count ? `${other}: ${kept} until this one is back` : other, look: "trouble" };
  }
  if (link === "offline") return { text: count ? `Offline: ${kept}` : "Offline", look: "trouble" };
  if (count) return { text: durable ? `${count} waiting` : kept, look: "waiting" };
  if (!durable) return { text: "Saved; nothing is kept on this computer", look: "trouble" };
  return { text: stuck.length ? "All else saved" : "Saved", look: "saved" };
}

/** @param {string[]} people */
function ofOthers(people) {
  const until = people.length === 1 ? "they sign in" : "each of them signs in";
  return `Changes of ${people.map(personOf).join(" and ")} wait on this computer until ${until}`;
}

/**
 * Texts that stay the same are left alone: they would be read out again.
 * @param {HTMLElement} element
 * @param {string | number} text nothing to say: hidden
 */
function put(element, text) {
  element.hidden = !text;
  if (element.textContent !== (text || "")) element.textContent = String(text || "");
}
