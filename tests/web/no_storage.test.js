/** A browser without IndexedDB, as in some private windows. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { StudioServer, until } from "./page.js";
import { queue } from "#studio/work/queue.js";
import { Sheet } from "#studio/work/sheet.js";
import { store } from "#studio/work/store.js";

const server = new StudioServer();

before(() => {
  Reflect.deleteProperty(globalThis, "indexedDB");
  return server.start();
});
after(() => server.stop());

test("changes are saved all the same, also after the server could not be reached", async () => {
  server.write("s", { kind: "region", name: "1-0", author: "model", document: { type: "old" } });
  const sheet = await Sheet.open("s");
  assert.equal(store.durable, false);
  await sheet.edit("One", [{ kind: "region", name: "1-0", set: { type: "one" } }]);
  await until(() => queue.kept === 0 && sheet.get("region", "1-0")?.version === 2);
  server.script = () => "cut";
  await sheet.edit("Two", [{ kind: "region", name: "1-0", set: { type: "two" } }]);
  await sheet.undo();
  await until(() => queue.link === "offline");
  assert.equal(queue.kept, 2);
  server.script = () => undefined;
  queue.wake();
  await until(() => queue.kept === 0);
  assert.equal(server.read("s", "region", "1-0")?.document.type, "one");
  sheet.close();
});
