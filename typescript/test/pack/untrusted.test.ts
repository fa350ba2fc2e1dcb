/** Untrusted values, texts and buffers, and values that change while they are read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";

const MODES = [true, false];
const Named = pack.struct("Named", { text: pack.string, number: pack.i32 });

/** An array of 40 equal elements, the one at index 10 behind an accessor. */
function watched<T>(element: T, look: (array: T[]) => void): T[] {
  const array = new Array<T>(40).fill(element);
  Object.defineProperty(array, 10, { get: () => { look(array); return element; }, enumerable: true, configurable: true });
  return array;
}

const NUMBERS: readonly [pack.Type, unknown, unknown][] = [
  [pack.i8, 1, 7], [pack.i16, 1, 7], [pack.i32, 1, 7], [pack.u32, 1, 7], [pack.f32, 1, 7], [pack.f64, 1, 7], [pack.i64, 1n, 7n], [pack.u64, 1n, 7n],
];

test("an accessor that encodes does not disturb the list around it", () => {
  for (const [type, one, seven] of NUMBERS) {
    for (const evaluate of MODES) {
      const codec = pack.codec(pack.list(type), { eval: evaluate });
      const other = pack.codec(pack.list(type), { eval: evaluate, profile: "fast" });
      const inner = new Array<unknown>(50).fill(seven);
      const values = watched(one, () => {
        codec.encode(inner);
        other.encode(inner);
      });
      assert.deepEqual(codec.decode(codec.encode(values)), new Array<unknown>(40).fill(one), codec.schema.text);
    }
  }
});

test("rejects a list that shrinks while it is written", () => {
  for (const [type, one] of [...NUMBERS, [pack.string, "text"] as const, [pack.bool, true] as const]) {
    for (const evaluate of MODES) {
      const codec = pack.codec(pack.list(type), { eval: evaluate });
      const values = watched(one, (array) => { array.length = 11; });
      assert.throws(() => codec.encode(values), { code: "type_mismatch", path: "$" }, codec.schema.text);
    }
  }
});

test("rejects an output that is in use", () => {
  for (const evaluate of MODES) {
    const codec = pack.codec(Named, { eval: evaluate });
    const output = new pack.Output(16);
    codec.encodeInto({ text: "before", number: 1 }, output);
    const before = output.bytes.slice();
    const inner = { text: "inner", number: 2 };
    for (const meddle of [() => codec.encodeInto(inner, output), () => { output.clear(); }, () => { output.write(before); }, () => { output.reserve(1); }]) {
      const value = { number: 3, get text(): string { meddle(); return "outer"; } };
      assert.throws(() => codec.encodeInto(value, output), { code: "misuse" });
      assert.deepEqual(output.bytes, before);
    }
    const value = { number: 3, get text(): string { return codec.decode(codec.encode(inner)).text; } };
    codec.encodeInto(value, output);
    assert.deepEqual(codec.decode(output.bytes.subarray(before.length)), { text: "inner", number: 3 });
  }
});

test("a codec releases large buffers", () => {
  const codec = pack.codec(pack.bytes);
  const { writer } = codec as unknown as { writer: { b: Uint8Array; scratch: Uint8Array } };
  const large = new Uint8Array(3 << 20);
  codec.encode(large);
  assert.ok(writer.b.length < 1 << 20);
  codec.encodeInto(large, new pack.Output());
  assert.ok(writer.b.length < 1 << 20);
  assert.ok(writer.scratch.length < 1 << 20);
  assert.deepEqual(codec.decode(codec.encode(Uint8Array.of(1))), Uint8Array.of(1));
});

test("rejects sparse arrays before allocating for them", () => {
  const endless: unknown[] = [];
  endless.length = 4_000_000_000;
  for (const type of [pack.i16, pack.i32, pack.u64, pack.f64, pack.bool, pack.option(pack.string)] as pack.Type[]) {
    for (const evaluate of MODES) {
      for (const profile of ["compact", "fast"] as const) {
        const codec = pack.codec(pack.list(type), { eval: evaluate, profile });
        assert.throws(() => codec.encode(endless), { code: "limit_items", path: "$" }, codec.schema.text);
        const raised = pack.codec(pack.list(type), { eval: evaluate, profile, limits: { items: 2 ** 52, cells: 2 ** 52 } });
        assert.throws(() => raised.encode(endless), { code: "limit_size", path: "$" }, codec.schema.text);
      }
    }
  }
});

test("decodes bytes in every kind of buffer", () => {
  const codec = pack.codec(pack.tuple(pack.string, pack.list(pack.i32), pack.array(pack.f64)));
  const value: [string, number[], Float64Array] = ["a text of more than a few characters, and wide: €", Array.from({ length: 40 }, (_, i) => i), Float64Array.of(1, 2)];
  const message = codec.encode(value);
  const shared = new Uint8Array(new SharedArrayBuffer(message.length));
  const Resizable = ArrayBuffer as unknown as new (size: number, options: { maxByteLength: number }) => ArrayBuffer;
  const resizable = new Uint8Array(new Resizable(message.length, { maxByteLength: 2 * message.length }));
  for (const bytes of [shared, resizable]) {
    bytes.set(message);
    assert.deepEqual(codec.decode(bytes), value);
  }
  const gone = message.slice();
  structuredClone(gone, { transfer: [gone.buffer] });
  assert.throws(() => codec.decode(gone), { code: "truncated", at: 0, path: "$" });
  assert.deepEqual(pack.codec(pack.list(pack.i32)).decode(pack.codec(pack.list(pack.i32)).encode(new Proxy([1, 2], {}))), [1, 2]);
});

test("rejects a quoted name with a lone surrogate at its quote", () => {
  for (const name of ["\ud800", "a\udfff", "\udc00\ud800"]) {
    assert.throws(() => pack.parse(`struct "${name}" { a: i8 }`), { code: "malformed", at: 7 });
    assert.throws(() => pack.parse(`struct S { "${name}": i8 }`), { code: "malformed", at: 11 });
  }
  assert.equal(pack.Schema.parse('struct "🙂" { a: i8 }').text, 'struct "🙂" { a: i8 }');
});

test("error texts are short and escape invisible characters", () => {
  const nasty = "\nline\0\u001b[31m\u202e\u2028".repeat(40_000);
  const wrong: (() => unknown)[] = [
    () => pack.parse(`list<i8> "${nasty}"`),
    () => pack.parse(`list<"${nasty}">`),
    () => pack.parse(`list<i8 ${"x".repeat(1 << 19)}`),
    () => pack.parse('struct S { "a\\u000ab": i8, "a\\u000ab": i8 }'),
    () => pack.Decimal.parse(nasty),
    () => pack.codec(Named, { profile: nasty as pack.Profile }),
    () => { throw new pack.SamewireError("malformed", nasty, { at: 3, path: `$["${nasty}"]` }); },
  ];
  for (const run of wrong) {
    assert.throws(run, (error) => {
      assert.ok(error instanceof pack.SamewireError);
      assert.ok(error.message.length < 10_000, `${error.message.length} characters`);
      assert.doesNotMatch(error.message, /[\p{Cc}\p{Cf}\u2028]/u);
      return true;
    });
  }
  const { path, message } = new pack.SamewireError("malformed", "täxt 🎉", { path: `$["${nasty}"]` });
  assert.equal(path, `$["${nasty}"]`);
  assert.match(message, /^malformed in \$\["\\u000aline\\u0000.*: täxt 🎉$/u);
});

test("rejects a decimal with too many digits before computing it", () => {
  const most = "9".repeat(9_863);
  assert.equal(pack.Decimal.parse(`000${most}`).unscaled, BigInt(most));
  assert.throws(() => pack.Decimal.parse("1".repeat(5_000_000)), { code: "limit_size" });
  assert.throws(() => pack.Decimal.parse(`0.${"1".repeat(9_865)}`), { code: "limit_size" });
});

test("a refused message changes nothing for the next", () => {
  const Two = pack.struct("Two", { a: pack.string, b: pack.string });
  for (const evaluate of MODES) {
    const codec = pack.codec(Two, { eval: evaluate });
    const good = codec.encode({ a: "", b: "" });
    // Texts of 5 and of 224 characters in a message that has none: as tokens of a row, and as tokens of columns.
    assert.throws(() => codec.decode(Uint8Array.of(0x80, 5, 0x60, 0x80, 1)), { code: "malformed", at: 1, path: "$.a" });
    assert.deepEqual(codec.decode(good), { a: "", b: "" });
    const list = pack.codec(pack.list(Two), { eval: evaluate });
    assert.throws(() => list.decode(Uint8Array.of(0x80, 0x82, 0x80, 0x80, 0x80, 8, 0, 5, 0x60, 0x80, 1)), { code: "malformed", at: 7, path: "$[].a" });
    assert.deepEqual(list.decode(list.encode([])), []);
  }
});
