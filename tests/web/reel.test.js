/** Films as the server sends them: whole ones are opened, others are told apart. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Reel, ReelError, rateOf } from "#studio/film/reel.js";

/** @param {unknown} header @param {number} bytes of pictures */
function film(header, bytes) {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const whole = new Uint8Array(4 + text.length + bytes);
  new DataView(whole.buffer).setUint32(0, text.length);
  whole.set(text, 4);
  return whole.buffer;
}

const HEADER = { rate: "30000/1001", type: "image/webp", sizes: [3, 4] };

test("a whole film", () => {
  const reel = new Reel(film(HEADER, 7));
  assert.equal(reel.count, 2);
  assert.equal(reel.rate, 30000 / 1001);
  assert.equal(reel.at(0), null);
  assert.deepEqual([rateOf("10"), rateOf(10)], [10, 10]);
});

const BROKEN = {
  "it broke off": film(HEADER, 6),
  "more came than was said": film(HEADER, 8),
  "no frames": film({ ...HEADER, sizes: [] }, 0),
  "something else": film("a page", 0),
  "no header": new ArrayBuffer(2),
};

for (const [why, buffer] of Object.entries(BROKEN))
  test(`no film: ${why}`, () => {
    assert.throws(() => new Reel(buffer), ReelError);
  });
