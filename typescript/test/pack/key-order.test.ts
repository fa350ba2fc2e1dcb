/** The option `sortKeys`: equal maps give equal bytes for every order of their entries. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";

function backwards<T>(keys: readonly T[]): T[] {
  return [...keys].reverse();
}

const ids = ["ffffffff-0000-0000-0000-000000000000", "00000000-0000-0000-0000-0000000000AA", "00000000-0000-0000-0000-000000000001"];
const suit = pack.enumeration("Suit", ["clubs", "diamonds", "hearts"]);
/** Types of keys, and keys in ascending order. */
const KEYS: readonly [pack.Type<never>, readonly unknown[]][] = [
  [pack.string, ["", "a", "ab", "b", "\u{10000}", "\uffff"]],
  [pack.i32, [-70_000, -1, 0, 3, 100]],
  [pack.i64, [-(2n ** 63n), -1n, 0n, 2n ** 62n]],
  [pack.bigint, [-(10n ** 30n), -5n, 10n ** 30n]],
  [pack.bool, [false, true]],
  [pack.uuid, backwards(ids)],
  [suit, ["clubs", "diamonds", "hearts"]],
] as unknown as [pack.Type<never>, readonly unknown[]][];

function orders(keys: readonly unknown[]): (readonly unknown[])[] {
  return [keys, backwards(keys), [...keys.slice(1), ...keys.slice(0, 1)]];
}

function filled(keys: readonly unknown[], sorted: readonly unknown[]): Map<unknown, number> {
  return new Map(keys.map((key) => [key, sorted.indexOf(key)]));
}

for (const profile of ["compact", "fast"] as const) {
  for (const evaluate of [true, false]) {
    const options = { profile, eval: evaluate, sortKeys: true } as const;
    const how = `${profile}, ${evaluate ? "generated code" : "closures"}`;

    test(`equal maps give equal bytes, sorted as sets are: ${how}`, () => {
      for (const [kind, sorted] of KEYS) {
        const type = pack.map(kind, pack.i32) as unknown as pack.Type<Map<unknown, number>>;
        const plain = pack.codec(type, { profile, eval: evaluate });
        const expected = plain.encode(filled(sorted, sorted));
        for (const keys of orders(sorted)) assert.deepEqual(pack.codec(type, options).encode(filled(keys, sorted)), expected);
        assert.notDeepEqual(plain.encode(filled(backwards(sorted), sorted)), expected);
      }
    });

    test(`long maps and maps in columns are sorted, too: ${how}`, () => {
      const many = Array.from({ length: 500 }, (_, i) => `key ${String(i).padStart(3, "0")}`);
      const Row = pack.struct("Row", { id: pack.i32, counts: pack.map(pack.string, pack.i32) });
      const long = pack.map(pack.string, pack.struct("P", { x: pack.i32, y: pack.string }));
      const rows = (keys: readonly string[]): pack.Infer<typeof Row>[] =>
        Array.from({ length: 100 }, (_, id) => ({ id, counts: new Map(keys.slice(0, 5).map((key) => [key, key.length])) }));
      const points = (keys: readonly string[]): pack.Infer<typeof long> => new Map(keys.map((key) => [key, { x: key.length, y: key }]));
      const few = many.slice(0, 5);
      assert.deepEqual(pack.codec(pack.list(Row), options).encode(rows(backwards(few))), pack.codec(pack.list(Row), { profile }).encode(rows(few)));
      assert.deepEqual(pack.codec(long, options).encode(points(backwards(many))), pack.codec(long, { profile }).encode(points(many)));
    });

    test(`maps and objects inside an any are sorted: ${how}`, () => {
      const any = pack.codec(pack.any, options);
      const inner = (keys: readonly string[]): Map<string, pack.AnyValue> => new Map(keys.map((key) => [key, new Map([[2n, key], [-1n, key]])]));
      const expected = pack.codec(pack.any, { profile }).encode(new Map(["a", "b"].map((key) => [key, new Map([[-1n, key], [2n, key]])])));
      assert.deepEqual(any.encode(inner(["b", "a"])), expected);
      assert.deepEqual(any.encode(inner(["a", "b"])), expected);
      assert.deepEqual(any.encode({ b: 1, a: 2 }), any.encode({ a: 2, b: 1 }));
    });

    test(`keys that are none are refused with their path: ${how}`, () => {
      const codec = pack.codec(pack.map(pack.string, pack.i32), options) as pack.Codec<unknown>;
      for (const key of [1, Symbol("s"), Object.create(null), () => 1, undefined, null]) {
        const maps = [new Map<unknown, number>([["a", 1], [key, 2]]), new Map<unknown, number>([[key, 2]]), new Map<unknown, number>([[key, 2], ["a", 1]])];
        for (const map of maps) assert.throws(() => codec.encode(map), { code: "type_mismatch" });
        for (const map of maps.slice(0, 1)) assert.throws(() => (pack.codec(pack.any, options) as pack.Codec<unknown>).encode(map), { code: "type_mismatch" });
      }
      const uuids = pack.codec(pack.map(pack.uuid, pack.i32), options);
      assert.throws(() => uuids.encode(new Map([[ids[1]!, 1], [ids[1]!.toLowerCase(), 2]])), pack.SamewireError);
    });
  }
}

test("the option is a flag, and off by default", () => {
  assert.throws(() => pack.codec(pack.any, { sortKeys: 1 as unknown as boolean }), { code: "misuse" });
  const codec = pack.codec(pack.map(pack.string, pack.i32));
  assert.deepEqual([...codec.decode(codec.encode(new Map([["b", 1], ["a", 2]]))).keys()], ["b", "a"]);
});
