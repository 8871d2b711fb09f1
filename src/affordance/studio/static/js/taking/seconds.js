const MOST = 86_400; // more is a page that was left open

/** How long somebody looks at a sheet: the time while the page can be seen. */
export class Seconds {
  #before;
  #since = null;
  #stop = new AbortController();

  /** @param {number} before that were counted earlier */
  constructor(before = 0) {
    this.#before = before;
    document.addEventListener("visibilitychange", () => this.#turn(), { signal: this.#stop.signal });
    this.#turn();
  }

  /** So far, to a tenth. */
  get count() {
    const now = this.#since === null ? 0 : (performance.now() - this.#since) / 1000;
    return Math.min(MOST, Math.round((this.#before + now) * 10) / 10);
  }

  stop() {
    this.#stop.abort();
  }

  #turn() {
    this.#before = this.count;
    this.#since = document.hidden ? null : performance.now();
  }
}
