/** What tabs of one person tell each other, and the parts of one page. */

import { meta } from "../lib/dom.js";

/** @import { Message } from "#types" */

const POLL = 2_000; // ms, where tabs cannot tell each other

/**
 * Messages: `strokes` (those of a screen have changed in the store; screen null: perhaps), `saved` (with the answer of
 * the server), `log` (of undo); `key` names the stroke where it is one, `added` says that it is new. They come as
 * events of that name with the message as `detail`.
 */
class Post extends EventTarget {
  /** @type {BroadcastChannel | null} */
  #channel = null;

  constructor() {
    super();
    if (!("BroadcastChannel" in globalThis)) {
      setInterval(() => this.#dispatch({ type: "strokes", screen: null }), POLL);
      return;
    }
    this.#channel = new BroadcastChannel(`affordance ${meta("project")} ${meta("person")}`);
    this.#channel.onmessage = ({ data }) => this.#dispatch(data);
  }

  /** To this page and to other tabs. @param {Message} message */
  tell(message) {
    this.#dispatch(message);
    this.#channel?.postMessage(message);
  }

  /** @param {Message} message */
  #dispatch(message) {
    this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
  }
}

export const post = new Post();
