import assert from "node:assert/strict";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";

const Book = pack.struct("Book", { id: pack.string, name: pack.string, author: pack.string, year: pack.i32 });
const books = [
  { id: "1001", name: "Carrie", author: "Stephen King", year: 1974 },
  { id: "1002", name: "'Salem's Lot", author: "Stephen King", year: 1975 },
];

test("messages, values and outputs do not share bytes", () => {
  const codec = pack.codec(pack.bytes, { check: false });
  const first = codec.encode(Uint8Array.of(1, 2, 3));
  const second = codec.encode(Uint8Array.of(4, 5, 6));
  const third = codec.encode(new Uint8Array(200).fill(7));
  assert.deepEqual([...first], [0x80, 3, 1, 2, 3]);
  assert.deepEqual([...second], [0x80, 3, 4, 5, 6]);
  first.fill(0xff);
  third.fill(0xff);
  assert.deepEqual([...second], [0x80, 3, 4, 5, 6]);
  const decoded = codec.decode(second);
  second.fill(0);
  assert.deepEqual([...decoded], [4, 5, 6]);
});

test("views look into the message, where it is aligned", () => {
  const codec = pack.codec(pack.array(pack.f64), { views: true });
  const message = codec.encode(Float64Array.from({ length: 20 }, (_, i) => i / 2));
  const shifted = new Uint8Array(message.length + 8);
  for (let offset = 0; offset < 8; offset++) {
    shifted.set(message, offset);
    const input = shifted.subarray(offset, offset + message.length);
    const decoded = codec.decode(input);
    assert.equal(decoded[7], 3.5);
    assert.equal(decoded.buffer === shifted.buffer, offset === 0);
  }
});

test("an output collects messages and is unchanged after an error", () => {
  const codec = pack.codec(pack.list(Book));
  const output = new pack.Output(1);
  const length = codec.encodeInto(books, output);
  assert.equal(output.length, length);
  assert.throws(() => codec.encodeInto([{ ...books[0]!, year: 0.5 }], output), { code: "type_mismatch", path: "$[0].year" });
  assert.equal(output.length, length);
  assert.deepEqual(codec.decode(output.bytes), books);
  output.clear();
  assert.equal(output.bytes.length, 0);
});

test("chunks concatenate to the message", () => {
  const codec = pack.codec(pack.struct("Big", { texts: pack.list(pack.string), numbers: pack.array(pack.f64) }), { digest: true });
  const value = {
    texts: Array.from({ length: 500 }, (_, i) => `${i} ${i % 3 === 0 ? "€uro" : "plain"} ${"x".repeat(i % 50)}`),
    numbers: Float64Array.from({ length: 3_000 }, Math.sqrt),
  };
  const whole = codec.encode(value);
  for (const size of [64, 1_000, 1 << 20]) {
    const pieces = [...codec.encodeChunks(value, size)];
    assert.ok(pieces.every((piece) => piece.length > 0 && piece.length <= size));
    assert.deepEqual(Buffer.concat(pieces), Buffer.from(whole));
  }
});

test("a codec is reentrant", () => {
  const codec = pack.codec(pack.struct("Lazy", { first: pack.string, second: pack.string }));
  const inner = { first: "inner one", second: "inner two" };
  let nested = new Uint8Array(0);
  const value = {
    first: "outer one",
    get second(): string {
      nested = codec.encode(inner).slice();
      return "outer two";
    },
  };
  assert.deepEqual(codec.decode(codec.encode(value)), { first: "outer one", second: "outer two" });
  assert.deepEqual(codec.decode(nested), inner);
});

test("passes errors of user code unchanged", () => {
  const codec = pack.codec(Book);
  const mine = new Error("mine");
  const value = { ...books[0]!, get year(): number { throw mine; } };
  assert.throws(() => codec.encode(value), (error) => error === mine);
  assert.deepEqual(codec.decode(codec.encode(books[0]!)), books[0]);
});

test("rejects a cycle with limit_depth", () => {
  interface Ring { next: Ring | null }
  const Ring: pack.Type<Ring> = pack.struct("Ring", { next: pack.option(pack.ref(pack.recursive(() => Ring))) });
  for (const evaluate of [true, false]) {
    const ring: Ring = { next: null };
    ring.next = ring;
    const codec = pack.codec(Ring, { eval: evaluate });
    assert.throws(() => codec.encode(ring), { code: "limit_depth", path: `$${".next".repeat(64)}` });
    const deep = pack.codec(Ring, { eval: evaluate, limits: { depth: 10_000_000 } });
    assert.throws(() => deep.encode(ring), { code: "limit_depth" });
  }
});

test("counts the depth of recursive structs and of any in them", () => {
  interface Chain { next: Chain | null; any: pack.AnyValue }
  const Chain: pack.Type<Chain> = pack.struct("Chain", { next: pack.option(pack.recursive(() => Chain)), any: pack.any });
  const chain = (levels: number, any: pack.AnyValue): Chain => ({ any, next: levels === 1 ? null : chain(levels - 1, null) });
  const innermost = (levels: number, any: pack.AnyValue): Chain => ({ any: levels === 1 ? any : null, next: levels === 1 ? null : innermost(levels - 1, any) });
  const free = pack.codec(Chain);
  for (const evaluate of [true, false]) {
    for (let depth = 1; depth <= 6; depth++) {
      const codec = pack.codec(Chain, { eval: evaluate, limits: { depth } });
      for (const fits of [chain(depth, null), chain(depth, 1n), innermost(depth - 1 || 1, depth > 1 ? [1n] : 1n)]) {
        assert.deepEqual(codec.decode(codec.encode(fits)), fits);
      }
      for (const tooDeep of [chain(depth + 1, null), innermost(depth, [1n]), innermost(depth, new Map())]) {
        assert.throws(() => codec.encode(tooDeep), { code: "limit_depth" });
        assert.throws(() => codec.decode(free.encode(tooDeep)), { code: "limit_depth" });
      }
    }
  }
});

test("keeps the order of text around recursive structs while the buffer grows", () => {
  interface Node { before: string; kids: Node[]; after: string }
  const Node: pack.Type<Node> = pack.struct("Node", { before: pack.string, kids: pack.list(pack.recursive(() => Node)), after: pack.string });
  const node = (name: string, levels: number): Node => ({
    before: `<${name}`,
    kids: levels === 0 ? [] : Array.from({ length: 6 }, (_, i) => node(`${name}.${i}`, levels - 1)),
    after: levels === 1 ? `${name} ${"long ".repeat(20)}>` : `${name}>`,
  });
  for (const profile of ["compact", "fast"] as const) {
    const generated = pack.codec(Node, { profile });
    const closed = pack.codec(Node, { profile, eval: false });
    for (const tree of [node("n", 4), node("\u4e2d", 3)]) {
      const message = generated.encode(tree);
      assert.deepEqual(closed.encode(tree), message);
      assert.deepEqual(generated.decode(message), tree);
    }
  }
});

test("rejects a value with a part that occurs again and again before it allocates the message", () => {
  interface Node { name: string; kids: Node[] }
  const Node: pack.Type<Node> = pack.struct("Node", { name: pack.string, kids: pack.list(pack.recursive(() => Node)) });
  let node: Node = { name: "shared", kids: [] };
  let list: pack.AnyValue = [];
  for (let i = 0; i < 60; i++) {
    node = { name: "", kids: [node, node] };
    list = [list, list];
  }
  const long = "x".repeat(1 << 24);
  const error = { code: "limit_size", path: "$" };
  for (const evaluate of [true, false]) {
    const options = { eval: evaluate, limits: { frameBytes: 1 << 16 } };
    for (const profile of ["compact", "fast"] as const) {
      assert.throws(() => pack.codec(Node, { ...options, profile }).encode(node), error);
      assert.throws(() => pack.codec(pack.any, { ...options, profile }).encode(list), error);
    }
    const texts = pack.codec(pack.list(pack.string), { eval: evaluate });
    assert.throws(() => texts.encode(new Array<string>(40).fill(long)), error);
    texts.encode(["€"]);
    const before = process.memoryUsage().arrayBuffers;
    assert.throws(() => texts.encode(new Array<string>(40).fill(long)), error);
    assert.ok(process.memoryUsage().arrayBuffers - before < 1 << 28, "the text of a message that is too long was gathered");
  }
});

test("rejects messages too deep for the engine's stack with limit_depth", () => {
  interface Chain { next: Chain | null }
  const Chain: pack.Type<Chain> = pack.struct("Chain", { next: pack.option(pack.recursive(() => Chain)) });
  const message = new Uint8Array(1_000_001).fill(1);
  message[0] = 0x80;
  for (const evaluate of [true, false]) {
    const codec = pack.codec(Chain, { eval: evaluate, limits: { depth: 2_000_000 } });
    assert.throws(() => codec.decode(message), { code: "limit_depth" });
  }
});

test("a function that makes a default is called where a field is missing, and not before", () => {
  const never = (): number => {
    throw new RangeError("a year has to be given");
  };
  const codec = pack.codec(pack.struct("Book", { title: pack.string, year: pack.field(pack.i32, { default: never }) }));
  const value = { title: "Carrie", year: 1974 };
  assert.deepEqual(codec.decode(codec.encode(value)), value);
  const older = pack.codec(pack.struct("Book", { title: pack.string }));
  assert.throws(() => codec.resolve(older.schema).decode(older.encode({ title: "Carrie" })), RangeError);
});

test("defaults are shared values or made by a function", () => {
  const Old = pack.struct("Shelf", { name: pack.string });
  const New = pack.struct("Shelf", {
    tags: pack.field(pack.list(pack.string), { default: () => [] }),
    name: pack.string,
    size: pack.field(pack.i32, { default: 12 }),
    note: pack.option(pack.string),
  });
  const message = pack.codec(Old).encode({ name: "A" });
  for (const evaluate of [true, false]) {
    const decoder = pack.codec(New, { eval: evaluate }).resolve(new pack.Schema(Old));
    assert.deepEqual(decoder.decode(message), { tags: [], name: "A", size: 12, note: null });
    decoder.decode(message).tags.push("mine");
    assert.deepEqual(decoder.decode(message).tags, []);
  }
});

test("symbols that an enum lacks become its fallback, except in keys", () => {
  const Mood = pack.enumeration("Mood", ["calm", "other", "tense"], { fallback: "other" });
  const Entry = pack.struct("Entry", { mood: Mood, moods: pack.list(Mood), tags: pack.set(Mood) });
  const writer = "struct Entry { mood: enum Mood { angry, calm, grim, tense }, moods: list<Mood>, tags: set<Mood> }";
  for (const evaluate of [true, false]) {
    const reader = pack.codec(Entry, { eval: evaluate });
    assert.equal(reader.schema.annotated, "struct Entry { mood: enum Mood { calm, other @fallback, tense }, moods: list<Mood>, tags: set<Mood> }");
    const resolved = reader.resolve(writer);
    const entry = { mood: "other", moods: ["calm", "other", "tense"], tags: new Set(["tense"]) };
    assert.deepEqual(resolved.decode(Uint8Array.of(0x80, 0, 3, 1, 2, 3, 1, 3)), entry);
    assert.throws(() => resolved.decode(Uint8Array.of(0x80, 0, 0, 1, 2)), { code: "schema_mismatch", at: 4, path: "$.tags[0]" });
  }
});

test("members that a union lacks become its fallback with their names", () => {
  const Dot = pack.struct("Dot", {});
  const Unknown = pack.struct("Unknown", { name: pack.string });
  const Shape = pack.union([Dot, Unknown], { fallback: Unknown });
  const writer = "list<union { struct Arc { x: i32, s: string }, struct Dot {} }>";
  for (const evaluate of [true, false]) {
    const reader = pack.codec(pack.list(Shape), { eval: evaluate });
    assert.equal(reader.schema.annotated, "list<union { struct Dot {}, struct Unknown { name: string } @fallback }>");
    const message = Uint8Array.of(0x81, 1, 0x61, 2, 0, 2, 1, 1);
    assert.deepEqual(reader.resolve(writer).decode(message), [{ type: "Unknown", name: "Arc" }, { type: "Dot" }]);
  }
});

test("fields and types are known by aliases, and null takes a default", () => {
  const Tome = pack.struct("Tome", { title: pack.string, year: pack.i32, kind: pack.enumeration("Kind", ["crime"]), pages: pack.option(pack.i32) });
  const Genre = pack.enumeration("Genre", ["crime", "poetry"], { alias: ["Sort", "Kind"] });
  const Book = pack.struct(
    "Book",
    {
      title: pack.string,
      genre: pack.field(Genre, { alias: ["sort", "kind"] }),
      published: pack.field(pack.i64, { default: 1900n, alias: "year" }),
      pages: pack.field(pack.i32, { default: 7 }),
    },
    { alias: "Tome" },
  );
  const writer = pack.codec(Tome);
  const message = writer.encode({ title: "Carrie", year: 1974, kind: "crime", pages: null });
  for (const evaluate of [true, false]) {
    const reader = pack.codec(Book, { eval: evaluate });
    assert.deepEqual(reader.resolve(writer.schema).decode(message), { title: "Carrie", genre: "crime", published: 1974n, pages: 7 });
    assert.equal(
      reader.schema.annotated,
      "struct Book @alias(Tome) { title: string, genre: enum Genre @alias(Sort, Kind) { crime, poetry } @alias(sort, kind), " +
        "published: i64 @default @alias(year), pages: i32 @default }",
    );
  }
  assert.equal(writer.schema.annotated, writer.schema.text);
  const Other = pack.struct("Other", { a: pack.field(pack.i8, { alias: "Book" }), book: Book });
  assert.equal(pack.codec(Other).schema.text, `struct Other { a: i8, book: ${new pack.Schema(Book).text} }`);
  const Taken = pack.struct("Taken", { book: Book, tome: Tome });
  assert.throws(() => pack.codec(Taken), { code: "misuse" });
});

test("widens numbers to every native form", () => {
  const writer = pack.codec(pack.struct("N", { a: pack.i16, b: pack.list(pack.u8), c: pack.list(pack.i32), d: pack.f32, e: pack.set(pack.u16) }));
  const value = { a: -5, b: [1, 2, 255], c: Array.from({ length: 40 }, (_, i) => i * i - 9), d: 0.5, e: new Set([3, 1]) };
  const reader = pack.struct("N", { a: pack.bigint, b: pack.array(pack.i64), c: pack.array(pack.i64), d: pack.f64, e: pack.set(pack.u64) });
  for (const evaluate of [true, false]) {
    const decoded = pack.codec(reader, { eval: evaluate }).resolve(writer.schema).decode(writer.encode(value));
    assert.deepEqual(decoded, {
      a: -5n,
      b: BigInt64Array.of(1n, 2n, 255n),
      c: BigInt64Array.from(value.c.map(BigInt)),
      d: 0.5,
      e: new Set([1n, 3n]),
    });
  }
});

test("floats are the same bytes in short and long messages, alone and in rows", () => {
  const Point = pack.struct("Point", { x: pack.f64, y: pack.f32, row: pack.list(pack.f64), singles: pack.list(pack.f32) });
  const codec = pack.codec(pack.list(Point), { profile: "fast" });
  const numbers = [0, -0, 0.5, -1.25, Infinity, -Infinity, NaN, 1.5e30];
  for (let n = 0; n < 20; n++) {
    const values = Array.from({ length: n }, (_, i) => ({
      x: numbers[i % 8]! * (i + 1),
      y: numbers[(i + 3) % 8]!,
      row: Array.from({ length: i }, (__, k) => numbers[(i + k) % 8]!),
      singles: Array.from({ length: i }, (__, k) => Math.fround(numbers[(n + k) % 8]!)),
    }));
    values.forEach((value) => (value.y = Math.fround(value.y)));
    const message = codec.encode(values);
    assert.deepEqual(codec.decode(message), values);
    // At any offset of a buffer, and again in one that is longer.
    const shifted = new Uint8Array(message.length + 3);
    shifted.set(message, 3);
    assert.deepEqual(codec.decode(shifted.subarray(3)), values);
    const output = new pack.Output(1);
    codec.encodeInto(values, output);
    codec.encodeInto(values, output);
    assert.deepEqual([...output.bytes], [...message, ...message]);
  }
  assert.deepEqual([...pack.codec(pack.tuple(pack.f64, pack.f32), { check: false }).encode([NaN, NaN])], [0x80, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f, 0, 0, 0xc0, 0x7f]);
});

test("reports the path of a number out of range", () => {
  for (const evaluate of [true, false]) {
    const list = pack.codec(pack.list(pack.i32), { eval: evaluate });
    const map = pack.codec(pack.map(pack.string, pack.list(pack.i8)), { eval: evaluate });
    assert.throws(() => list.encode([...new Array<number>(20).fill(1), 2 ** 31]), { code: "type_mismatch", path: "$[20]" });
    assert.throws(() => map.encode(new Map([["a", [1, 300]]])), { code: "type_mismatch", path: "$[0].value[1]" });
  }
});

test("dates as Date", () => {
  const fine = pack.codec(pack.timestamp, { check: false });
  for (const evaluate of [true, false]) {
    const codec = pack.codec(pack.jsDate, { eval: evaluate });
    for (const milliseconds of [0, -1, 1, 1_700_000_000_123, -62_135_596_800_000, 253_402_300_799_999]) {
      const message = codec.encode(new Date(milliseconds));
      assert.equal(codec.decode(message).getTime(), milliseconds);
      assert.equal(fine.decode(message), BigInt(milliseconds) * 1_000_000n);
    }
    assert.throws(() => codec.decode(fine.encode(1n)), { code: "type_mismatch", at: 1, path: "$" });
    assert.throws(() => codec.encode(new Date(Number.NaN)), { code: "type_mismatch", path: "$" });
    assert.throws(() => codec.encode(new Date(-62_135_596_800_001)), { code: "type_mismatch", path: "$" });
  }
});

test("instants between two milliseconds are refused as a Date, or truncated", () => {
  const finer = [1n, -1n, 1_700_000_000_123_456_789n, -1_700_000_000_123_456_789n, 999_999n];
  const row = (at: pack.Type): pack.Type<{ at: unknown }[]> => pack.list(pack.struct("Row", { at }));
  for (const count of [1, 64]) {
    for (const evaluate of [true, false]) {
      for (const instant of finer) {
        const rows = Array.from({ length: count }, () => ({ at: instant }));
        const message = pack.codec(row(pack.timestamp)).encode(rows);
        assert.throws(() => pack.codec(row(pack.jsDate), { eval: evaluate }).decode(message), { code: "type_mismatch", message: /times: "truncate"/ });
        const truncating = pack.codec(row(pack.jsDate), { eval: evaluate, times: "truncate" });
        const milliseconds = Number((instant - (((instant % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n);
        for (const decoded of [truncating.decode(message), truncating.resolve(truncating.schema).decode(message)]) {
          assert.equal(decoded.length, count);
          for (const { at } of decoded) assert.equal((at as Date).getTime(), milliseconds);
        }
        // An error elsewhere is found by the strict reader, for which the instant is good.
        assert.throws(() => truncating.decode(message.subarray(0, -1)), { code: "truncated" });
      }
    }
  }
  assert.throws(() => pack.codec(pack.jsDate, { times: "round" as "exact" }), { code: "misuse", message: /"exact" or "truncate"/ });
});

test("treats UUIDs that differ only in case as one key", () => {
  const low = "0000000a-0000-0000-0000-00000000000b";
  const both = [low, low.toUpperCase()];
  for (const evaluate of [true, false]) {
    const set = pack.codec(pack.set(pack.uuid), { eval: evaluate });
    const map = pack.codec(pack.map(pack.uuid, pack.bool), { eval: evaluate });
    assert.deepEqual(set.decode(set.encode(new Set([low.toUpperCase()]))), new Set([low]));
    assert.throws(() => set.encode(new Set(both)), { code: "type_mismatch", path: "$" });
    assert.throws(() => map.encode(new Map(both.map((key) => [key, true]))), { code: "type_mismatch", path: "$" });
  }
});

test("reads a skipped shared struct again by the reader's schema", () => {
  const Suit = pack.enumeration("Suit", ["clubs", "hearts"]);
  const Card = pack.struct("Card", { owner: pack.string, suit: Suit, scores: pack.list(pack.i32) });
  const Hand = pack.struct("Hand", { skipped: pack.list(pack.ref(Card)), kept: pack.list(pack.ref(Card)), last: pack.string });
  const writer = pack.codec(Hand, { check: false });
  const clubs = { owner: "Ann", suit: "clubs" as const, scores: [1, 2] };
  const hearts = { owner: "Ann", suit: "hearts" as const, scores: [3] };
  const ours = pack.enumeration("Suit", ["clubs"]);
  const Ours = pack.struct("Hand", { kept: pack.list(pack.ref(pack.struct("Card", { suit: ours, owner: pack.string }))), last: pack.string });
  const good = writer.encode({ skipped: [hearts, clubs], kept: [clubs, clubs], last: "Bob" });
  const bad = writer.encode({ skipped: [clubs, hearts], kept: [clubs, hearts], last: "Bob" });
  for (const evaluate of [true, false]) {
    const decoder = pack.codec(Ours, { eval: evaluate }).resolve(writer.schema);
    const decoded = decoder.decode(good);
    assert.deepEqual(decoded, { kept: [{ suit: "clubs", owner: "Ann" }, { suit: "clubs", owner: "Ann" }], last: "Bob" });
    assert.equal(decoded.kept[0], decoded.kept[1]);
    assert.throws(() => decoder.decode(bad), { code: "schema_mismatch", at: 17, path: "$.kept[1].suit" });
  }
});

test("a bigint takes the fewest bytes that hold it", () => {
  const codec = pack.codec(pack.bigint, { check: false });
  for (let bits = 0n; bits < 80n; bits++) {
    for (const value of [(1n << bits) - 1n, 1n << bits, -(1n << bits) - 1n, -(1n << bits), 1n - (1n << bits)]) {
      let length = 0;
      while (BigInt.asIntN(8 * length, value) !== value) length++;
      const bytes = codec.encode(value);
      const digits = length === 0 ? "" : BigInt.asUintN(8 * length, value).toString(16).padStart(2 * length, "0");
      assert.equal(Buffer.from(bytes).toString("hex"), `80${length.toString(16).padStart(2, "0")}${digits}`);
      assert.equal(codec.decode(bytes), value);
    }
  }
});
