/** The check, the first two bytes of the schema's digest, in messages that carry no digest (spec/pack.md section 3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";

const Old = pack.struct("Range", { from: pack.i32, to: pack.i32 });
const Swapped = pack.struct("Range", { to: pack.i32, from: pack.i32 });
const MODES = [true, false] as const;

function fails(call: () => unknown, code: string, at: number): void {
  assert.throws(call, (error) => {
    assert.ok(error instanceof pack.SamewireError, String(error));
    assert.deepEqual([error.code, error.at, error.path], [code, at, "$"]);
    return true;
  });
}

/** The check of a message, as hexadecimal digits; undefined for one without. */
function checkOf(message: Uint8Array): string | undefined {
  return (message[0]! & 0x40) === 0 ? undefined : Buffer.from(message.subarray(1, 3)).toString("hex");
}

test("messages carry a check unless they carry a digest or it is off", () => {
  for (const evaluate of MODES) {
    const codec = pack.codec(Old, { eval: evaluate });
    const range = { from: 1, to: 2 };
    const message = codec.encode(range);
    assert.deepEqual([message[0], checkOf(message), ...message.subarray(3)], [0xc0, codec.digest.slice(0, 4), 2, 4]);
    assert.deepEqual(codec.decode(message), range);
    const output = new pack.Output();
    codec.encodeInto(range, output);
    assert.deepEqual(output.bytes, message);
    assert.deepEqual(Buffer.concat([...codec.encodeChunks(range)]), Buffer.from(message));
    const off = pack.codec(Old, { eval: evaluate, check: false });
    assert.deepEqual([...off.encode(range)], [0x80, 2, 4]);
    const digest = pack.codec(Old, { eval: evaluate, digest: true, check: true });
    assert.equal(digest.encode(range)[0], 0x90);
    for (const reader of [codec, off, digest]) for (const writer of [codec, off, digest]) assert.deepEqual(reader.decode(writer.encode(range)), range);
    assert.equal(pack.codec(Old, { eval: evaluate, profile: "fast" }).encode(range)[0], 0xc0);
  }
  assert.throws(() => pack.codec(Old, { check: 1 as never }), { code: "misuse", message: /the option check is true or false/ });
});

test("fields that have changed places are refused, not read as each other", () => {
  for (const evaluate of MODES) {
    const message = pack.codec(Old, { eval: evaluate }).encode({ from: 1, to: 2 });
    const reader = pack.codec(Swapped, { eval: evaluate });
    fails(() => reader.decode(message), "schema_mismatch", 1);
    // A reader that writes none compares it as well.
    fails(() => pack.codec(Swapped, { eval: evaluate, check: false }).decode(message), "schema_mismatch", 1);
    assert.deepEqual(reader.decode(pack.codec(Old, { check: false }).encode({ from: 1, to: 2 })), { to: 1, from: 2 });
    const bytes = message.slice();
    bytes[2]! ^= 1;
    fails(() => pack.codec(Old, { eval: evaluate }).decode(bytes), "schema_mismatch", 1);
    for (const length of [1, 2]) fails(() => pack.codec(Old, { eval: evaluate }).decode(message.subarray(0, length)), "truncated", length);
  }
});

test("a resolving decoder compares the writer's check", () => {
  const Wide = pack.struct("Range", { from: pack.i64, to: pack.i64 });
  for (const evaluate of MODES) {
    const writer = pack.codec(Old, { eval: evaluate });
    const reader = pack.codec(Wide, { eval: evaluate });
    const resolved = reader.resolve(writer.schema);
    assert.deepEqual(resolved.decode(writer.encode({ from: 1, to: 2 })), { from: 1n, to: 2n });
    fails(() => resolved.decode(reader.encode({ from: 1n, to: 2n })), "schema_mismatch", 1);
  }
});

test("a check is not a digest", () => {
  const message = pack.codec(Old).encode({ from: 1, to: 2 });
  assert.equal(pack.digestOf(message), undefined);
  fails(() => pack.codec(Old, { requireDigest: true }).decode(message), "schema_mismatch", 0);
  // Before the check is compared.
  fails(() => pack.codec(Swapped, { requireDigest: true }).decode(message), "schema_mismatch", 0);
  fails(() => new pack.VersionedCodec(Old, new pack.MemorySchemas()).decode(message), "schema_mismatch", 0);
  const both = message.slice();
  both[0]! |= 0x10;
  fails(() => pack.codec(Old, { requireDigest: true }).decode(both), "malformed", 0);
  assert.equal(new pack.VersionedCodec(Old, new pack.MemorySchemas()).encode({ from: 1, to: 2 })[0], 0x90);
});

test("aligned arrays stand at their offsets behind a check", () => {
  const type = pack.struct("Row", { name: pack.string, numbers: pack.array(pack.f64) });
  const value = { name: "it’s", numbers: Float64Array.from({ length: 20 }, (_, i) => i / 3) };
  for (const evaluate of MODES) {
    const codec = pack.codec(type, { eval: evaluate, views: true });
    const message = Uint8Array.from(codec.encode(value));
    const { numbers } = codec.decode(message);
    assert.deepEqual(numbers, value.numbers);
    assert.equal(numbers.buffer, message.buffer);
  }
});

test("record files hold messages without digest and check", () => {
  let calls = 0;
  // A value that fails at first is written again in the separate pass.
  const Name = pack.string.as(
    (name: { text: string }) => {
      if (calls++ === 0) throw new TypeError("at first");
      return name.text;
    },
    (text) => ({ text }),
  );
  const plain = Buffer.from(pack.codec(pack.struct("Named", { name: pack.string }), { check: false }).encode({ name: "Carrie" }));
  const file = (encoder: pack.RecordEncoder<{ name: { text: string } }>): Buffer => Buffer.concat([encoder.write({ name: { text: "Carrie" } }), encoder.end()]);
  const Named = pack.struct("Named", { name: Name });
  for (const evaluate of MODES) {
    calls = 0;
    const codec = pack.codec(Named, { eval: evaluate });
    for (let turn = 0; turn < 3; turn++) assert.ok(file(new pack.RecordEncoder(codec)).includes(plain));
    const message = Buffer.from(codec.encode({ name: { text: "Carrie" } }));
    assert.notEqual(checkOf(message), undefined);
    assert.ok(!file(new pack.RecordEncoder(codec)).includes(message));
    const digest = pack.codec(Named, { eval: evaluate, digest: true });
    assert.deepEqual(file(new pack.RecordEncoder(digest)), file(new pack.RecordEncoder(codec)));
  }
});

test("a record with a check is read, and one with another's refused", async () => {
  const codec = pack.codec(Old);
  const file = async (message: Uint8Array): Promise<unknown> => {
    class Given extends pack.Codec<{ from: number; to: number }> {
      override encodeBare(): Uint8Array {
        return message;
      }
    }
    const encoder = new pack.RecordEncoder(new Given(Old));
    encoder.write({ from: 1, to: 2 });
    const whole = encoder.end();
    const read: unknown[] = [];
    for await (const record of pack.readRecords([whole], codec)) read.push(record);
    return read;
  };
  assert.deepEqual(await file(codec.encode({ from: 1, to: 2 })), [{ from: 1, to: 2 }]);
  await assert.rejects(file(pack.codec(Swapped).encode({ from: 1, to: 2 })), { code: "schema_mismatch", at: 1 });
});
