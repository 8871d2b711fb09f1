/** What a page gives to modules of the studio, for tests in Node.js: meta elements, events of the window, IndexedDB, and
 * a server on loopback. Import it before the modules. */

import "fake-indexeddb/auto";
import { createServer } from "node:http";

/** @import { AddressInfo } from "node:net" */
/** @import { Edit, Revision } from "#types" */
/** @typedef {{path: string, screen: string, key: string, edits: Edit[]}} Sent */
/** @typedef {{status: number, body: unknown} | "cut" | undefined} Scripted undefined: as a studio answers */

export const PROJECT = "project-1";
export const PERSON = "person:ana";

/** @type {Record<string, {content: string}>} */
export const metas = { project: { content: PROJECT }, person: { content: PERSON }, csrf: { content: "token-1" } };
const page = new EventTarget();

/** @param {string} selector */
function querySelector(selector) {
  return metas[/^meta\[name="(\w+)"\]$/.exec(selector)?.[1] ?? ""] ?? null;
}

const onPage = {
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
};
Object.assign(globalThis, onPage, {
  document: { ...onPage, querySelector, hidden: false, getElementById: () => null },
});

// What modules leave running must not keep the process of the tests alive.
const { setTimeout: wait, setInterval: repeat } = globalThis;
Object.assign(globalThis, {
  setTimeout: (/** @type {Parameters<typeof wait>} */ ...options) => wait(...options).unref(),
  setInterval: (/** @type {Parameters<typeof repeat>} */ ...options) => repeat(...options).unref(),
  BroadcastChannel: class extends BroadcastChannel {
    /** @param {string} name */
    constructor(name) {
      super(name);
      /** @type {any} */ (this).unref();
    }
  },
});

/** Wait until a condition holds. @param {() => unknown} condition */
export async function until(condition) {
  const end = performance.now() + 60_000; // tests may stop the clock of `Date`
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`expected to come true: ${condition}`);
    await new Promise((resolve) => wait(resolve, 5));
  }
}

/** Documents of screens behind HTTP, by the rules for saves: an edit after another version than the last one is a
 * conflict; the same key again gets the same answer. */
export class StudioServer {
  /** @type {Sent[]} saves in the order in which they came */
  received = [];
  /** @type {(sent: Sent) => Scripted} what happens to a save */
  script = () => undefined;
  visitor = { author: PERSON, project: PROJECT, csrf: "token-2" };
  signedIn = true;
  /** @type {Record<string, unknown>} what else `/api/screen` says */
  screen = { shot: { width: 400, height: 300 }, drawn: [] };
  /** @type {string[]} tokens that came with saves */
  tokens = [];
  /** @type {Map<string, Revision>} */
  #documents = new Map();
  /** @type {Map<string, {status: number, body: unknown}>} */
  #answered = new Map();
  /** @type {{screen: string, entry: Revision}[]} */
  #changes = [];
  #server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const url = new URL(request.url ?? "", "http://studio");
      if (request.method === "POST") this.tokens.push(String(request.headers["x-csrf-token"]));
      const reply = this.#answer(url, text);
      if (reply === "cut") {
        response.destroy();
        return;
      }
      response.writeHead(reply.status, { "Content-Type": "application/json" }).end(JSON.stringify(reply.body));
    });
  });
  #fetch = globalThis.fetch;

  /** Listen; from now on modules reach it as their own server. */
  async start() {
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", () => resolve(null)));
    const { port } = /** @type {AddressInfo} */ (this.#server.address());
    globalThis.fetch = (url, options) => this.#fetch(new URL(String(url), `http://127.0.0.1:${port}`), options);
  }

  stop() {
    globalThis.fetch = this.#fetch;
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Write a document, as somebody else does. @param {string} screen @param {Omit<Revision, "version" | "created">} one */
  write(screen, { kind, name, author, document }) {
    const key = `${screen}/${kind}/${name}`;
    const version = (this.#documents.get(key)?.version ?? 0) + 1;
    const created = new Date(1_700_000_000_000 + this.#changes.length * 1000).toISOString();
    const entry = { kind, name, version, author, created, document };
    this.#documents.set(key, entry);
    this.#changes.push({ screen, entry });
    return entry;
  }

  /** @param {string} screen @param {string} kind @param {string} name */
  read(screen, kind, name) {
    return this.#documents.get(`${screen}/${kind}/${name}`);
  }

  /**
   * @param {URL} url
   * @param {string} text
   * @returns {{status: number, body: unknown} | "cut"}
   */
  #answer(url, text) {
    if (!this.signedIn) return { status: 401, body: { detail: "sign in" } };
    const screen = url.searchParams.get("screen") ?? "";
    if (url.pathname === "/api/strokes" || url.pathname === "/api/answers") {
      return this.#save({ ...JSON.parse(text), path: url.pathname });
    }
    if (url.pathname === "/api/screen") {
      const documents = [...this.#documents].filter(([key]) => key.startsWith(`${screen}/`)).map(([, one]) => one);
      return { status: 200, body: { ...this.screen, last: this.#changes.length, documents, problems: {} } };
    }
    if (url.pathname === "/api/news") {
      const after = Number(url.searchParams.get("after"));
      const entries = this.#changes.slice(after).filter((one) => one.screen === screen);
      return {
        status: 200,
        body: { last: this.#changes.length, entries: entries.map((one) => one.entry), people: [] },
      };
    }
    if (url.pathname === "/api/visitor") return { status: 200, body: this.visitor };
    return { status: url.pathname === "/account" ? 200 : 404, body: {} };
  }

  /** @param {Sent} sent */
  #save(sent) {
    this.received.push(sent);
    const scripted = this.script(sent);
    if (scripted) return scripted;
    const answered = this.#answered.get(sent.key);
    if (answered) return answered;
    const seen = sent.edits.map((edit) => this.read(sent.screen, edit.kind, edit.name));
    const others = seen.filter((one, index) => (one?.version ?? 0) !== sent.edits[index].after);
    const found = others.length
      ? { status: 409, body: { state: "conflict", detail: "changed", entries: others } }
      : { status: 200, body: { entries: sent.edits.map((edit, index) => this.#saved(sent, edit, seen[index])) } };
    if (!others.length) this.#answered.set(sent.key, found);
    return found;
  }

  /** @param {Sent} sent @param {Edit} edit @param {Revision} [before] */
  #saved({ screen }, { kind, name, set }, before) {
    return this.write(screen, { kind, name, author: PERSON, document: { ...before?.document, ...set } });
  }
}
