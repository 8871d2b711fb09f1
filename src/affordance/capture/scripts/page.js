// What a page is asked. Runs in a world of its own: it sees the document, the page cannot see or change it.
// Walks open shadow trees as if they were part of the document. Coordinates are CSS pixels of the frame's viewport.
globalThis.affordance ??= (() => {
  const GRID = 5; // points per side that are tried inside each element
  const ROLES = new Set((
    "button link textbox searchbox checkbox radio switch slider spinbutton combobox listbox option menuitem " +
    "menuitemcheckbox menuitemradio tab treeitem gridcell columnheader scrollbar separator").split(" "));
  const NATIVE = "a[href], area[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable=''], [contenteditable=true]";
  const LANDMARKS = {
    HEADER: "banner", NAV: "navigation", MAIN: "main", ASIDE: "complementary", FOOTER: "contentinfo", FORM: "form",
    SECTION: "region", ARTICLE: "article", DIALOG: "dialog", UL: "list", OL: "list", TABLE: "table", FIELDSET: "group",
    FIGURE: "figure", MENU: "list", SEARCH: "search", DETAILS: "group",
  };
  const REGION_ROLES = new Set((
    "banner navigation main complementary contentinfo form region article dialog alertdialog list table grid group " +
    "figure search toolbar menu menubar tablist tabpanel listbox tree radiogroup status alert feed treegrid log").split(" "));
  const STATES = ["expanded", "pressed", "checked", "selected", "disabled", "current", "sort", "invalid", "busy", "hidden", "valuenow", "valuetext"];

  // A form answers with its fields where they are named like what is asked for, so nothing is asked of it directly.
  const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const attr = (element, name) => Element.prototype.getAttribute.call(element, name);
  const is = (element, selector) => Element.prototype.matches.call(element, selector);
  const closest = (element, selector) => Element.prototype.closest.call(element, selector);
  const GET = Object.fromEntries([[Node, "parentNode"], [Node, "parentElement"], [Element, "shadowRoot"], [Element, "assignedSlot"], [Element, "tagName"]].map(([kind, name]) => [name, getter(kind.prototype, name)]));
  const parentNode = (node) => GET.parentNode.call(node);
  const parentElement = (node) => GET.parentElement.call(node);
  const shadowOf = (element) => GET.shadowRoot.call(element);
  const slotOf = (node) => (node instanceof Element ? GET.assignedSlot.call(node) : null);
  const tagOf = (element) => GET.tagName.call(element);
  const rootOf = (node) => Node.prototype.getRootNode.call(node);
  const rectsOf = (element) => Element.prototype.getClientRects.call(element);
  const children = (node) => (node instanceof Element ? getter(Element.prototype, "children") : getter(DocumentFragment.prototype, "children")).call(node);

  const parentOf = (node) => slotOf(node) || parentElement(node) || (rootOf(node) instanceof ShadowRoot ? rootOf(node).host : null);

  function* all(root) {
    for (const element of root.querySelectorAll("*")) {
      yield element;
      if (shadowOf(element)) yield* all(shadowOf(element));
    }
  }

  // Where an element is, in a form that finds it again in another load of the same page.
  const known = new WeakMap(); // the paths of elements from before they were moved
  function pathOf(element) {
    if (known.has(element)) return known.get(element);
    const steps = [];
    for (let node = element; node; ) {
      const parent = parentNode(node);
      const id = attr(node, "id");
      if (id && rootOf(node).querySelectorAll(`[id=${JSON.stringify(id)}]`).length === 1) {
        steps.unshift(`#${id.replaceAll("%", "%25").replaceAll("/", "%2F")}`);
        const root = rootOf(node);
        if (!(root instanceof ShadowRoot)) break;
        steps.unshift("^");
        node = root.host;
      } else if (parent instanceof ShadowRoot) {
        steps.unshift("^", `${[...children(parent)].indexOf(node)}`);
        node = parent.host;
      } else if (parent && parent.nodeType === Node.ELEMENT_NODE) {
        steps.unshift(`${[...children(parent)].indexOf(node)}`);
        node = parent;
      } else break;
    }
    return steps.join("/");
  }

  function find(path) {
    let root = document, node = document.documentElement;
    for (const step of path.split("/").filter(Boolean)) {
      if (!node) return null;
      if (step === "^") { root = shadowOf(node); node = root; }
      else if (step.startsWith("#")) node = root && root.querySelector(`[id=${JSON.stringify(step.slice(1).replaceAll("%2F", "/").replaceAll("%25", "%"))}]`);
      else node = children(node)[Number(step)];
    }
    return node instanceof Element ? node : null;
  }

  const visible = (element) => Element.prototype.checkVisibility.call(element, { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });

  // The part of an element that is inside the viewport and inside everything around it that clips.
  function seen(element) {
    if (element === document.scrollingElement) return [0, 0, innerWidth, innerHeight];
    const rects = [...rectsOf(element)].filter((r) => r.width > 0 && r.height > 0);
    if (!rects.length) return null;
    let [x1, y1] = [Math.min(...rects.map((r) => r.left)), Math.min(...rects.map((r) => r.top))];
    let [x2, y2] = [Math.max(...rects.map((r) => r.right)), Math.max(...rects.map((r) => r.bottom))];
    let position = getComputedStyle(element).position;
    for (let node = parentOf(element); node; node = parentOf(node)) {
      const style = getComputedStyle(node);
      const holds = style.transform !== "none" || style.filter !== "none" || /paint|layout|strict|content/.test(style.contain);
      if (!holds && (position === "fixed" || (position === "absolute" && style.position === "static"))) continue;
      position = style.position;
      if (style.display === "inline" || style.display === "contents" || (node instanceof SVGElement && !node.clientWidth)) continue;
      if (node !== document.documentElement && node !== document.body && style.overflow !== "visible") {
        const r = node.getBoundingClientRect();
        const [across, down] = [r.width / node.offsetWidth || 1, r.height / node.offsetHeight || 1];
        const [left, top] = [r.left + node.clientLeft * across, r.top + node.clientTop * down];
        if (style.overflowX !== "visible") { x1 = Math.max(x1, left); x2 = Math.min(x2, left + node.clientWidth * across); }
        if (style.overflowY !== "visible") { y1 = Math.max(y1, top); y2 = Math.min(y2, top + node.clientHeight * down); }
      }
    }
    x1 = Math.max(x1, 0); y1 = Math.max(y1, 0);
    x2 = Math.min(x2, innerWidth); y2 = Math.min(y2, innerHeight);
    return x2 - x1 >= 1 && y2 - y1 >= 1 ? [x1, y1, x2, y2] : null;
  }

  function at(x, y) {
    let found = document.elementFromPoint(x, y);
    while (found && shadowOf(found)) {
      const inner = shadowOf(found).elementFromPoint(x, y);
      if (!inner || inner === found) break;
      found = inner;
    }
    return found;
  }

  function scrolls(element) {
    const style = getComputedStyle(element);
    const can = (overflow, room) => (overflow === "auto" || overflow === "scroll") && room > 4;
    if (element === document.scrollingElement) return element.scrollHeight - innerHeight > 4 && style.overflowY !== "hidden" ? "y" : "";
    if (element.clientHeight < 40 || element.clientWidth < 40) return "";
    if (can(style.overflowY, element.scrollHeight - element.clientHeight)) return "y";
    return can(style.overflowX, element.scrollWidth - element.clientWidth) ? "x" : "";
  }

  function editable(element) {
    if (is(element, "textarea")) return !element.readOnly;
    if (is(element, "input")) {
      return !element.readOnly && /^(text|search|email|url|tel|password|number|date|time)$/.test(element.type);
    }
    return Boolean(element.isContentEditable && !(parentOf(element) && parentOf(element).isContentEditable));
  }

  function operable(element) {
    if (is(element, NATIVE) || ROLES.has(attr(element, "role")) || element.draggable === true && !is(element, "a, img")) return true;
    if (element.isContentEditable && !(parentOf(element) && parentOf(element).isContentEditable)) return true;
    if (Element.prototype.hasAttribute.call(element, "onclick") || scrolls(element)) return true;
    if (element.tabIndex >= 0 && Element.prototype.hasAttribute.call(element, "tabindex")) return true;
    if (is(element, "label")) return false;
    const parent = parentOf(element);
    const points = (node) => getComputedStyle(node).cursor === "pointer";
    return points(element) && !(parent && points(parent));
  }

  // A control that is drawn by its label (a switch, say) is where its label is.
  function face(element) {
    if (!is(element, "input")) return element;
    const box = seen(element);
    const small = !box || (box[2] - box[0]) * (box[3] - box[1]) < 64 || getComputedStyle(element).opacity === "0";
    const label = small && element.labels && [...element.labels].find(seen);
    return label || element;
  }

  const disabled = (element) => is(element, ":disabled") || Boolean(closest(element, "[aria-disabled=true], [inert]"));

  function statesOf(element) {
    const found = {};
    for (const state of STATES) {
      const value = attr(element, `aria-${state}`);
      if (value !== null) found[state] = value;
    }
    if (is(element, "input[type=checkbox], input[type=radio]")) found.checked = String(element.checked);
    if (is(element, "details")) found.expanded = String(element.open);
    if (is(element, "option")) found.selected = String(element.selected);
    if (disabled(element)) found.disabled = "true";
    if (is(element, "input:not([type=checkbox]):not([type=radio]), textarea, select") && element.type !== "password") found.value = element.value.slice(0, 200);
    if (is(element, "dialog")) found.open = String(element.open);
    return found;
  }

  const squeeze = (text) => (text || "").replace(/\s+/g, " ").trim();
  const short = (text) => squeeze(text).slice(0, 120);

  function referenced(element, attribute) {
    const ids = (attr(element, attribute) || "").split(/\s+/).filter(Boolean);
    return short(ids.map((id) => rootOf(element).getElementById(id)?.textContent || "").join(" "));
  }

  // A name for sentences about changes; elements that are kept get theirs from the accessibility tree.
  function nameOf(element) {
    return short(attr(element, "aria-label")) || referenced(element, "aria-labelledby") ||
      (element.labels && element.labels.length ? short(element.labels[0].innerText) : "") ||
      short(attr(element, "alt") || attr(element, "title") || attr(element, "placeholder")) ||
      (is(element, "input, select, textarea") ? "" : short(element.innerText));
  }

  function roleOf(element) {
    const given = (attr(element, "role") || "").split(/\s+/)[0];
    if (given) return given;
    if (is(element, "a[href]")) return "link";
    if (is(element, "button, summary, input[type=button], input[type=submit], input[type=reset]")) return "button";
    if (is(element, "input[type=checkbox]")) return "checkbox";
    if (is(element, "input[type=radio]")) return "radio";
    if (is(element, "input[type=range]")) return "slider";
    if (is(element, "input[type=search]")) return "searchbox";
    if (is(element, "select")) return "combobox";
    if (is(element, "input, textarea") || element.isContentEditable) return "textbox";
    return tagOf(element).toLowerCase();
  }

  let printed = 0;
  addEventListener("beforeprint", () => { printed += 1; });

  let kept = []; // the elements of the last `elements()`, by position

  function elements() {
    const faces = new Map(); // what is seen -> what is operated
    for (const element of all(document)) if (operable(element)) faces.set(face(element), element);
    if (document.scrollingElement && scrolls(document.scrollingElement)) faces.set(document.scrollingElement, document.scrollingElement);
    const operated = new Set(faces.values());
    const owner = (node) => {
      for (; node; node = parentOf(node)) {
        if (faces.has(node)) return faces.get(node);
        if (is(node, "label") && node.control && operated.has(node.control)) return node.control;
      }
      return null;
    };
    kept = [];
    const found = [];
    const left = { hidden: 0, outside: 0 };
    for (const [shown, element] of faces) {
      const box = visible(shown) ? seen(shown) : null;
      if (!box) { left[visible(shown) ? "outside" : "hidden"] += 1; continue; }
      const points = [];
      for (let i = 0; i < GRID * GRID; i++) {
        const x = box[0] + (box[2] - box[0]) * ((i % GRID) + 0.5) / GRID;
        const y = box[1] + (box[3] - box[1]) * (Math.floor(i / GRID) + 0.5) / GRID;
        if (owner(at(x, y)) === element) points.push([x, y]);
      }
      kept.push(element);
      found.push({
        path: pathOf(element), tag: tagOf(element).toLowerCase(), role: roleOf(element), style: attr(element, "class") || "", type: is(element, "input") ? element.type : "", parent: parentOf(element) ? pathOf(parentOf(element)) : "",
        rtl: getComputedStyle(element).direction === "rtl", box, points,
        tried: GRID * GRID, states: statesOf(element), disabled: disabled(element), editable: editable(element),
        scrolls: scrolls(element), draggable: element.draggable === true && !is(element, "a, img"),
        hint: Boolean(element.title || attr(element, "aria-describedby")), hover: hovers(element),
      });
    }
    return { found, left };
  }

  // Whether a rule of the page's style sheets shows or hides something when this element is pointed at.
  let hoverSelectors = null;
  function hovers(element) {
    if (hoverSelectors === null) {
      hoverSelectors = new Set();
      const read = (rules) => {
        for (const rule of rules) {
          if (rule.cssRules && rule.cssRules.length) read(rule.cssRules);
          if (!rule.selectorText || !rule.selectorText.includes(":hover")) continue;
          if (!["display", "visibility", "opacity", "content"].some((name) => rule.style.getPropertyValue(name))) continue;
          for (const one of rule.selectorText.split(",")) if (one.includes(":hover")) hoverSelectors.add(one.split(":hover")[0].trim() || "*");
        }
      };
      for (const sheet of document.styleSheets) { try { read(sheet.cssRules); } catch { /* of another origin */ } }
    }
    return [...hoverSelectors].some((selector) => { try { return closest(element, selector) !== null; } catch { return false; } });
  }

  function regionRole(element) {
    const given = (attr(element, "role") || "").split(/\s+/)[0];
    if (given) return REGION_ROLES.has(given) ? given : "";
    if (element === document.body) return "";
    const around = parentOf(element);
    if ((tagOf(element) === "HEADER" || tagOf(element) === "FOOTER") && around && closest(around, "article, section, main, nav, aside")) return "group";
    return LANDMARKS[tagOf(element)] || "";
  }

  function regionName(element) {
    const own = short(attr(element, "aria-label")) || referenced(element, "aria-labelledby");
    if (own) return own;
    for (const heading of element.querySelectorAll("h1, h2, h3, h4, h5, h6, legend, caption, figcaption, [role=heading]")) {
      let node = parentOf(heading);
      while (node && node !== element && !regionRole(node)) node = parentOf(node);
      if (node === element) return short(heading.innerText);
    }
    return "";
  }

  // Something that is set apart by its look and holds several controls.
  function container(element) {
    if (!is(element, "div, li, span") || element.querySelectorAll(NATIVE).length < 2) return false;
    const style = getComputedStyle(element);
    const around = parentElement(element) && getComputedStyle(parentElement(element));
    const filled = style.backgroundColor !== "rgba(0, 0, 0, 0)" && around && style.backgroundColor !== around.backgroundColor;
    const framed = parseFloat(style.borderTopWidth) > 0 && parseFloat(style.borderBottomWidth) > 0 && style.borderTopStyle !== "none";
    return filled || framed || style.boxShadow !== "none";
  }

  function regions() {
    const found = [];
    for (const element of all(document)) {
      const role = regionRole(element) || (container(element) ? "container" : "");
      if (!role || !visible(element)) continue;
      const box = seen(element);
      if (!box || box[2] - box[0] < 24 || box[3] - box[1] < 16) continue;
      const ancestors = [];
      for (let node = parentOf(element); node; node = parentOf(node)) ancestors.push(pathOf(node));
      found.push({ path: pathOf(element), role, name: regionName(element), box, ancestors });
    }
    return found;
  }

  // Elements go by the path that they had when they were first seen: one that goes must not rename the others.
  const first = new WeakMap();
  let looks = 0;
  function keyOf(element) {
    if (!first.has(element)) first.set(element, looks === 1 ? pathOf(element) : `${looks}+${pathOf(element)}`);
    return first.get(element);
  }

  // What a person could tell has changed.
  function state() {
    looks += 1;
    const failed = location.protocol === "chrome-error:"; // what the browser says of a page that was not let through
    const texts = [], states = {}, scrolled = {}, shown = {};
    const walk = (root) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.nodeType === Node.TEXT_NODE) {
          const text = squeeze(node.data);
          const around = node.parentElement || (node.parentNode instanceof ShadowRoot ? node.parentNode.host : null);
          if (text && around && !closest(around, "script, style, noscript, template") && visible(around) && rectsOf(around).length) texts.push(text);
          continue;
        }
        const told = statesOf(node);
        if (Object.keys(told).length && (visible(node) || is(node, "dialog"))) {
          states[keyOf(node)] = { role: roleOf(node), name: nameOf(node), states: told };
        }
        if (node.scrollTop || node.scrollLeft) scrolled[keyOf(node)] = [Math.round(node.scrollLeft), Math.round(node.scrollTop), short(attr(node, "aria-label")) || referenced(node, "aria-labelledby")];
        if (regionRole(node) && visible(node) && rectsOf(node).length) shown[pathOf(node)] = { role: regionRole(node), name: regionName(node) };
        if (shadowOf(node)) walk(shadowOf(node));
      }
    };
    walk(document);
    let focus = document.activeElement;
    while (focus && shadowOf(focus) && shadowOf(focus).activeElement) focus = shadowOf(focus).activeElement;
    if (focus === document.body || focus === document.documentElement) focus = null;
    return {
      title: failed ? "" : document.title,
      heading: failed ? "" : short([...document.querySelectorAll("h1")].find(visible)?.innerText),
      printed, texts, states, scrolled, regions: shown,
      focus: focus && tagOf(focus) !== "IFRAME" ? { role: roleOf(focus), name: nameOf(focus) } : null,
    };
  }

  // How many milliseconds there are to wait before nothing has moved for `idle` of them, `again` while something moves.
  // Asked from outside: timers of a page may not run.
  let moved = performance.now();
  const observer = new MutationObserver(() => { moved = performance.now(); });
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };
  observer.observe(document, everything);
  addEventListener("scroll", () => { moved = performance.now(); }, true);
  for (const element of all(document)) if (shadowOf(element)) observer.observe(shadowOf(element), everything);

  function unrest(idle, again) {
    const moving = document.readyState !== "complete" || document.getAnimations().some((animation) =>
      animation.playState === "running" && animation.effect && Number.isFinite(animation.effect.getComputedTiming().endTime));
    if (observer.takeRecords().length || moving) moved = performance.now();
    return moving ? again : Math.max(0, idle - (performance.now() - moved));
  }

  // Puts controls of the same kind that stand side by side in the opposite order; their paths stay what they were.
  function swap() {
    for (const [element, path] of [...all(document)].map((one) => [one, pathOf(one)])) known.set(element, path);
    for (const element of [...all(document)]) {
      const inner = [...children(element)];
      const kinds = new Set(inner.map((child) => tagOf(child)));
      if (inner.length < 2 || kinds.size > 1 || !inner.some((child) => operable(child) || child.querySelector(NATIVE))) continue;
      if (is(element, "select, svg, svg *, table, thead, tbody, tr")) continue;
      for (const child of inner) element.prepend(child);
    }
  }

  const focus = (path) => HTMLElement.prototype.focus.call(find(path));

  function fill(path, value) {
    const field = find(path);
    field.value = value;
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  }

  function font(family) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`*:not(svg *) { font-family: ${family} !important; }`);
    const roots = [...all(document)].map((element) => shadowOf(element)).filter(Boolean);
    for (const root of [document, ...roots]) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }

  // Whether pointing there still means the element of that path.
  function hits(path, x, y) {
    const element = find(path);
    for (let node = at(x, y); node && element; node = parentOf(node)) {
      if (node === element || (is(node, "label") && node.control === element)) return true;
    }
    return false;
  }

  // The element and all around it up to the body, the innermost first.
  function chain(index) {
    const found = [];
    for (let node = kept[index]; node && node !== document.body && node !== document.documentElement; node = parentOf(node)) found.push(pathOf(node));
    return found;
  }

  return { all, chain, elements, fill, focus, hits, pathOf, regions, seen, shadowOf, state, swap, font, unrest, find, element: (index) => kept[index], owns: (frame, points) => points.map(([x, y]) => at(x, y) === frame) };
})();
