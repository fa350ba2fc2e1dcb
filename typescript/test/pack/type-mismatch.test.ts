import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as pack from "../../src/pack/index.js";
import { SCALAR_TYPES } from "../../src/pack/schema/builder.js";

const Colour = pack.enumeration("Colour", ["red", "green"]);
const Point = pack.struct("Point", { x: pack.i8, y: pack.option(pack.i8) });
const Figure = pack.union([Point, pack.struct("Nothing", {})]);

/** A type, a value that does not fit it, and the error. */
const MISFITS: readonly [pack.Type, unknown, pack.ErrorCode, string][] = [
  [pack.bool, 1, "type_mismatch", "$"],
  [pack.i8, 128, "type_mismatch", "$"],
  [pack.i8, "1", "type_mismatch", "$"],
  [pack.u8, -1, "type_mismatch", "$"],
  [pack.u16, 65_536, "type_mismatch", "$"],
  [pack.i16, 0.5, "type_mismatch", "$"],
  [pack.i32, 2 ** 31, "type_mismatch", "$"],
  [pack.u32, Number.NaN, "type_mismatch", "$"],
  [pack.u32, 2n, "type_mismatch", "$"],
  [pack.i64, 1, "type_mismatch", "$"],
  [pack.i64, 1n << 63n, "type_mismatch", "$"],
  [pack.u64, -1n, "type_mismatch", "$"],
  [pack.f64, "1", "type_mismatch", "$"],
  [pack.f32, null, "type_mismatch", "$"],
  [pack.f32, 3.402_823_567_797_336_6e38, "type_mismatch", "$"],
  [pack.list(pack.f32), [Infinity, 1e300], "type_mismatch", "$[1]"],
  [pack.bigint, 1n << 32_767n, "limit_size", "$"],
  [pack.bigint, "1", "type_mismatch", "$"],
  [pack.decimal, 1, "type_mismatch", "$"],
  [pack.decimal, new pack.Decimal(1n, 2 ** 31), "type_mismatch", "$"],
  [pack.string, 1, "type_mismatch", "$"],
  [pack.string, "a\udc00", "bad_utf8", "$"],
  [pack.bytes, [1, 2], "type_mismatch", "$"],
  [pack.uuid, "0000000a-0000-0000-0000-00000000000g", "type_mismatch", "$"],
  [pack.uuid, "0000000a00000000000000000000000b", "type_mismatch", "$"],
  [pack.date, 2_932_897, "type_mismatch", "$"],
  [pack.time, -1, "type_mismatch", "$"],
  [pack.time, 86_400_000_000_000, "type_mismatch", "$"],
  [pack.timestamp, 253_402_300_800_000_000_000n, "type_mismatch", "$"],
  [pack.duration, 1n << 100n, "type_mismatch", "$"],
  [pack.jsDate, 0, "type_mismatch", "$"],
  [Colour, "blue", "type_mismatch", "$"],
  [pack.option(pack.i8), "x", "type_mismatch", "$"],
  [pack.list(pack.bool), [true, 1], "type_mismatch", "$[1]"],
  [pack.list(pack.option(Point)), [null, { x: 1, y: 300 }], "type_mismatch", "$[1].y"],
  [pack.list(pack.i32), [1, 2.5], "type_mismatch", "$[1]"],
  [pack.list(pack.i64), new Array(40).fill(7), "type_mismatch", "$[0]"],
  [pack.list(pack.string), new Set(["a"]), "type_mismatch", "$"],
  [pack.array(pack.f64), [1, 2], "type_mismatch", "$"],
  [pack.array(pack.u8), Uint8ClampedArray.of(1), "type_mismatch", "$"],
  [pack.set(pack.string), ["a"], "type_mismatch", "$"],
  [pack.set(pack.string), new Set(["a", 1]), "type_mismatch", "$[1]"],
  [pack.map(pack.string, pack.bool), { a: true }, "type_mismatch", "$"],
  [pack.map(pack.string, pack.bool), new Map([["a", 1]]), "type_mismatch", "$[0].value"],
  [pack.map(pack.string, pack.bool), new Map([[1, true]]), "type_mismatch", "$[0].key"],
  [pack.tuple(pack.bool, pack.string), [true], "type_mismatch", "$"],
  [pack.tuple(pack.bool, pack.string), [true, 1], "type_mismatch", "$[1]"],
  [Point, null, "type_mismatch", "$"],
  [Point, { y: 1 }, "type_mismatch", "$.x"],
  [pack.struct("Odd", { "a b": pack.bool }), {}, "type_mismatch", '$["a b"]'],
  [Figure, { x: 1 }, "type_mismatch", "$"],
  [Figure, { type: "Point", x: "1" }, "type_mismatch", "$.x"],
  [pack.ref(Point), undefined, "type_mismatch", "$"],
  [pack.any, undefined, "type_mismatch", "$"],
  [pack.any, new Date(0), "type_mismatch", "$"],
  [pack.any, { a: 1n, b: [new Date(0)] }, "type_mismatch", "$[1].value[0]"],
  [pack.any, [1n, [Symbol("s")]], "type_mismatch", "$[1][0]"],
  [pack.any, new Map([[1, 1n]]), "type_mismatch", "$[0].key"],
  [pack.any, new Map([[true, 1n]]), "type_mismatch", "$[0].key"],
  [pack.any, new Map<unknown, unknown>([[-1n, 1n], [1n, 1n], [false, 1n]]), "type_mismatch", "$[2].key"],
  [pack.any, new Map<unknown, unknown>([["1", 1n], ["", 1n], [1n, 1n]]), "type_mismatch", "$[2].key"],
  [pack.any, [new Map<unknown, unknown>([[1n, new Map()], ["1", 1n], [false, 1n]])], "type_mismatch", "$[0][1].key"],
  [pack.any, new Map([["1", new Map<unknown, unknown>([[1n, 1n], ["\ud800", 1n]])]]), "type_mismatch", "$[0].value[1].key"],
  [pack.any, new Map([[null, 1n]]), "type_mismatch", "$[0].key"],
  [pack.any, [new Map([[1n << 63n, 1n]])], "type_mismatch", "$[0][0].key"],
  [pack.any, new Map([[-1n, new Map([[-(1n << 63n) - 1n, 1n]])]]), "type_mismatch", "$[0].value[0].key"],
  [pack.any, new Map([[new pack.Tagged("time", 5), 1n]]), "type_mismatch", "$[0].key"],
  [pack.any, new Map([[Uint8Array.of(1), 1n]]), "type_mismatch", "$[0].key"],
  [pack.any, new Map<unknown, unknown>([["a\ud800", 1n], [true, 1n]]), "bad_utf8", "$[0].key"],
  [pack.any, new Map([["k", ["\ud800"]]]), "bad_utf8", "$[0].value[0]"],
  [pack.any, new pack.Tagged("date", 9e9), "type_mismatch", "$"],
  [pack.any, new pack.Tagged("day" as "date", 9), "type_mismatch", "$"],
  [pack.any, new Array(1), "type_mismatch", "$[0]"],
];

test("reports code and path of a type mismatch", () => {
  for (const [type, value, code, path] of MISFITS) {
    for (const evaluate of [true, false]) {
      for (const profile of ["compact", "fast"] as const) {
        const codec = pack.codec(type, { eval: evaluate, profile });
        assert.throws(() => codec.encode(value), { code, path, at: undefined }, `${codec.schema.text} ${path}`);
      }
    }
  }
});

const Money = pack.i64.as((money: { cents: bigint }) => money.cents, (cents) => ({ cents }));
const Circle = pack.struct("Circle", { cost: Money });
const Priced = pack.union([pack.struct("Square", { side: pack.f64 }), Circle]);
const MANY = Array.from({ length: 11 }, (_, i) => pack.struct(`Member${i}`, { x: pack.i8 }));

/** Failing calls, and the whole text of each error. */
const TEXTS: readonly [() => unknown, string][] = [
  [() => pack.codec(Priced).encode({ cost: { cents: 5n } } as never),
    "type_mismatch in $: expected the property type to be Circle or Square, got undefined: set it to the name of the struct that the object is"],
  [() => pack.codec(pack.list(Priced)).encode([{ type: "Square", side: 1 }, { type: "Circel", cost: { cents: 5n } } as never]),
    'type_mismatch in $[1]: expected the property type to be Circle or Square, got "Circel": set it to the name of the struct that the object is'],
  [() => pack.codec(Priced).encode(5 as never), "type_mismatch in $: expected an object with the property type, which is Circle or Square, got 5"],
  [() => pack.codec(pack.union(MANY)).encode({ type: "Member", x: 1 } as never),
    "type_mismatch in $: expected the property type to be Member0, Member1, Member10, Member2, Member3, Member4, Member5, Member6 or one of 3 others, " +
    'got "Member": set it to the name of the struct that the object is'],
  [() => pack.codec(pack.union([pack.struct("Square", { side: pack.f64 }), Circle.as((cents: bigint) => ({ cost: { cents } }), ({ cost }) => cost.cents)] as never)),
    "misuse: Circle is made by as() here, and a member of the union (Square or Circle) is a struct itself: call as() on fields of Circle, or on the union"],
  [() => pack.codec(pack.union([pack.i32 as never])), "misuse: a member of a union is a struct, not i32: make it a field of one"],
];

test("the error for a value that fits no member of a union names the members and says what to do", () => {
  for (const [refused, message] of TEXTS) assert.throws(refused, { message });
});

test("accepts numbers that are equal in another form", () => {
  const codec = pack.codec(pack.tuple(pack.i32, pack.u8, pack.f64, pack.list(pack.i32), pack.time));
  assert.deepEqual(codec.decode(codec.encode([-0, -0, -0, [-0], -0])), [0, 0, -0, [0], 0]);
});

const junk = fc.oneof(
  fc.anything({ withBigInt: true, withMap: true, withSet: true, withTypedArray: true, withDate: true, withSparseArray: true, withNullPrototype: true, maxDepth: 3 }),
  fc.constantFrom<unknown>(-0, 2 ** 31, -(2 ** 31), 255, 256, 1n << 63n, -(1n << 63n), "red", "\ud800", new pack.Decimal(1n, 1), { type: "Point", x: 1 }),
);
const types: pack.Type[] = [
  ...Object.values(SCALAR_TYPES), Colour, Point, Figure, pack.option(Point), pack.list(pack.any), pack.list(pack.option(pack.u8)), pack.array(pack.i16),
  pack.list(pack.f32), pack.list(pack.bool), pack.list(pack.u64), pack.set(pack.i32), pack.set(Colour), pack.set(pack.uuid), pack.map(pack.string, pack.any),
  pack.map(pack.bool, pack.i8), pack.tuple(pack.any, pack.string), pack.ref(Point), pack.jsDate,
];
const pairs = new Map(types.map((type) => [new pack.Schema(type).text, [pack.codec(type, { eval: true }), pack.codec(type, { eval: false })] as const]));

test("generated code and closures agree on any value", () => {
  const outcome = (codec: pack.Codec<unknown>, value: unknown): string => {
    try {
      const message = codec.encode(value);
      codec.decode(message);
      return message.join();
    } catch (error) {
      if (!(error instanceof pack.SamewireError) || error.message.includes("changed while")) throw error;
      return error.message;
    }
  };
  fc.assert(
    fc.property(fc.constantFrom(...pairs.keys()), junk, (schema, value) => {
      const [generated, closed] = pairs.get(schema)!;
      assert.equal(outcome(generated, value), outcome(closed, value));
    }),
    { numRuns: 5_000 },
  );
});
