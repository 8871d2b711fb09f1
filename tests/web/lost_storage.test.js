/** Storage that the browser takes away while batches wait: they go on, and so does what comes after them. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { StudioServer, until } from "./page.js";
import { queue } from "#studio/work/queue.js";
import { Sheet } from "#studio/work/sheet.js";
import { store } from "#studio/work/store.js";

const server = new StudioServer();

before(() => server.start());
after(() => server.stop());

test("a newer version of the studio upgrades the storage", async () => {
  server.write("s", { kind: "region", name: "1-0", author: "model", document: { type: "old" } });
  const sheet = await Sheet.open("s");
  server.script = () => "cut";
  await sheet.edit("One", [{ kind: "region", name: "1-0", set: { type: "one" } }]);
  await new Promise((resolve) => {
    const opening = indexedDB.open("affordance-studio", 2);
    opening.onsuccess = () => resolve(opening.result.close());
  });
  await sheet.edit("Two", [{ kind: "region", name: "1-0", set: { type: "two" } }]);
  await until(() => queue.link === "offline" && queue.kept === 2);
  assert.equal(store.durable, false);
  server.script = () => undefined;
  queue.wake();
  await until(() => queue.kept === 0);
  assert.deepEqual(
    [server.read("s", "region", "1-0")?.version, server.read("s", "region", "1-0")?.document.type],
    [3, "two"],
  );
  sheet.close();
});
