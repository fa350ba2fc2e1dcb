import assert from "node:assert/strict";
import { ErrorCode } from "../../src/grpc/http2/error-code.js";
import { Http2Error } from "../../src/grpc/http2/error.js";
import { HeaderFields } from "../../src/grpc/http2/header-fields.js";
import { HeaderDecoder } from "../../src/grpc/http2/hpack/decoder.js";
import { HeaderEncoder } from "../../src/grpc/http2/hpack/encoder.js";
import { decodedBound, huffmanDecode } from "../../src/grpc/http2/hpack/huffman-decode.js";
import { huffmanEncode, huffmanLength } from "../../src/grpc/http2/hpack/huffman-encode.js";
import { readInteger, writeInteger } from "../../src/grpc/http2/hpack/integer.js";
import { DEFAULT_OPTIONS } from "../../src/grpc/http2/options.js";
import { drain, framesOf, prefaceOf, join, journaled } from "./journal.js";

type Pair = [name: string, value: string];

/** A case of `spec/vectors/grpc`. */
export type GrpcCase = { readonly name: string } & (
  | { readonly kind: "integer"; readonly bits: number; readonly hex: string; readonly value: string }
  | { readonly kind: "huffman"; readonly hex: string; readonly text: string }
  | { readonly kind: "bad_huffman"; readonly hex: string }
  | { readonly kind: "blocks"; readonly blocks: { readonly hex: string; readonly fields: Pair[]; readonly table_bytes: number }[] }
  | { readonly kind: "bad_block"; readonly blocks: string[] }
  | ConnectionCase
);

interface ConnectionCase {
  readonly kind: "connection";
  readonly role: "client" | "server";
  readonly hex: string;
  readonly opened: number[];
  readonly reset?: [number, keyof typeof ErrorCode][];
  readonly closed?: keyof typeof ErrorCode;
}

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const REQUEST = new HeaderFields([[":method", "POST"], [":scheme", "http"], [":path", "/a/B"], ["te", "trailers"]]);

/** Runs a case with everything that follows from it; throws when one of these is not so. */
export function runGrpcCase(vector: GrpcCase): void {
  switch (vector.kind) {
    case "integer":
      integer(vector.bits, bytesOf(vector.hex), Number(vector.value));
      break;
    case "huffman":
      huffman(bytesOf(vector.hex), Buffer.from(vector.text, "hex").toString("latin1"));
      break;
    case "bad_huffman": {
      const bytes = bytesOf(vector.hex);
      assert.equal(huffmanDecode(bytes, 0, bytes.length, new Uint8Array(decodedBound(bytes.length))), -1);
      break;
    }
    case "blocks":
      blocks(vector.blocks);
      break;
    case "bad_block":
      badBlock(vector.blocks.map(bytesOf));
      break;
    case "connection":
      connectionCase(vector);
      break;
    default:
      throw new Error(`no such kind: ${JSON.stringify(vector satisfies never)}`);
  }
}

function integer(bits: number, bytes: Uint8Array, value: number): void {
  const mask = 2 ** bits - 1;
  const cursor = { bytes, at: 0, end: bytes.length };
  assert.equal(readInteger(cursor, mask), value);
  assert.equal(cursor.at, bytes.length);
  for (let end = 0; end < bytes.length; end++) assert.equal(readInteger({ bytes, at: 0, end }, mask), -1, `prefix of ${end}`);
  const out = new Uint8Array(8);
  assert.deepEqual(out.slice(0, writeInteger(value, mask, 0, out, 0)), bytes);
}

function huffman(bytes: Uint8Array, text: string): void {
  const out = new Uint8Array(decodedBound(bytes.length));
  const length = huffmanDecode(bytes, 0, bytes.length, out);
  assert.equal(Buffer.from(out.subarray(0, Math.max(0, length))).toString("latin1"), text);
  assert.equal(huffmanLength(text), bytes.length);
  const coded = new Uint8Array(bytes.length + 1);
  assert.equal(huffmanEncode(text, coded, 0), bytes.length);
  assert.deepEqual(coded.subarray(0, bytes.length), bytes);
}

/**
 * Read as they come; what is read is written by our encoder and read again, each block twice over so that its tables
 * are used.
 */
function blocks(list: readonly { hex: string; fields: Pair[]; table_bytes: number }[]): void {
  const decoder = new HeaderDecoder(DEFAULT_OPTIONS);
  const encoder = new HeaderEncoder(4_096);
  const again = new HeaderDecoder(DEFAULT_OPTIONS);
  for (const { hex, fields, table_bytes } of list) {
    const bytes = bytesOf(hex);
    const padded = join(Uint8Array.of(1, 2, 3), bytes, Uint8Array.of(4));
    assert.deepEqual(pairs(decoder, padded, 3, bytes.length + 3), fields);
    assert.equal(decoder.tableBytes, table_bytes);
    for (const travel of ["constant", "once", "secret"] as const) {
      const ours = new HeaderFields(fields.filter(([, value]) => value.trim() === value), travel);
      for (let time = 0; time < 3; time++) {
        const out = new Uint8Array(ours.bound + 10);
        const end = encoder.write(ours, undefined, out, 0);
        assert.deepEqual(pairs(again, out, 0, end), ours.names.map((name, i) => [name, ours.values[i]]));
      }
    }
  }
}

function pairs(decoder: HeaderDecoder, bytes: Uint8Array, from: number, to: number): Pair[] {
  const block = decoder.decode(bytes, from, to)!;
  return block.names.map((name, i) => [name, block.values[i]!]);
}

function badBlock(list: readonly Uint8Array[]): void {
  const decoder = new HeaderDecoder(DEFAULT_OPTIONS);
  for (const good of list.slice(0, -1)) decoder.decode(good, 0, good.length);
  const bad = list.at(-1)!;
  const wrong = (error: unknown): boolean => error instanceof Http2Error && error.code === ErrorCode.COMPRESSION_ERROR;
  assert.throws(() => decoder.decode(bad, 0, bad.length), wrong);
  assert.throws(() => decoder.decode(Uint8Array.of(0x82), 0, 1), wrong, "after an error it is dead");
}

/** The events of the layer above, and the output. */
interface Outcome {
  readonly lines: string[];
  readonly output: string;
}

/** The outcome is as the case says, and the same however the bytes are cut. */
function connectionCase(vector: ConnectionCase): void {
  const bytes = join(prefaceOf(vector.role === "server" ? "client" : "server"), bytesOf(vector.hex));
  const whole = run(vector.role, [bytes]);
  check(vector, whole);
  assert.deepEqual(run(vector.role, Array.from(bytes, (byte) => Uint8Array.of(byte))), whole, "byte by byte");
  const step = bytes.length > 2_000 ? Math.ceil(bytes.length / 300) : 1;
  for (let at = 1; at < bytes.length; at += step) assert.deepEqual(run(vector.role, [bytes.subarray(0, at), bytes.subarray(at)]), whole, `cut at ${at}`);
}

function run(role: "client" | "server", chunks: Uint8Array[]): Outcome {
  const { connection, journal } = journaled(role);
  if (role === "client") connection.open(REQUEST, false, null);
  for (const chunk of chunks) {
    // A transport may use its buffer again: nothing may be kept of it.
    const lent = Uint8Array.from(chunk);
    connection.receive(lent);
    lent.fill(0xee);
  }
  return { lines: journal.lines, output: Buffer.from(drain(connection)).toString("hex") };
}

function check(vector: ConnectionCase, { lines, output }: Outcome): void {
  const heard = vector.role === "server" ? /^stream (\d+)/ : /^headers (\d+)/;
  assert.deepEqual(lines.flatMap((line) => heard.exec(line)?.slice(1, 2).map(Number) ?? []), vector.opened, lines.join("\n"));
  const frames = framesOf(bytesOf(output));
  const resets = frames.filter(({ type }) => type === 3).map(({ stream, payload }) => [stream, Buffer.from(payload).readUInt32BE(0)]);
  assert.deepEqual(resets, (vector.reset ?? []).map(([id, code]) => [id, ErrorCode[code]]), lines.join("\n"));
  const goaways = frames.filter(({ type }) => type === 7).map(({ payload }) => Buffer.from(payload).readUInt32BE(4));
  assert.deepEqual(goaways, vector.closed === undefined ? [] : [ErrorCode[vector.closed]], lines.join("\n"));
  assert.deepEqual(lines.filter((line) => line.startsWith("closed")), vector.closed === undefined ? [] : [`closed ${ErrorCode[vector.closed]}`]);
}
