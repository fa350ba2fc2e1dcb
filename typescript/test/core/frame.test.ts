import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameScanner } from "../../src/core/index.js";

test("copies messages, also from a Buffer", () => {
  const chunk = Buffer.from([2, 7, 7, 1, 9, 3, 1]);
  const scanner = new FrameScanner();
  scanner.feed(chunk);
  chunk.fill(0);
  scanner.feed(Buffer.from([2, 3]));
  assert.deepEqual([scanner.next(), scanner.next(), scanner.next()], [Uint8Array.of(7, 7), Uint8Array.of(9), Uint8Array.of(1, 2, 3)]);
});

test("rejects bytes after the end of the stream and stays unchanged", () => {
  const scanner = new FrameScanner();
  scanner.feed(Uint8Array.of(1, 0x40));
  assert.throws(() => { scanner.end(); }, { code: "misuse", at: undefined });
  assert.deepEqual([scanner.next(), scanner.next()], [Uint8Array.of(0x40), undefined]);
  scanner.end();
  for (const bytes of [Uint8Array.of(1, 0x41), new Uint8Array(0)]) assert.throws(() => { scanner.feed(bytes); }, { code: "misuse", at: undefined });
  assert.equal(scanner.next(), undefined);
  scanner.end();
  const dead = new FrameScanner();
  dead.feed(Uint8Array.of(2, 0x40));
  const truncated = { code: "truncated", at: 2 };
  for (const call of [() => { dead.end(); }, () => dead.next(), () => { dead.feed(Uint8Array.of(0)); }, () => dead.next()]) assert.throws(call, truncated);
  const wrong = new FrameScanner();
  wrong.feed(Uint8Array.of(0));
  wrong.feed(Uint8Array.of(1, 0x40));
  for (const call of [() => wrong.next(), () => { wrong.feed(Uint8Array.of(0)); }]) assert.throws(call, { code: "malformed", at: 0 });
});

test("releases taken messages while others are left", () => {
  const scanner = new FrameScanner();
  const { messages } = scanner as unknown as { messages: unknown[] };
  const frame = (i: number): Uint8Array => Uint8Array.of(2, i, i >> 8);
  for (let i = 0; i < 10; i++) scanner.feed(frame(i));
  for (let i = 10; i < 10_000; i++) {
    scanner.feed(frame(i));
    assert.deepEqual(scanner.next(), frame(i - 10).subarray(1));
    assert.ok(messages.length < 200, `${messages.length} messages are held`);
  }
});
