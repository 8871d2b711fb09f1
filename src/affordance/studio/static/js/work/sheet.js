/** A screen as the person sees it: its documents, and the tree of its regions. */

import { Desk } from "./desk.js";
import { same, wholeOf } from "./documents.js";
import { Tree } from "./tree.js";

export class Sheet extends Desk {
  #tree = null;

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
    this.#tree ??= new Tree(this.entries("region").values());
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

  /** A name for a new region. */
  newName() {
    return super.newName("region");
  }
}
