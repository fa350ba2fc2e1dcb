import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HeaderFields } from "../../src/grpc/http2/header-fields.js";
import type { FieldPair } from "../../src/grpc/http2/header-fields.js";
import { HeaderDecoder } from "../../src/grpc/http2/hpack/decoder.js";
import { HeaderEncoder } from "../../src/grpc/http2/hpack/encoder.js";
import { DEFAULT_OPTIONS } from "../../src/grpc/http2/options.js";

function encode(encoder: HeaderEncoder, fields: HeaderFields, extra?: HeaderFields): Uint8Array {
  const out = new Uint8Array(fields.bound + (extra?.bound ?? 0) + 20);
  return out.slice(0, encoder.write(fields, extra, out, 0));
}

const decode = (decoder: HeaderDecoder, bytes: Uint8Array): FieldPair[] => {
  const block = decoder.decode(bytes, 0, bytes.length)!;
  return block.names.map((name, i) => [name, block.values[i]!]);
};
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"));

test("a constant reply is three bytes from the second time on", () => {
  const encoder = new HeaderEncoder(4_096);
  const head = new HeaderFields([[":status", "200"], ["content-type", "application/grpc"]]);
  const trailers = new HeaderFields([["grpc-status", "0"]]);
  encode(encoder, head);
  encode(encoder, trailers);
  for (let i = 0; i < 3; i++) {
    assert.equal(encode(encoder, head).length, 2);
    assert.equal(encode(encoder, trailers).length, 1);
  }
});

test("a field of one call takes no entry but for a new name; a secret never does", () => {
  const encoder = new HeaderEncoder(4_096);
  const decoder = new HeaderDecoder(DEFAULT_OPTIONS);
  const first = encode(encoder, new HeaderFields([["grpc-timeout", "1S"], ["user-agent", "a"]], "once"));
  assert.deepEqual(decode(decoder, first), [["grpc-timeout", "1S"], ["user-agent", "a"]]);
  const size = decoder.tableBytes;
  assert.equal(size, 12 + 2 + 32);
  for (let i = 0; i < 50; i++) decode(decoder, encode(encoder, new HeaderFields([["grpc-timeout", `${i}m`]], "once")));
  const secret = encode(encoder, new HeaderFields([["authorization", "Bearer x"], ["x-token-bin", "AA"]], "secret"));
  assert.deepEqual([secret[0]! & 0xf0, decoder.tableBytes], [0x10, size]);
  assert.deepEqual(decode(decoder, secret), [["authorization", "Bearer x"], ["x-token-bin", "AA"]]);
});

test("the encoder follows the peer's table size, down to nothing and up again", () => {
  const encoder = new HeaderEncoder(8_192);
  const decoder = new HeaderDecoder({ ...DEFAULT_OPTIONS, headerTableBytes: 8_192 });
  const lists = Array.from({ length: 40 }, (_, i) => new HeaderFields([[`x-name-${i}`, "v".repeat(60)]]));
  for (const allowed of [4_096, 0, 100, 1_000_000, 64]) {
    encoder.allow(allowed);
    for (let round = 0; round < 3; round++) for (const list of lists) assert.deepEqual(decode(decoder, encode(encoder, list)), [[list.names[0], list.values[0]]]);
    assert.ok(decoder.tableBytes <= Math.min(allowed, 8_192));
  }
});

test("the encoder empties a table full of fields that are no longer sent", () => {
  const encoder = new HeaderEncoder(4_096);
  const decoder = new HeaderDecoder(DEFAULT_OPTIONS);
  for (let i = 0; i < 100; i++) decode(decoder, encode(encoder, new HeaderFields([[`x-old-${i}`, "v".repeat(40)]])));
  const current = new HeaderFields([["x-new", "w".repeat(100)]]);
  let length = 0;
  for (let i = 0; i < 2_000; i++) {
    const bytes = encode(encoder, current);
    length = bytes.length;
    assert.deepEqual(decode(decoder, bytes), [["x-new", "w".repeat(100)]]);
  }
  assert.equal(length, 1);
});

test("many encoders share one list, each with a table of its own", () => {
  const shared = new HeaderFields([["x-shared", "1"]]);
  const pairs = Array.from({ length: 5 }, (_, i) => {
    const encoder = new HeaderEncoder(4_096);
    const decoder = new HeaderDecoder(DEFAULT_OPTIONS);
    for (let n = 0; n < i; n++) decode(decoder, encode(encoder, new HeaderFields([[`x-${n}`, "1"]])));
    return { encoder, decoder };
  });
  for (let round = 0; round < 4; round++) for (const { encoder, decoder } of pairs) assert.deepEqual(decode(decoder, encode(encoder, shared)), [["x-shared", "1"]]);
});

// The cache's exact rule: a block that did not change the table is cached by its bytes, within its epoch or, without
// dynamic entries, for as long as the connection.
test("a block of static entries and plain literals stays one object", () => {
  const decoder = new HeaderDecoder(DEFAULT_OPTIONS);
  const bytes = hex("8386 040161 0f0d0130");
  const block = decoder.decode(bytes, 0, bytes.length);
  decode(decoder, hex("40 0161 0162"));
  decode(decoder, hex("20"));
  const moved = Uint8Array.of(0, ...bytes, 0);
  assert.equal(decoder.decode(moved, 1, bytes.length + 1), block);
  bytes.fill(0);
  assert.equal(decoder.decode(moved, 1, bytes.length + 1), block, "nothing of the caller's bytes is kept");
});

test("a block with dynamic entries is known until the table changes, and never mistaken after", () => {
  const decoder = new HeaderDecoder(DEFAULT_OPTIONS);
  decode(decoder, hex("40 0161 0162"));
  const bytes = hex("82be");
  const block = decoder.decode(bytes, 0, 2);
  assert.equal(decoder.decode(bytes, 0, 2), block);
  decode(decoder, hex("40 0163 0164"));
  assert.deepEqual(decode(decoder, bytes), [[":method", "GET"], ["c", "d"]]);
  decode(decoder, hex("20 3fe11f"));
  assert.throws(() => decoder.decode(bytes, 0, 2), { name: "Http2Error" });
});

test("a block that adds to the table is read anew each time", () => {
  const decoder = new HeaderDecoder(DEFAULT_OPTIONS);
  const bytes = hex("40 0161 0162");
  assert.notEqual(decoder.decode(bytes, 0, bytes.length), decoder.decode(bytes, 0, bytes.length));
  assert.equal(decoder.tableBytes, 2 * 34);
});

test("a smaller table that was acknowledged must be announced", () => {
  const decoder = new HeaderDecoder({ ...DEFAULT_OPTIONS, headerTableBytes: 100 });
  decode(decoder, hex("3fe11f 40 0161 0162"));
  decoder.acknowledged();
  assert.throws(() => decoder.decode(hex("82"), 0, 1), { name: "Http2Error" });
  const polite = new HeaderDecoder({ ...DEFAULT_OPTIONS, headerTableBytes: 100 });
  polite.acknowledged();
  assert.deepEqual(decode(polite, hex("3f45 82")), [[":method", "GET"]]);
  assert.throws(() => polite.decode(hex("3f46"), 0, 2), { name: "Http2Error" });
});

const name = fc.oneof(fc.constantFrom("te", "content-type", "grpc-timeout", "x-a", "x-bin"), fc.stringMatching(/^[a-z0-9-]{1,30}$/));
const value = fc.oneof(fc.constantFrom("", "trailers", "1S"), fc.stringMatching(/^[!-~\x80-\xff]{0,80}$/));
const list = fc.tuple(fc.array(fc.tuple(name, value), { maxLength: 12 }), fc.constantFrom("constant", "once", "secret"), fc.nat(2));

test("the decoder reads what the encoder writes, in random histories of lists and table sizes", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(list, fc.nat(6_000)), { maxLength: 30 }), (history) => {
      const encoder = new HeaderEncoder(4_096);
      const decoder = new HeaderDecoder(DEFAULT_OPTIONS);
      for (const step of history) {
        if (typeof step === "number") {
          encoder.allow(step);
          continue;
        }
        const [pairs, travel, again] = step;
        const fields = new HeaderFields(pairs, travel);
        const extra = new HeaderFields(pairs.slice(0, 2), "once");
        for (let i = 0; i <= again; i++) assert.deepEqual(decode(decoder, encode(encoder, fields, extra)), [...pairs, ...pairs.slice(0, 2)]);
      }
    }),
    { numRuns: 300 },
  );
});
