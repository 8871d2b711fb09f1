// Holds the clock of a page: its timers, frames of animation and time of day stand still until told to go on. Runs
// before all scripts of the page, in their world. (CSS and web animations are held by the browser itself.)
(() => {
  const DAY = Date.UTC(2026, 0, 15, 9, 41); // what day the page believes it is
  const SHORTEST = 1; // milliseconds; else a timer that sets itself again would never let time go on
  const NESTED = 4, DEEP = 5; // and as in browsers, this many from the fifth on that is set by another
  const SLICE = 10; // what a page is told to have left when it is idle
  const [Real, Told, listen, tell] = [Date, CustomEvent, addEventListener.bind(globalThis), dispatchEvent.bind(globalThis)];
  const channel = new MessageChannel();
  let now = 0, count = 0, depth = 0;
  let frames = new Map();
  let due = new Map(); // the callbacks of the frame that is under way
  const timers = new Map();

  // Waits until all that the page has promised itself is done.
  const settle = () => new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(null);
  });

  function carryOut(run, given) {
    try {
      if (typeof run === "function") run.apply(globalThis, given);
      else globalThis.Function(String(run))();
    } catch (error) {
      reportError(error);
    }
  }

  function set(run, delay, repeats, given) {
    const wait = Math.max(depth >= DEEP ? NESTED : SHORTEST, Number(delay) || 0);
    timers.set(++count, { at: now + wait, every: repeats ? wait : 0, depth: depth + 1, run, given });
    return count;
  }

  async function goTo(time) {
    for (;;) {
      let first = null;
      for (const [id, timer] of timers) if (timer.at <= time && (!first || timer.at < first[1].at)) first = [id, timer];
      if (!first) break;
      const [id, timer] = first;
      now = Math.max(now, timer.at);
      if (timer.every) timer.at += timer.every;
      else timers.delete(id);
      depth = timer.depth;
      carryOut(timer.run, timer.given);
      await settle();
      depth = 0;
    }
    now = time;
    if (!frames.size) return;
    [due, frames] = [frames, new Map()];
    for (const run of due.values()) carryOut(run, [now]); // one that another cancels is not reached
    due = new Map();
    await settle();
  }

  const put = (target, name, value) => Object.defineProperty(target, name, { value, configurable: true, writable: true });
  put(globalThis, "setTimeout", (run, delay, ...given) => set(run, delay, false, given));
  put(globalThis, "setInterval", (run, delay, ...given) => set(run, delay, true, given));
  for (const name of ["clearTimeout", "clearInterval", "cancelIdleCallback"]) put(globalThis, name, (id) => { timers.delete(id); });
  put(globalThis, "requestIdleCallback", (run) => set(run, SHORTEST, false, [{ didTimeout: false, timeRemaining: () => SLICE }]));
  put(globalThis, "requestAnimationFrame", (run) => { frames.set(++count, run); return count; });
  put(globalThis, "cancelAnimationFrame", (id) => { frames.delete(id); due.delete(id); });
  put(Performance.prototype, "now", () => now);
  Object.defineProperty(Event.prototype, "timeStamp", { get: () => now, configurable: true });
  const today = () => DAY + Math.floor(now);
  put(globalThis, "Date", new Proxy(Real, {
    apply: () => new Real(today()).toString(),
    construct: (_, given, target) => Reflect.construct(Real, given.length ? given : [today()], target),
    get: (_, name) => (name === "now" ? today : Reflect.get(Real, name)),
  }));
  put(Real.prototype, "constructor", globalThis.Date);

  listen("affordance:clock", (event) => {
    goTo(event.detail).then(() => tell(new Told("affordance:clock-told")));
  });
})();
