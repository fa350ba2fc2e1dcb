import * as pack from "../../src/pack/index.js";

/** Values that take much memory for what they are charged: a list of as many as a message may hold is decoded. */
export interface MemoryShape {
  readonly name: string;
  readonly element: pack.Type;
  /** Makes a value. */
  readonly value: () => unknown;
  readonly options?: pack.CodecOptions;
}

const fields = (count: number, type: pack.Type): pack.Fields => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, type]));
const filled = (count: number, value: unknown): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, value]));

const Small = pack.struct("Small", { a: pack.bool });
const Empty = pack.struct("Empty", {});
const Empty2 = pack.struct("Empty2", {});
interface Node {
  kids: Node[];
}
const Node: pack.Type<Node> = pack.struct("Node", { kids: pack.list(pack.recursive(() => Node)) });
class Point {
  declare x: number;
}
const PointType = pack.struct("Point", { x: pack.f64 }, { class: Point });

/** Stands for an object of its own in each element. */
const REFERRED = Symbol("referred");

const SCALARS: readonly [string, pack.Type, unknown][] = [
  ["bool", pack.bool, true],
  ["i32", pack.i32, 0],
  ["u32", pack.u32, 0xffff_ffff],
  ["i64", pack.i64, 0n],
  ["f64", pack.f64, 0.5],
  ["bigint", pack.bigint, 0n],
  ["wide bigint", pack.bigint, 1n << 40n],
  ["decimal", pack.decimal, new pack.Decimal(0n, 0)],
  ["empty string", pack.string, ""],
  ["string", pack.string, "ab"],
  ["cut string", pack.string, "abcdefghijklm"],
  ["wide string", pack.string, "\u4e00\u4e01"],
  ["empty bytes", pack.bytes, new Uint8Array(0)],
  ["bytes", pack.bytes, new Uint8Array(1)],
  ["65 bytes", pack.bytes, new Uint8Array(65)],
  ["uuid", pack.uuid, "00000000-0000-0000-0000-000000000000"],
  ["date", pack.date, 0],
  ["time", pack.time, 0],
  ["timestamp", pack.timestamp, 0n],
  ["Date", pack.jsDate, new Date(0)],
  ["duration", pack.duration, 0n],
  ["enum", pack.enumeration("E", ["a", "b"]), "b"],
];
const CONTAINERS: readonly [string, pack.Type, unknown][] = [
  ["empty list", pack.list(pack.string), []],
  ["list of 1", pack.list(pack.bool), [true]],
  ["list of 1 bigint", pack.list(pack.i64), [5n]],
  ["empty set", pack.set(pack.i32), new Set()],
  ["set of 1", pack.set(pack.i32), new Set([1])],
  ["set of 5", pack.set(pack.i32), new Set([1, 2, 3, 4, 5])],
  ["empty map", pack.map(pack.i32, pack.bool), new Map()],
  ["map of 1", pack.map(pack.i32, pack.bool), new Map([[1, true]])],
  ["map of 5", pack.map(pack.i32, pack.bool), new Map([1, 2, 3, 4, 5].map((key) => [key, true]))],
  ["map of 9 texts", pack.map(pack.string, pack.i64), new Map("abcdefghi".split("").map((key) => [key, 5n]))],
  ["empty array of f64", pack.array(pack.f64), new Float64Array(0)],
  ["array of 1 f64", pack.array(pack.f64), new Float64Array(1)],
  ["array of 9 f64", pack.array(pack.f64), new Float64Array(9)],
  ["array of 1 i64", pack.array(pack.i64), new BigInt64Array(1)],
  ["array of 16 i64", pack.array(pack.i64), new BigInt64Array(16)],
  ["array of 1 i32", pack.array(pack.i32), new Int32Array(1)],
  ["array of 1 u8", pack.array(pack.u8), new Uint8Array(1)],
  ["array of 65 u8", pack.array(pack.u8), new Uint8Array(65)],
  ["tuple", pack.tuple(pack.bool), [true]],
  ["option of tuple", pack.option(pack.tuple(pack.bool)), [true]],
  ["option of f64", pack.option(pack.f64), 0.5],
];
const STRUCTS: readonly [string, pack.Type, unknown][] = [
  ["struct of 1", Small, { a: true }],
  ["option of struct", pack.option(Small), { a: true }],
  ["struct of f64", pack.struct("F", { a: pack.f64 }), { a: 0.5 }],
  ["class", PointType, Object.assign(Object.create(Point.prototype) as Point, { x: 0.5 })],
  ...[4, 8, 12, 17, 20, 22, 24, 32, 43, 86, 128, 129, 171, 300, 700, 1_020, 1_021, 1_366].map(
    (count): [string, pack.Type, unknown] => [`struct of ${count}`, pack.struct("S", fields(count, pack.bool)), filled(count, true)],
  ),
  ["struct of 8 options", pack.struct("O", fields(8, pack.option(pack.bool))), filled(8, null)],
  ["struct of 32 options", pack.struct("O", fields(32, pack.option(pack.bool))), filled(32, null)],
  ["struct of 8 i64", pack.struct("O", fields(8, pack.i64)), filled(8, 5n)],
  ["struct of 8 f64", pack.struct("O", fields(8, pack.f64)), filled(8, 0.5)],
  ["union", pack.union([Empty, Empty2]), { type: "Empty" }],
  ["ref", pack.ref(Small), REFERRED],
  ["recursive", Node, { kids: [] }],
  ["list of recursive", pack.list(Node), [{ kids: [] }]],
];
const ANYS: readonly [string, pack.AnyValue][] = [
  ["small", 5n],
  ["integer", 1_000n],
  ["null", null],
  ["f64", 0.5],
  ["string", "ab"],
  ["bytes", new Uint8Array(1)],
  ["decimal", new pack.Decimal(0n, 0)],
  ["uuid", pack.tagged("uuid", "00000000-0000-0000-0000-000000000000")],
  ["date", pack.tagged("date", 0)],
  ["timestamp", pack.tagged("timestamp", 5n)],
  ["empty list", []],
  ["list of 1", [5n]],
  ["empty map", new Map<string, pack.AnyValue>()],
  ["map of 1", new Map([["a", 5n]])],
  ["empty numbers", new Float64Array(0)],
  ["numbers", new Float64Array(1)],
  ["i64s", new BigInt64Array(1)],
];

const CLOSED = { eval: false } as const;
export const SHAPES: readonly MemoryShape[] = [...SCALARS, ...CONTAINERS, ...STRUCTS, ...ANYS.map(([name, value]) => [`any ${name}`, pack.any, value] as const)].flatMap(
  ([name, element, made]) => {
    const value = (): unknown => (made === REFERRED ? { a: true } : made);
    return [
      { name, element, value },
      { name: `${name}, closures`, element, value, options: CLOSED },
    ];
  },
);
