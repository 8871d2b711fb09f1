const SHOWN = 1200; // milliseconds

/** What others have just changed, for a moment; nothing for those who want no motion. */
export class Flashes {
  constructor() {
    this.since = new Map();
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
  }

  add(names) {
    if (this.still.matches) return;
    const now = performance.now();
    for (const name of names) this.since.set(name, now);
  }

  /** How strong each of them is now, from 1 to 0. */
  now() {
    const now = performance.now();
    for (const [name, since] of this.since) {
      if (now - since >= SHOWN) this.since.delete(name);
    }
    return new Map([...this.since].map(([name, since]) => [name, 1 - (now - since) / SHOWN]));
  }
}
