import fc from "fast-check";
import * as pack from "../../src/pack/index.js";

/** A type and an arbitrary of its values. */
export interface Pair {
  type: pack.Type;
  values: fc.Arbitrary<unknown>;
}

const pair = (type: pack.Type, values: fc.Arbitrary<unknown>): Pair => ({ type, values });
export const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 120 }),
  fc.string({ maxLength: 12 }),
  fc.constantFrom("", "a", "red", "green", "Böögeyman", "x".repeat(95), "x".repeat(96), "€".repeat(28), "€".repeat(29)),
);
const signed = (bits: number): fc.Arbitrary<bigint> => fc.bigInt({ min: -(1n << BigInt(bits - 1)), max: (1n << BigInt(bits - 1)) - 1n });
const integer = (least: number, most: number): fc.Arbitrary<number> =>
  fc.oneof(fc.integer({ min: least, max: most }), fc.integer({ min: Math.max(least, -200), max: Math.min(most, 200) }));

/** Types that may be keys. */
export const keys: Pair[] = [
  pair(pack.bool, fc.boolean()),
  pair(pack.i8, integer(-128, 127)),
  pair(pack.u16, integer(0, 65_535)),
  pair(pack.i32, integer(-2_147_483_648, 2_147_483_647)),
  pair(pack.u32, integer(0, 4_294_967_295)),
  pair(pack.i64, signed(64)),
  pair(pack.u64, fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })),
  pair(pack.bigint, fc.oneof(signed(40), signed(600))),
  pair(pack.string, text),
  pair(pack.uuid, fc.uuid()),
  pair(pack.date, integer(-719_162, 2_932_896)),
  pair(pack.time, fc.integer({ min: 0, max: 86_399_999_999_999 })),
  pair(pack.timestamp, fc.bigInt({ min: -62_135_596_800_000_000_000n, max: 253_402_300_799_999_999_999n })),
  pair(pack.duration, fc.oneof(signed(90), signed(35))),
  pair(pack.enumeration("Colour", ["red", "green", "blue"]), fc.constantFrom("red", "green", "blue")),
];
const bytes = fc.uint8Array({ maxLength: 60 });
const anyValue = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null), fc.boolean(), signed(8), signed(70), fc.double({ noNaN: true }), text, bytes,
    fc.int32Array({ maxLength: 30 }), fc.float64Array({ noNaN: true, maxLength: 30 }),
    fc.integer({ min: -719_162, max: 2_932_896 }).map((days) => pack.tagged("date", days)),
    fc.array(tie("any"), { maxLength: 4 }),
    ...[text, fc.oneof(signed(9), signed(64))].map((key: fc.Arbitrary<unknown>) =>
      fc.array(fc.tuple(key, tie("any")), { maxLength: 4 }).map((entries) => new Map(entries))),
  ),
})).any;
const leaves: Pair[] = [
  ...keys,
  pair(pack.f32, fc.float({ noNaN: true })),
  pair(pack.f64, fc.double()),
  pair(pack.decimal, fc.tuple(signed(100), integer(-2_147_483_648, 2_147_483_647)).map(([unscaled, scale]) => new pack.Decimal(unscaled, scale))),
  pair(pack.bytes, bytes),
  pair(pack.any, anyValue),
  pair(pack.array(pack.i16), fc.int16Array({ maxLength: 300 })),
  pair(pack.array(pack.u32), fc.uint32Array({ maxLength: 300 })),
  pair(pack.array(pack.i64), fc.bigInt64Array({ maxLength: 200 })),
  pair(pack.array(pack.f64), fc.float64Array({ noNaN: true, maxLength: 40 })),
  pair(pack.list(pack.i32), fc.array(integer(-2_147_483_648, 2_147_483_647), { maxLength: 300 })),
];

/** Structs need names of their own. */
let structs = 0;

/** Types of any depth. */
export const nested = fc.letrec<{ pair: Pair }>((tie) => ({
  pair: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...leaves),
    tie("pair").map(({ type, values }) => pair(pack.list(type), fc.array(values, { maxLength: 20 }))),
    tie("pair")
      .filter(({ type }) => type.definition.kind !== "option" && type.definition.kind !== "any")
      .map(({ type, values }) => pair(pack.option(type), fc.option(values))),
    fc.constantFrom(...keys).map(({ type, values }) => pair(pack.set(type), fc.array(values).map((items) => new Set(items)))),
    fc.tuple(fc.constantFrom(...keys), tie("pair")).map(([key, value]) =>
      pair(pack.map(key.type, value.type), fc.array(fc.tuple(key.values, value.values), { maxLength: 20 }).map((items) => new Map(items))),
    ),
    fc.array(tie("pair"), { minLength: 1, maxLength: 4 }).map((parts) =>
      pair(pack.tuple(...parts.map(({ type }) => type)), fc.tuple(...parts.map(({ values }) => values))),
    ),
    fc.array(tie("pair"), { minLength: 1, maxLength: 12 }).map((parts) => {
      const fields = Object.fromEntries(parts.map(({ type }, i) => [`f${i}`, type]));
      return pair(pack.struct(`S${structs++}`, fields), fc.record(Object.fromEntries(parts.map(({ values }, i) => [`f${i}`, values])), { noNullPrototype: true }));
    }),
  ),
})).pair;
