/** Values that do not fit their type give bytes, or an error with a code and a path, never the engine's own error. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as pack from "../../src/pack/index.js";
import * as small from "../../src/pack/small.js";
import { keys, nested } from "./arbitrary.js";
import type { Pair } from "./arbitrary.js";

// Types that are parsed need what only these functions bring along.
small.list(small.any);

/** Instances of classes that do not answer as these: proxies, and objects with the prototype alone. */
const INSTANCES: readonly object[] = [new Map(), new Set(), new Date(0), new Uint8Array(2), new Float64Array(2), new BigInt64Array(2)];
const IMPOSTORS = INSTANCES.flatMap((instance) => [new Proxy(instance, {}), Object.create(Object.getPrototypeOf(instance) as object) as object]);

const OpenTagged = pack.Tagged as unknown as new (kind: unknown, value: unknown) => object;
const STRANGE: readonly unknown[] = [
  ...IMPOSTORS, Symbol("s"), Symbol.iterator, undefined, null, true, 1, -1, 0.5, Number.NaN, 1n, -1n, 1n << 70n, "", "x", "\ud800", {}, Object.create(null), [], [Symbol("s")],
  [Object.create(null)], new Set(), new Set([Symbol("a"), Symbol("b")]), new Set([Object.create(null), Object.create(null)]), new Set<unknown>([1n, "a", 1]),
  new Map<unknown, unknown>([[Symbol("a"), 1], [Symbol("b"), 2]]), new Map([[Object.create(null), Object.create(null)]]), () => 1, Object, new Date(Number.NaN), new Uint8Array(2),
  new DataView(new ArrayBuffer(2)), new pack.Decimal(1n, 1), Object.create(pack.Decimal.prototype), new OpenTagged("uuid", 5), new OpenTagged(Symbol("s"), 5),
  Object.assign(new pack.Decimal(1n, 1), { scale: Symbol("s") }), new WeakMap(), Promise.resolve(), /x/, new Error("e"), Object(1n), Object(Symbol("s")), new String("x"), { type: Symbol("s") },
  { type: Object.create(null) as unknown }, globalThis,
];
const strange = fc.oneof(fc.constantFrom(...STRANGE), fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true, withNullPrototype: true, withBoxedValues: true }));

/** A value with one part replaced, at a place that `choices` say. */
function spoiled(value: unknown, other: unknown, choices: readonly number[]): unknown {
  const [choice, ...rest] = choices;
  if (choice === undefined || choice % 4 === 0) return other;
  const at = (size: number): number => choice % size;
  if (Array.isArray(value) && value.length > 0) return value.map((part, i) => (i === at(value.length) ? spoiled(part, other, rest) : (part as unknown)));
  if (value instanceof Set) return new Set([...(value as Set<unknown>), other, Symbol("s")]);
  if (value instanceof Map && value.size > 0) {
    const entries = [...(value as Map<unknown, unknown>)];
    const [key, part] = entries[at(entries.length)]!;
    entries[at(entries.length)] = choice % 2 === 0 ? [other, part] : [key, spoiled(part, other, rest)];
    return new Map(entries);
  }
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const names = Object.keys(value);
    const name = names[at(names.length)]!;
    return { ...value, [name]: spoiled((value as Record<string, unknown>)[name], other, rest) };
  }
  return other;
}

const sets: Pair[] = keys.map(({ type, values }) => ({ type: pack.set(type), values: fc.array(values).map((items) => new Set(items)) }));
const adapted: Pair[] = keys.map(({ type, values }) => ({ type: pack.set(type.as((value) => value, (value) => value)), values: fc.array(values).map((items) => new Set(items)) }));
const column = ({ type, values }: Pair, i: number): Pair => ({
  type: pack.list(pack.struct(`Row${i}`, { it: type })),
  values: values.map((value) => Array.from({ length: 70 }, () => ({ it: value }))),
});
const pairs = fc.oneof(nested, fc.constantFrom(...sets, ...adapted, ...[...keys, ...sets, ...adapted].map(column)));
const wrong = pairs.chain(({ type, values }) => fc.tuple(fc.constant(type), fc.tuple(values, strange, fc.array(fc.nat(1_000), { maxLength: 5 })).map((parts) => spoiled(...parts))));

function encodes(codec: { encode(value: unknown): Uint8Array }, value: unknown): boolean {
  try {
    codec.encode(value);
    return true;
  } catch (error) {
    if (!(error instanceof pack.SamewireError) || error.path === undefined) throw error;
    return false;
  }
}

test("a value of a wrong type gives bytes or an error with code and path", () => {
  let refused = 0;
  fc.assert(
    fc.property(wrong, fc.constantFrom<pack.Profile>("compact", "fast"), fc.boolean(), ([type, value], profile, sortKeys) => {
      const results = [true, false].map((evaluate) => encodes(pack.codec(type, { profile, sortKeys, eval: evaluate }), value));
      assert.equal(results[0], results[1]);
      if (results[0] !== true) refused++;
      if (!sortKeys) assert.equal(encodes(small.codec(type as never, { profile }), value), results[0]);
    }),
    { numRuns: 600 },
  );
  assert.ok(refused > 280, String(refused));
});

test("a symbol in a set, and a key that is one, are refused at their place", () => {
  const symbols = [Symbol("a"), Symbol("b")];
  for (const { type } of keys) {
    for (const evaluate of [true, false]) {
      const set = pack.codec(pack.set(type), { eval: evaluate }) as pack.Codec<unknown>;
      assert.throws(() => set.encode(new Set(symbols)), { code: "type_mismatch", path: "$[0]" });
      const map = pack.codec(pack.map(type, pack.i32), { eval: evaluate }) as pack.Codec<unknown>;
      assert.throws(() => map.encode(new Map(symbols.map((key) => [key, 1]))), { code: "type_mismatch", path: "$[0].key" });
    }
  }
});

test("an instance that does not answer as its class is refused with what to do", () => {
  const text = pack.string.as((value: string) => value, (value) => value);
  for (const [type, value, expected] of [
    [pack.map(pack.string, pack.i32), new Proxy(new Map(), {}), "a Map, got a Map"],
    [pack.map(text, pack.i32), Object.create(Map.prototype), "a Map, got a Map"],
    [pack.set(pack.string), new Proxy(new Set(), {}), "a Set, got a Set"],
    [pack.set(text), Object.create(Set.prototype), "a Set, got a Set"],
    [pack.jsDate, new Proxy(new Date(), {}), "a Date, got a Date"],
    [pack.bytes, new Proxy(new Uint8Array(2), {}), "a Uint8Array, got a Uint8Array"],
    [pack.array(pack.f64), Object.create(Float64Array.prototype), "a typed array of f64, got a Float64Array"],
  ] as const) {
    const codec: pack.Codec<unknown> = pack.codec(type);
    assert.throws(() => codec.encode(value), { code: "type_mismatch", path: "$", message: `type_mismatch in $: expected ${expected}: it is a Proxy, or inherits from the class alone: pass the object itself` });
  }
  assert.throws(() => (pack.codec(pack.any) as pack.Codec<unknown>).encode([new Proxy(new Map(), {})]), { code: "type_mismatch", path: "$[0]" });
});

test("a proxy that passes its target on is written as it", () => {
  const reactive = new Proxy(new Map([["a", 1]]), {
    get: (target, name) => {
      const part: unknown = Reflect.get(target, name, target);
      return typeof part === "function" ? (part.bind(target) as unknown) : part;
    },
  });
  const codec = pack.codec(pack.map(pack.string, pack.i32));
  assert.deepEqual(codec.encode(reactive), codec.encode(new Map([["a", 1]])));
});
