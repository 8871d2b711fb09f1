/** What regions are called where people read it: some names are for machines. */

import { ROOT } from "./documents.js";

const DRAWN = /^n-[a-z0-9]{8}$/; // as `newName` of a desk makes them
const WORDS = /[a-z0-9]+(?:-[a-z0-9]+)+/g; // among which names are
const LONGEST = 40; // characters

/** @param {string} name */
export function isDrawn(name) {
  return DRAWN.test(name);
}

export class Titles {
  /** @type {Map<string, number>} by name, in the order of drawing */
  #numbers = new Map();
  #textOf;

  /**
   * @param {string[]} drawn regions that somebody drew, in that order
   * @param {(name: string) => string} textOf what is said of a region, or ""
   */
  constructor(drawn, textOf) {
    this.#textOf = textOf;
    for (const name of drawn) this.#numberOf(name);
  }

  /** @param {string} name also of one that is about to be drawn */
  of(name) {
    if (!isDrawn(name)) return name === ROOT ? "the whole screen" : name;
    const number = this.#numberOf(name);
    const text = this.#textOf(name).replace(/\s+/g, " ").trim();
    if (!text) return `Region ${number}`;
    return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text;
  }

  /** A line with titles in place of names. @param {string} line */
  within(line) {
    return line.replace(WORDS, (name) => this.of(name));
  }

  /** @param {string} name */
  #numberOf(name) {
    if (!this.#numbers.has(name)) this.#numbers.set(name, this.#numbers.size + 1);
    return this.#numbers.get(name);
  }
}
