/** A screen as the person sees it: its documents, and the tree of its regions. */

import { Desk } from "./desk.js";
import { best, same, wholeOf } from "./documents.js";
import { Titles } from "./titles.js";
import { Tree } from "./tree.js";

export class Sheet extends Desk {
  drawn = []; // regions that people drew, in that order
  #tree = null;
  #titles = null;

  /**
   * @param {string} id of the screen
   * @returns {Promise<Sheet>}
   */
  static open(id) {
    return super.open(id, `/api/screen?screen=${encodeURIComponent(id)}`);
  }

  given() {
    return [wholeOf(this.shot)];
  }

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

  region(name) {
    return this.tree.region(name);
  }

  children(name) {
    return this.tree.children(name);
  }

  ancestors(name) {
    return this.tree.ancestors(name);
  }

  descendants(name) {
    return this.tree.descendants(name);
  }

  /** The type, retelling or validation of a region, if it was said of the box that the region has now. */
  current(kind, name) {
    const document = this.get(kind, name)?.document;
    const region = this.region(name);
    if (!document || document.gone || !region) return null;
    const box = document.box?.xyxy;
    return !box || same(box, region.box) ? document : null;
  }

  /** What a region is called where people read it. */
  titleOf(name) {
    return this.#named.of(name);
  }

  /** A line in which regions are called so. */
  inWords(line) {
    return this.#named.within(line);
  }

  edit(label, edits) {
    return super.edit(this.inWords(label), edits);
  }

  burst(label, kind, name) {
    return super.burst(this.inWords(label), kind, name);
  }

  get #named() {
    this.#titles ??= new Titles(this.drawn, (name) => this.#textOf(name));
    return this.#titles;
  }

  /** What is said of a region: by who looked at it last, or by who proposed it. */
  #textOf(name) {
    const own = this.get("region", name)?.document;
    const told = this.get("retelling", name)?.document;
    const anew = told && !told.gone ? told.description || told.functionality : "";
    return anew || best(own?.description) || best(own?.functionality);
  }

  /** A name for a new region. */
  newName() {
    return super.newName("region");
  }
}
