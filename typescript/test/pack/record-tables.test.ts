/** Record files as tables, and columns of messages that another schema wrote (spec/tables.md, section 6). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as pack from "../../src/pack/index.js";
import { Kind, MAGIC, block, varint } from "../../src/pack/records/blocks.js";
import { nested } from "./arbitrary.js";

const Order = pack.struct("Order", {
  id: pack.i64,
  side: pack.enumeration("Side", ["buy", "sell"]),
  price: pack.option(pack.f64),
  at: pack.timestamp,
  tags: pack.list(pack.string),
  from: pack.option(pack.struct("Place", { x: pack.i32, y: pack.i32 })),
});
type Order = pack.Infer<typeof Order>;
const codec = pack.codec(Order);

function orders(count: number): Order[] {
  return Array.from({ length: count }, (_, i) => ({
    id: BigInt(i),
    side: i % 3 === 0 ? "buy" : "sell",
    price: i % 5 === 0 ? null : i / 4,
    at: BigInt(i) * 1_000_000n,
    tags: i % 2 === 0 ? [] : [`tag ${i}`, ""],
    from: i % 7 === 0 ? { x: i, y: 0 - i } : null,
  }));
}

async function fileOf<T>(records: readonly T[], of: pack.Codec<T>, options?: pack.RecordWriterOptions): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of pack.writeRecords(records, of, options)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

async function tablesOf(chunks: Iterable<Uint8Array>, options?: pack.RecordTablesOptions): Promise<pack.Columns<Order>[]> {
  const tables: pack.Columns<Order>[] = [];
  for await (const table of pack.readTables<Order>(chunks, options)) tables.push(table);
  return tables;
}

const rowsOf = (tables: readonly pack.Columns<Order>[]): unknown[] => tables.flatMap((table) => table.toArray());
const lengths = (tables: readonly pack.Columns<Order>[]): number[] => tables.map((table) => table.length);

test("tables hold the records of a file, for all sizes of blocks, chunks and tables", async () => {
  const records = orders(1_000);
  for (const blockBytes of [1, 500, 1 << 20]) {
    const file = await fileOf(records, codec, { blockBytes });
    for (const [rows, size] of [[65_536, file.length], [300, 977], [1_000, 64], [999, file.length]] as const) {
      const tables = await tablesOf(cut(file, size), { rows });
      assert.deepEqual(rowsOf(tables), records);
      assert.deepEqual(lengths(tables), rows === 300 ? [300, 300, 300, 100] : rows === 999 ? [999, 1] : [1_000]);
    }
  }
  const [table] = await tablesOf([await fileOf(records, codec)]);
  const price = table!.column("price", "f64");
  assert.equal(price.values[6], 1.5);
  assert.equal(price.validity![5], 0);
  assert.equal(table!.column("at", "timestamp").unit, "ms");
  assert.deepEqual(await tablesOf([await fileOf<Order>([], codec)]), []);
});

test("tables of random records have the values of readRecords", async () => {
  const rows = nested.chain(({ type, values }) => fc.tuple(fc.constant(type), fc.array(values, { minLength: 1, maxLength: 8 })));
  await fc.assert(
    fc.asyncProperty(rows, async ([type, values]) => {
      const own = pack.codec(pack.struct("Row", { v: type }));
      const file = await fileOf(values.map((v) => ({ v }) as never), own, { blockBytes: 40 });
      const records: unknown[] = [];
      for await (const record of pack.readRecords([file])) records.push(record);
      const found: unknown[] = [];
      for await (const table of pack.readTables([file], { rows: 3 })) found.push(...table.toArray());
      assert.deepEqual(found, records);
    }),
    { numRuns: 60 },
  );
});

test("a table ends early where its records, or what nulls take, have the size of a message", async () => {
  const file = await fileOf(orders(100), codec);
  const bytes = await tablesOf([file], { limits: { bufferedBytes: file.length } });
  assert.deepEqual(lengths(bytes), [100]);
  const cells = await tablesOf([file], { limits: { cells: 200 } });
  assert.ok(cells.length > 5 && cells.length < 100, String(cells.length));
  assert.deepEqual(rowsOf(cells), orders(100));
  const Wide = pack.struct("Wide", Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`c${i}`, pack.i32])));
  const wide = pack.codec(pack.struct("Row", { wide: pack.option(Wide) }));
  const nulls = await fileOf(Array.from({ length: 100 }, () => ({ wide: null })), wide);
  const tables = await tablesOf([nulls], { limits: { cells: 1_000 } });
  assert.equal(tables.reduce((sum, table) => sum + table.length, 0), 100);
  assert.ok(tables.every((table) => table.length <= 4), String(lengths(tables)));
  await assert.rejects(tablesOf([nulls], { limits: { cells: 100 } }), { code: "limit_items" });
});

test("a broken file gives the table of the records before, then its error, again and again", async () => {
  const file = await fileOf(orders(500), codec, { blockBytes: 1_000 });
  const tables = new pack.RecordTables<Order>();
  tables.feed(file.subarray(0, file.length / 2));
  assert.equal(tables.ready(), false);
  tables.end();
  assert.ok(tables.ready());
  const { length } = tables.take();
  assert.ok(length > 100 && length < 400, String(length));
  for (let i = 0; i < 2; i++) assert.throws(() => tables.ready(), { code: "truncated" });
  assert.throws(() => tables.take(), { code: "misuse" });
  assert.equal(tables.schema?.text, codec.schema.text);
  const growing = await tablesOf([file.subarray(0, file.length / 2)], { growing: true });
  assert.deepEqual(lengths(growing), [length]);
});

test("a broken record costs its table, and is read past", () => {
  const [good, frame] = [codec.encode(orders(1)[0]!), (message: Uint8Array): number[] => [...varint(message.length), ...message]];
  const tables = new pack.RecordTables<Order>({ rows: 2 });
  tables.feed(MAGIC);
  tables.feed(block(Kind.SCHEMA, new TextEncoder().encode(codec.schema.text)));
  tables.feed(block(Kind.RECORDS, [6], frame(good), frame(good), frame(good), frame(good.subarray(0, good.length - 1)), frame(good), frame(good)));
  tables.end();
  assert.ok(tables.ready());
  assert.equal(tables.take().length, 2);
  assert.throws(() => tables.ready(), { code: "truncated", message: /record 3: / });
  assert.ok(tables.ready());
  assert.deepEqual(tables.take().toArray(), [orders(1)[0], orders(1)[0]]);
  assert.equal(tables.ready(), false);
});

test("records that are not rows and invalid options are refused", async () => {
  const Tree: pack.Type = pack.struct("Tree", { kids: pack.list(pack.recursive(() => Tree)) });
  for (const [type, value] of [[pack.i32, 5], [pack.list(Order), orders(1)], [Tree, { kids: [] }]] as const) {
    const file = await fileOf([value as never], pack.codec(type as pack.Type<never>));
    await assert.rejects(tablesOf([file]), { code: "unsupported", path: "$" });
  }
  for (const rows of [0, -1, 1.5, Number.NaN]) assert.throws(() => new pack.RecordTables({ rows }), { code: "misuse" });
  assert.throws(() => new pack.RecordTables({ growing: true, complete: true }), { code: "misuse" });
  assert.throws(() => { new pack.RecordTables().feed("x" as never); }, { code: "misuse" });
});

test("a resolved decoder of tables has the columns of the writer's schema", () => {
  const Old = pack.struct("Order", { id: pack.i32, side: pack.string, note: pack.string });
  const New = pack.struct("Order", { id: pack.i64, side: pack.string, price: pack.field(pack.f64, { default: 1 }) });
  const written = [{ id: 1, side: "buy", note: "a" }, { id: -2, side: "sell", note: "" }];
  for (const profile of ["compact", "fast"] as const) {
    const old = pack.codec(pack.list(Old), { profile, digest: true });
    const many = Array.from({ length: 100 }, (_, i) => written[i % 2]!);
    const message = old.encode(many);
    for (const writer of [old.schema, old.schema.text]) {
      const decoder = pack.tableCodec(pack.list(New)).resolve(writer);
      assert.deepEqual(decoder.decode(message)[1], { id: -2n, side: "sell", price: 1 });
      const columns = decoder.columns(message);
      assert.deepEqual([...columns.columns.keys()], ["id", "side", "note"]);
      assert.equal(columns.column("id", "i32").values[1], -2);
      assert.deepEqual(columns.toArray(), many);
      assert.throws(() => decoder.columns(message.subarray(0, 20)), { code: "truncated", at: 20 });
    }
  }
  const other = pack.tableCodec(pack.list(New));
  assert.throws(() => other.columns(pack.codec(pack.list(Old), { digest: true }).encode(written)), { code: "schema_mismatch" });
});
