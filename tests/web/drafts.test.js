/** What somebody is typing stays on the computer until exactly that is saved. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { Drafts } from "#studio/lib/drafts.js";

/** @type {Map<string, string>} */
const stored = new Map();
Object.defineProperty(globalThis, "localStorage", {
  value: {
    getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
    setItem: stored.set.bind(stored),
    removeItem: stored.delete.bind(stored),
  },
});

test("a draft is dropped once it is saved", () => {
  const drafts = new Drafts("notes");
  drafts.set("a", { text: "One" });
  drafts.dropSaved("a", (draft) => draft.text === "One");
  assert.equal(drafts.get("a"), null);
  drafts.dropSaved("a", () => assert.fail("there is none"));
});

test("what was typed while an earlier text was being saved is kept", () => {
  const drafts = new Drafts("notes");
  drafts.set("a", { text: "One and two" });
  drafts.dropSaved("a", (draft) => draft.text === "One");
  assert.deepEqual(drafts.get("a"), { text: "One and two" });
});
