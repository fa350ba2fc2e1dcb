/** Messages as columns (spec/tables.md): the values and errors of `decode`, without an object for each row. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as pack from "../../src/pack/index.js";
import { nested } from "./arbitrary.js";
import { Random, allCases, mutate } from "./corpus.js";
import { fromHex } from "./notation.js";
import { outcome, tableOf, tables } from "./table-messages.js";

/** Every third case of the vectors is a table's: two codecs are made for each. */
const STEP = 3;
const PROFILES = ["compact", "fast"] as const;
const Point = pack.struct("Point", { x: pack.i32, y: pack.option(pack.f64) });

/** The columns of rows, once from rows and once from columns of the format. */
function both<D extends pack.Type<object[]>>(type: D, rows: pack.Infer<D>): pack.Columns<pack.Infer<D>[number]>[] {
  return PROFILES.map((profile) => {
    const codec = pack.tableCodec(type, { profile });
    return codec.columns(codec.encode(rows));
  });
}

/** 100 rows of these in turn. */
function hundred<T>(...rows: T[]): T[] {
  return Array.from({ length: 100 }, (_, i) => rows[i % rows.length]!);
}

interface Tables {
  codec: pack.TableCodec<{ v: unknown }>;
  messages: Uint8Array[];
}

/** Tables whose rows hold the value of a case; none of one that has no value, or may not stand in a field. */
function tablesOf(schema: string, hex: string, counts: readonly number[], limits: Partial<pack.Limits> = {}): Tables[] {
  try {
    const type = pack.parse(schema);
    const value = pack.codec(type, { eval: false }).decode(fromHex(hex));
    return [{ codec: tableOf(type, { limits }), messages: tables(type, [value], counts) }];
  } catch (error) {
    if (error instanceof pack.SamewireError) return [];
    throw error;
  }
}

test("columns have the values of decode: values of the vectors, in rows and in columns", () => {
  let read = 0;
  for (const [i, { schema, hex, kind }] of allCases().entries()) {
    if (i % STEP !== 0 || kind === "rejected" || typeof hex !== "string" || hex.length > 2_000) continue;
    for (const { codec, messages } of tablesOf(schema, hex, [2, 64])) {
      for (const message of messages) assert.deepEqual(codec.columns(message).toArray(), codec.decode(message), schema);
      read++;
    }
  }
  assert.ok(read > 200, String(read));
});

test("columns of random rows have the values of decode", () => {
  const rows = nested.chain(({ type, values }) =>
    fc.tuple(fc.constant(type), fc.array(values, { minLength: 1, maxLength: 5 })),
  );
  fc.assert(
    fc.property(rows, ([type, values]) => {
      const codec = tableOf(type);
      for (const message of tables(type, values, [values.length, 64])) {
        const columns = codec.columns(message);
        const decoded = codec.decode(message);
        assert.deepEqual(columns.toArray(), decoded);
        decoded.forEach((row, i) => { assert.deepEqual(columns.column("v").get(i), row.v); });
      }
    }),
    { numRuns: 60 },
  );
});

test("refuses every message that the vectors reject as decode does", () => {
  let refused = 0;
  for (const { schema, hex, kind, limits } of allCases()) {
    if (kind !== "rejected" || typeof hex !== "string" || limits !== undefined) continue;
    const type = pack.parse(schema);
    if (outcome(() => pack.tableCodec(type as pack.Type<object[]>)) === "unsupported undefined $") continue;
    const codec = pack.tableCodec(type as pack.Type<object[]>);
    const bytes = fromHex(hex);
    const expected = outcome(() => codec.decode(bytes));
    assert.equal(typeof expected, "string", schema);
    assert.equal(outcome(() => codec.columns(bytes)), expected, `${schema} ${hex}`);
    refused++;
  }
  assert.ok(refused > 30, String(refused));
});

test("accepts and refuses changed messages as decode does, with the same code, offset and path", () => {
  const random = new Random(7);
  const targets = allCases().flatMap(({ schema, hex, kind }, i) => {
    if (i % (2 * STEP) !== 0 || kind !== "canonical" || hex.length > 200) return [];
    return tablesOf(schema, hex, [2, 64], { items: 10_000, cells: 20_000 });
  });
  const outcomes = { accepted: 0, refused: 0 };
  for (let i = 0; i < 4_000; i++) {
    const { codec, messages } = random.pick(targets);
    const bytes = mutate(random, random.pick(messages), random.pick(random.pick(targets).messages));
    const expected = outcome(() => codec.decode(bytes));
    const what = `${codec.schema.text} ${Buffer.from(bytes).toString("hex")}`;
    const found = outcome(() => codec.columns(bytes).toArray());
    // The nulls of structs take more room in columns.
    if (typeof found !== "string" || !found.startsWith("limit_items ")) assert.deepEqual(found, expected, what);
    outcomes[typeof expected === "string" ? "refused" : "accepted"]++;
  }
  assert.ok(outcomes.accepted > 100 && outcomes.refused > 500, JSON.stringify(outcomes));
});

test("refuses a message of another schema, and one without the digest that is required", () => {
  const codec = pack.tableCodec(pack.list(Point), { requireDigest: true });
  const other = pack.codec(pack.list(pack.struct("Point", { x: pack.u32 })), { digest: true });
  assert.throws(() => codec.columns(other.encode([{ x: 1 }])), { code: "schema_mismatch", at: 1 });
  assert.throws(() => codec.columns(codec.encode([{ x: 1, y: null }])), { code: "schema_mismatch", at: 0 });
  assert.throws(() => codec.columns("text" as never), { code: "misuse" });
  const checked = pack.tableCodec(pack.list(Point));
  const unlike = pack.codec(pack.list(pack.struct("Point", { x: pack.u32 }))).encode([]);
  assert.throws(() => checked.columns(unlike), { code: "schema_mismatch", at: 1 });
  const digest = pack.tableCodec(pack.list(Point), { requireDigest: true, digest: true });
  assert.equal(digest.columns(digest.encode([{ x: 1, y: null }])).length, 1);
});

test("a null number is 0, NaN for floats, and its validity 0", () => {
  const Row = pack.struct("Row", {
    i: pack.option(pack.i16), b: pack.option(pack.u64), f: pack.option(pack.f64), t: pack.option(pack.bool),
    d: pack.option(pack.jsDate),
  });
  const nulls = { i: null, b: null, f: null, t: null, d: null };
  const rows = hundred<pack.Infer<typeof Row>>({ i: 5, b: 1n << 63n, f: 0.5, t: true, d: new Date(5) }, nulls);
  for (const columns of both(pack.list(Row), rows)) {
    const validity = Uint8Array.from(hundred(1, 0));
    assert.deepEqual(columns.column("i", "i16").values, Int16Array.from(hundred(5, 0)));
    assert.deepEqual(columns.column("i").validity, validity);
    assert.deepEqual(columns.column("b", "u64").values, BigUint64Array.from(hundred(1n << 63n, 0n)));
    assert.deepEqual(columns.column("f", "f64").values, Float64Array.from(hundred(0.5, NaN)));
    assert.deepEqual(columns.column("t", "bool").values, Uint8Array.from(hundred(1, 0)));
    assert.deepEqual(columns.column("d", "jsDate").values, Float64Array.from(hundred(5, NaN)));
    assert.deepEqual(columns.column("d").validity, validity);
    assert.deepEqual(columns.toArray(), rows);
  }
});

test("a column of floats keeps the bits of a NaN", () => {
  const Row = pack.struct("Row", { f: pack.f32, d: pack.f64 });
  const codec = pack.tableCodec(pack.list(Row));
  const rows = Array.from({ length: 100 }, (_, i) => ({ f: i / 3, d: Math.sqrt(i + 2) * 1e-9 }));
  const message = codec.encode(rows).slice();
  const single = new Uint8Array(Float32Array.of(rows[99]!.f).buffer);
  const double = new Uint8Array(Float64Array.of(rows[99]!.d).buffer);
  const text = Buffer.from(message);
  message.set([1, 2, 0x83, 0xff], text.indexOf(single));
  message.set([1, 2, 3, 4, 5, 6, 0xf7, 0xff], text.indexOf(double));
  const columns = codec.columns(message);
  assert.equal(new Uint32Array(columns.column("f", "f32").values.slice(99).buffer)[0], 0xff830201);
  assert.equal(new BigUint64Array(columns.column("d", "f64").values.slice(99).buffer)[0], 0xfff7060504030201n);
});

test("texts of a dictionary have codes, other texts are values", () => {
  const Color = pack.enumeration("Color", ["red", "green"]);
  const Row = pack.struct("Row", {
    side: pack.string, id: pack.string, note: pack.option(pack.string), color: pack.option(Color),
  });
  const odd = <T>(i: number, value: T): T | null => (i % 2 === 0 ? null : value);
  const rows = hundred("buy", "sell").map((side, i) => (
    { side, id: `id${i}`, note: odd(i, side), color: odd(i, "red" as const) }
  ));
  const [compact, fast] = both(pack.list(Row), rows);
  const side = compact!.column("side", "string");
  assert.deepEqual(side.values, ["buy", "sell"]);
  assert.deepEqual(side.codes, Int32Array.from(hundred(0, 1)));
  const note = compact!.column("note", "string");
  assert.deepEqual([note.values, note.codes], [["sell"], Int32Array.from(hundred(-1, 0))]);
  assert.equal(compact!.column("id", "string").codes, undefined);
  assert.deepEqual(fast!.column("side", "string").values, hundred("buy", "sell"));
  assert.equal(fast!.column("side", "string").codes, undefined);
  for (const columns of [compact!, fast!]) {
    const { symbols, codes } = columns.column("color", "enum");
    assert.deepEqual([symbols, codes], [["green", "red"], Int32Array.from(hundred(-1, 1))]);
    assert.equal(columns.column("side").get(3), "sell");
    assert.deepEqual(columns.toArray(), rows);
  }
});

test("instants are numbers of the coarsest unit that is exact for all", () => {
  const Row = pack.struct("Row", { t: pack.timestamp, d: pack.option(pack.duration) });
  const second = 1_000_000_000n;
  const far = 253_402_300_799n * second;
  const cases: [bigint[], pack.TimeUnit, bigint[]][] = [
    [[0n, -second], "s", [0n, -1n]],
    [[second, second / 2n], "ms", [1_000n, 500n]],
    [[-1_000n, second], "us", [-1n, 1_000_000n]],
    [[1n, -1n], "ns", [1n, -1n]],
    [[far, second / 4n], "ms", [253_402_300_799_000n, 250n]],
    [[far + 1n, -1n], "s", [253_402_300_799n, -1n]],
  ];
  for (const [times, unit, values] of cases) {
    const rows = hundred(...times).map((t) => ({ t, d: t === times[0] ? null : t }));
    for (const columns of both(pack.list(Row), rows)) {
      const column = columns.column("t", "timestamp");
      assert.equal(column.unit, unit);
      assert.deepEqual(column.values, BigInt64Array.from(hundred(...values)));
      assert.equal(column.nanoseconds === undefined, times[0] !== far + 1n);
      const milliseconds = hundred(...times).map((time) => Number(time / 1_000_000n) + Number(time % 1_000_000n) / 1e6);
      assert.deepEqual(column.toMilliseconds(), Float64Array.from(milliseconds));
      assert.ok(Number.isNaN(columns.column("d", "duration").toMilliseconds()[0]));
      assert.deepEqual(columns.toArray(), rows);
    }
  }
});

test("instants of several columns of the format come together", () => {
  const Inner = pack.struct("Inner", { t: pack.timestamp });
  const codec = pack.tableCodec(pack.list(pack.struct("Row", { list: pack.list(Inner) })));
  for (const [one, two] of [[1_000_000_000n, 1n], [1n, 1_000_000n], [5n, 5n], [1n << 67n, 1n]] as const) {
    const rows = [one, two, one].map((t) => ({ list: Array.from({ length: 64 }, () => ({ t })) }));
    rows.push({ list: [{ t: two }] });
    const columns = codec.columns(codec.encode(rows));
    assert.equal((columns.column("list", "list").child as pack.StructColumn).length, 193);
    assert.deepEqual(columns.toArray(), rows);
  }
});

test("dictionaries of several columns of the format come together with rows", () => {
  const Inner = pack.struct("Inner", { s: pack.string, o: pack.option(pack.string) });
  const codec = pack.tableCodec(pack.list(pack.struct("Row", { list: pack.list(Inner) })));
  const texts = (length: number, text: (i: number) => string): string[] => Array.from({ length }, (_, i) => text(i));
  const lists = [["a"], texts(70, (i) => `x${i % 3}`), texts(70, (i) => `y${i}`), ["z", "x0"], texts(64, () => "x1")];
  const rows = lists.map((list) => ({ list: list.map((s, i) => ({ s, o: i % 2 === 0 ? null : s })) }));
  for (const turned of [rows, [...rows].reverse()]) {
    assert.deepEqual(codec.columns(codec.encode(turned)).toArray(), turned);
  }
});

test("nested structs, lists and maps are columns of columns", () => {
  const Row = pack.struct("Row", {
    at: Point, maybe: pack.option(Point), pair: pack.tuple(pack.i8, pack.string),
    runs: pack.option(pack.array(pack.f64)), by: pack.map(pack.string, pack.u8),
    raw: pack.bytes, id: pack.uuid, price: pack.decimal,
  });
  const row = {
    at: { x: 1, y: 2 }, maybe: { x: 3, y: null }, pair: [4, "p"] as [number, string],
    runs: Float64Array.of(5, 6), by: new Map([["k", 7], ["l", 8]]),
    raw: Uint8Array.of(9), id: "00112233-4455-6677-8899-aabbccddeeff", price: new pack.Decimal(1250n, 2),
  };
  const rows = hundred<pack.Infer<typeof Row>>(row, { ...row, maybe: null, runs: null, by: new Map() });
  for (const columns of both(pack.list(Row), rows)) {
    const at = columns.column("at", "struct");
    assert.deepEqual(at.column("x", "i32").values, new Int32Array(100).fill(1));
    const maybe = columns.column("maybe", "struct");
    assert.deepEqual([maybe.validity, maybe.length], [Uint8Array.from(hundred(1, 0)), 100]);
    assert.deepEqual(maybe.column("x", "i32").values, Int32Array.from(hundred(3, 0)));
    const runs = columns.column("runs", "list");
    assert.deepEqual(runs.offsets, Int32Array.from({ length: 101 }, (_, i) => 2 * Math.ceil(i / 2)));
    assert.equal(runs.child.length, 100);
    const by = columns.column("by", "map");
    assert.deepEqual([by.keys.get(1), by.values.get(1), by.offsets[2]], ["l", 8, 2]);
    assert.deepEqual(columns.column("raw", "bytes").data, new Uint8Array(100).fill(9));
    assert.equal(columns.column("id", "uuid").data.length, 1_600);
    assert.deepEqual(columns.column("price", "decimal").unscaled[99], 1250n);
    assert.deepEqual(columns.column("pair", "tuple").columns[0]!.toArray(), new Array(100).fill(4));
    assert.deepEqual(columns.toArray(), rows);
  }
});

test("columns hold what is written: the functions of as() are not called", () => {
  const Link = pack.string.as((link: URL) => link.href, () => { throw new Error("called"); });
  const codec = pack.tableCodec(pack.list(pack.struct("Row", { link: Link, n: pack.i64AsNumber })));
  const message = codec.encode([{ link: new URL("https://example.org/"), n: 5 }]);
  assert.deepEqual(codec.columns(message).toArray(), [{ link: "https://example.org/", n: 5n }]);
  assert.deepEqual(codec.columns(message).column("n", "i64").values, BigInt64Array.of(5n));
});

test("an instant finer than a Date is refused, or cut, as by decode", () => {
  const rows = hundred({ t: 1_500_000_000n }, { t: 1n });
  const Fine = pack.list(pack.struct("Row", { t: pack.timestamp }));
  const Dates = pack.list(pack.struct("Row", { t: pack.jsDate }));
  for (const profile of PROFILES) {
    const message = pack.codec(Fine, { profile }).encode(rows);
    const codec = pack.tableCodec(Dates);
    assert.equal(outcome(() => codec.columns(message)), outcome(() => codec.decode(message)));
    assert.throws(() => codec.columns(message), { code: "type_mismatch" });
    const cut = pack.tableCodec(Dates, { times: "truncate" });
    assert.deepEqual(cut.columns(message).column("t", "jsDate").values, Float64Array.from(hundred(1_500, 0)));
  }
});

test("columns share nothing with the message, also with the option views", () => {
  const Row = pack.struct("Row", { b: pack.bytes, n: pack.array(pack.f64) });
  for (const profile of PROFILES) {
    const codec = pack.tableCodec(pack.list(Row), { views: true, profile });
    const rows = hundred({ b: Uint8Array.of(1, 2), n: Float64Array.from({ length: 16 }, (_, i) => i) });
    const message = codec.encode(rows).slice();
    const columns = codec.columns(message);
    message.fill(0);
    assert.deepEqual(columns.toArray(), rows);
  }
});

test("nulls of structs have the room that the limit cells allow, and no more", () => {
  const Wide = pack.struct("Wide", Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, pack.i32])));
  const type = pack.list(pack.struct("Row", { wide: pack.option(Wide) }));
  const rows = Array.from({ length: 2_000 }, () => ({ wide: null }));
  for (const profile of PROFILES) {
    const message = pack.codec(type, { profile }).encode(rows);
    const codec = pack.tableCodec(type, { limits: { cells: 100_000 } });
    assert.equal(codec.decode(message).length, 2_000);
    assert.throws(() => codec.columns(message), { code: "limit_items", path: "$[].wide" });
    assert.equal(pack.tableCodec(type).columns(message).length, 2_000);
  }
});

test("refuses types that are not a table", () => {
  interface Tree { kids: Tree[] }
  const Tree: pack.Type<Tree> = pack.struct("Tree", { kids: pack.list(pack.recursive(() => Tree)) });
  const lists = [pack.list(pack.i32), pack.list(Tree), pack.list(pack.tuple(pack.i8))];
  for (const type of [pack.i32, pack.set(pack.string), Point, ...lists] as pack.Type[]) {
    assert.throws(() => pack.tableCodec(type as pack.Type<object[]>), { code: "unsupported", path: "$" });
  }
  let type: pack.Type = Point;
  for (let i = 0; i < 40; i++) type = pack.struct(`S${i}`, { a: type, b: type });
  assert.throws(() => pack.tableCodec(pack.list(type) as pack.Type<object[]>), { code: "unsupported" });
});

test("says what column there is not", () => {
  const codec = pack.tableCodec(pack.list(Point));
  const columns = codec.columns(codec.encode([{ x: 1, y: 2 }]));
  assert.throws(() => columns.column("z" as "x"), { code: "misuse", message: /x, y/ });
  assert.throws(() => columns.column("x", "f64"), { code: "misuse", message: /"i32"/ });
  assert.throws(() => columns.get(1), { code: "misuse" });
  assert.throws(() => columns.column("x").get(-1), { code: "misuse" });
  assert.throws(() => columns.column("x").get(0.5), { code: "misuse" });
});

test("a field called __proto__ is a column like any other", () => {
  const codec = pack.tableCodec(pack.list(pack.struct("Row", { ["__proto__"]: pack.i8 })));
  const rows = [JSON.parse('{"__proto__": 5}') as { ["__proto__"]: number }];
  const columns = codec.columns(codec.encode(rows));
  assert.deepEqual(columns.toArray(), rows);
});
