/** Edit batches and the undo history as the browser keeps them until the server has them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { PERSON, PROJECT } from "./page.js";
import { HOLD } from "#studio/work/order.js";
import { post } from "#studio/work/post.js";
import { newKey, store } from "#studio/work/store.js";
import { KeptTables } from "#studio/work/tables.js";

/** @import { Edit, EditBatch, Message, StoredBatch, UndoRow } from "#types" */

let screens = 0;

/** A screen that no other test uses. */
function newScreen() {
  screens += 1;
  return `screen-${screens}`;
}

/**
 * @param {string} screen
 * @param {Partial<Edit>[]} edits
 * @param {Partial<EditBatch>} [rest]
 * @returns {EditBatch}
 */
function batch(screen, edits, rest = {}) {
  const all = edits.map((one) => ({ kind: "region", name: "a", set: {}, after: 0, on: null, ...one }));
  return { screen, key: newKey(), label: "Move a", created: "", state: "waiting", edits: all, ...rest };
}

/**
 * @param {string} key
 * @param {Partial<UndoRow>} [rest]
 * @returns {UndoRow}
 */
function row(key, rest = {}) {
  const edits = [{ kind: "region", name: "a", set: {}, before: {}, made: false }];
  return { key, label: "Move a", edits, undone: false, time: 0, ...rest };
}

/** @param {string} screen */
async function stored(screen) {
  return (await store.strokes()).filter((one) => one.screen === screen);
}

/** @param {StoredBatch | EditBatch} one */
function afters(one) {
  return one.edits.map((edit) => edit.after);
}

/** The reply to a batch that brings its documents to these versions. @param {Record<string, number>} versions */
function reply(versions) {
  const entries = Object.entries(versions).map(([name, version]) => {
    return { kind: "region", name, version, author: PERSON, created: "", document: {} };
  });
  return { entries };
}

test("keys are 32 hexadecimal digits, each time others", () => {
  assert.match(newKey(), /^[0-9a-f]{32}$/);
  assert.notEqual(newKey(), newKey());
});

test("batches stay in order and belong to a person and a project", async () => {
  const screen = newScreen();
  const [one, other] = [batch(screen, [{}]), batch(screen, [{}])];
  await store.add(one, {});
  await store.add(other, {});
  const found = await stored(screen);
  assert.deepEqual(
    found.map((each) => [each.key, each.person, each.project]),
    [
      [one.key, PERSON, PROJECT],
      [other.key, PERSON, PROJECT],
    ],
  );
  assert.deepEqual([store.unsafe, store.durable], [0, true]);
});

test("batches of another person are neither read nor changed, but named", async () => {
  const tables = await KeptTables.open();
  const theirs = { ...batch("theirs", [{}]), project: PROJECT, person: "person:ben" };
  const id = await tables.change((rows) => rows.put("strokes", theirs));
  assert.deepEqual(await stored("theirs"), []);
  assert.deepEqual(await store.others(), ["person:ben"]);
  await store.revise([/** @type {StoredBatch} */ ({ ...theirs, id })], () => null);
  await store.erase("theirs");
  assert.equal((await tables.all("strokes", PROJECT)).filter((one) => one.id === id).length, 1);
  await tables.change((rows) => rows.put("strokes", { ...theirs, id, state: "aside" }));
  assert.deepEqual(await store.others(), []);
});

test("an edit on top of another batch comes after the version that one waits for", async () => {
  const screen = newScreen();
  const below = batch(screen, [{ after: 4 }]);
  await store.add(below, {});
  await store.add(batch(screen, [{ after: 1, on: below.key }]), {});
  await store.add(batch(screen, [{ after: 1, on: "unknown" }]), {});
  assert.deepEqual((await stored(screen)).map(afters), [[4], [4], [1]]);
});

test("an edit on top of a batch that was saved meanwhile comes after what it was saved as", async () => {
  const screen = newScreen();
  const below = batch(screen, [{ after: 4 }]);
  await store.add(below, {});
  await store.acknowledge((await stored(screen))[0], reply({ a: 5 }));
  await store.add(batch(screen, [{ after: 4, on: below.key }]), {});
  assert.deepEqual((await stored(screen)).map(afters), [[5]]);
  assert.deepEqual((await store.snapshot()).saved.get(below.key), { "region/a": 5 });
});

test("after a save, later batches follow its versions, also of documents that changed along with it", async () => {
  const [screen, elsewhere] = [newScreen(), newScreen()];
  await store.add(batch(screen, [{ after: 4 }]), {});
  await store.add(batch(screen, [{ after: 4 }, { name: "b", after: 2 }, { name: "c", after: 1 }]), {});
  await store.add(batch(screen, [{ after: 3 }]), {}); // made of an older version: a conflict to be found
  await store.add(batch(elsewhere, [{ after: 4 }]), {});
  await store.add(batch(screen, [{ after: 4 }], { state: "conflict" }), {});
  await store.acknowledge((await stored(screen))[0], reply({ a: 5, b: 3 }));
  assert.deepEqual((await stored(screen)).map(afters), [[5, 3, 1], [3], [4]]);
  assert.deepEqual((await stored(elsewhere)).map(afters), [[4]]);
});

test("other parts of the page hear of what was added and saved", async () => {
  const screen = newScreen();
  /** @type {Message[]} */
  const heard = [];
  for (const type of ["strokes", "log", "saved"]) {
    post.addEventListener(type, (event) => heard.push(/** @type {CustomEvent<Message>} */ (event).detail));
  }
  const one = batch(screen, [{}]);
  await store.add(one, {});
  await store.acknowledge((await stored(screen))[0], reply({ a: 1 }));
  assert.deepEqual(
    heard.map(({ type, key, added }) => ({ type, key, added })),
    [
      { type: "strokes", key: one.key, added: true },
      { type: "log", key: one.key, added: undefined },
      { type: "saved", key: one.key, added: undefined },
    ],
  );
});

test("the undo history changes together with the batch", async () => {
  const screen = newScreen();
  const first = await store.add(batch(screen, [{}]), { add: row("1") });
  const second = await store.add(batch(screen, [{}]), { add: row("2") });
  const [one, two] = await store.log(screen);
  assert.deepEqual([one.id, two.id], [first.log, second.log]);
  assert.equal((await store.add(batch(screen, [{}]), { put: { ...one, undone: true }, remove: [two.id] })).log, null);
  assert.deepEqual(
    (await store.log(screen)).map(({ key, undone }) => [key, undone]),
    [["1", true]],
  );
  assert.deepEqual(await store.log(newScreen()), []);
});

test("a batch that is held back can be changed, sent and dropped", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const screen = newScreen();
  const one = batch(screen, [{ set: { x: 1 } }], { held: Date.now() + HOLD });
  await store.add(one, { add: row(one.key) });
  assert.equal(await store.amend(one, { set: { x: 2 }, next: "hold" }), true);
  const [held] = await stored(screen);
  assert.ok(Number(held.held) > Date.now());
  assert.deepEqual([held.edits[0].set, (await store.log(screen))[0].edits[0].set], [{ x: 2 }, { x: 2 }]);
  assert.equal(await store.amend(one, { set: { x: 3 }, next: "send" }), true);
  assert.deepEqual([(await stored(screen))[0].held, (await stored(screen))[0].edits[0].set], [0, { x: 3 }]);
  assert.equal(await store.amend(one, { set: { x: 4 }, next: "drop" }), false, "it may be sent already");
  assert.deepEqual((await stored(screen))[0].edits[0].set, { x: 3 });
  const other = batch(screen, [{}], { held: Date.now() + HOLD });
  await store.add(other, { add: row(other.key) });
  assert.equal(await store.amend(other, { set: {}, next: "drop" }), true);
  assert.deepEqual([(await stored(screen)).length, (await store.log(screen)).length], [1, 1]);
});

test("a batch that is about to be sent is not changed any more", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const screen = newScreen();
  for (const rest of [
    { held: Date.now() + 50 },
    { held: Date.now() + HOLD, state: /** @type {const} */ ("refused") },
  ]) {
    const one = batch(screen, [{ set: { x: 1 } }], rest);
    await store.add(one, {});
    assert.equal(await store.amend(one, { set: { x: 2 }, next: "hold" }), false);
  }
  assert.deepEqual(
    (await stored(screen)).map((one) => one.edits[0].set),
    [{ x: 1 }, { x: 1 }],
  );
});

test("a batch that is put aside leaves the undo history; what it undid is done again", async () => {
  const screen = newScreen();
  const [made, undo] = [batch(screen, [{}]), batch(screen, [{}])];
  await store.add(made, { add: row(made.key) });
  const [logged] = await store.log(screen);
  await store.add(undo, { put: { ...logged, undone: true, turned: undo.key } });
  const [, second] = await stored(screen);
  await store.revise([second], (one) => ({ ...one, state: "aside" }));
  assert.deepEqual(
    (await store.log(screen)).map(({ key, undone, turned }) => [key, undone, turned]),
    [[made.key, false, undo.key]],
  );
  const [, aside] = await stored(screen);
  await store.revise([aside], (one) => ({ ...one, state: "waiting", key: "sent again" }));
  assert.deepEqual(
    (await store.log(screen)).map(({ undone, turned }) => [undone, turned]),
    [[true, "sent again"]],
  );
  const [first] = await stored(screen);
  await store.revise([first], () => null);
  assert.deepEqual(await store.log(screen), []);
  assert.equal((await stored(screen)).length, 1);
});

test("a batch that gets a new key keeps its place in the undo history; one that is left alone stays", async () => {
  const screen = newScreen();
  const one = batch(screen, [{}]);
  await store.add(one, { add: row(one.key) });
  const [kept] = await stored(screen);
  await store.revise([kept], () => undefined);
  assert.deepEqual(await stored(screen), [kept]);
  await store.revise([kept], (each) => ({ ...each, key: "new" }));
  assert.deepEqual([(await stored(screen))[0].key, (await store.log(screen))[0].key], ["new", "new"]);
});

test("a screen can be erased", async () => {
  const [screen, other] = [newScreen(), newScreen()];
  for (const each of [screen, other]) await store.add(batch(each, [{}]), { add: row("1") });
  await store.erase(screen);
  assert.deepEqual([(await stored(screen)).length, (await store.log(screen)).length], [0, 0]);
  assert.deepEqual([(await stored(other)).length, (await store.log(other)).length], [1, 1]);
});

test("one tab sends at a time, until it lets another", async () => {
  assert.equal(await store.lease("one"), true);
  assert.equal(await store.lease("other"), false);
  assert.equal(await store.lease("one"), true);
  await store.release("other");
  assert.equal(await store.lease("other"), false);
  await store.release("one");
  assert.equal(await store.lease("other"), true);
  await store.release("other");
});

test("a lease ends with its time, and one that lasts too long does not count", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  assert.equal(await store.lease("one"), true);
  for (const time of [999_997, 1_004_999]) {
    // clocks of two tabs differ by a moment
    context.mock.timers.setTime(time);
    assert.equal(await store.lease("other"), false);
  }
  context.mock.timers.setTime(1_005_000);
  assert.equal(await store.lease("other"), true);
  context.mock.timers.setTime(1_000_000 - 6_000); // the clock was set back
  assert.equal(await store.lease("one"), true);
  await store.release("one");
});

test("answers are remembered for an hour", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const screen = newScreen();
  const [one, other] = [batch(screen, [{}]), batch(screen, [{}])];
  for (const each of [one, other]) {
    await store.add(each, {});
    await store.acknowledge((await stored(screen))[0], reply({ a: 1 }));
    context.mock.timers.tick(3_600_001);
  }
  const { saved } = await store.snapshot();
  assert.deepEqual([saved.has(one.key), saved.has(other.key)], [false, true]);
});

test("where the storage fails, work goes on in memory with what was there", async () => {
  const screen = newScreen();
  const one = batch(screen, [{}]);
  await store.add(one, {});
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  const other = batch(screen, [{}]);
  await store.add(other, {});
  IDBDatabase.prototype.transaction = transaction;
  assert.equal(store.durable, false);
  assert.deepEqual(
    (await stored(screen)).map((each) => each.key),
    [one.key, other.key],
  );
});
