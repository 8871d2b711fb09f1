/** A browser in which tabs cannot tell each other: one learns from the storage and the news. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PERSON, PROJECT, StudioServer, until } from "./page.js";
import { KeptTables } from "#studio/work/tables.js";

const server = new StudioServer();

before(() => server.start());
after(() => server.stop());

test("what another tab keeps is shown, and never what was there before", async () => {
  Reflect.deleteProperty(globalThis, "BroadcastChannel");
  const { Sheet } = await import("#studio/work/sheet.js");
  server.write("s", { kind: "region", name: "1-0", author: "model", document: { type: "old" } });
  const sheet = await Sheet.open("s");
  const type = () => sheet.get("region", "1-0")?.document.type;
  /** @type {unknown[]} */
  const heard = [];
  sheet.addEventListener("change", () => heard.push(type()));
  const tables = await KeptTables.open();
  const theirs = { project: PROJECT, person: PERSON, screen: "s", key: "theirs", label: "", created: "" };
  const edits = [{ kind: "region", name: "1-0", set: { type: "tab" }, after: 1, on: null }];
  const id = await tables.change((rows) => rows.put("strokes", { ...theirs, state: "waiting", edits }));
  await until(() => type() === "tab" && sheet.get("region", "1-0")?.pending);
  // The other tab sends it.
  await fetch("/api/strokes", { method: "POST", body: JSON.stringify({ ...theirs, edits }) });
  await tables.change(async (rows) => {
    await rows.remove("strokes", id);
    return rows.put("saved", { project: PROJECT, key: "theirs", versions: { "region/1-0": 2 }, time: Date.now() });
  });
  await until(() => !sheet.get("region", "1-0")?.pending);
  assert.deepEqual([new Set(heard), sheet.get("region", "1-0")?.version], [new Set(["tab"]), 2]);
  sheet.close();
});
