/** Long lists and maps of structs as columns (spec/columns.md): the same values and errors as in rows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as pack from "../../src/pack/index.js";
import { nested } from "./arbitrary.js";

const MODES = [true, false];
const Point = pack.struct("Point", { x: pack.i32, y: pack.f64 });

/** Rows of a few parts, which repeat in each column, as many as make columns. */
const rows = fc.array(nested, { minLength: 1, maxLength: 3 }).chain((parts) => {
  const few = fc.tuple(...parts.map((part) => fc.array(part.values, { minLength: 1, maxLength: 4 })));
  return fc.tuple(few, fc.integer({ min: 64, max: 140 })).map(([columns, count]) => ({
    type: pack.tuple(...parts.map((part) => part.type)),
    rows: Array.from({ length: count }, (_, i) => columns.map((column) => column[(i * (i >> 3)) % column.length])),
  }));
});

test("random rows come back from columns, which generated code and closures write alike", () => {
  fc.assert(
    fc.property(rows, ({ type, rows: given }) => {
      const codecs = MODES.map((evaluate) => pack.codec(pack.list(type), { eval: evaluate }));
      const messages = codecs.map((codec) => codec.encode(given as never));
      assert.deepEqual(messages[0], messages[1]);
      for (const codec of codecs) assert.deepEqual(codec.decode(messages[0]!), given);
      const maps = MODES.map((evaluate) => pack.codec(pack.map(pack.i32, type), { eval: evaluate }));
      const map = new Map(given.map((row, i) => [-i, row]));
      const written = maps.map((codec) => codec.encode(map as never));
      assert.deepEqual(written[0], written[1]);
      for (const codec of maps) assert.deepEqual(codec.decode(written[0]!), map);
    }),
    { numRuns: 60 },
  );
});

/** A list of 70 structs of one field, with one value for the 67th. */
function with67th(good: unknown, bad: unknown): { a: unknown }[] {
  return Array.from({ length: 70 }, (_, i) => ({ a: i === 66 ? bad : good }));
}

test("an error has the code and path that it has in rows", () => {
  const cases: [pack.Type, unknown, unknown][] = [
    [pack.i8, 5, 128], [pack.u16, 5, -1], [pack.u32, 5, 2 ** 32], [pack.i32, 5, 1.5], [pack.i64, 5n, 1n << 63n], [pack.u64, 5n, -1n], [pack.i64, 5n, 5],
    [pack.f64, 5, "5"], [pack.f32, 5, 1e300], [pack.bool, true, 1], [pack.string, "s", 5], [pack.string, "s", "\ud800"], [pack.bytes, new Uint8Array(1), [1]],
    [pack.uuid, "00112233-4455-6677-8899-aabbccddeeff", "0011"], [pack.date, 5, 3e6], [pack.time, 5, -1], [pack.timestamp, 5n, 1n << 70n],
    [pack.timestamp, 5n, 5], [pack.duration, 5n, 1n << 100n], [pack.jsDate, new Date(5), new Date(NaN)], [pack.bigint, 5n, 5], [pack.any, 5n, undefined],
    [pack.decimal, new pack.Decimal(1n, 1), null], [pack.enumeration("E", ["a", "b"]), "a", "c"], [pack.enumeration("F", Array.from({ length: 19 }, (_, i) => `s${i}`)), "s3", "z"],
    [pack.option(pack.i32), null, "x"], [pack.option(Point), null, 5], [Point, { x: 1, y: 2 }, { x: 1 }], [Point, { x: 1, y: 2 }, null],
    [pack.list(pack.i32), [], [1, "2"]], [pack.list(pack.i32), [], {}], [pack.list(Point), [], [{ x: 1, y: 1 }, 5]], [pack.array(pack.i16), new Int16Array(2), [1]],
    [pack.set(pack.i8), new Set(), new Set([300])], [pack.set(pack.uuid), new Set(), new Set(["a"])], [pack.map(pack.string, pack.i8), new Map(), new Map([["k", 300]])],
    [pack.map(pack.string, pack.i8), new Map(), {}], [pack.tuple(pack.i8, pack.bool), [1, true], [1]], [pack.tuple(pack.i8, pack.bool), [1, true], [1, 2]],
    [pack.union([Point]), { type: "Point", x: 1, y: 1 }, { type: "Line" }], [pack.ref(Point), { x: 1, y: 1 }, 5],
  ];
  for (const evaluate of MODES) {
    for (const [type, good, bad] of cases) {
      const codecs = (["fast", "compact"] as const).map((profile) => pack.codec(pack.list(pack.struct("Row", { a: type })), { profile, eval: evaluate }));
      const fault = codecs.map((codec) => {
        try {
          codec.encode(with67th(good, bad));
        } catch (error) {
          if (error instanceof pack.SamewireError) return [error.code, error.path, error.at];
          throw error;
        }
        return undefined;
      });
      assert.deepEqual(fault[1], fault[0], codecs[0]!.schema.text);
      assert.match(String(fault[1]?.[1]), /^\$\[66\]/);
      const fine = with67th(good, good) as never;
      assert.deepEqual(codecs[1]!.decode(codecs[1]!.encode(fine)), codecs[0]!.decode(codecs[0]!.encode(fine)));
    }
  }
});

/** Encodes a value that changes meanwhile: the message can be read, or there is none. */
function readable(encode: () => Uint8Array, codec: pack.Codec<unknown>): void {
  let message;
  try {
    message = encode();
  } catch (error) {
    if (!(error instanceof pack.SamewireError)) throw error;
    assert.equal(error.code, "type_mismatch");
    return;
  }
  codec.decode(message);
}

test("a value that changes while it is written makes a message that can be read, or an error", () => {
  const Row = pack.struct("Row", { a: pack.option(pack.i32), b: pack.list(pack.string), c: pack.any, d: pack.map(pack.i8, pack.option(pack.string)), e: pack.bytes });
  for (const evaluate of MODES) {
    const codec = pack.codec(pack.list(Row), { eval: evaluate });
    let asks = 0;
    const turn = (): number => asks++;
    const list = Array.from({ length: 64 }, () => ({
      get a() { return turn() % 2 === 0 ? null : 7; },
      get b() { return turn() % 3 === 0 ? [] : ["x", "y"]; },
      get c() { return turn() % 2 === 0 ? [1n] : "text"; },
      get d() { return new Map([[1, turn() % 2 === 0 ? null : "z"]]); },
      get e() { return new Uint8Array(turn() % 4); },
    }));
    const back = codec.decode(codec.encode(list));
    assert.equal(back.length, 64);
    assert.equal(asks, 5 * 64);
    const plain = Array.from({ length: 64 }, () => ({ a: 1, b: ["x"], c: null, d: new Map<number, string>(), e: new Uint8Array(2) }));
    const shrinking = [...plain];
    Object.defineProperty(shrinking[2]!, "a", { get: () => { shrinking.length = 40; return 1; } });
    readable(() => codec.encode(shrinking), codec);
    const texts = ["x", "y", "z"];
    const shortened = plain.map((row) => ({ ...row, b: texts }));
    Object.defineProperty(texts, 0, { get: () => { texts.length = 1; return "x"; } });
    readable(() => codec.encode(shortened), codec);
    const resizable = new (ArrayBuffer as unknown as new (size: number, options: object) => ArrayBuffer & { resize(size: number): void })(4, { maxByteLength: 8 });
    const resized = plain.map((row) => ({ ...row, e: new Uint8Array(resizable) }));
    Object.defineProperty(resized[63], "a", { get: () => { resizable.resize(1); return 1; } });
    readable(() => codec.encode(resized), codec);
    const again = plain.map((row) => ({ ...row, get a() { return codec.decode(codec.encode(plain))[3]!.a; } }));
    assert.deepEqual(codec.encode(again), codec.encode(plain));
    assert.deepEqual(codec.decode(codec.encode(plain)), plain);
  }
});

test("a message in columns keeps the limits of writers", () => {
  const rows70 = with67th("t".repeat(50), "end");
  const names = rows70.map(({ a }, i) => ({ a: `${String(a)}${i}` }));
  for (const evaluate of MODES) {
    const make = (frameBytes: number): pack.Codec<{ a: string }[]> =>
      pack.codec(pack.list(pack.struct("Row", { a: pack.string })), { eval: evaluate, limits: { frameBytes } });
    const { length } = make(1 << 20).encode(names);
    assert.equal(make(length).encode(names).length, length);
    assert.throws(() => make(length - 1).encode(names), { code: "limit_size", path: "$" });
    assert.throws(() => make(60).encode(names), { code: "limit_size", path: "$" });
  }
});
