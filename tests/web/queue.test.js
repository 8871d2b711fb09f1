/** The save queue against a server on loopback: order, retries, conflicts, refusals, and what people decide about them. */

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { metas, PERSON, PROJECT, StudioServer, until } from "./page.js";
import { forget, isForPeople, putAside, putBack, useMine } from "#studio/work/decisions.js";
import { queue } from "#studio/work/queue.js";
import { newKey, store } from "#studio/work/store.js";

/** @import { Edit, EditBatch, Fields } from "#types" */

const server = new StudioServer();
let screens = 0;
let screen = "";

before(async () => {
  await server.start();
  queue.start();
});

after(() => server.stop());

beforeEach(async () => {
  Object.assign(server, { received: [], tokens: [], script: () => undefined, signedIn: true });
  server.visitor = { author: PERSON, project: PROJECT, csrf: "token-2" };
  for (const one of await store.strokes()) await store.erase(one.screen);
  queue.wake();
  await until(() => queue.link === "online" && queue.kept === 0);
  screens += 1;
  screen = `screen-${screens}`;
});

/**
 * Keep a batch of edits of regions.
 * @param {Record<string, Fields>} sets by name
 * @param {Partial<Edit> & Partial<EditBatch>} [rest]
 */
async function add(sets, { after: version = 0, on = null, kind = "region", ...rest } = {}) {
  const edits = Object.entries(sets).map(([name, set]) => ({ kind, name, set, after: version, on }));
  const one = { screen, key: newKey(), label: "", created: "", state: /** @type {const} */ ("waiting"), edits };
  await store.add({ ...one, ...rest }, {});
  return one.key;
}

/** Saves of the screen that came. */
function received() {
  return server.received.filter((one) => one.screen === screen);
}

function saved() {
  return until(() => queue.kept === 0 && received().length > 0);
}

function sent() {
  return received().map((one) => one.key);
}

/** Type of the region as the server has it. */
function type(name = "a") {
  return server.read(screen, "region", name)?.document.type;
}

test("batches arrive in order, each after the version that the one before it made", async () => {
  const first = await add({ a: { type: "1" } });
  const second = await add({ a: { type: "2" } }, { on: first });
  const third = await add({ a: { type: "3" } }, { on: second });
  await saved();
  assert.deepEqual(sent(), [first, second, third]);
  assert.deepEqual(
    received().map((one) => one.edits[0].after),
    [0, 1, 2],
  );
  assert.equal(type(), "3");
  assert.deepEqual(Object.keys(received()[0].edits[0]).sort(), ["after", "kind", "name", "set"]);
});

test("an answer of a participant goes to an address of its own", async () => {
  await add({ "slot-1": { given: {} } }, { kind: "answer" });
  await saved();
  assert.equal(received()[0].path, "/api/answers");
  assert.equal(isForPeople([{ ...received()[0], label: "", created: "", state: "conflict" }]), false);
});

test("a lost answer is sent again with the same key, and is no conflict", async () => {
  let lost = 0;
  server.script = () => (lost++ ? undefined : "cut");
  const key = await add({ a: { type: "first" } });
  await until(() => queue.link === "offline");
  queue.wake();
  await saved();
  assert.ok(sent().length > 1);
  assert.deepEqual([...new Set(sent())], [key]);
  assert.deepEqual([type(), queue.link, queue.stuck], ["first", "online", []]);
});

for (const status of [408, 429, 500, 503]) {
  test(`after ${status} it is tried again later, and other screens go on`, async () => {
    const waiting = screen;
    server.script = (one) => (one.screen === waiting ? { status, body: { detail: "busy" } } : undefined);
    await add({ a: { type: "1" } });
    await until(() => received().length > 0);
    screen = `${waiting}-other`;
    await add({ a: { type: "other" } });
    await until(() => type() === "other");
    assert.deepEqual([queue.stuck, queue.link], [[], "online"]);
    server.script = () => undefined;
    queue.wake();
    await saved();
    assert.equal(server.read(waiting, "region", "a")?.document.type, "1");
  });
}

test("a conflict stops later batches on the same document; others go on", async () => {
  server.write(screen, { kind: "region", name: "a", author: "person:ben", document: { type: "ben's" } });
  const first = await add({ a: { type: "mine" } });
  const second = await add({ a: { dividable: true } }, { on: first });
  await add({ b: { type: "other" } });
  await until(() => queue.stuck.length === 1 && queue.waiting.length === 0);
  assert.equal(type("b"), "other");
  assert.deepEqual(
    queue.stuck[0].map((one) => [one.key, one.state]),
    [
      [first, "conflict"],
      [second, "waiting"],
    ],
  );
  assert.deepEqual(
    queue.stuck[0][0].there?.map((one) => one.document.type),
    ["ben's"],
  );
  assert.deepEqual([type(), queue.waiting, isForPeople(queue.stuck[0])], ["ben's", [], true]);
});

test("own batches that met a conflict can be sent on top", async () => {
  server.write(screen, { kind: "region", name: "a", author: "person:ben", document: { type: "ben's", gone: true } });
  const first = await add({ a: { type: "mine" } });
  await add({ a: { dividable: true } }, { on: first });
  await until(() => queue.stuck.length === 1);
  await useMine(queue.stuck[0]);
  await saved();
  assert.deepEqual(server.read(screen, "region", "a")?.document, { type: "mine", dividable: true, gone: false });
  assert.equal(server.read(screen, "region", "a")?.version, 3);
});

test("a parent that was deleted meanwhile comes back with what needs it", async () => {
  const parent = server.write(screen, { kind: "region", name: "p", author: "person:ben", document: { gone: true } });
  const needs = { state: "conflict", detail: "its parent is gone", entries: [parent] };
  server.script = (one) => (one.edits.length === 1 ? { status: 409, body: needs } : undefined);
  await add({ a: { parent: "p", type: "child" } });
  await until(() => queue.stuck.length === 1);
  await useMine(queue.stuck[0]);
  await saved();
  assert.deepEqual([server.read(screen, "region", "p")?.document.gone, type()], [false, "child"]);
});

test("what is put aside is not sent, can be put back, and can be forgotten", async () => {
  server.write(screen, { kind: "region", name: "a", author: "person:ben", document: { type: "ben's" } });
  await add({ a: { type: "mine" } });
  await until(() => queue.stuck.length === 1);
  await putAside(queue.stuck[0]);
  await until(() => queue.aside.length === 1);
  assert.deepEqual([queue.kept, type()], [0, "ben's"]);
  await add({ b: { type: "later" } });
  await until(() => type("b") === "later");
  await putBack(queue.aside);
  await until(() => type() === "mine");
  await until(() => queue.aside.length === 0);
  server.script = () => ({ status: 422, body: { detail: "no" } });
  await add({ a: { type: "refused" } }, { after: 2 });
  await until(() => queue.stuck.length === 1);
  await putAside(queue.stuck[0]);
  await until(() => queue.aside.length === 1);
  await forget(queue.aside);
  await until(() => queue.aside.length === 0);
  assert.deepEqual([await store.strokes(), type()], [[], "mine"]);
});

test("only what was put aside can be forgotten", async () => {
  server.script = () => ({ status: 503, body: {} });
  await add({ a: { type: "1" } });
  await forget(await store.strokes());
  assert.equal((await store.strokes()).length, 1);
});

/** @type {[number, unknown, string][]} */
const REFUSED = [
  [422, { detail: "a: outside of the screen" }, "a: outside of the screen"],
  [422, { detail: [{ msg: "one" }, { msg: "two" }, {}] }, "one; two; not valid"],
  [404, {}, "404"],
  [409, { detail: "no conflict of versions" }, "no conflict of versions"],
];

for (const [status, body, reason] of REFUSED) {
  test(`${status} ${JSON.stringify(body)} is a refusal, with its reason`, async () => {
    server.script = () => ({ status, body });
    await add({ a: { type: "1" } });
    await until(() => queue.stuck.length === 1);
    const [[{ state, detail, there }]] = queue.stuck;
    assert.deepEqual([state, there], ["refused", []]);
    assert.ok(detail?.includes(reason), detail);
    assert.equal(received().length, 1);
  });
}

test("a refused token is renewed once, then it is a refusal", async () => {
  metas.csrf.content = "token-1";
  server.script = () => ({ status: 403, body: { detail: "not allowed" } });
  const key = await add({ a: { type: "1" } });
  await until(() => queue.stuck.length === 1);
  assert.deepEqual([sent(), server.tokens, queue.stuck[0][0].state], [[key, key], ["token-1", "token-2"], "refused"]);
  assert.equal(metas.csrf.content, "token-2");
});

test("signed out: nothing is lost, and it is sent after signing in", async () => {
  server.signedIn = false;
  await add({ a: { type: "1" } });
  await until(() => queue.link === "signed out");
  assert.deepEqual([queue.kept, type()], [1, undefined]);
  server.signedIn = true;
  queue.wake();
  await saved();
  assert.deepEqual([queue.link, type()], ["online", "1"]);
});

/** @type {[string, Partial<typeof server.visitor>][]} */
const OTHERS = [
  ["somebody else", { author: "person:ben" }],
  ["elsewhere", { project: "project-2" }],
];

for (const [link, visitor] of OTHERS) {
  test(`${link}: nothing is sent until the right person and project are back`, async () => {
    const own = server.visitor;
    server.visitor = { ...own, ...visitor };
    queue.connected("offline"); // after a break it asks who is signed in
    await add({ a: { type: "1" } });
    queue.wake();
    await until(() => queue.link === link);
    assert.deepEqual([received(), queue.kept], [[], 1]);
    server.visitor = own;
    queue.wake();
    await saved();
    assert.equal(type(), "1");
  });
}

test("while another tab sends, this one waits", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  await until(() => store.lease("another tab"));
  await add({ a: { type: "1" } });
  await until(() => queue.waiting.length === 1);
  await queue.look();
  assert.deepEqual(received(), []);
  await store.release("another tab");
  queue.wake();
  await saved();
  assert.equal(type(), "1");
});

test("what may still change is not sent yet, nor what comes after it", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const held = await add({ a: { type: "1" } }, { held: Date.now() + 3_000 });
  const later = await add({ b: { type: "2" } });
  await until(() => queue.waiting.length === 2);
  queue.wake();
  await queue.look();
  const early = received().length;
  await store.amend({ screen, key: held }, { set: { type: "changed" }, next: "send" });
  await saved();
  assert.deepEqual([sent(), type(), early], [[held, later], "changed", 0]);
});
