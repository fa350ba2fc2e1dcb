import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { acceptEncoding, chooseEncoding, DecompressedTooLong } from "../../src/grpc/protocol/compression.js";
import { percentDecode, percentEncode } from "../../src/grpc/protocol/percent.js";
import { Metadata } from "../../src/grpc/protocol/metadata.js";
import { ProtobufError, ProtobufReader, ProtobufWriter } from "../../src/grpc/protocol/protobuf.js";
import { Status, StatusBuilder, parseStatus, statusOfHttp, statusOfReset } from "../../src/grpc/protocol/status.js";
import { decodeStatusDetails, encodeStatusDetails, statusDetails, withStatusDetails } from "../../src/grpc/protocol/status-details.js";
import { deadlineMillis, formatTimeout, parseTimeout } from "../../src/grpc/protocol/timeout.js";
import { zlibEncodings } from "../../src/grpc/transport/zlib.js";

test("messages are percent-encoded as the specification shows", () => {
  assert.equal(percentEncode("\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"), "%09%0Atest with whitespace%0D%0Aand Unicode BMP %E2%98%BA and non-BMP %F0%9F%98%88%09%0A");
  assert.equal(percentEncode("100%"), "100%25");
  assert.equal(percentEncode("plain"), "plain");
  assert.equal(percentEncode("\ud800"), "%EF%BF%BD");
});

test("any text survives percent-encoding, and the field is printable ASCII", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
      const value = percentEncode(text);
      assert.match(value, /^[ -~]*$/);
      assert.equal(percentDecode(value), Buffer.from(text).toString());
    }),
  );
  assert.equal(percentDecode(percentEncode("\ufeffmarked")), "\ufeffmarked");
});

test("percent-decoding never fails", () => {
  assert.equal(percentDecode("%"), "%");
  assert.equal(percentDecode("%4"), "%4");
  assert.equal(percentDecode("%zz%41%4a"), "%zzAJ");
  assert.equal(percentDecode("%ff"), "\ufffd");
  assert.equal(percentDecode("é%41"), "éA");
  const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });
  fc.assert(fc.property(units, (each) => typeof percentDecode(String.fromCharCode(...each)) === "string"));
});

test("timeouts: one to eight digits and a unit, nothing else", () => {
  const fine: [string, number][] = [["1H", 3_600_000], ["2M", 120_000], ["3S", 3_000], ["4m", 4], ["5u", 0.005], ["6n", 0.000_006], ["99999999H", 359_999_996_400_000], ["0S", 0], ["00000001m", 1]];
  for (const [text, milliseconds] of fine) assert.ok(Math.abs(parseTimeout(text) - milliseconds) < 1e-9 + milliseconds * 1e-12, text);
  for (const text of ["", "1", "m", "123456789m", "1x", "-1m", "1.5S", " 1m", "1 m", "1mm", "+1S", "१m"]) assert.equal(parseTimeout(text), -1, text);
});

test("a formatted timeout is never shorter than asked, and never much longer", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e14, noNaN: true }), (milliseconds) => {
      const text = formatTimeout(milliseconds);
      assert.match(text, /^\d{1,8}[HMSmun]$/);
      const parsed = parseTimeout(text);
      assert.ok(parsed >= milliseconds);
      assert.ok(parsed <= milliseconds * 1.04 + 1);
    }),
  );
  assert.equal(formatTimeout(0), "1n");
  assert.equal(formatTimeout(-5), "1n");
  assert.equal(formatTimeout(NaN), "1n");
  assert.equal(formatTimeout(Infinity), "99999999H");
  assert.equal(deadlineMillis(new Date(5)), 5);
});

test("status codes: read from the wire, from HTTP and from resets", () => {
  assert.equal(parseStatus("0"), Status.OK);
  assert.equal(parseStatus("16"), Status.UNAUTHENTICATED);
  assert.equal(parseStatus("99"), 99);
  for (const text of ["", "x", "-1", "1.0", " 1", "1234567890"]) assert.equal(parseStatus(text), null, text);
  assert.deepEqual([400, 401, 403, 404, 429, 502, 503, 504, 200, 500].map(statusOfHttp), [13, 16, 7, 12, 14, 14, 14, 14, 2, 2]);
  assert.deepEqual([0, 7, 8, 11, 12, 99].map(statusOfReset), [13, 14, 1, 8, 7, 13]);
  assert.equal(Status[5], "NOT_FOUND");
  const metadata = new Metadata();
  assert.deepEqual(new StatusBuilder().withCode(Status.ABORTED).withDetails("no").withMetadata(metadata).build(), { code: 10, details: "no", metadata });
});

test("rich status details survive the trailers", () => {
  fc.assert(
    fc.property(
      fc.record({ code: fc.integer({ min: 0, max: 16 }), message: fc.string(), details: fc.array(fc.record({ typeUrl: fc.string(), value: fc.uint8Array() })) }),
      ({ code, message, details }) => {
        const status = { code: code as Status, message, details: details.map(({ typeUrl, value }) => ({ typeUrl, value: Buffer.from(value) })) };
        assert.deepEqual(decodeStatusDetails(encodeStatusDetails(status)), status);
        assert.deepEqual(statusDetails(withStatusDetails(status)), status);
      },
    ),
  );
  assert.equal(statusDetails(new Metadata()), null);
  const broken = new Metadata();
  broken.set("grpc-status-details-bin", Buffer.from([0xff]));
  assert.equal(statusDetails(broken), null);
});

test("protobuf: bytes that are not a message are refused, never misread", () => {
  for (const bytes of [[0x08], [0x0a, 5, 1], [0x00, 1], [0x0b], [0x08, ...new Array<number>(10).fill(0xff), 1], [0x0d, 1, 2, 3]]) {
    assert.throws(() => [...new ProtobufReader(Uint8Array.from(bytes))], ProtobufError, String(bytes));
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        for (const field of new ProtobufReader(bytes)) assert.ok(field.number > 0);
      } catch (error) {
        assert.ok(error instanceof ProtobufError);
      }
    }),
  );
  const bytes = new ProtobufWriter().int(1, -1).int(2, 300).int(3, true).string(4, "ü").finish();
  assert.deepEqual([...new ProtobufReader(bytes)].map(({ value }) => (typeof value === "number" ? value : Buffer.from(value).toString())), [-1, 300, 1, "ü"]);
});

test("an encoding is chosen from what the peer takes", () => {
  assert.equal(acceptEncoding(zlibEncodings), "identity,deflate,gzip");
  assert.equal(chooseEncoding(undefined, ["gzip"]), "identity");
  assert.equal(chooseEncoding("identity, deflate , gzip", ["br", "gzip"]), "gzip");
  assert.equal(chooseEncoding("identity", ["gzip"]), "identity");
});

for (const [name, encoding] of zlibEncodings) {
  test(`${name}: round trips, short on the spot and long elsewhere, and stops at the limit`, async () => {
    for (const length of [0, 1, 1_000, 65_536, 200_000]) {
      const message = Buffer.alloc(length, "abc");
      const packed = await encoding.compress(message);
      assert.deepEqual(await encoding.decompress(packed, length), message);
      if (length > 0) await assert.rejects(async () => encoding.decompress(packed, length - 1), DecompressedTooLong);
    }
    const noise = Buffer.alloc(100_000, 7);
    await assert.rejects(async () => encoding.decompress(noise, 1_000));
    assert.throws(() => encoding.decompress(noise.subarray(0, 100), 1_000));
    let state = 1;
    const incompressible = Buffer.from(
      Array.from({ length: 120_000 }, () => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return state & 255;
      }),
    );
    const long = await encoding.compress(incompressible);
    assert.ok(long.length > 65_536);
    await assert.rejects(async () => encoding.decompress(long, 119_999), DecompressedTooLong);
    assert.deepEqual(await encoding.decompress(long, 120_000), incompressible);
  });
}
