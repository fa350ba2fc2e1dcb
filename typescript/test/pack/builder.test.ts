import assert from "node:assert/strict";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";

const Leaf = pack.struct("Leaf", { n: pack.i32 });

test("rejects types that schema text cannot hold", () => {
  const misuse = { name: "SamewireError", code: "misuse" };
  const recursion: pack.Type = pack.recursive(() => recursion);
  const wrong: (() => unknown)[] = [
    () => pack.codec(pack.option(pack.option(pack.bool))),
    () => pack.codec(pack.option(pack.any)),
    () => pack.codec(pack.set(pack.f64)),
    () => pack.codec(pack.map(pack.bytes, pack.bool)),
    () => pack.codec(pack.map(pack.jsDate, pack.bool)),
    () => pack.codec(pack.ref(pack.string)),
    () => pack.codec(pack.list(pack.struct("Empty", {}))),
    () => pack.codec(pack.struct("Empty", {})),
    () => pack.codec(pack.tuple(Leaf, pack.struct("Leaf", { n: pack.i64 }))),
    () => pack.codec(pack.union([Leaf, pack.struct("Other", { type: pack.bool })])),
    () => pack.codec(recursion),
    () => pack.union([]),
    () => pack.union([Leaf, Leaf]),
    () => pack.tuple(),
    () => pack.enumeration("E", []),
    () => pack.enumeration("E", ["a", "a"]),
    () => pack.struct("", {}),
    () => pack.struct("S", { "\ud800": pack.bool }),
    () => pack.struct("S".repeat(256), {}),
    () => pack.struct("S", { x: undefined as unknown as pack.Type }),
    () => pack.list("string" as unknown as pack.Type),
    () => pack.codec(undefined as unknown as pack.Type),
    () => pack.codec({ kind: "i32" } as unknown as pack.Type),
    () => pack.codec(Leaf, { profile: "quick" as pack.Profile }),
    () => pack.codec(Leaf, { limits: { frame_bytes: 1 } as object }),
    () => pack.codec(Leaf).resolve(undefined as unknown as string),
    () => pack.codec(Leaf, { limits: { depth: 0 } }),
    () => pack.codec(Leaf, { limits: { items: 1.5 } }),
    () => new pack.Output(-1),
    () => pack.codec(Leaf).encodeChunks({ n: 1 }, 8),
    () => pack.codec(Leaf).decode("text" as unknown as Uint8Array),
    () => { pack.writeFrame(new pack.Output(), new Uint8Array(0)); },
    () => { pack.writeFrame(new pack.Output(), new ArrayBuffer(1) as unknown as Uint8Array); },
    () => { new pack.Output().write(new ArrayBuffer(1) as unknown as Uint8Array); },
    () => { new pack.FrameScanner().feed(new ArrayBuffer(1) as unknown as Uint8Array); },
    () => { new pack.FrameScanner().feed("text" as unknown as Uint8Array); },
  ];
  for (const run of wrong) assert.throws(run, misuse, run.toString());
});

test("rejects types nested deeper than 64", () => {
  const limit = { name: "SamewireError", code: "limit_depth", at: 0, message: /: nest fewer, or use any for the inner types$/ };
  const endless: pack.Type = pack.list(pack.recursive(() => endless));
  const lists = (count: number): pack.Type => (count === 0 ? pack.i8 : pack.list(lists(count - 1)));
  assert.equal(pack.codec(lists(64)).schema.text, "list<".repeat(64) + "i8" + ">".repeat(64));
  for (const type of [lists(65), endless]) assert.throws(() => pack.codec(type), limit);
});

test("rejects types with more parts or longer text than schema text allows", () => {
  const symbols = (count: number, digits: number): string[] => Array.from({ length: count }, (_, i) => `s${String(i).padStart(digits, "0")}`);
  const refused = (code: string): object => ({ name: "SamewireError", code, at: 0, message: /: divide it into several schemas$/ });
  assert.ok(pack.codec(pack.enumeration("Most", symbols(65_535, 1))).schema.text.endsWith(", s9999 }"));
  assert.throws(() => pack.codec(pack.enumeration("Many", symbols(65_536, 1))), refused("limit_items"));
  assert.throws(() => pack.codec(pack.enumeration("Long", symbols(4_200, 250))), refused("limit_size"));
  assert.throws(() => pack.Schema.parse(`enum E{${symbols(65_000, 14).join(",")}}`), refused("limit_size"));
});

test("accepts quoted names and names of builtins", () => {
  const names = { "a b": 1, "": 2, __proto__: 3, constructor: 4, string: 5, "0": 6, "\u2028\"\\": 7, toString: 8 };
  const fields = Object.fromEntries(Object.keys(names).filter((name) => name !== "").map((name) => [name, pack.u8]));
  Object.defineProperty(fields, "__proto__", { value: pack.u8, enumerable: true });
  for (const evaluate of [true, false]) {
    const codec = pack.codec(pack.struct("Odd names", fields), { eval: evaluate });
    const value = Object.defineProperty({ "a b": 1, constructor: 4, string: 5, "0": 6, "\u2028\"\\": 7, toString: 8 }, "__proto__", { value: 3, enumerable: true });
    const decoded = codec.decode(codec.encode(value));
    assert.equal(Object.getPrototypeOf(decoded), Object.prototype);
    for (const name of Object.keys(fields)) {
      assert.equal(Object.getOwnPropertyDescriptor(decoded, name)?.value, Object.getOwnPropertyDescriptor(value, name)?.value, name);
    }
  }
});

test("a class gets its prototype, not its constructor", () => {
  let constructed = 0;
  class Money {
    cents = 0;
    constructor() {
      constructed++;
    }
    get euros(): number {
      return this.cents / 100;
    }
  }
  const type = pack.struct("Money", { cents: pack.i32 }, { class: Money });
  for (const evaluate of [true, false]) {
    const codec = pack.codec(pack.list(type), { eval: evaluate });
    const [money] = codec.decode(codec.encode([Object.assign(Object.create(Money.prototype) as Money, { cents: 250 })]));
    assert.ok(money instanceof Money);
    assert.equal(money.euros, 2.5);
    assert.equal(constructed, 0);
  }
});

test("a parsed union keeps its discriminator clear of fields", () => {
  const codec = pack.codec(pack.parse("union { struct A { type: string, $type: bool }, struct B {} }".replace("$type", '"$type"')));
  const value = { $$type: "A", type: "t", $type: true };
  assert.deepEqual(codec.decode(codec.encode(value)), value);
});

test("schema, digest and differences", () => {
  const ours = pack.codec(pack.struct("S", { a: pack.i64, b: pack.list(pack.tuple(pack.bool, pack.string)) }));
  assert.equal(ours.schema.text, "struct S { a: i64, b: list<tuple<bool, string>> }");
  assert.match(ours.digest, /^[0-9a-f]{16}$/);
  assert.equal(ours.schema.difference(pack.Schema.parse(ours.schema.text)), undefined);
  const found = ours.schema.difference(pack.Schema.parse("struct S { a: i64, b: list<tuple<bool, bytes>> }"));
  assert.equal(String(found), "$.b[][1]: string here, bytes there");
  assert.equal(String(ours.schema), ours.schema.text);
});

test("finds recursive structs in linear time", () => {
  // A search from each struct alone would take a minute of these.
  const structs = 20_000;
  const name = (i: number): string => `A${String(i).padStart(5, "0")}`;
  const chain = Array.from({ length: structs }, (_, i) => `struct ${name(i)} { x: ${i === 0 ? "i8" : name(i - 1)} }`);
  const began = process.cpuUsage().user;
  const schema = pack.Schema.parse(`union { ${chain.join(", ")} }`);
  assert.ok(process.cpuUsage().user - began < 10_000_000);
  assert.equal(schema.text, `union { ${chain.join(", ")} }`);
});

test("rejects a chain of structs longer than the engine's stack", () => {
  const chain = Array.from({ length: 20_000 }, (_, i) => `struct A${i + 10_000} { x: ${i === 0 ? "i8" : `A${i + 9_999}`} }`).join(", ");
  const Shelf = pack.struct("Shelf", { book: pack.struct("Book", { year: pack.i32 }) });
  for (const evaluate of [true, false]) {
    const writer = `struct Shelf { all: union { ${chain} }, book: struct Book { year: i32, last: A29999 } }`;
    assert.throws(() => pack.codec(Shelf, { eval: evaluate }).resolve(writer), { code: "unsupported" });
  }
  const whole = pack.codec(pack.parse(`union { ${chain} }`), { eval: false });
  assert.deepEqual(whole.decode(Uint8Array.of(0x80, 2, 5)), { type: "A10002", x: { x: { x: 5 } } });
});

test("two types of one name and shape are one", () => {
  const kind = () => pack.enumeration("Kind", ["new", "old"]);
  const page = <T>(item: pack.Type<T>) => pack.struct("Page", { items: pack.list(item), next: pack.option(pack.string), kind: kind() });
  const made = pack.codec(pack.struct("Shelf", { books: page(pack.string), authors: page(pack.string) }));
  const text = "struct Shelf { books: struct Page { items: list<string>, next: option<string>, kind: enum Kind { new, old } }, authors: Page }";
  assert.equal(made.schema.text, text);
  const value = { books: { items: ["Carrie"], next: null, kind: "new" as const }, authors: { items: [], next: "b", kind: "old" as const } };
  assert.deepEqual(made.decode(made.encode(value)), value);
  assert.throws(() => pack.codec(pack.struct("Shelf", { books: page(pack.string), years: page(pack.i32) })), /two types are called Page/);
});

test("types that contain themselves are compared once", () => {
  interface Node { kids: Node[] }
  const tree = (): pack.Type<Node> => {
    const node: pack.Type<Node> = pack.struct("Node", { kids: pack.list(pack.recursive(() => node)) });
    return node;
  };
  assert.equal(pack.codec(pack.tuple(tree(), tree())).schema.text, "tuple<struct Node { kids: list<Node> }, Node>");
});

test("a default of its own makes another type", () => {
  const book = () => pack.struct("Book", { year: pack.field(pack.i32, { default: 1974 }) });
  assert.throws(() => pack.codec(pack.tuple(book(), book())), /two types are called Book/);
});
