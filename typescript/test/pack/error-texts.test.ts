import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { serialize } from "node:v8";
import { gzipSync } from "node:zlib";
import * as pack from "../../src/pack/index.js";
import { Kind, MAGIC, block } from "../../src/pack/records/blocks.js";

/**
 * Error texts of the mistakes that are made most, as their users read them: `error_texts.txt` has them all. A text says what
 * was expected, what came, where, and what to do. `REWRITE=1 make quick-typescript T=error-texts` writes the file anew.
 */
const KEPT = new URL("../../../test/pack/error_texts.txt", import.meta.url);

// Values that the compiler would refuse may still come from JavaScript, from JSON and from `any`.
type Loose = Readonly<Record<string, (...given: readonly unknown[]) => never>>;
const loose = pack as unknown as Loose;

const Book = pack.struct("Book", { id: pack.string, name: pack.string, year: pack.i32 });
const Film = pack.struct("Film", { name: pack.string });
const Color = pack.enumeration("Color", ["red", "green"]);
const Shelf = pack.struct("Shelf", {
  color: Color,
  since: pack.jsDate,
  seen: pack.timestamp,
  price: pack.decimal,
  cover: pack.bytes,
  tags: pack.set(pack.string),
  sizes: pack.map(pack.string, pack.u8),
  spot: pack.tuple(pack.f64, pack.f64),
  item: pack.union([Book, Film]),
  note: pack.option(pack.string),
  count: pack.i64,
});
interface Tree {
  name: string;
  kids: Tree[];
}
const Tree: pack.Type<Tree> = pack.struct("Tree", { name: pack.string, kids: pack.list(pack.recursive(() => Tree)) });

const books = pack.codec(pack.list(Book));
const carrie = { id: "1001", name: "Carrie", year: 1974 };
const message = books.encode([carrie]);

function encode(type: pack.Type, value: unknown, options: pack.CodecOptions = {}): unknown {
  return pack.codec(type, options).encode(value);
}

function book(changed: Record<string, unknown>): unknown {
  return encode(pack.list(Book), [{ ...carrie, ...changed }]);
}

function shelf(changed: Record<string, unknown>): unknown {
  const fitting = {
    color: "red", since: new Date(0), seen: 0n, price: pack.Decimal.parse("5.95"), cover: new Uint8Array(0), tags: new Set(), sizes: new Map(),
    spot: [0, 0], item: { type: "Film", name: "Carrie" }, note: null, count: 1n,
  };
  return encode(Shelf, { ...fitting, ...changed });
}

function decode(bytes: unknown): unknown {
  return books.decode(bytes as Uint8Array);
}

function text(json: string): Uint8Array {
  return new TextEncoder().encode(json);
}

/** Takes all messages of a stream. */
function scanned(bytes: readonly number[], limits: Partial<pack.Limits> = {}): void {
  const scanner = new pack.FrameScanner(limits);
  scanner.feed(Uint8Array.from(bytes));
  while (scanner.next() !== undefined) continue;
  scanner.end();
}

const File = pack.codec(Book);
const file = new pack.RecordEncoder(File);
const records = Uint8Array.from([...file.write(carrie), ...file.end()]);
/** A record file up to its schema. */
const opening = [...MAGIC, ...block(Kind.SCHEMA, text(File.schema.text))];

/** Takes all records of a file. */
function taken(bytes: ArrayLike<number>, options: pack.RecordReaderOptions = {}): void {
  const decoder = new pack.RecordDecoder(File, options);
  decoder.feed(Uint8Array.from(bytes));
  while (decoder.ready()) decoder.take();
  decoder.end();
  decoder.ready();
}

function at(bytes: Uint8Array, place: number, byte: number): Uint8Array {
  const changed = bytes.slice();
  changed[place] = byte;
  return changed;
}

function opened(): Promise<pack.RecordFile<pack.Infer<typeof Book>>> {
  return pack.RecordFile.open(new Blob([records]), File);
}

function cycle(): Tree {
  const tree: Tree = { name: "a", kids: [] };
  tree.kids.push(tree);
  return tree;
}

const MISTAKES: Readonly<Record<string, () => unknown>> = {
  "a number beyond its type": () => book({ year: 2 ** 40 }),
  "a negative number in an unsigned type": () => encode(pack.u8, -1),
  "a bigint beyond its type": () => shelf({ count: 1n << 70n }),
  "a number beyond f32": () => encode(pack.f32, 1e300),
  "a fraction where an integer is due": () => book({ year: 1974.5 }),
  "NaN where an integer is due": () => book({ year: Number.NaN }),
  "a bigint where a number is due": () => book({ year: 1974n }),
  "a number where a bigint is due": () => shelf({ count: 1 }),
  "a number that is not exact": () => encode(pack.i64AsNumber, 2 ** 53),
  "a bigint where i64 is a number": () => encode(pack.i64AsNumber, 1n),
  "a text where a number is due": () => book({ year: "1974" }),
  "a number where a text is due": () => book({ id: 1001 }),
  "a long text where a number is due": () => book({ year: "x".repeat(1_000) }),
  "a field that is missing": () => encode(pack.list(Book), [{ id: "1001", name: "Carrie" }]),
  "null where there is no option": () => book({ name: null }),
  "an item that is undefined": () => encode(pack.list(Book), [undefined]),
  "a text where an object is due": () => encode(pack.list(Book), ["Carrie"]),
  "one value where an array is due": () => encode(pack.list(Book), carrie),
  "a typed array where an array is due": () => encode(pack.list(pack.f64), Float64Array.of(1)),
  "an array where a typed array is due": () => encode(pack.array(pack.f64), [1]),
  "a typed array of other numbers": () => encode(pack.array(pack.f64), Float32Array.of(1)),
  "an array where a Set is due": () => shelf({ tags: ["a"] }),
  "an object where a Map is due": () => shelf({ sizes: { a: 1 } }),
  "a key of another type": () => shelf({ sizes: new Map([[1, 1]]) }),
  "a tuple of another length": () => shelf({ spot: [1, 2, 3] }),
  "an object where a tuple is due": () => shelf({ spot: { x: 1, y: 2 } }),
  "a symbol that the enum lacks": () => shelf({ color: "blue" }),
  "an index where a symbol is due": () => shelf({ color: 1 }),
  "a member that the union lacks": () => shelf({ item: { type: "Song", name: "Carrie" } }),
  "a value of a union without its discriminator": () => shelf({ item: { name: "Carrie" } }),
  "a text where a Date is due": () => shelf({ since: "1974-04-05T00:00:00Z" }),
  "an invalid Date": () => shelf({ since: new Date("soon") }),
  "a Date beyond the calendar": () => shelf({ since: new Date(8.64e15) }),
  "a Date where nanoseconds are due": () => shelf({ seen: new Date(0) }),
  "nanoseconds beyond the calendar": () => shelf({ seen: 1n << 70n }),
  "a Date where a day is due": () => encode(pack.date, new Date(0)),
  "a number where a Decimal is due": () => shelf({ price: 5.95 }),
  "an ArrayBuffer where bytes are due": () => shelf({ cover: new ArrayBuffer(3) }),
  "the JSON of a Buffer where bytes are due": () => shelf({ cover: { type: "Buffer", data: [1] } }),
  "a text that is not a UUID": () => encode(pack.uuid, "1001"),
  "one UUID in different case twice": () => encode(pack.set(pack.uuid), new Set(["0000000a-0000-0000-0000-00000000000b", "0000000A-0000-0000-0000-00000000000b"])),
  "a lone surrogate": () => book({ name: "Carrie \ud83d" }),
  "an object of a class in an any": () => encode(pack.any, [new URL("http://localhost/")]),
  "a function in an any": () => encode(pack.any, { a: () => 1 }),
  "undefined in an any": () => encode(pack.any, [undefined]),
  "numbers as keys in an any": () => encode(pack.any, new Map([[1, 1]])),
  "keys of two kinds in an any": () => encode(pack.any, new Map<unknown, unknown>([["a", 1], [1n, 1]])),
  "an object without a prototype where a text is due": () => book({ name: Object.create(null) as unknown }),
  "a promise that was not awaited": () => encode(pack.list(Book), Promise.resolve([])),
  "a tree that contains itself": () => encode(Tree, cycle(), { limits: { depth: 3 } }),
  "a message beyond its limit": () => encode(pack.bytes, new Uint8Array(100), { limits: { frameBytes: 10 } }),
  "JSON to decode": () => decode(text('[{"id": "1001", "name": "Carrie", "year": 1974}]')),
  "a JSON object to decode": () => decode(text('{"id": "1001"}\n')),
  "gzip to decode": () => decode(gzipSync(message)),
  "zstd to decode": () => decode(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x00)),
  "XML to decode": () => decode(text("<books><book/></books>\n")),
  "MessagePack to decode": () => decode(Buffer.from("82a26964a431303031a479656172cd07b6", "hex")),
  "a value of v8 to decode": () => decode(serialize({ id: "1001" })),
  "a pickle to decode": () => decode(Buffer.from("80044b012e", "hex")),
  "Java's serialization to decode": () => decode(Buffer.from("aced000574000161", "hex")),
  "a record file to decode": () => decode(new pack.RecordEncoder(pack.codec(Book)).end()),
  "a text to decode": () => decode("Carrie"),
  "an ArrayBuffer to decode": () => decode(message.slice().buffer),
  "nothing to decode": () => decode(new Uint8Array(0)),
  "half a message": () => decode(message.subarray(0, message.length / 2)),
  "two messages at once": () => decode(Uint8Array.of(...message, ...message)),
  "a message of another schema": () => decode(pack.codec(pack.list(pack.string), { digest: true }).encode(["Carrie"])),
  "a message without the digest that is required": () => pack.codec(pack.list(Book), { requireDigest: true }).decode(message),
  "a message of an unknown schema to a store": () => {
    const unknown = pack.codec(pack.list(pack.string), { digest: true }).encode(["Carrie"]);
    return new pack.VersionedCodec(Book, new pack.MemorySchemas()).decode(unknown);
  },
  "a message beyond the reader's limit": () => pack.codec(pack.list(Book), { limits: { frameBytes: 10 } }).decode(message),
  "text to a scanner of frames": () => { new pack.FrameScanner().feed("Carrie" as never); },
  "bytes after the end of a stream": () => {
    const scanner = new pack.FrameScanner();
    scanner.end();
    scanner.feed(message);
  },
  "the end of a stream while messages are left": () => {
    const scanner = new pack.FrameScanner();
    scanner.feed(Uint8Array.of(1, 0x80, 1, 0x80));
    scanner.end();
  },
  "a stream that ends inside a frame": () => { scanned([10, 0x80, 1]); },
  "a stream that ends inside a length": () => { scanned([0x80]); },
  "a stream of messages without frames": () => { scanned([...message, ...message]); },
  "a frame without a message": () => { scanned([0]); },
  "a length of more than 32 bits": () => { scanned([0xff, 0xff, 0xff, 0xff, 0xff]); },
  "a length beyond 2^31": () => { scanned([0xff, 0xff, 0xff, 0xff, 0x0f]); },
  "a length that is not in its shortest form": () => { scanned([0x81, 0x00]); },
  "a frame beyond its limit": () => { scanned([17], { frameBytes: 10 }); },
  "a frame beyond what is buffered": () => { scanned([17], { bufferedBytes: 10 }); },
  "a frame of nothing": () => { pack.writeFrame(new pack.Output(), new Uint8Array(0)); },
  "a record file that is JSON": () => { taken(text('[{"id": "1001"}]')); },
  "a record file that is XML": () => { taken(text("\n<books/>")); },
  "a record file that is compressed": () => { taken([0x28, 0xb5, 0x2f, 0xfd, 4, 0, 0, 0, 0]); },
  "a record file that is a message": () => { taken(message); },
  "a record file that is something else": () => { taken([0, 1, 2, 3, 4, 5, 6, 7]); },
  "a record file that was copied as text": () => { taken([0x89, 0x53, 0x57, 0x52, 0x0a, 0x0a, 0x1a, 1]); },
  "a record file of another version": () => { taken(at(records, 7, 9)); },
  "a record file that is cut off": () => { taken(records.slice(0, -20)); },
  "a record file that is cut off within its schema": () => { taken(records.slice(0, 20)); },
  "a record file that was changed": () => { taken(at(records, records.length - 30, 0xff)); },
  "a record file with a schema that is none": () => { taken([...MAGIC, ...block(Kind.SCHEMA, text("struct"))]); },
  "a record file with a schema that is not text": () => { taken([...MAGIC, ...block(Kind.SCHEMA, [0xff])]); },
  "a record file with a schema that is not canonical": () => { taken([...MAGIC, ...block(Kind.SCHEMA, text(`${File.schema.text} `))]); },
  "a record file that begins with records": () => { taken([...MAGIC, ...block(Kind.RECORDS, [1, 1, 0x80])]); },
  "a block of a new kind": () => { taken([...opening, ...block(9, [1])]); },
  "a block whose size is too long": () => { taken([...opening, Kind.RECORDS, 0x80, 0]); },
  "a block beyond its limit": () => { taken(records, { limits: { bufferedBytes: 10 } }); },
  "a block of no records": () => { taken([...opening, ...block(Kind.RECORDS, [0])]); },
  "a block with fewer records than it says": () => { taken([...opening, ...block(Kind.RECORDS, [2, 1, 0x80])]); },
  "an index of another file": () => { taken([...opening, ...block(Kind.INDEX, [0, 0, 0, 0, 0, 0, 0, 0, 0])]); },
  "a compressed block without zstd": () => { taken([...opening, ...block(Kind.ZSTD, [1, 2], [0, 0])]); },
  "a compressed block that does not expand": () => {
    taken([...opening, ...block(Kind.ZSTD, [1, 2], [0, 0])], { zstd: { expand: () => { throw new Error("corrupt"); } } });
  },
  "a compressed block of another size": () => { taken([...opening, ...block(Kind.ZSTD, [1, 2], [0, 0])], { zstd: { expand: () => new Uint8Array(3) } }); },
  "a compressed block beyond its limit": () => { taken([...opening, ...block(Kind.ZSTD, [1, 0x80, 1], [0, 0])], { limits: { bufferedBytes: 100 } }); },
  "a record of another schema": () => {
    const of = pack.codec(Film, { digest: true }).encode({ name: "Carrie" });
    taken([...opening, ...block(Kind.RECORDS, [1, of.length], of)]);
  },
  "a record that is broken": () => { taken([...opening, ...block(Kind.RECORDS, [1, 1, 0x80])]); },
  "a record that is not ready": () => new pack.RecordDecoder(File).take(),
  "a type where a record file's codec is due": () => new pack.RecordDecoder(Book as never),
  "a type where a record file's writer needs a codec": () => pack.writeRecords([], Book as never).next(),
  "a type to append with": async () => (await opened()).append(Book as never),
  "the path of a record file to read": () => pack.readRecords("shelf.records" as never).next(),
  "the path of a record file to open": () => pack.RecordFile.open("shelf.records" as never),
  "a record beyond the last": async () => (await opened()).records(2).next(),
  "records of another type to append": async () => (await opened()).append(pack.codec(Film) as never),
  "a record file that is too short to open": () => pack.RecordFile.open(new Blob([records.slice(0, 20)]), File),
  "a record after the end": () => {
    const ended = new pack.RecordEncoder(File);
    ended.end();
    ended.write(carrie);
  },
  "blocks of no bytes": () => new pack.RecordEncoder(File, { blockBytes: 0 }),
  "more items than the limit": () => pack.codec(pack.list(pack.i32), { limits: { items: 3 } }).decode(pack.codec(pack.list(pack.i32)).encode([1, 2, 3, 4])),
  "a Date that would lose nanoseconds": () => pack.codec(pack.jsDate).decode(pack.codec(pack.timestamp).encode(1n)),
  "a number that would not be exact": () => pack.codec(pack.i64AsNumber).decode(pack.codec(pack.i64).encode(1n << 60n)),
  "the name of a type for a codec": () => loose.codec!("string"),
  "a class for a codec": () => loose.codec!(URL),
  "a function of the package where its type is due": () => loose.struct!("Book", { tags: pack.list }),
  "the name of a type for a field": () => loose.struct!("Book", { id: "string" }),
  "a type that is used before it is defined": () => loose.list!(undefined),
  "a struct without its name": () => loose.struct!({ id: pack.string }),
  "a struct without fields": () => pack.codec(pack.struct("Empty", {})),
  "a field of no name": () => pack.struct("Book", { "": pack.string }),
  "an alias that is another field's name": () => pack.struct("Book", { id: pack.field(pack.string, { alias: "name" }), name: pack.string }),
  "a default of another type": () => pack.codec(pack.struct("Book", { year: pack.field(pack.i32, { default: "soon" as never }) })),
  "a default of a field that is misspelt": () => loose.field!(pack.i32, { defualt: 1 }),
  "two types of one name": () => pack.codec(pack.tuple(Book, pack.struct("Book", { id: pack.i32 }))),
  "an option in an option": () => pack.codec(pack.option(pack.option(pack.string))),
  "symbols that repeat": () => pack.enumeration("Color", ["red", "red"]),
  "an enum of TypeScript": () => loose.enumeration!("Color", { red: 0, 0: "red" }),
  "a union of texts": () => pack.codec(loose.union!([pack.string, pack.i32])),
  "a union's discriminator that is a field": () => pack.codec(pack.union([Book, Film], { discriminator: "name" })),
  "keys that are lists": () => pack.codec(pack.set(pack.list(pack.i32))),
  "keys that are floats": () => pack.codec(pack.map(pack.f64, pack.string)),
  "keys that are Dates": () => pack.codec(pack.set(pack.jsDate)),
  "a typed array of texts": () => loose.array!(pack.string),
  "a recursive type without a function": () => loose.recursive!(Book),
  "a recursive type that is only itself": () => {
    const Self: pack.Type = pack.recursive(() => Self);
    return pack.codec(Self);
  },
  "as() with one function": () => (pack.string as unknown as Loose).as!(String),
  "an option of a codec that is misspelt": () => loose.codec!(Book, { digests: true }),
  "an option of a codec of another kind": () => loose.codec!(Book, { digest: "yes" }),
  "a profile that there is not": () => loose.codec!(Book, { profile: "small" }),
  "a limit that there is not": () => loose.codec!(Book, { limits: { frame_bytes: 10 } }),
  "a field whose type has changed": () => books.resolve("list<struct Book { id: i32, name: string, year: i32 }>"),
  "a field that the writer lacks": () => books.resolve("list<struct Book { id: string, name: string }>"),
  "a type of another name": () => books.resolve("list<struct Novel { id: string, name: string, year: i32 }>"),
  "TypeScript's words in a schema": () => pack.parse("list<struct Book { id: string, year: number }>"),
  "a schema that is cut off": () => pack.parse("list<struct Book { id: i32"),
  "a text that is not a decimal": () => pack.Decimal.parse("5,95"),
};

async function said(make: () => unknown): Promise<string> {
  try {
    return `no error: ${String(await make())}`;
  } catch (error) {
    return String(error);
  }
}

test("error texts are those of the file", async () => {
  let texts = "";
  for (const [mistake, make] of Object.entries(MISTAKES)) texts += `${mistake}\n    ${await said(make)}\n`;
  if (process.env.REWRITE !== undefined) writeFileSync(KEPT, texts);
  assert.equal(texts, readFileSync(KEPT, "utf8"));
  assert.doesNotMatch(texts, /no error/);
});

test("names MessagePack where an array or map of it is whole", () => {
  const whole = [
    "81a2696401", "92cb4000000000000000c7010561", "dc0002c0d90161", "de0001a161d40161", "93ca00000000cdffffd3ffffffffffffffff", "dd00000001c403616263",
    `92d8${"00".repeat(17)}01`, "df00000001a16190",
  ];
  const others = ["80", "9101", "81a269640101", "91dbffffffff", "dfffffffff01", "93c1c0c0", "92da00", "94c0c0c0", "dcffffc0c0c0", "a3616263", "cb4000000000000000"];
  for (const bytes of whole) assert.throws(() => decode(Buffer.from(bytes, "hex")), /; the bytes look like MessagePack$/, bytes);
  for (const bytes of others) assert.throws(() => decode(Buffer.from(bytes, "hex")), (error) => !String(error).includes("MessagePack"), bytes);
});
