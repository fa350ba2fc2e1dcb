import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as pack from "../../src/pack/index.js";

/** Rows of packed integers beside the definition in spec/pack.md section 9, which packs bit by bit. */

const BLOCK = 128;
const PACKED_FROM = 16;

const length = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

function varint(value: bigint): number[] {
  return value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)];
}

/** The bytes of a block of values in their plain or zigzag form. */
function definedBlock(values: readonly bigint[]): number[] {
  const lengths = values.map(length);
  const cost = (width: number): number => {
    let patches = 0;
    for (const each of lengths) if (each > width) patches += 1 + Math.ceil((each - width) / 7);
    return Math.ceil((values.length * width) / 8) + (patches === 0 ? 0 : 1 + patches);
  };
  const costs = range(32).map((i) => cost(i + 1));
  const width = 1 + costs.indexOf(Math.min(...costs));
  const exceptions = range(values.length).filter((i) => lengths[i]! > width);
  const low = new Array<number>(Math.ceil((values.length * width) / 8)).fill(0);
  const bits = values.map((value) => BigInt.asUintN(width, value));
  for (let bit = 0; bit < values.length * width; bit++) {
    if ((bits[Math.floor(bit / width)]! >> BigInt(bit % width)) & 1n) low[bit >> 3]! |= 1 << (bit & 7);
  }
  return [
    ...(exceptions.length === 0 ? [width] : [width | 0x80, exceptions.length]),
    ...low,
    ...exceptions,
    ...exceptions.flatMap((i) => varint(values[i]! >> BigInt(width))),
  ];
}

/** A message with a row of numbers, if packing is a gain. */
function defined(values: readonly bigint[], bits: number): Uint8Array | undefined {
  const negative = values.some((value) => value < 0n);
  const forms = negative ? values.map((value) => BigInt.asUintN(64, (value << 1n) ^ (value >> 63n))) : values;
  const blocks = range(Math.ceil(values.length / BLOCK)).flatMap((i) => definedBlock(forms.slice(i * BLOCK, (i + 1) * BLOCK)));
  if (blocks.length >= (values.length * bits) / 8) return undefined;
  return Uint8Array.from([0x80, ...varint(BigInt(values.length)), negative ? 2 : 1, ...blocks]);
}

const signed = (bits: number, value: bigint): bigint => BigInt.asIntN(bits, value);
const unsigned = (bits: number, value: bigint): bigint => BigInt.asUintN(bits, value);
const kinds = [
  [pack.i16, 16, signed], [pack.u16, 16, unsigned], [pack.i32, 32, signed], [pack.u32, 32, unsigned], [pack.i64, 64, signed], [pack.u64, 64, unsigned],
] as const;
const rows = kinds.map(([type, bits, as]) => {
  const one = type as typeof pack.i32;
  return { list: pack.codec(pack.list(one), { check: false }), array: pack.codec(pack.array(one), { check: false }), bits, as };
});

/** The values, cut down to each integer type, are written as defined and come back. */
function check(values: readonly bigint[]): void {
  for (const { list, array, bits, as } of rows) {
    const cut = values.map((value) => as(bits, value));
    const value = bits === 64 ? cut : cut.map(Number);
    const message = list.encode(value as number[]);
    const expected = defined(cut, bits);
    if (expected !== undefined) assert.deepEqual(Buffer.from(message), Buffer.from(expected));
    assert.deepEqual(list.decode(message), value);
    const typed = array.decode(message);
    assert.deepEqual(Array.from(typed), value);
    assert.deepEqual(Buffer.from(array.encode(typed)), Buffer.from(message));
  }
}

test("reads every width and every length of the last block", () => {
  let state = 1n;
  const random = (width: number): bigint => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return state >> BigInt(64 - width);
  };
  for (let width = 1; width <= 32; width++) {
    for (let n = PACKED_FROM + (width % 3); n <= PACKED_FROM + BLOCK; n += 3) check(range(n).map(() => random(width)));
  }
});

test("reads exceptions at any position", () => {
  for (const n of [PACKED_FROM, 127, BLOCK]) {
    for (let position = 0; position < n; position++) {
      const values = new Array<bigint>(n).fill(5n);
      for (const wide of [1n << 9n, -1n << 14n, 1n << 31n, (1n << 63n) - 1n]) {
        values[position] = wide;
        check(values);
      }
    }
  }
});

test("reads values of mixed lengths", () => {
  const usual = fc.integer({ min: 0, max: 40 }).chain((width) => fc.bigInt({ min: 0n, max: (1n << BigInt(width)) - 1n }));
  const rare = fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n });
  const value = fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: rare });
  fc.assert(fc.property(fc.array(value, { minLength: PACKED_FROM, maxLength: 300 }), check), { numRuns: 300 });
});

test("a block that ends too early leaves nothing behind for the next", () => {
  const codec = pack.codec(pack.list(pack.u64), { check: false });
  const rare = (...places: number[]): bigint[] => Array.from({ length: 64 }, (_, i) => (places.includes(i) ? 1n << 60n : BigInt(i)));
  const message = codec.encode(rare(3, 5));
  assert.throws(() => codec.decode(message.subarray(0, -1)), { code: "truncated" });
  assert.deepEqual(codec.decode(codec.encode(rare(40, 41))), rare(40, 41));
});
