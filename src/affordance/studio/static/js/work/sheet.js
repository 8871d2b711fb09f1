/** A screen as the person sees it: its documents, and the tree of its regions. */

import { Desk } from "./desk.js";
import { best, same, wholeOf } from "./documents.js";
import { Titles } from "./titles.js";
import { Tree } from "./tree.js";

/** @import { Edit, Fields, Size } from "#types" */

export class Sheet extends Desk {
  /** @type {Size} of the picture, with what else the server says of it */
  shot = { width: 0, height: 0 };
  /** @type {string[]} regions that people drew, in that order */
  drawn = [];
  /** @type {Tree | null} */
  #tree = null;
  /** @type {Titles | null} */
  #titles = null;

  /**
   * @param {string} id of the screen
   * @returns {Promise<Sheet>}
   * @override
   */
  static async open(id) {
    const opened = await super.open(id, `/api/screen?screen=${encodeURIComponent(id)}`);
    return /** @type {Sheet} */ (opened);
  }

  /** @override */
  given() {
    return [wholeOf(this.shot)];
  }

  /** @override */
  renewed() {
    this.#tree = null;
  }

  /** Regions that are there, parents before children. Not to be changed by the caller. */
  regions() {
    return this.tree.regions;
  }

  get tree() {
    this.#tree ??= new Tree(this.entries("region").values(), (name) => this.titleOf(name));
    return this.#tree;
  }

  /** @param {string} name */
  region(name) {
    return this.tree.region(name);
  }

  /** @param {string} name */
  children(name) {
    return this.tree.children(name);
  }

  /** @param {string} name */
  ancestors(name) {
    return this.tree.ancestors(name);
  }

  /** @param {string} name */
  descendants(name) {
    return this.tree.descendants(name);
  }

  /**
   * The type, retelling or validation of a region, if it was said of the box that the region has now.
   * @param {string} kind
   * @param {string} name
   * @returns {Fields | null}
   */
  current(kind, name) {
    const document = this.get(kind, name)?.document;
    const region = this.region(name);
    if (!document || document.gone || !region) return null;
    const box = document.box?.xyxy;
    return !box || same(box, region.box) ? document : null;
  }

  /** What a region is called where people read it. @param {string} name */
  titleOf(name) {
    return this.#named.of(name);
  }

  /** A line in which regions are called so. @param {string} line */
  inWords(line) {
    return this.#named.within(line);
  }

  /**
   * @param {string} label
   * @param {Edit[]} edits
   * @override
   */
  edit(label, edits) {
    return super.edit(this.inWords(label), edits);
  }

  /**
   * @param {string} label
   * @param {string} kind
   * @param {string} name
   * @override
   */
  burst(label, kind, name) {
    return super.burst(this.inWords(label), kind, name);
  }

  get #named() {
    this.#titles ??= new Titles(this.drawn, (name) => this.#textOf(name));
    return this.#titles;
  }

  /** What is said of a region: by who looked at it last, or by who proposed it. @param {string} name */
  #textOf(name) {
    const own = this.get("region", name)?.document;
    const told = this.get("retelling", name)?.document;
    const anew = told && !told.gone ? told.description || told.functionality : "";
    return anew || best(own?.description) || best(own?.functionality);
  }

  /** A name for a new region. @override */
  newName() {
    return super.newName("region");
  }
}
