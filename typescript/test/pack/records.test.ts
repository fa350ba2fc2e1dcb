import assert from "node:assert/strict";
import { createReadStream, createWriteStream, mkdtempSync, openAsBlob, rmSync, truncateSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { after, test } from "node:test";
import * as zlib from "node:zlib";
import * as pack from "../../src/pack/index.js";
import { Kind, MAGIC, block, indexBody, indexOf, varint } from "../../src/pack/records/blocks.js";
import { crc32 } from "../../src/pack/records/crc32.js";

const Book = pack.struct("Book", { name: pack.string, year: pack.i32 });
type Book = pack.Infer<typeof Book>;
const codec = pack.codec(Book);
const folder = mkdtempSync(join(tmpdir(), "records-"));
after(() => { rmSync(folder, { recursive: true }); });

function books(count: number): Book[] {
  return Array.from({ length: count }, (_, place) => ({ name: `book ${place}`, year: 1900 + (place % 100) }));
}

async function all<T>(records: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const record of records) found.push(record);
  return found;
}

function codeOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof pack.SamewireError) return error.code;
    throw error;
  }
  return "none";
}

/** zstd of this Node, if it is new enough. */
function zstdOfNode(): pack.Zstd | undefined {
  const { zstdCompressSync, zstdDecompressSync } = zlib as unknown as Record<string, ((data: Uint8Array, options?: object) => Uint8Array) | undefined>;
  if (zstdCompressSync === undefined || zstdDecompressSync === undefined) return undefined;
  return { compress: zstdCompressSync, expand: (data, size) => zstdDecompressSync(data, { maxOutputLength: size }) };
}

test("the checksum is zlib's", () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
  assert.equal(crc32(new TextEncoder().encode("456789"), crc32(new TextEncoder().encode("123"))), 0xcbf43926);
});

test("a file is written and read by streams, sought, and appended to", async () => {
  const path = join(folder, "books.records");
  await pipeline(pack.writeRecords(books(5_000), codec, { blockBytes: 1_000 }), createWriteStream(path));
  assert.deepEqual(await all(pack.readRecords<Book>(createReadStream(path), codec)), books(5_000));
  const file = await pack.RecordFile.open(await openAsBlob(path), codec);
  assert.equal(file.count, 5_000);
  assert.ok(file.indexed);
  for (const from of [4_999, 2_500, 63, 0, 5_000]) {
    const first = await file.records(from).next();
    assert.deepEqual(first.value, books(5_000)[from]);
  }
  await assert.rejects(file.records(5_001).next(), { code: "misuse" });
  const encoder = file.append(codec);
  truncateSync(path, file.end);
  const handle = await open(path, "a");
  await handle.write(encoder.write({ name: "last", year: 1 }));
  await handle.write(encoder.end());
  await handle.close();
  assert.equal((await pack.RecordFile.open(await openAsBlob(path), codec)).count, 5_001);
});

test("without a codec records are as the file's schema has them", async () => {
  const chunks = await all(pack.writeRecords(books(2), codec));
  assert.deepEqual(await all(pack.readRecords(chunks)), books(2));
});

test("a record that cannot be encoded leaves the file as it was", () => {
  const encoder = new pack.RecordEncoder(codec);
  encoder.write({ name: "Carrie", year: 1974 });
  assert.equal(codeOf(() => encoder.write({ name: "Cujo", year: 2 ** 40 })), "type_mismatch");
  assert.equal(encoder.records, 1);
  encoder.write({ name: "Misery", year: 1987 });
  const decoder = new pack.RecordDecoder(codec);
  decoder.feed(encoder.end());
  assert.equal(codeOf(() => encoder.write({ name: "late", year: 1 })), "closed");
  assert.ok(decoder.ready());
  assert.equal(decoder.take().name, "Carrie");
  assert.ok(decoder.ready());
  assert.equal(decoder.take().name, "Misery");
  assert.ok(!decoder.ready());
  assert.equal(codeOf(() => decoder.take()), "misuse");
});

test("a broken record is named, and read past", () => {
  const good = codec.encode({ name: "Carrie", year: 1974 });
  const frame = (message: Uint8Array): number[] => [...varint(message.length), ...message];
  const decoder = new pack.RecordDecoder(codec);
  decoder.feed(MAGIC);
  decoder.feed(block(Kind.SCHEMA, new TextEncoder().encode(codec.schema.text)));
  decoder.feed(block(Kind.RECORDS, [3], frame(good), frame(Uint8Array.of(0x80)), frame(good)));
  const taken: string[] = [];
  while (decoder.ready()) {
    try {
      taken.push(decoder.take().name);
    } catch (error) {
      taken.push((error as Error).message.slice(0, 40));
    }
  }
  assert.equal(taken.length, 3);
  assert.deepEqual([taken[0], taken[2]], ["Carrie", "Carrie"]);
  assert.match(taken[1]!, /record 1/);
});

test("appending a type that differs is refused", async () => {
  const bytes = await all(pack.writeRecords(books(1), codec));
  const file = await pack.RecordFile.open(new Blob(bytes as BlobPart[]));
  const Film = pack.codec(pack.struct("Film", { name: pack.string, year: pack.i32 })) as pack.Codec<unknown>;
  assert.throws(() => file.append(Film), /struct Film here, struct Book there/);
});

test("an index that names another place is refused where it is used", async () => {
  const encoder = new pack.RecordEncoder(codec);
  const start = encoder.flush();
  encoder.write({ name: "Carrie", year: 1974 });
  const data = Buffer.concat([start, encoder.flush()]);
  const right = { start: start.length, count: 1 };
  for (const [place, code] of [[right, "none"], [{ ...right, count: 7 }, "malformed"], [{ ...right, start: right.start + 1 }, "unsupported"]] as const) {
    const index = new pack.RecordEncoder(codec, {}, { end: data.length, places: [place], indexed: false }).end();
    const file = await pack.RecordFile.open(new Blob([data, index] as BlobPart[]), codec);
    assert.equal(file.count, place.count);
    const found = await all(file.records()).then(() => "none", (error: unknown) => (error as pack.SamewireError).code);
    assert.equal(found, code);
  }
});

function startOfIndex(file: Buffer): number {
  return Number(file.readBigUInt64LE(file.length - 12));
}

test("an encoder makes nothing that its own limits refuse", async () => {
  const tight = pack.codec(Book, { limits: { bufferedBytes: 64 } });
  const encoder = new pack.RecordEncoder(tight, { blockBytes: 40 });
  const pieces = books(120).map((book) => encoder.write(book));
  assert.equal(codeOf(() => encoder.write({ name: "x".repeat(70), year: 1 })), "limit_size");
  assert.equal(encoder.records, 120);
  // An index of forty blocks would be larger than the limit: there is none.
  const made = Buffer.concat([...pieces, encoder.end()]);
  assert.deepEqual(await all(pack.readRecords([made], tight, { limits: { bufferedBytes: 64 } })), books(120));
  const file = await pack.RecordFile.open(new Blob([made] as BlobPart[]), tight, { limits: { bufferedBytes: 64 } });
  assert.deepEqual([file.count, file.indexed], [120, false]);
  assert.equal(codeOf(() => new pack.RecordEncoder(tight, { blockBytes: 60 })), "misuse");
});

test("an index names only blocks that can be there", () => {
  const index = (starts: readonly number[]): number => indexOf({ kind: Kind.INDEX, start: 100, bodyAt: 102, end: 200, body: indexBody(starts.map((start) => ({ start, count: 3 })), 100) }, 53).length;
  for (const starts of [[53, 62], [53, 91], []]) assert.equal(index(starts), starts.length);
  for (const starts of [[53, 61], [52, 62], [53, 92]]) assert.throws(() => index(starts), /that can be there/);
});

test("what is fed in place of an unfinished block is malformed", () => {
  const encoder = new pack.RecordEncoder(codec);
  const head = encoder.flush();
  for (const book of books(3)) encoder.write(book);
  const crashed = Buffer.concat([head, encoder.flush()]).subarray(0, head.length + 10);
  const decoder = new pack.RecordDecoder(codec, { growing: true });
  decoder.feed(crashed);
  decoder.end();
  assert.ok(!decoder.ready());
  const other = new pack.RecordEncoder(codec, {}, { end: head.length, places: [], indexed: false });
  other.write({ name: "Misery ".repeat(20), year: 1987 });
  decoder.feed(other.end().subarray(10));
  assert.equal(codeOf(() => decoder.ready()), "malformed");
});

test("a damaged size is not taken for an unfinished block", async () => {
  const bytesOf = async (count: number, blockBytes: number): Promise<Buffer> => Buffer.concat(await all(pack.writeRecords(books(count), codec, { blockBytes })));
  const head = startOfIndex(await bytesOf(0, 1));
  const whole = await bytesOf(60, 200);
  const many = await bytesOf(200, 40);
  const start = startOfIndex(many);
  for (const [data, at] of [[whole.subarray(0, startOfIndex(whole)), head], [Buffer.concat([many, many.subarray(head, start)]), start]] as const) {
    // One more bit in the size of a block that has others behind it.
    data[at + 2]! |= 0x40;
    const wrong = { code: "malformed", at: at + 1, message: /its size is damaged/ };
    await assert.rejects(all(pack.readRecords([data], codec)), wrong);
    await assert.rejects(all(pack.readRecords([data], codec, { growing: true })), wrong);
    await assert.rejects(pack.RecordFile.open(new Blob([data] as BlobPart[]), codec), wrong);
  }
});

test("the error for the zeros that a power cut leaves says so", async () => {
  const whole = Buffer.concat(await all(pack.writeRecords(books(3), codec)));
  const zeros = Buffer.concat([whole, new Uint8Array(4096)]);
  await assert.rejects(all(pack.readRecords([zeros], codec)), new RegExp(`power cut .* cut the file to ${whole.length} bytes`));
  const torn = Buffer.from(whole).fill(0, 80);
  await assert.rejects(all(pack.readRecords([torn], codec)), /the power may have failed/);
});

test("mutants end in coded errors", async () => {
  const whole = Buffer.concat(await all(pack.writeRecords(books(20), codec, { blockBytes: 30 })));
  let seed = 20;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  let refused = 0;
  for (let round = 0; round < 500; round++) {
    const mutant = Buffer.from(whole);
    for (let times = random(3); times >= 0; times--) mutant[random(mutant.length)] = random(256);
    const cut = mutant.subarray(0, random(4) === 0 ? random(mutant.length) : mutant.length);
    try {
      await all(pack.readRecords([cut], codec, { growing: random(2) === 0 }));
      await all((await pack.RecordFile.open(new Blob([cut] as BlobPart[]), codec)).records());
    } catch (error) {
      assert.ok(error instanceof pack.SamewireError, String(error));
      refused++;
    }
  }
  assert.ok(refused > 300, `${refused} refused`);
});

test("zstd blocks are smaller and read the same, and what lies about its size is refused", async (t) => {
  const zstd = zstdOfNode();
  if (zstd === undefined) {
    // Another compressor shows as well how blocks are packed; what is in them is the option's affair.
    t.diagnostic("this Node has no zstd: deflate stands in for it");
  }
  const packer = zstd ?? { compress: (data: Uint8Array) => zlib.deflateSync(data), expand: (data: Uint8Array, size: number) => zlib.inflateSync(data, { maxOutputLength: size }) };
  const plain = Buffer.concat(await all(pack.writeRecords(books(3_000), codec)));
  const packed = Buffer.concat(await all(pack.writeRecords(books(3_000), codec, { zstd: packer })));
  assert.ok(packed.length < plain.length / 2);
  assert.deepEqual(await all(pack.readRecords([packed], codec, { zstd: packer })), books(3_000));
  await assert.rejects(all(pack.readRecords([packed], codec)), { code: "unsupported" });
  const bomb = packer.compress(new Uint8Array(5_000_000));
  const start = [...MAGIC, ...block(Kind.SCHEMA, new TextEncoder().encode(codec.schema.text))];
  for (const [announced, data] of [[10, bomb], [6_000_000, bomb], [3, Uint8Array.of(1, 2, 3)]] as const) {
    const file = Uint8Array.from([...start, ...block(Kind.ZSTD, [1], varint(announced), data)]);
    await assert.rejects(all(pack.readRecords([file], codec, { zstd: packer })), { code: "malformed" });
  }
  const file = Uint8Array.from([...start, ...block(Kind.ZSTD, [1], varint(2_000), bomb)]);
  await assert.rejects(all(pack.readRecords([file], codec, { zstd: packer, limits: { bufferedBytes: 1_000 } })), { code: "limit_size" });
});

test("a size of blocks below 1, or that no reader would take, is misuse", () => {
  for (const blockBytes of [0, -1, 1.5, NaN, 2 ** 26 + 1]) assert.equal(codeOf(() => new pack.RecordEncoder(codec, { blockBytes })), "misuse");
});

test("a file that is cut off keeps its whole blocks when it is appended to", async () => {
  const whole = Buffer.concat(await all(pack.writeRecords(books(4), codec, { blockBytes: 1 })));
  for (let cut = 60; cut < whole.length; cut++) {
    const path = join(folder, "cut.records");
    writeFileSync(path, whole.subarray(0, cut));
    const file = await pack.RecordFile.open(await openAsBlob(path), codec);
    const encoder = file.append(codec);
    const made = Buffer.concat([whole.subarray(0, file.end), encoder.write({ name: "last", year: 1 }), encoder.end()]);
    assert.deepEqual(await all(pack.readRecords([made], codec)), [...books(file.count), { name: "last", year: 1 }]);
  }
});
