/** The digest that a message carries, and codecs that require one (spec/pack.md section 3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";

const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const plain = pack.codec(pack.i64);
const carrying = pack.codec(pack.i64, { digest: true });
const strict = pack.codec(pack.i64, { requireDigest: true });

function fails(call: () => unknown, code: string, at: number): void {
  assert.throws(call, (error) => {
    assert.ok(error instanceof pack.SamewireError);
    assert.deepEqual([error.code, error.at, error.path], [code, at, "$"]);
    return true;
  });
}

test("the digest of a message is that of its schema", () => {
  const message = carrying.encode(1n);
  assert.equal(pack.digestOf(message), plain.digest);
  assert.equal(pack.digestOf(message.subarray(0, 9)), plain.digest, "what follows is not looked at");
  assert.equal(pack.digestOf(plain.encode(1n)), undefined);
  assert.equal(pack.digestOf(bytes("80")), undefined);
});

test("bytes that are not a message have no digest", () => {
  for (const [message, code, at] of [
    ["", "truncated", 0], ["90", "truncated", 1], ["9001020304050607", "truncated", 8], ["0002", "unsupported", 0], ["7b7d", "unsupported", 0],
    ["40", "unsupported", 0], ["ff", "truncated", 1], ["d0", "truncated", 1],
  ] as const) fails(() => pack.digestOf(bytes(message)), code, at);
  assert.throws(() => pack.digestOf("text" as never), { code: "misuse" });
});

test("a required digest must be there", () => {
  assert.equal(strict.decode(carrying.encode(7n)), 7n);
  fails(() => strict.decode(plain.encode(7n)), "schema_mismatch", 0);
  const other = pack.codec(pack.i32, { digest: true });
  fails(() => strict.decode(other.encode(7)), "schema_mismatch", 1);
  assert.equal(strict.resolve("i32").decode(other.encode(7)), 7n);
  fails(() => strict.resolve("i32").decode(pack.codec(pack.i32).encode(7)), "schema_mismatch", 0);
  assert.throws(() => strict.decode("text" as never), { code: "misuse" });
});

test("the length and the version are checked first", () => {
  const limited = pack.codec(pack.i64, { requireDigest: true, limits: { frameBytes: 3 } });
  fails(() => limited.decode(bytes("80020000")), "limit_size", 0);
  fails(() => limited.decode(bytes("4002")), "unsupported", 0);
  fails(() => limited.decode(bytes("")), "truncated", 0);
  // Before all the rest: this value is cut.
  fails(() => limited.decode(bytes("80")), "schema_mismatch", 0);
});
