/** Writers count items and cells as readers do: they refuse what no reader with the same limits would read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as pack from "../../src/pack/index.js";
import { nested } from "./arbitrary.js";

const MODES = [true, false];
const PROFILES = ["compact", "fast"] as const;
/** Enough for columns. */
const MANY = 130;

type Limit = "items" | "cells";

/** The least value of a limit with which a reader accepts a message, found by trying. */
function least(type: pack.Type, message: Uint8Array, name: Limit): number {
  const suffices = (most: number): boolean => {
    try {
      pack.codec(type, { eval: false, limits: { [name]: most } }).decode(message);
      return true;
    } catch (error) {
      assert.equal((error as pack.SamewireError).code, "limit_items");
      return false;
    }
  };
  let high = 1;
  while (!suffices(high)) high *= 2;
  let low = (high >> 1) + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (suffices(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A writer takes exactly what a reader needs, in both profiles, and refuses one less. */
function alike(type: pack.Type, value: unknown): void {
  for (const name of ["items", "cells"] as const) {
    const need = least(type, pack.codec(type, { eval: false }).encode(value), name);
    for (const profile of PROFILES) {
      const message = pack.codec(type, { profile }).encode(value);
      for (const evaluate of MODES) {
        const at = (most: number): pack.Codec<unknown> => pack.codec(type, { profile, eval: evaluate, limits: { [name]: most } });
        const enough = at(need);
        assert.doesNotThrow(() => enough.decode(message));
        // The writer's second message has the limits of the first.
        for (let i = 0; i < 2; i++) assert.deepEqual(enough.encode(value), message);
        assert.equal(enough.encodeInto(value, new pack.Output()), message.length);
        if (need === 1) continue;
        const less = at(need - 1);
        assert.throws(() => less.decode(message), { code: "limit_items" });
        for (const way of [() => less.encode(value), () => less.encodeInto(value, new pack.Output()), () => less.encodeChunks(value)]) {
          assert.throws(way, (error: pack.SamewireError) => error.code === "limit_items" && error.path !== undefined && error.message.includes(`limits.${name}`));
        }
      }
    }
  }
}

const Tick = pack.struct("Tick", { at: pack.i64, symbol: pack.string, bid: pack.f64, size: pack.u32, odd: pack.bool });
const Pair = pack.tuple(pack.string, pack.i64);
const Holder = pack.struct("Holder", {
  numbers: pack.list(pack.i32), typed: pack.array(pack.f64), texts: pack.list(pack.string), ticks: pack.map(pack.string, Tick), keys: pack.set(pack.i32),
  pair: Pair, tick: pack.option(Tick), maybe: pack.option(pack.list(pack.string)),
});
interface Tree {
  value: number;
  kids: Tree[];
}
const Tree: pack.Type<Tree> = pack.struct("Tree", { value: pack.i32, kids: pack.list(pack.recursive(() => Tree)) });
interface Chain {
  next: Chain | null;
}
const Chain: pack.Type<Chain> = pack.struct("Chain", { next: pack.option(pack.recursive(() => Chain)) });
const Kept = pack.struct("Kept", { tick: pack.ref(Tick), holder: pack.option(pack.ref(Holder)) });
const Dot = pack.struct("Dot", {});
const Line = pack.struct("Line", { points: pack.list(Pair), end: pack.option(Pair) });
const Shape = pack.union([Dot, Line, Chain as never]);

const many = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));
const tick = (i: number): pack.Infer<typeof Tick> => ({ at: BigInt(i * 7), symbol: `S${i % 9}`, bid: i / 100, size: i, odd: i % 3 === 0 });
const holder = (i: number): pack.Infer<typeof Holder> => ({
  numbers: many(i % 4, (n) => n), typed: new Float64Array(i % 5), texts: many(i % 3, (n) => `t${n}`), ticks: new Map(many(i % 4, (n) => [`k${n}`, tick(n)])),
  keys: new Set(many(i % 4, (n) => n)), pair: ["p", 1n], tick: i % 2 === 0 ? null : tick(i), maybe: i % 3 === 0 ? null : ["a", "b"],
});
const tree = (depth: number): Tree => ({ value: depth, kids: depth === 0 ? [] : many(3, () => tree(depth - 1)) });
const shape = (i: number): unknown =>
  i % 3 === 0 ? { type: "Dot" }
    : i % 3 === 1 ? { type: "Line", points: many(i % 4, (n) => ["x", BigInt(n)]), end: i % 2 === 0 ? null : ["e", 1n] }
      : { type: "Chain", next: i % 2 === 0 ? null : { next: null } };
const anything = (i: number): unknown =>
  [many(i % 5, () => null), new Map<string, unknown>([["a", new Uint8Array(3)], ["b", [new pack.Decimal(5n, 1)]]]), new Uint8Array(i), new pack.Decimal(1n, 1), new Int32Array(i), 10n ** 30n,
    { a: { b: [1n] }, c: [] }, pack.tagged("date", 5), new Map([[5n, "five"]])][i % 9];

test("shapes of every kind", () => {
  const shared = tick(1);
  const sharedHolder = holder(5);
  const lists: [pack.Type, (i: number) => unknown][] = [
    [pack.i64, (i) => BigInt(i)], [pack.f64, (i) => i], [pack.bool, (i) => i % 2 === 0], [pack.string, (i) => `t${i}`], [pack.bytes, (i) => new Uint8Array(i)], [pack.bigint, (i) => BigInt(i)],
    [pack.decimal, (i) => new pack.Decimal(BigInt(i), 1)], [pack.timestamp, (i) => BigInt(i)], [pack.uuid, () => "00112233-4455-6677-8899-aabbccddeeff"], [pack.enumeration("E", ["a", "b"]), () => "b"],
    [Tick, tick], [Pair, () => ["a", 1n]], [pack.option(Tick), (i) => (i % 2 === 0 ? null : tick(i))], [pack.option(Pair), (i) => (i % 3 === 0 ? null : ["a", 1n])], [pack.option(pack.i32), (i) => (i % 2 === 0 ? null : i)],
    [Holder, holder], [pack.list(Tick), (i) => many(i % 3, tick)], [pack.list(pack.list(pack.i32)), (i) => many(i % 3, (k) => many(k, (n) => n))], [pack.array(pack.u16), (i) => new Uint16Array(i % 7)],
    [Tree, (i) => tree(i % 3)], [pack.option(Chain), (i) => (i % 2 === 0 ? null : { next: { next: null } })], [Shape, shape], [Kept, (i) => ({ tick: i % 2 === 0 ? shared : tick(i), holder: i % 3 === 0 ? null : sharedHolder })],
    [pack.any, anything], [pack.struct("Loose", { value: pack.any }), (i) => ({ value: anything(i) })],
  ];
  for (const [type, of] of lists) {
    alike(type, of(1));
    alike(pack.list(type), many(MANY, of));
  }
  for (const count of [1, MANY]) {
    for (const [type, of] of [[Tick, tick], [pack.list(pack.string), () => ["a"]], [pack.option(Pair), () => ["a", 1n]]] as [pack.Type, (i: number) => unknown][]) {
      alike(pack.list(type), many(count, of));
      alike(pack.map(pack.string, type), new Map(many(count, (i) => [`k${i}`, of(i)])));
    }
    alike(pack.set(pack.string), new Set(many(count, (i) => `t${i}`)));
    alike(pack.array(pack.i32), new Int32Array(count));
  }
  alike(pack.list(pack.string), []);
  alike(pack.map(pack.string, Tick), new Map());
});

test("random types", () => {
  const typed = nested.chain(({ type, values }) => fc.tuple(fc.constant(type), values, fc.array(values, { minLength: 70, maxLength: 80 })));
  fc.assert(
    fc.property(typed, ([type, value, values]) => {
      alike(type, value);
      // As columns.
      alike(pack.list(pack.tuple(type)), values.map((one) => [one]));
    }),
    { numRuns: 8, seed: 1 },
  );
});

test("both limits at once", () => {
  // Generated code counts items only where their limit is the lower one.
  for (const evaluate of MODES) {
    for (const [items, cells] of [[5, 100], [100, 20]] as const) {
      const codec = pack.codec(pack.list(pack.list(pack.i32)), { eval: evaluate, limits: { items, cells } });
      assert.throws(() => codec.encode([[1, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]]), { code: "limit_items", path: "$[1]" });
      assert.equal(codec.encode([[1], [2]]).length, 8);
    }
  }
});

test("the error says what was expected, what came, where, and what to do", () => {
  const remedy = ": no reader with these limits would read it; write several messages, or raise that limit for the writer and its readers";
  const empty = { ...holder(0), tick: null, maybe: null };
  for (const evaluate of MODES) {
    for (const profile of PROFILES) {
      const codec = pack.codec(pack.list(Holder), { profile, eval: evaluate, limits: { items: 10, cells: 100 } });
      const rows = [{ ...empty, texts: ["a", "b", "c"] }];
      assert.throws(() => codec.encode([...rows, { ...empty, numbers: [1, 2, 3, 4, 5, 6] }]), {
        code: "limit_items", path: "$[1].numbers",
        message: /expected at most 10 elements of lists, sets and maps in one message \(limits\.items\), the 6 elements here make it 11: no reader/,
      });
      assert.throws(() => codec.encode([...rows, { ...empty, ticks: new Map(many(4, (n) => [`k${n}`, tick(n)])) }]), (error: pack.SamewireError) => {
        assert.equal(error.path, "$[1].ticks");
        assert.match(error.message, /expected values that take at most 100 cells of memory when they are read \(limits\.cells\), with what is here they take \d+: no reader/);
        return error.message.includes(remedy);
      });
    }
  }
});

test("default limits refuse millions of small rows", () => {
  const rows = new Array<unknown>(3_000_000).fill(tick(1));
  for (const evaluate of MODES) {
    for (const profile of PROFILES) {
      const codec = pack.codec(pack.list(Tick), { profile, eval: evaluate });
      assert.throws(() => codec.encode(rows as never), { code: "limit_items", path: "$", message: /limits\.cells/ });
    }
  }
  assert.throws(() => pack.codec(pack.array(pack.u8)).encode(new Uint8Array(16_777_217)), { code: "limit_items" });
});
