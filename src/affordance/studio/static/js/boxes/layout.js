// Panes: their sizes, which of them is shown where there is room for one only, and the way from one to the next.

const KEPT = "affordance.boxes.layout";
const STEP = 16;
const NARROW = "(max-width: 899px)";
const PANES = ["images", "tree", "stage", "panel"];
// Pixels: as they begin, and between what a person may choose.
const SIZES = {
  images: { start: 256, least: 160, most: 480, across: true },
  tree: { start: 264, least: 160, most: 560, across: true },
  panel: { start: 264, least: 120, most: 640, across: false },
};

/**
 * @param {HTMLElement} root
 * @returns {{show(pane: string): void, focus(pane: string): void, step(by: number): void, narrow: boolean}}
 */
export function mountLayout(root) {
  const kept = readKept();
  for (const [name, size] of Object.entries(SIZES)) mountSplitter(root, name, size, kept);
  const media = window.matchMedia(NARROW);
  const tabs = [...root.querySelectorAll("[role=tab]")];
  let shown = "stage";

  function show(pane) {
    shown = pane;
    root.dataset.shown = pane;
    for (const tab of tabs) {
      const on = tab.dataset.pane === pane;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
    }
  }

  function arrange() {
    for (const name of PANES) {
      const pane = paneOf(name);
      if (media.matches) pane.setAttribute("role", "tabpanel");
      else pane.removeAttribute("role");
    }
  }

  function focus(pane) {
    if (media.matches) show(pane);
    targetOf(paneOf(pane))?.focus();
  }

  function step(by) {
    const at = PANES.findIndex((name) => paneOf(name).contains(document.activeElement));
    const from = at < 0 ? (media.matches ? PANES.indexOf(shown) : by > 0 ? -1 : 0) : at;
    focus(PANES[(from + by + PANES.length) % PANES.length]);
  }

  for (const tab of tabs) tab.addEventListener("click", () => show(tab.dataset.pane));
  root.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const tab = tabs[to % tabs.length];
    show(tab.dataset.pane);
    tab.focus();
  });
  media.addEventListener("change", arrange);
  arrange();
  show(shown);
  return {
    show,
    focus,
    step,
    get narrow() {
      return media.matches;
    },
  };
}

function paneOf(name) {
  return document.getElementById(`pane-${name}`);
}

/** What of a pane takes the focus when somebody comes to it by key. */
function targetOf(pane) {
  const home = pane.querySelector("[data-home]");
  if (home && home.tabIndex >= 0) return home;
  return home?.querySelector("[tabindex='0']") ?? pane.querySelector("[tabindex='0'], input, select, button, textarea");
}

function mountSplitter(root, name, size, kept) {
  const splitter = document.getElementById(`split-${name}`);
  let value = size.start;

  function set(wanted, keep = true) {
    value = Math.round(Math.min(size.most, Math.max(size.least, wanted)));
    root.style.setProperty(`--${name}`, `${value}px`);
    splitter.setAttribute("aria-valuenow", String(value));
    splitter.setAttribute("aria-valuetext", `${value} pixels`);
    if (!keep) return;
    kept[name] = value;
    writeKept(kept);
  }

  splitter.setAttribute("aria-valuemin", String(size.least));
  splitter.setAttribute("aria-valuemax", String(size.most));
  set(kept[name] ?? size.start, false);
  splitter.addEventListener("keydown", (event) => {
    const [less, more] = size.across ? ["ArrowLeft", "ArrowRight"] : ["ArrowDown", "ArrowUp"];
    const to = { [less]: value - STEP, [more]: value + STEP, Home: size.least, End: size.most }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(to);
  });
  splitter.addEventListener("dblclick", () => set(size.start));
  splitter.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    splitter.focus();
    splitter.setPointerCapture(event.pointerId);
    const from = size.across ? event.clientX : event.clientY;
    const before = value;
    const move = (now) => {
      const by = size.across ? now.clientX - from : from - now.clientY;
      set(before + by, false);
    };
    const end = () => {
      splitter.removeEventListener("pointermove", move);
      set(value);
    };
    splitter.addEventListener("pointermove", move);
    splitter.addEventListener("lostpointercapture", end, { once: true });
  });
}

function readKept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    const fits = ([name, value]) => name in SIZES && Number.isFinite(value);
    return Object.fromEntries(Object.entries(found ?? {}).filter(fits));
  } catch {
    return {}; // no storage, or not ours: sizes begin as they are
  }
}

function writeKept(kept) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing: the sizes hold for this visit.
  }
}
