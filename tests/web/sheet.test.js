/** A screen that is open: the server's documents with own edits on top, changes of others, and the tree of regions. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { PERSON, StudioServer, until } from "./page.js";
import { post } from "#studio/work/post.js";
import { Sheet } from "#studio/work/sheet.js";
import { store } from "#studio/work/store.js";

/** @import { Fields } from "#types" */

const server = new StudioServer();
const BEN = "person:ben";
let screens = 0;
let screen = "";
/** @type {Sheet} */
let sheet;

before(() => server.start());
after(() => server.stop());

beforeEach(async () => {
  server.script = () => undefined;
  screens += 1;
  screen = `screen-${screens}`;
  write("0-0", { box: { space: "pixel", xyxy: [0, 0, 400, 300] }, dividable: true }, "model");
  write("1-0", { box: { space: "pixel", xyxy: [0, 0, 100, 100] }, parent: "0-0", type: "old" }, "model");
  sheet = await Sheet.open(screen);
});

afterEach(() => sheet.close());

/** @param {string} name @param {Fields} document */
function write(name, document, author = BEN, kind = "region") {
  return server.write(screen, { kind, name, author, document });
}

/** @param {Fields} set */
function edit(set, name = "1-0", version = Infinity) {
  return sheet.edit(`Change ${name}`, [{ kind: "region", name, set, after: version }]);
}

function type(name = "1-0") {
  return sheet.get("region", name)?.document.type;
}

/** @param {string} name */
function onServer(name) {
  return server.read(screen, "region", name)?.document;
}

test("a change shows at once and is the server's version in the end", async () => {
  await edit({ type: "new" });
  assert.deepEqual([type(), sheet.undoLabel, sheet.canUndo, sheet.canRedo], ["new", "Change 1-0", true, false]);
  await until(() => !sheet.get("region", "1-0")?.pending);
  assert.deepEqual([sheet.get("region", "1-0")?.version, onServer("1-0")?.type], [2, "new"]);
});

test("undo and redo arrive at the server", async () => {
  await edit({ type: "new" });
  assert.equal(await sheet.undo(), true);
  await until(() => server.read(screen, "region", "1-0")?.version === 3);
  assert.deepEqual([type(), onServer("1-0")?.type, sheet.redoLabel], ["old", "old", "Change 1-0"]);
  assert.equal(await sheet.redo(), true);
  await until(() => onServer("1-0")?.type === "new");
});

test("a new page shows what the one before it has not sent yet, and can undo it", async () => {
  server.script = () => ({ status: 503, body: {} });
  await edit({ type: "new" });
  sheet.close();
  sheet = await Sheet.open(screen);
  assert.deepEqual([type(), sheet.get("region", "1-0")?.pending, sheet.canUndo], ["new", true, true]);
  await sheet.undo();
  assert.equal(type(), "old");
});

test("undo and redo after a reload, however fast they come", async () => {
  const reload = async () => {
    sheet.close();
    sheet = await Sheet.open(screen);
  };
  const states = () => [type(), sheet.region("n-aaaaaaaa")?.parent, sheet.current("type", "n-aaaaaaaa")?.type];
  const box = { space: "pixel", xyxy: [10, 10, 20, 20] };
  await edit({ type: "new" });
  await edit({ box, parent: "1-0" }, "n-aaaaaaaa");
  await sheet.edit("Type", [{ kind: "type", name: "n-aaaaaaaa", set: { box, type: "Form" } }]);
  await until(() => !sheet.get("type", "n-aaaaaaaa")?.pending);
  const after = ["new", "1-0", "Form"];
  await reload();
  assert.deepEqual([states(), sheet.canUndo, sheet.undoLabel, sheet.canRedo], [after, true, "Type", false]);
  const found = [];
  while (await sheet.undo()) found.push(states());
  assert.deepEqual(found, [
    ["new", "1-0", undefined],
    ["new", undefined, undefined],
    ["old", undefined, undefined],
  ]);
  await reload();
  assert.deepEqual([sheet.canUndo, sheet.redoLabel], [false, "Change 1-0"]);
  await Promise.all([sheet.redo(), sheet.redo(), sheet.redo()]);
  assert.deepEqual(states(), after);
  await sheet.undo();
  await edit({ dividable: true });
  assert.deepEqual([sheet.canRedo, sheet.undoLabel], [false, "Change 1-0"]);
});

test("the undo history read again, as for another tab, keeps what is being made", async () => {
  for (const name of ["1", "2", "3"]) {
    post.dispatchEvent(new CustomEvent("log", { detail: { type: "log", screen } }));
    const done = sheet.edit(`Change ${name}`, [{ kind: "region", name: "1-0", set: { type: name } }]);
    post.dispatchEvent(new CustomEvent("log", { detail: { type: "log", screen } }));
    assert.equal(sheet.undoLabel, `Change ${name}`);
    await done;
    assert.equal(sheet.undoLabel, `Change ${name}`);
  }
});

test("a batch of another tab shows, and is done when the news brings it", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const theirs = { screen, key: "from another tab", label: "", created: "", state: /** @type {const} */ ("waiting") };
  await until(() => store.lease("another tab")); // the queue of this one may still have it
  await store.add({ ...theirs, edits: [{ kind: "region", name: "1-0", set: { type: "tab" }, after: 1 }] }, {});
  await until(() => type() === "tab" && sheet.get("region", "1-0")?.pending);
  const [batch] = (await store.strokes()).filter((one) => one.key === theirs.key);
  const heard = /** @type {unknown[]} */ ([]);
  sheet.addEventListener("change", () => heard.push(type()));
  // The other tab sends it, and cannot say so: what was there before must not show meanwhile.
  const entry = write("1-0", { ...onServer("1-0"), type: "tab" }, PERSON);
  const { tell } = post;
  post.tell = () => {};
  await store.acknowledge(batch, { entries: [entry] });
  post.tell = tell;
  post.dispatchEvent(new CustomEvent("strokes", { detail: { type: "strokes", screen: null } }));
  await until(() => !sheet.get("region", "1-0")?.pending);
  await store.release("another tab");
  assert.deepEqual([new Set(heard), sheet.get("region", "1-0")?.version], [new Set(["tab"]), 2]);
});

test("changes of others come in", async () => {
  /** @type {[string[], string][]} */
  const heard = [];
  sheet.addEventListener("change", (event) => {
    const { keys, by } = /** @type {CustomEvent} */ (event).detail;
    heard.push([[...keys], by]);
  });
  write("1-0", { box: { space: "pixel", xyxy: [0, 0, 100, 100] }, parent: "0-0", type: "ben's" });
  await until(() => type() === "ben's");
  assert.deepEqual(heard, [[["region/1-0"], "others"]]);
});

test("a change made on what somebody else has replaced is a conflict, with both sides", async () => {
  /** @type {any[]} */
  const conflicts = [];
  sheet.addEventListener("conflict", (event) => conflicts.push(/** @type {CustomEvent} */ (event).detail));
  write("1-0", { box: { space: "pixel", xyxy: [0, 0, 100, 100] }, parent: "0-0", type: "ben's" });
  await edit({ type: "mine" }, "1-0", 1);
  await until(() => conflicts.length > 0);
  const [{ strokes, entries }] = conflicts;
  assert.deepEqual([strokes.length, entries[0].document.type], [1, "ben's"]);
  assert.deepEqual([type(), sheet.get("region", "1-0")?.stuck], ["mine", true]);
});

test("a text begun before an own change of the same document is no conflict", async () => {
  await edit({ type: "first" });
  await until(() => sheet.get("region", "1-0")?.version === 2);
  await edit({ dividable: true }, "1-0", 1);
  await until(() => onServer("1-0")?.dividable === true);
  assert.equal(sheet.get("region", "1-0")?.stuck, false);
});

test("where nobody has divided a screen, it is one region", async () => {
  const empty = await Sheet.open("never divided");
  assert.deepEqual(
    empty.regions().map((one) => [one.name, one.box]),
    [["0-0", [0, 0, 400, 300]]],
  );
  empty.close();
});

test("the tree follows changes", async () => {
  assert.deepEqual(sheet.children("0-0"), ["1-0"]);
  const name = sheet.newName();
  assert.match(name, /^n-[a-z0-9]{8}$/);
  await edit({ box: { space: "pixel", xyxy: [10, 10, 20, 20] }, parent: "1-0" }, name);
  assert.deepEqual(
    [sheet.descendants("0-0"), sheet.ancestors(name)],
    [
      ["1-0", name],
      ["1-0", "0-0"],
    ],
  );
  assert.equal(sheet.undoLabel, `Change ${sheet.titleOf(name)}`);
  assert.doesNotMatch(sheet.titleOf(name), /^n-/);
  await sheet.undo();
  assert.deepEqual(sheet.descendants("0-0"), ["1-0"]);
});

/** @type {[string, Fields, boolean][]} */
const CURRENT = [
  ["of the same box", { box: { space: "pixel", xyxy: [0, 0, 100, 100] }, description: "d" }, true],
  ["of another box", { box: { space: "pixel", xyxy: [0, 0, 100, 99] }, description: "d" }, false],
  ["of no box", { box: null, description: "d" }, true],
  ["that was taken back", { box: null, description: "d", gone: true }, false],
];

for (const [name, document, expected] of CURRENT) {
  test(`a text ${name} is ${expected ? "" : "not "}current`, async () => {
    write("1-0", document, PERSON, "retelling");
    await until(() => sheet.get("retelling", "1-0"));
    assert.equal(sheet.current("retelling", "1-0") !== null, expected);
    assert.equal(sheet.current("retelling", "unknown"), null);
  });
}
