/** Messages of several versions of a type, by stores of schemas. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";

const Old = pack.struct("Book", { name: pack.string, year: pack.i32 });
const Book = pack.struct("Book", { year: pack.i64, name: pack.string, author: pack.option(pack.string) });
const Film = pack.struct("Film", { name: pack.string });

test("reads what an older version wrote", () => {
  const store = new pack.MemorySchemas();
  const [old, current] = [new pack.VersionedCodec(Old, store), new pack.VersionedCodec(Book, store)];
  const message = old.encode({ name: "Carrie", year: 1974 });
  assert.deepEqual(current.decode(message), { year: 1974n, name: "Carrie", author: null });
  assert.equal(current.decoderFor(message), current.decoderFor(message));
  const own = { year: 1981n, name: "Cujo", author: "Stephen King" };
  assert.deepEqual(current.decode(current.encode(own)), own);
  assert.equal(store.get(current.schema.digest), current.schema.text);
});

test("refuses messages whose schema is unknown, and schemas that do not resolve", () => {
  const store = new pack.MemorySchemas();
  const books = new pack.VersionedCodec(Book, store);
  const unknown = pack.codec(Old, { digest: true }).encode({ name: "Carrie", year: 1974 });
  assert.throws(() => books.decode(unknown), { code: "schema_mismatch", at: 1, message: new RegExp(new pack.Schema(Old).digest) });
  const without = pack.codec(Book).encode({ year: 1n, name: "a", author: null });
  assert.throws(() => books.decode(without), { code: "schema_mismatch", at: 0 });
  const film = new pack.VersionedCodec(Film, store).encode({ name: "It" });
  assert.throws(() => books.decode(film), { code: "schema_mismatch", path: "$" });
});

test("checks what a store returns", () => {
  const message = pack.codec(Old, { digest: true }).encode({ name: "Carrie", year: 1974 });
  for (const text of ["i32", `${new pack.Schema(Old).text} `, "struct {"]) {
    const books = new pack.VersionedCodec(Book, { get: () => text, put: () => undefined });
    assert.throws(() => books.decode(message), { code: "malformed" });
  }
});

test("keeps at most 256 decoders", () => {
  const schemas = Array.from({ length: 300 }, (_, i) => pack.Schema.parse(`struct Film { name: string, x${i}: bool }`));
  const films = new pack.VersionedCodec(Film, new pack.MemorySchemas(...schemas));
  const head = ({ digest }: pack.Schema): Uint8Array => Uint8Array.from(Buffer.from(`90${digest}`, "hex"));
  const decoders = schemas.map((schema) => films.decoderFor(head(schema)));
  assert.equal(films.decoderFor(head(schemas[299]!)), decoders[299]);
  assert.notEqual(films.decoderFor(head(schemas[0]!)), decoders[0]);
});
