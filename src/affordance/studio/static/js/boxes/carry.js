// Putting a region under another one: by dragging its row, or by cutting it and pasting it where it belongs.

import { el } from "../lib/dom.js";

const FAR = 5; // pixels from which on a press is a drag
const EDGE = 32; // pixels from the ends of the list within which it scrolls
const OPEN_AFTER = 700; // milliseconds over a closed row until it opens

/**
 * Why a region cannot be put under another, or "" if it can.
 * @param {import("../work/sheet.js").Sheet} sheet
 * @param {string} name
 * @param {string} under
 */
export function refusal(sheet, name, under) {
  const region = sheet.region(name);
  if (!region || !sheet.region(under)) return "that region is not there any more";
  if (region.parent === null) return "the whole screen cannot be put under a region";
  if (under === name) return "a region cannot be put under itself";
  if (region.parent === under) return sheet.inWords(`${name} is under ${under} already`);
  if (sheet.ancestors(under).includes(name)) return sheet.inWords(`${under} is inside of ${name}`);
  return "";
}

/** The stroke that puts a region under another one. */
export function moveUnder(sheet, name, under) {
  return sheet.edit(`Put ${name} under ${under}`, [{ kind: "region", name, set: { parent: under } }]);
}

/**
 * @param {HTMLElement} box the element that scrolls, whose rows have `data-name`
 * @param {object} options
 * @param {(name: string) => boolean} options.canCarry
 * @param {(name: string, under: string) => string} options.refused why not, or ""
 * @param {(line: string) => string} options.inWords a line with names, as people read it
 * @param {(name: string | null, over: string | null, why: string) => void} options.onOver
 * @param {(name: string) => void} options.onOpen
 * @param {(name: string, under: string) => void} options.onDrop
 * @returns {() => void} gives up what is being dragged
 */
export function mountDragging(box, options) {
  let drag = null;

  function rowAt(x, y) {
    return document.elementFromPoint(x, y)?.closest("[data-name]") ?? null;
  }

  function over(event) {
    const row = rowAt(event.clientX, event.clientY);
    const name = row !== null && box.contains(row) ? row.dataset.name : null;
    drag.tag.style.left = `${event.clientX + 12}px`;
    drag.tag.style.top = `${event.clientY + 8}px`;
    if (name === drag.over) return;
    drag.over = name;
    drag.why = name === null || name === drag.name ? "" : options.refused(drag.name, name);
    const told = name === null || name === drag.name ? drag.name : drag.why || `${drag.name} under ${name}`;
    drag.tag.dataset.refused = String(drag.why !== "");
    drag.tag.textContent = options.inWords(told);
    options.onOver(drag.name, name, drag.why);
    clearTimeout(drag.timer);
    if (name !== null && row.getAttribute("aria-expanded") === "false") {
      drag.timer = setTimeout(() => options.onOpen(name), OPEN_AFTER);
    }
  }

  function scroll() {
    if (!drag?.tag) return;
    const { top, bottom } = box.getBoundingClientRect();
    const by = drag.y < top + EDGE ? drag.y - top - EDGE : drag.y > bottom - EDGE ? drag.y - bottom + EDGE : 0;
    if (by !== 0) box.scrollTop += by / 4;
    requestAnimationFrame(scroll);
  }

  function begin() {
    drag.tag = el("div", { class: "carried", "aria-hidden": "true" }, options.inWords(drag.name));
    document.body.append(drag.tag);
    document.documentElement.classList.add("dragging");
    box.setPointerCapture(drag.pointer);
    requestAnimationFrame(scroll);
  }

  function move(event) {
    if (event.pointerId !== drag.pointer) return;
    drag.y = event.clientY;
    if (!drag.tag && Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) < FAR) return;
    if (!drag.tag) begin();
    over(event);
  }

  function end(drop) {
    const { name, tag, over: under, why, timer } = drag;
    clearTimeout(timer);
    for (const [type, listener] of Object.entries(listeners)) window.removeEventListener(type, listener, true);
    drag = null;
    if (!tag) return;
    tag.remove();
    document.documentElement.classList.remove("dragging");
    options.onOver(null, null, "");
    if (drop && under !== null && under !== name && !why) options.onDrop(name, under);
  }

  const listeners = {
    pointermove: move,
    pointerup: () => end(true),
    pointercancel: () => end(false),
    keydown: (event) => {
      if (event.key !== "Escape" || !drag.tag) return;
      event.preventDefault();
      event.stopPropagation();
      end(false);
    },
  };

  box.addEventListener("pointerdown", (event) => {
    const row = event.target.closest("[data-name]");
    if (drag || event.button !== 0 || !row || event.target.closest(".twist")) return;
    if (!options.canCarry(row.dataset.name)) return;
    drag = { name: row.dataset.name, pointer: event.pointerId, from: [event.clientX, event.clientY], y: event.clientY };
    Object.assign(drag, { tag: null, over: null, why: "", timer: 0 });
    for (const [type, listener] of Object.entries(listeners)) window.addEventListener(type, listener, true);
  });
  return () => drag && end(false);
}
