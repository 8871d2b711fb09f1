/** What a person does at a screen: shown at once, kept, undone and redone, also after a reload. */

import assert from "node:assert/strict";
import { before, beforeEach, mock, test } from "node:test";
import { PERSON } from "./page.js";
import { Burst } from "#studio/work/burst.js";
import { Layers } from "#studio/work/layers.js";
import { store } from "#studio/work/store.js";
import { Strokes } from "#studio/work/strokes.js";
import { Log, mayStep } from "#studio/work/undo.js";

/** @import { ChangeSource, Fields, Revision, UndoRow } from "#types" */

let screens = 0;
let screen = "";
/** @type {Layers} */
let layers;
/** @type {Strokes} */
let strokes;
/** @type {ChangeSource[]} whose changes were announced */
let announced = [];

/** A page that shows the screen, as after a reload: batches and history come from the storage. */
async function load() {
  layers = new Layers(PERSON);
  strokes = new Strokes(screen, layers, (keys, by) => {
    layers.show(keys);
    announced.push(by);
  });
  layers.saved({ kind: "region", name: "a", version: 1, author: PERSON, created: "", document: { type: "old" } });
  layers.setPending((await store.strokes()).filter((one) => one.screen === screen));
  layers.show(layers.keys());
  await strokes.readLog();
}

// A computer that stands still for seconds must not end what is held back.
before(() => mock.timers.enable({ apis: ["Date"], now: Date.now() }));

beforeEach(async () => {
  screens += 1;
  screen = `screen-${screens}`;
  await load();
  announced = [];
});

/** @param {Fields} set */
function make(set, name = "a") {
  return strokes.make("Change", [{ kind: "region", name, set }]).done;
}

/** @param {string} field */
function value(field, name = "a") {
  return layers.get("region", name)?.document[field];
}

async function stored() {
  return (await store.strokes()).filter((one) => one.screen === screen);
}

test("a change shows at once and is kept", async () => {
  const done = make({ type: "new" });
  assert.deepEqual([value("type"), layers.get("region", "a")?.pending, announced], ["new", true, ["me"]]);
  await done;
  const [{ edits, label }] = await stored();
  assert.deepEqual(
    [label, edits],
    ["Change", [{ kind: "region", name: "a", set: { type: "new" }, after: 1, on: null }]],
  );
});

test("what changes nothing is no batch", async () => {
  for (const set of [{ type: "old" }, { dividable: false }, { parent: null }]) {
    assert.equal(strokes.make("Change", [{ kind: "region", name: "a", set }]).row, null);
  }
  assert.deepEqual([await stored(), strokes.log.last], [[], undefined]);
});

test("of several edits only those count that change something", async () => {
  const edits = [
    { kind: "region", name: "a", set: { type: "old" } },
    { kind: "region", name: "b", set: { type: "new" } },
  ];
  await strokes.make("Change", edits).done;
  assert.deepEqual(
    (await stored())[0].edits.map((one) => one.name),
    ["b"],
  );
});

test("undo and redo, step by step", async () => {
  await make({ type: "1" });
  await make({ type: "2", dividable: true });
  await make({ type: "3" }, "b");
  const states = [];
  for (const way of /** @type {const} */ (["undo", "undo", "undo", "redo", "redo", "redo"])) {
    assert.equal(await strokes.step(way), true);
    states.push([value("type"), value("dividable") ?? false, value("gone", "b")]);
  }
  assert.deepEqual(states, [
    ["2", true, true],
    ["1", false, true],
    ["old", false, true],
    ["1", false, true],
    ["2", true, true],
    ["2", true, false],
  ]);
  assert.equal(await strokes.step("redo"), false);
});

test("undo without anything done does nothing", async () => {
  assert.deepEqual([await strokes.step("undo"), await strokes.step("redo"), await stored()], [false, false, []]);
});

test("steps that come quickly are taken one after the other", async () => {
  const made = [make({ type: "1" }), make({ type: "2" }), make({ type: "3" })];
  const steps = [strokes.step("undo"), strokes.step("undo"), strokes.step("redo")];
  await Promise.all([...made, ...steps]);
  assert.equal(value("type"), "2");
  assert.deepEqual(
    (await stored()).map((one) => one.edits[0].set.type),
    ["1", "2", "3", "2", "1", "2"],
  );
});

test("after a new change, what was undone cannot be redone", async () => {
  await make({ type: "1" });
  await strokes.step("undo");
  await make({ type: "2" });
  assert.equal(await strokes.step("redo"), false);
  await strokes.step("undo");
  assert.equal(value("type"), "old");
  assert.equal((await store.log(screen)).length, 1);
});

test("undo and redo after a reload", async () => {
  await make({ type: "1" });
  await make({ type: "2" });
  await strokes.step("undo");
  await load();
  assert.deepEqual([value("type"), strokes.log.last?.label, strokes.log.next?.label], ["1", "Change", "Change"]);
  await strokes.step("redo");
  assert.equal(value("type"), "2");
  await strokes.step("undo");
  await strokes.step("undo");
  assert.equal(value("type"), "old");
});

test("a change that cannot be kept is taken back, in the history too", async () => {
  await make({ type: "1" });
  const { done } = strokes.make("Change", [{ kind: "region", name: "a", set: { type: () => 1 } }]);
  await assert.rejects(done, { name: "DataCloneError" });
  assert.deepEqual([value("type"), strokes.log.last?.edits[0].set, (await stored()).length], ["1", { type: "1" }, 1]);
});

test("small steps are one batch, one step of undo, and announced once at the end", async () => {
  const burst = new Burst(strokes, "Nudge", { kind: "region", name: "a" });
  for (const type of ["1", "2", "3"]) await burst.put({ type });
  assert.deepEqual([value("type"), new Set(announced)], ["3", new Set([null])]);
  assert.ok(Number((await stored())[0].held) > 0, "it is not sent yet");
  await burst.end();
  const found = await stored();
  assert.deepEqual([found.length, found[0].edits[0].set, found[0].held, announced.at(-1)], [1, { type: "3" }, 0, "me"]);
  await strokes.step("undo");
  assert.equal(value("type"), "old");
});

test("small steps are kept from the first one on", async () => {
  const burst = new Burst(strokes, "Nudge", { kind: "region", name: "a" });
  await burst.put({ type: "1" });
  await load();
  assert.deepEqual([value("type"), strokes.log.last?.label], ["1", "Nudge"]);
});

test("small steps that lead back to the beginning are no batch", async () => {
  const burst = new Burst(strokes, "Nudge", { kind: "region", name: "a" });
  for (const type of ["1", "2", "old"]) await burst.put({ type });
  await burst.end();
  assert.deepEqual([await stored(), await store.log(screen), strokes.log.last], [[], [], undefined]);
  assert.deepEqual([value("type"), layers.get("region", "a")?.pending], ["old", false]);
});

test("small steps can be taken back, and without any there is nothing to end", async () => {
  const burst = new Burst(strokes, "Nudge", { kind: "region", name: "a" });
  await burst.end();
  await burst.drop();
  await burst.put({ type: "1" });
  await burst.drop();
  assert.deepEqual([await stored(), value("type")], [[], "old"]);
});

test("a step after the batch went by itself is another batch", async () => {
  const burst = new Burst(strokes, "Nudge", { kind: "region", name: "a" });
  await burst.put({ type: "1" });
  const [first] = await stored();
  await store.revise([first], (one) => ({ ...one, held: 0 })); // its time is up, as after a computer has slept
  await burst.put({ type: "2" });
  await burst.end();
  assert.deepEqual(
    (await stored()).map((one) => one.edits[0].set.type),
    ["1", "2"],
  );
  assert.equal(value("type"), "2");
});

test("the history read again keeps rows that are being written", async () => {
  const log = new Log();
  /** @type {(key: string) => UndoRow} */
  const row = (key) => ({ key, label: key, edits: [], undone: false, time: 0 });
  const [kept, coming] = [row("kept"), row("coming")];
  await store.add({ screen, key: "kept", label: "", created: "", state: "waiting", edits: [] }, { add: kept });
  log.add(coming);
  await log.during(coming, () => log.load(screen));
  assert.deepEqual([log.last?.key, log.find("kept")?.key], ["coming", "kept"]);
  await log.load(screen);
  assert.deepEqual([log.last?.key, log.find("coming")], ["kept", undefined]);
});

test("a step is taken without a question where nothing was changed since", async () => {
  /** @type {UndoRow} */
  const row = {
    ...{ key: "1", label: "Move", undone: false, time: 0 },
    edits: [{ kind: "region", name: "a", set: { type: "new" }, before: { type: "old" }, made: false }],
  };
  /** @type {(type: string) => (kind: string, name: string) => Revision} */
  const current = (type) => (kind, name) => ({
    kind,
    name,
    version: 1,
    author: PERSON,
    created: "",
    document: { type },
  });
  assert.equal(await mayStep(row, current("new"), "undo"), true);
  assert.equal(await mayStep(row, current("old"), "redo"), true);
  assert.equal(await mayStep(row, () => undefined, "undo"), true);
});
