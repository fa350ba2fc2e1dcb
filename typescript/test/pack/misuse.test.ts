import assert from "node:assert/strict";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";

// Arguments that the compiler would refuse may still come from JavaScript.
const { codec, struct, enumeration, option, list, array, set, map, tuple, union, ref, recursive, field, limits, parse, Schema, FrameScanner, Output, writeFrame } =
  pack as unknown as Record<string, (...given: unknown[]) => unknown> & Record<"Schema" | "FrameScanner" | "Output", new (...given: unknown[]) => never>;

const codecOfInts = pack.codec(pack.list(pack.i32));
const ints = codecOfInts as unknown as Record<"encodeChunks" | "decode" | "resolve", (...given: unknown[]) => unknown>;
const schema = codecOfInts.schema as unknown as Record<"difference", (...given: unknown[]) => unknown>;
const Empty = pack.struct("Empty", {});
const Wide = pack.struct("Wide", { x: pack.i8 });

/** Functions and their invalid arguments, each of which is tried once. */
const CALLS: readonly [string, (given: unknown) => unknown, readonly unknown[]][] = [
  ["codec", (type) => codec!(type), [undefined, null, 3, "i8", {}]],
  ["profile", (profile) => codec!(pack.i8, { profile }), ["best", 3, "COMPACT"]],
  ["options", (options) => codec!(pack.i8, options), [null, 3, "x", { size: 3 }]],
  ["flags", (given) => codec!(pack.i8, { digest: given }), [1, "yes", null, NaN]],
  ["limits of a codec", (given) => codec!(pack.i8, { limits: given }), [3, null, "x", { depth: 0 }, { nothing: 3 }]],
  ["limits", (given) => limits!(given), [3, null, "x"]],
  ["a limit", (items) => limits!({ items }), [0, -1, 1.5, NaN, Infinity, 1n, "1", null, true]],
  ["scanner", (given) => new FrameScanner(given), [3, null, { frameBytes: -1 }]],
  ["feed", (given) => { new pack.FrameScanner().feed(given as Uint8Array); }, [undefined, null, 3, "x", [1], new ArrayBuffer(3), new Int8Array(3)]],
  ["frame", (given) => writeFrame!(new pack.Output(), given), [undefined, null, "x", new Uint8Array(0)]],
  ["pieces", (size) => ints.encodeChunks([1], size), [0, -1, 1.5, NaN, Infinity, "64", null, 64n]],
  ["decode", (given) => ints.decode(given), [undefined, null, 3, "x", [1], new ArrayBuffer(3)]],
  ["resolve", (given) => ints.resolve(given), [undefined, null, 3, ["i8"]]],
  ["schema", (given) => new Schema(given), [undefined, null, 3, "i8"]],
  ["schema text", (given) => parse!(given), [undefined, null, 3, { length: 3 }]],
  ["difference", (given) => schema.difference(given), [undefined, null, 3, "i8", {}]],
  ["capacity", (given) => new Output(given), [-1, 0.5, NaN, "3", null]],
  ["reserved", (given) => { new pack.Output().reserve(given as number); }, [-1, 0.5, NaN, "3", null]],
  ["written", (given) => { new pack.Output().write(given as Uint8Array); }, [undefined, null, 3, "x"]],
  ["struct", (name) => struct!(name, { x: pack.i8 }), [undefined, null, 3, "", "x".repeat(256), "\ud800"]],
  ["fields", (fields) => struct!("S", fields), [undefined, null, 3, "x"]],
  ["options of a struct", (given) => struct!("S", { x: pack.i8 }, given), [null, 3, { class: 3 }, { aliases: "T" }]],
  ["a field", (type) => struct!("S", { x: type }), [undefined, null, 3, "i8"]],
  ["a field's name", (name) => struct!("S", { [name as string]: pack.i8 }), ["", "x".repeat(256), "\ud800"]],
  ["a default", (fallback) => field!(pack.i8, fallback), [undefined, null, 3, { defualt: 1 }]],
  ["a default that does not fit", (value) => codec!(struct!("S", { x: field!(pack.i8, { default: value }) })), ["1", 128, null, 1n]],
  ["a default inside others", (value) => codec!(list!(map!(pack.string, option!(struct!("S", { x: field!(pack.list(pack.i8), { default: value }) }))))), [[128], null]],
  ["an alias of a field", (alias) => field!(pack.i8, { alias }), ["", "x".repeat(256), [""], ["a", 3]]],
  ["an alias of two", (alias) => struct!("S", { x: pack.field(pack.i8, { alias: alias as string }), y: pack.i8 }), ["x", "y", ["a", "a"]]],
  ["an alias of a struct", (alias) => struct!("S", { x: pack.i8 }, { alias }), ["", [3]]],
  ["a fallback of an enum", (fallback) => enumeration!("E", ["a"], { fallback }), ["b", "", null, 3]],
  ["a fallback of a union", (fallback) => union!([Empty, Wide], { fallback }), [Wide, pack.struct("Empty", {}), pack.string, null, "Empty"]],
  ["an alias of an enum", (alias) => enumeration!("E", ["a"], { alias }), ["", [3]]],
  ["the type of a default", (type) => field!(type, { default: 1 }), [undefined, null, 3]],
  ["symbols", (symbols) => enumeration!("E", symbols), [undefined, null, 3, "ab", [], ["a", "a"], [3], [""]]],
  ["members", (members) => union!(members), [undefined, null, 3, "ab", [], [3], [Empty, Empty]]],
  ["options of a union", (given) => union!([Empty], given), [null, 3, { tag: "kind" }, { discriminator: 3 }]],
  ["a struct in a union", (member) => pack.codec(union!([member]) as pack.Type), [pack.i8, pack.list(Empty)]],
  ["numbers of an array", (of) => array!(of), [undefined, null, 3, pack.string, pack.list(pack.i8)]],
  ["items of a tuple", (of) => tuple!(of), [undefined, null, 3]],
  ["a key", (key) => map!(key, pack.i8), [undefined, null, 3]],
  ["a recursive type", (of) => recursive!(of), [undefined, null, 3, pack.i8]],
  ["what it returns", (returned) => pack.codec(recursive!(() => returned) as pack.Type), [undefined, null, 3]],
  ["a ref to no struct", (of) => pack.codec(ref!(of) as pack.Type), [pack.i8, Empty]],
  ...[option, list, set, ref].map((made): [string, (given: unknown) => unknown, readonly unknown[]] => ["what holds a type", (of) => made!(of), [undefined, null, 3, "i8"]]),
];

for (const [name, call, givens] of CALLS) {
  test(`rejects invalid arguments as misuse: ${name}`, () => {
    for (const given of givens) {
      assert.throws(() => call(given), (error) => error instanceof pack.SamewireError && error.code === "misuse" && error.at === undefined && error.path === undefined);
    }
  });
}
