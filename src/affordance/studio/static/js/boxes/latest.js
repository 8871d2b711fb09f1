/** Asks one thing at a time and forgets all but the last question that came up meanwhile: for what follows a pointer.
 * An answer that does not come is no answer; whoever cannot be reached is told of elsewhere. */
export class Latest {
  /**
   * @param {(question: any) => Promise<any>} ask
   * @param {(answer: any, question: any) => void} take
   * @param {number} pause milliseconds from one question to the next, at least
   */
  constructor(ask, take, pause = 0) {
    this.ask = ask;
    this.take = take;
    this.pause = pause;
    /** @type {any} */
    this.waiting = null;
    this.busy = false;
    this.round = 0;
  }

  /** @param {any} question */
  put(question) {
    this.waiting = question;
    if (!this.busy) this.#next();
  }

  /** Answers to what was asked before do not count any more. */
  forget() {
    this.waiting = null;
    this.round += 1;
  }

  async #next() {
    const question = this.waiting;
    const round = this.round;
    this.waiting = null;
    this.busy = true;
    const started = performance.now();
    const answer = await this.ask(question).catch(() => null);
    if (answer !== null && round === this.round) this.take(answer, question);
    const left = this.pause - (performance.now() - started);
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    this.busy = false;
    if (this.waiting !== null) this.#next();
  }
}
