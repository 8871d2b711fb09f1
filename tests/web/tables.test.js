/** Tables of the browser: IndexedDB, and memory where there is none. Both keep the same promises. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { KeptTables, MemoryTables } from "#studio/work/tables.js";

/** @type {Record<string, () => Promise<KeptTables | MemoryTables>>} */
const OPEN = {
  IndexedDB: async () => KeptTables.open(),
  memory: async () => new MemoryTables(),
};

for (const [name, open] of Object.entries(OPEN)) {
  test(`${name}: rows are found by their field, in the order in which they came`, async () => {
    const tables = await open();
    const ids = await tables.change(async (rows) => [
      await rows.put("strokes", { project: "p1", value: "first" }),
      await rows.put("strokes", { project: "p2", value: "other" }),
      await rows.put("strokes", { project: "p1", value: "second" }),
    ]);
    assert.deepEqual(
      (await tables.all("strokes", "p1")).map((row) => [row.id, row.value]),
      [
        [ids[0], "first"],
        [ids[2], "second"],
      ],
    );
    assert.deepEqual(await tables.all("strokes", "nobody"), []);
    assert.equal(new Set(ids).size, 3);
  });

  test(`${name}: a row with its key is replaced, keeps its place, and can be removed`, async () => {
    const tables = await open();
    await tables.change(async (rows) => {
      const first = await rows.put("log", { place: "replaced", value: 1 });
      await rows.put("log", { place: "replaced", value: 2 });
      assert.equal(await rows.put("log", { id: first, place: "replaced", value: 3 }), first);
      assert.equal((await rows.get("log", first)).value, 3);
    });
    const found = await tables.all("log", "replaced");
    assert.deepEqual(
      found.map((row) => row.value),
      [3, 2],
    );
    await tables.change((rows) => rows.remove("log", found[0].id));
    assert.deepEqual(
      (await tables.all("log", "replaced")).map((row) => row.value),
      [2],
    );
  });

  test(`${name}: a key of one's own`, async () => {
    const tables = await open();
    await tables.change((rows) => rows.put("leases", { owner: "o", tab: "t" }));
    assert.deepEqual(await tables.change((rows) => rows.get("leases", "o")), { owner: "o", tab: "t" });
    assert.equal(await tables.change((rows) => rows.get("leases", "other")), undefined);
  });

  test(`${name}: changes come one after the other`, async () => {
    const tables = await open();
    const add = async () =>
      tables.change(async (rows) => {
        const count = (await rows.get("saved", "count"))?.value ?? 0;
        await rows.put("saved", { key: "count", project: "counted", value: count + 1 });
      });
    await Promise.all(Array.from({ length: 20 }, add));
    assert.equal((await tables.all("saved", "counted"))[0].value, 20);
  });

  test(`${name}: what was read is a copy, and what was written too`, async () => {
    const tables = await open();
    const row = { project: "copies", edits: [{ set: { a: 1 } }] };
    await tables.change((rows) => rows.put("strokes", row));
    row.edits[0].set.a = 2;
    const [found] = await tables.all("strokes", "copies");
    found.edits[0].set.a = 3;
    assert.equal((await tables.all("strokes", "copies"))[0].edits[0].set.a, 1);
  });

  test(`${name}: a change that fails rejects, and the next one works`, async () => {
    const tables = await open();
    const failing = tables.change(async (rows) => {
      await rows.get("leases", "o");
      throw new RangeError("stop");
    });
    await assert.rejects(failing, RangeError);
    await tables.change((rows) => rows.put("strokes", { project: "after" }));
    assert.equal((await tables.all("strokes", "after")).length, 1);
  });
}

test("IndexedDB: of a change that fails nothing stays", async () => {
  const tables = await KeptTables.open();
  const failing = tables.change(async (rows) => {
    await rows.put("strokes", { project: "failed" });
    throw new RangeError("stop");
  });
  await assert.rejects(failing, RangeError);
  assert.deepEqual(await tables.all("strokes", "failed"), []);
});

test("IndexedDB: what was written is there when it is opened again", async () => {
  await (await KeptTables.open()).change((rows) => rows.put("strokes", { project: "kept", value: 1 }));
  assert.equal((await (await KeptTables.open()).all("strokes", "kept"))[0].value, 1);
});

test("memory begins with rows of other tables, and new ones come after them", async () => {
  const tables = new MemoryTables({ strokes: [{ id: 7, project: "p" }], saved: [{ key: "k", project: "p" }] });
  const id = await tables.change((rows) => rows.put("strokes", { project: "p" }));
  assert.ok(id > 7);
  assert.deepEqual(
    (await tables.all("strokes", "p")).map((row) => row.id),
    [7, id],
  );
  assert.equal((await tables.all("saved", "p")).length, 1);
});
