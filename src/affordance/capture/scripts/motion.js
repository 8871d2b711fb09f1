// What moves on a page. Comes after page.js, in the same world of its own; the clock is held by clock.js and the browser.
affordance.motion ??= (() => {
  const MOST = 3000; // elements of which it is known what they were like before
  const MOST_MOVERS = 400;
  const PROPERTIES = (
    "transform translate rotate scale offset-distance offset-rotate left right top bottom margin-left margin-right " +
    "margin-top margin-bottom width height font-size opacity visibility display color background-color " +
    "background-image background-position background-size border-top-color border-right-color border-bottom-color " +
    "border-left-color border-top-width border-bottom-width outline-color outline-width outline-offset fill stroke " +
    "fill-opacity stroke-opacity stop-color stroke-width stroke-dasharray stroke-dashoffset filter backdrop-filter " +
    "box-shadow text-shadow clip-path mask-position mask-size border-top-left-radius border-top-right-radius " +
    "border-bottom-left-radius border-bottom-right-radius cx cy r rx ry x y d letter-spacing text-decoration-color " +
    "object-position position").split(" ");
  const KINDS = { CSSAnimation: "css-animation", CSSTransition: "css-transition", Animation: "web-animation" };
  const DRAWN = "animate, animateTransform, animateMotion, set";
  const PLAYING = /[.\/](gif|apng|webp|avif|svg)([;,?#+]|$)/i; // pictures that may move by themselves
  const NOT_VALUES = new Set(["offset", "computedOffset", "easing", "composite"]);

  let now = 0;
  const animations = new Map(); // what the browser animates -> where it is in its own time
  const drawings = new Map(); // outermost SVG elements with animations of their own -> since when
  const movers = []; // what moves, or may be moved by scripts
  const byElement = new Map();
  const before = new Map();
  let touched = new Set();
  let beyond = 0; // movers that are too many

  const observer = new MutationObserver((records) => { for (const record of records) touch(record); });
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };

  function touch(record) {
    const target = record.target.nodeType === Node.ELEMENT_NODE ? record.target : record.target.parentElement;
    if (target) touched.add(target);
    for (const node of record.addedNodes) {
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      touched.add(node);
      if (affordance.shadowOf(node)) observer.observe(affordance.shadowOf(node), everything);
    }
    for (const node of record.removedNodes) if (before.has(node)) touched.add(node);
  }

  // The document and all open shadow trees in it.
  function* roots() {
    yield document;
    for (const element of affordance.all(document)) if (affordance.shadowOf(element)) yield affordance.shadowOf(element);
  }

  // What a part of a drawing does to itself shows in no style: its matrix within what is around it, and its own box.
  function matrixOf(element) {
    if (!(element instanceof SVGGraphicsElement) || !(element.parentNode instanceof SVGGraphicsElement)) return null;
    const [around, own] = [element.parentNode.getScreenCTM(), element.getScreenCTM()];
    try {
      const [matrix, box] = [around.inverse().multiply(own), element.getBBox()];
      return [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f, box.x, box.y, box.width, box.height].map((number) => +number.toFixed(4)).join(" ");
    } catch {
      return null; // shrunk to nothing, or not shown
    }
  }

  function valuesOf(element, pseudo) {
    const style = getComputedStyle(element, pseudo || null);
    const values = {};
    for (const name of PROPERTIES) values[name] = style.getPropertyValue(name);
    if (pseudo) return values;
    const matrix = matrixOf(element);
    if (matrix) { values.matrix = matrix; delete values.transform; }
    if (element.points) values.points = [...element.animatedPoints].map((point) => `${point.x},${point.y}`).join(" ");
    let text = "";
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) text += node.data;
    values.text = text.trim().slice(0, 200);
    if (element.tagName === "INPUT" || element.tagName === "PROGRESS") values.value = String(element.value).slice(0, 200);
    if (element.scrollTop || element.scrollLeft) values.scroll = `${element.scrollLeft} ${element.scrollTop}`;
    return values;
  }

  const boxOf = (element) => {
    const box = element.getBoundingClientRect();
    return box.width || box.height ? [box.left, box.top, box.right, box.bottom] : null;
  };

  function moverOf(element, pseudo, kind) {
    const name = pseudo || "";
    if (!byElement.has(element)) byElement.set(element, new Map());
    const known = byElement.get(element);
    if (!known.has(name)) {
      if (movers.length >= MOST_MOVERS) { beyond += 1; return null; }
      const mover = { id: movers.length, element, pseudo: name, kind, values: name ? null : before.get(element)?.values ?? null, told: false };
      known.set(name, mover);
      movers.push(mover);
    }
    const mover = known.get(name);
    if (kind !== "script" && mover.kind === "script") { mover.kind = kind; mover.told = false; }
    return mover;
  }

  const targetOf = (animation) => animation.effect && animation.effect.target;

  // What the browser has begun to animate since the last look begins now.
  function look() {
    const begun = [];
    for (const animation of [...roots()].flatMap((root) => root.getAnimations())) {
      if (animations.has(animation) || !targetOf(animation) || animation.timeline !== document.timeline) continue;
      const kind = KINDS[animation.constructor.name] || KINDS.Animation;
      const base = Number(animation.currentTime ?? 0);
      animations.set(animation, { base, at: now, rate: animation.playbackRate, expected: base, running: animation.playState === "running" });
      const mover = moverOf(targetOf(animation), animation.effect.pseudoElement, kind);
      if (mover) begun.push({ ...described(animation), kind, mover: mover.id, start: now });
    }
    for (const drawing of [...roots()].flatMap((root) => [...root.querySelectorAll("svg")])) {
      if (drawings.has(drawing) || drawing.ownerSVGElement || !drawing.querySelector(DRAWN)) continue;
      drawing.pauseAnimations();
      drawing.setCurrentTime(0);
      const parts = [...drawing.querySelectorAll(DRAWN)].filter((one) => one.targetElement);
      const told = parts.map((one) => [one, drawn(one)]);
      const ends = told.map(([, { delay, duration, iterations }]) => (iterations === null ? Infinity : delay + duration * iterations));
      drawings.set(drawing, { since: now, ends });
      for (const [one, about] of told) {
        const mover = moverOf(one.targetElement, "", "svg-animation");
        if (mover) begun.push({ ...about, kind: "svg-animation", mover: mover.id, start: now });
      }
    }
    return begun;
  }

  const finite = (number) => (Number.isFinite(number) ? number : null);

  function described(animation) {
    const timing = animation.effect.getComputedTiming();
    const keyframes = animation.effect.getKeyframes().map((frame) => ({
      offset: frame.computedOffset, easing: frame.easing,
      values: Object.fromEntries(Object.entries(frame).filter(([name]) => !NOT_VALUES.has(name)).map(([name, value]) => [name, String(value)])),
    }));
    return {
      name: animation.animationName || animation.transitionProperty || animation.id || "",
      delay: timing.delay, duration: Number(timing.duration) || 0, iterations: finite(timing.iterations),
      direction: timing.direction, easing: timing.easing, fill: timing.fill, keyframes,
    };
  }

  function drawn(one) {
    const seconds = (text) => { const found = /^([\d.]+)(ms|s)?$/.exec(text || ""); return found ? Number(found[1]) * (found[2] === "ms" ? 1 : 1000) : 0; };
    const attribute = one.getAttribute("attributeName") || "transform";
    const name = one.tagName === "animateTransform" ? one.getAttribute("type") || "translate" : attribute;
    const values = (one.getAttribute("values") || `${one.getAttribute("from") ?? ""};${one.getAttribute("to") ?? ""}`).split(";").map((value) => value.trim()).filter(Boolean);
    const times = (one.getAttribute("keyTimes") || "").split(";").map(Number).filter(Number.isFinite);
    const repeats = one.getAttribute("repeatCount");
    return {
      name, delay: seconds(one.getAttribute("begin")), duration: seconds(one.getAttribute("dur")),
      iterations: repeats === "indefinite" ? null : Number(repeats) || 1, direction: "normal", fill: one.getAttribute("fill") || "remove",
      easing: one.getAttribute("calcMode") === "spline" ? one.getAttribute("keySplines") || "spline" : one.getAttribute("calcMode") || "linear",
      keyframes: values.map((value, index) => ({
        offset: times.length === values.length ? times[index] : values.length > 1 ? index / (values.length - 1) : 1,
        easing: "linear", values: { [name]: value },
      })),
    };
  }

  // Moves on what the page has not stopped itself. Where the page has set the time, it goes on from there with this frame.
  function seek(time) {
    for (const [animation, one] of animations) {
      const running = animation.playState === "running";
      if (running) {
        const changed = !one.running || one.rate !== animation.playbackRate || one.expected !== animation.currentTime;
        if (changed) Object.assign(one, { base: Number(animation.currentTime ?? 0), at: time, rate: animation.playbackRate });
        animation.currentTime = one.base + (time - one.at) * one.rate;
      }
      Object.assign(one, { running, expected: animation.currentTime });
    }
    for (const [drawing, { since }] of drawings) drawing.setCurrentTime((time - since) / 1000);
  }

  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

  let ready = false;

  // Begin to look at a page that has loaded; says whether it is a new one.
  async function begin() {
    if (ready) return false;
    ready = true;
    await document.fonts.ready;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { caret-color: transparent !important; }"); // it would blink in its own time
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    observer.observe(document, everything);
    for (const root of roots()) if (root !== document) observer.observe(root, everything);
    remember();
    return true;
  }

  // What everything is like now is what it was like before anything happened.
  function remember() {
    observer.takeRecords();
    touched = new Set();
    before.clear();
    for (const element of affordance.all(document)) {
      if (before.size >= MOST) break;
      before.set(element, { values: valuesOf(element, ""), box: boxOf(element) });
    }
    for (const mover of movers) {
      mover.values = mover.pseudo ? valuesOf(mover.element, mover.pseudo) : before.get(mover.element)?.values ?? null;
    }
  }

  // Let the page's time go on, and tell what has changed. `quietly`, nothing is told.
  async function tick(time, quietly) {
    if (time > now) {
      await new Promise((resolve) => {
        addEventListener("affordance:clock-told", resolve, { once: true });
        dispatchEvent(new CustomEvent("affordance:clock", { detail: time }));
      });
      seek(time);
      now = time;
    }
    await nextFrame();
    const begun = look();
    if (begun.length) await nextFrame();
    return { begun, running: running(), moved: quietly ? [] : changes(), beyond };
  }

  function running() {
    let finite = 0, endless = 0;
    for (const animation of animations.keys()) {
      if (animation.playState !== "running" || !targetOf(animation)) continue;
      if (Number.isFinite(animation.effect.getComputedTiming().endTime)) finite += 1;
      else endless += 1;
    }
    for (const [drawing, { since, ends }] of drawings) {
      if (!drawing.isConnected) continue;
      if (ends.includes(Infinity)) endless += 1;
      else if (ends.some((end) => since + end > now)) finite += 1;
    }
    return { finite, endless };
  }

  function changes() {
    for (const record of observer.takeRecords()) touch(record);
    for (const element of touched) moverOf(element, "", "script");
    touched = new Set();
    const told = [];
    for (const mover of movers) {
      if (!mover.element.isConnected) {
        if (mover.values) told.push({ id: mover.id, box: null, gone: true, changed: {}, ...(mover.told ? {} : { about: about(mover) }) });
        Object.assign(mover, { values: null, told: true });
        continue;
      }
      const values = valuesOf(mover.element, mover.pseudo);
      const changed = {};
      for (const name in values) if (!mover.values || mover.values[name] !== values[name]) changed[name] = values[name];
      const fresh = !mover.values;
      const earlier = {};
      if (mover.values) for (const name in changed) earlier[name] = mover.values[name] ?? "";
      mover.values = values;
      if (mover.kind === "script" && !mover.told && !fresh && !Object.keys(changed).length) continue; // touched, yet as it was
      const one = { id: mover.id, box: boxOf(mover.element), changed: fresh ? {} : changed, earlier, fresh: fresh && !before.has(mover.element) };
      if (!mover.told) Object.assign(one, { about: about(mover) });
      mover.told = true;
      told.push(one);
    }
    return told;
  }

  const about = (mover) => ({
    was: before.get(mover.element)?.box ?? null,
    path: mover.element.isConnected ? affordance.pathOf(mover.element) : mover.element.id && `#${mover.element.id}`, tag: mover.element.tagName.toLowerCase(), pseudo: mover.pseudo, kind: mover.kind,
    text: (mover.element.textContent || "").replace(/\s+/g, " ").trim().slice(0, 60),
  });

  // Where pictures are drawn or played by other means than styles.
  const plays = (one) => one.matches("canvas, video, object, embed") || (one.matches("img") && PLAYING.test(one.currentSrc));
  const canvases = () => [...affordance.all(document)].filter(plays).map((one) => ({
    path: affordance.pathOf(one), tag: one.tagName.toLowerCase(), box: boxOf(one),
  })).filter((one) => one.box);

  // What is different although nobody has touched it and nothing has animated it: by a rule for a part around it, say.
  function others() {
    const told = [];
    for (const [element, { values: earlier }] of before) {
      if (byElement.has(element) || !element.isConnected) continue;
      const values = valuesOf(element, "");
      const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => earlier[name] !== value));
      if (!Object.keys(changed).length) continue;
      const mover = moverOf(element, "", "script");
      if (mover) told.push({ id: mover.id, box: boxOf(element), changed, earlier: Object.fromEntries(Object.keys(changed).map((name) => [name, earlier[name] ?? ""])), fresh: false, about: about(mover) });
    }
    return told;
  }

  return { begin, canvases, others, remember, tick };
})();
