/** Tabs: one of several panels is shown; arrows go from one to the next. */
export class TabList {
  #names;

  /** @param {string[]} names ids of the panels; the tab of each is `tab-NAME` */
  constructor(names) {
    this.#names = names;
    for (const name of names) {
      const tab = tabOf(name);
      tab.addEventListener("click", () => this.choose(name));
      tab.addEventListener("keydown", (event) => this.#key(event, name));
    }
  }

  /** @param {string} name @param {boolean} [focus] whether the tab gets the focus */
  choose(name, focus = false) {
    for (const one of this.#names) {
      tabOf(one).setAttribute("aria-selected", String(one === name));
      tabOf(one).tabIndex = one === name ? 0 : -1;
      document.getElementById(one).hidden = one !== name;
    }
    if (focus) tabOf(name).focus();
  }

  label(name, text) {
    if (tabOf(name).textContent !== text) tabOf(name).textContent = text;
  }

  #key(event, name) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const count = this.#names.length;
    this.choose(this.#names[(this.#names.indexOf(name) + by + count) % count], true);
  }
}

function tabOf(name) {
  return document.getElementById(`tab-${name}`);
}
