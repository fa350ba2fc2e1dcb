/** The option `complete`: a file that was cut off is noticed, also between two blocks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../src/core/limits.js";
import * as pack from "../../src/pack/index.js";
import { BlockScanner } from "../../src/pack/records/blocks.js";

const Book = pack.struct("Book", { name: pack.string, year: pack.i32 });
type Book = pack.Infer<typeof Book>;
const codec = pack.codec(Book);
const BOOKS: Book[] = Array.from({ length: 12 }, (_, place) => ({ name: `book ${place}`, year: 1900 + place }));

interface Result {
  readonly books: Book[];
  readonly error: pack.SamewireError | undefined;
}

/** Adds records to a file, two in a block, and closes it. */
async function appended(before: Uint8Array, books: readonly Book[]): Promise<Uint8Array> {
  const file = before.length === 0 ? undefined : await pack.RecordFile.open(new Blob([before as BlobPart]), codec);
  const encoder = file === undefined ? new pack.RecordEncoder(codec) : file.append(codec);
  const parts = [before];
  for (const [place, book] of books.entries()) {
    parts.push(encoder.write(book));
    if (place % 2 === 1) parts.push(encoder.flush());
  }
  parts.push(encoder.end());
  return new Uint8Array(Buffer.concat(parts));
}

/** Where each block ends, the schema's first. */
function endsOf(data: Uint8Array): number[] {
  const scanner = new BlockScanner(limits());
  scanner.feed(data);
  const ends: number[] = [];
  for (let block = scanner.next(); block !== undefined; block = scanner.next()) ends.push(block.end);
  return ends;
}

async function taken(records: AsyncIterable<Book>): Promise<Result> {
  const books: Book[] = [];
  try {
    for await (const book of records) books.push(book);
  } catch (error) {
    if (error instanceof pack.SamewireError) return { books, error };
    throw error;
  }
  return { books, error: undefined };
}

function read(data: Uint8Array, options: pack.RecordReaderOptions = { complete: true }): Promise<Result> {
  return taken(pack.readRecords([data], codec, options));
}

async function sought(data: Uint8Array, from = 0): Promise<Result> {
  const file = await pack.RecordFile.open(new Blob([data as BlobPart]), codec, { complete: true });
  return taken(file.records(from));
}

function assertTruncated(found: Result, books: readonly Book[], at: number): void {
  assert.deepEqual(found.books, books);
  assert.deepEqual([found.error?.code, found.error?.at, found.error?.path], ["truncated", at, undefined]);
}

test("a whole file is complete", async () => {
  const data = await appended(new Uint8Array(0), BOOKS);
  const empty = await appended(new Uint8Array(0), []);
  const more = await appended(data, BOOKS);
  for (const [file, books] of [[data, BOOKS], [empty, []], [more, [...BOOKS, ...BOOKS]]] as const) {
    assert.deepEqual(await read(file), { books, error: undefined });
    for (const from of [0, books.length]) assert.deepEqual(await sought(file, from), { books: books.slice(from), error: undefined });
  }
});

test("a file cut at a block's end is truncated behind its records", async () => {
  const data = await appended(new Uint8Array(0), BOOKS);
  for (const [blocks, end] of endsOf(data).slice(0, -1).entries()) {
    const cut = data.subarray(0, end);
    const books = BOOKS.slice(0, 2 * blocks);
    assert.deepEqual(await read(cut, {}), { books, error: undefined });
    const found = await read(cut);
    assertTruncated(found, books, end);
    assert.match(found.error!.message, /expected an index as the last block/);
    assertTruncated(await sought(cut), books, end);
    assertTruncated(await sought(cut, books.length), [], end);
  }
});

test("a file cut at any byte of its last two blocks is truncated", async () => {
  const data = await appended(new Uint8Array(0), BOOKS);
  const [before, last] = endsOf(data).slice(-3);
  for (let cut = before! + 1; cut < data.length; cut++) {
    const books = cut < last! ? BOOKS.slice(0, 10) : BOOKS;
    assertTruncated(await read(data.subarray(0, cut)), books, cut);
    assertTruncated(await sought(data.subarray(0, cut)), books, cut);
  }
});

test("a file that was appended to needs the index at its end", async () => {
  const data = await appended(new Uint8Array(0), BOOKS);
  const more = await appended(data, BOOKS.slice(0, 4));
  for (const end of endsOf(more).filter((end) => end > data.length && end < more.length)) {
    const found = await read(more.subarray(0, end));
    assertTruncated(found, found.books, end);
  }
});

test("a decoder throws the same again, and refuses complete with growing", async () => {
  const data = await appended(new Uint8Array(0), BOOKS);
  const decoder = new pack.RecordDecoder(codec, { complete: true });
  decoder.feed(data.subarray(0, endsOf(data)[1]));
  assert.ok(decoder.ready());
  decoder.end();
  assert.equal(decoder.take().name, "book 0");
  assert.equal(decoder.take().name, "book 1");
  for (let i = 0; i < 2; i++) assert.throws(() => decoder.ready(), { code: "truncated" });
  assert.throws(() => new pack.RecordDecoder(codec, { complete: true, growing: true }), { code: "misuse" });
});
