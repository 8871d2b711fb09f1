/** Keys, and the overlay that lists them. */

import { el } from "./dom.js";
import { ask } from "./dialog.js";

const MAC = /Mac|iPhone|iPad/.test(navigator.platform);
const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
const NAMES = { " ": "Space", Esc: "Escape", Del: "Delete" };
const SHOWN = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  PageUp: "Page Up",
  PageDown: "Page Down",
  Ctrl: MAC ? "⌘" : "Ctrl",
};
const TYPED = new Set(["text", "search", "email", "password", "url", "tel", "number", "date", "time"]);
// What a text field does itself with Ctrl held.
const EDITING = new Set(["A", "C", "V", "X", "Z", "Y", "Backspace", "Delete", "Home", "End"]);
const PRESSING = new Set(["Enter", "Space"]);

/** Keys of a page, each with a label and a group for the overlay. `?` opens it. */
export class Keymap {
  #bindings = [];

  constructor() {
    this.add("?", "Show all keys", "Help", () => void this.help());
  }

  /**
   * @param {string | string[]} keys such as "Ctrl+Z", "Shift+ArrowLeft", "?"; Ctrl is the command key on a Mac
   * @param {string} label what it does, for the overlay
   * @param {string} group
   * @param {(event: KeyboardEvent) => unknown} run false: not handled after all
   * @param {() => boolean} [when] while false, the key is left to whoever else wants it
   */
  add(keys, label, group, run, when = () => true) {
    const list = [keys].flat();
    this.#bindings.push({ list, wanted: new Set(list.map(canonical)), label, group, run, when });
  }

  /**
   * @param {HTMLElement | Document} element
   * @returns {() => void} stops listening
   */
  attach(element) {
    const listen = (event) => this.#pressed(event, element);
    element.addEventListener("keydown", listen);
    return () => element.removeEventListener("keydown", listen);
  }

  /** Open the overlay. */
  help() {
    return ask({ title: "Keys", body: this.#table(), actions: [{ label: "Close", value: null }], wide: "keys", name: "keys" });
  }

  #pressed(event, element) {
    if (event.defaultPrevented || event.isComposing) return;
    const dialog = event.target.closest?.("dialog[open]");
    if (dialog && (element === document || !dialog.contains(element))) return;
    const pressed = names(event);
    if (!pressed.length || taken(event, pressed[0])) return;
    for (const one of this.#bindings) {
      if (!pressed.some((name) => one.wanted.has(name)) || !one.when()) continue;
      if (one.run(event) === false) continue;
      event.preventDefault();
      return;
    }
  }

  #table() {
    const groups = new Map();
    for (const one of this.#bindings) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
    return [...groups].map(([group, list]) =>
      el("section", null, el("h3", null, group), el("dl", null, list.map((one) => [
        el("dt", null, brief(one.list).map((keys, index) => [index ? " or " : null, shown(keys)])),
        el("dd", null, one.label),
      ]))),
    );
  }
}

/** The four arrows in one word, where all of them do it. */
function brief(list) {
  const before = list[0].replace(/Arrow\w+$/, "");
  const all = ARROWS.map((arrow) => before + arrow);
  return all.every((keys) => list.includes(keys)) ? [`${before}arrows`, ...list.filter((one) => !all.includes(one))] : list;
}

function shown(keys) {
  return split(keys).map((key, index) => [index ? "+" : null, el("kbd", null, SHOWN[key] ?? key)]);
}

/** "Ctrl++" is Ctrl and the plus key. */
function split(keys) {
  const parts = keys.endsWith("+") ? [...keys.slice(0, -1).split("+").filter(Boolean), "+"] : keys.split("+");
  return parts.map((one) => NAMES[one] ?? one);
}

function canonical(keys) {
  const parts = split(keys);
  const key = parts.pop();
  return joined(new Set(parts), key.length === 1 ? key.toUpperCase() : key);
}

function joined(held, key) {
  return [...["Ctrl", "Alt", "Shift"].filter((one) => held.has(one)), key].join("+");
}

/** What was pressed, by the names that a binding may have for it. */
function names(event) {
  if (["Control", "Shift", "Alt", "Meta", "Dead"].includes(event.key)) return [];
  const held = new Set();
  if (event.ctrlKey || (MAC && event.metaKey)) held.add("Ctrl");
  else if (event.metaKey) return [];
  if (event.altKey) held.add("Alt");
  if (event.shiftKey) held.add("Shift");
  let key = NAMES[event.key] ?? event.key;
  // Of another script, or of what Alt makes of a letter: the place on the keyboard counts.
  const place = /^(?:Key|Digit)(\w)$/.exec(event.code)?.[1];
  if (place && key.length === 1 && (event.altKey || key.codePointAt(0) > 126)) key = place;
  if (key.length !== 1) return [joined(held, key)];
  const letter = key.toUpperCase();
  if (letter !== key.toLowerCase()) return [joined(held, letter)];
  // A sign that needs Shift on one keyboard needs none on another.
  const bare = new Set(held);
  bare.delete("Shift");
  return [...new Set([joined(held, letter), joined(bare, letter)])];
}

/** Whether the element that has the focus does something itself with the key. */
function taken(event, name) {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog:not([open])")) return false; // it has just closed, and still holds the focus for a moment
  const key = name.split("+").pop() || "+";
  if (typing(target)) {
    if (key === "Escape" || /^F\d+$/.test(key)) return false;
    if (event.ctrlKey || event.metaKey) return EDITING.has(key) || key.startsWith("Arrow");
    return true;
  }
  if (target.matches("input[type=radio], input[type=range]") && key.startsWith("Arrow")) return true;
  return target.matches("button, a[href], summary, input, [role=button]") && PRESSING.has(name);
}

function typing(target) {
  if (target.isContentEditable || target.matches("textarea, select")) return true;
  return target instanceof HTMLInputElement && TYPED.has(target.type);
}
