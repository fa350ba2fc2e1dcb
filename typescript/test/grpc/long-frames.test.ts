import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HeaderFields } from "../../src/grpc/http2/header-fields.js";
import { drain, frame, framesOf, prefaceOf, join, journaled } from "./journal.js";
import type { Journal } from "./journal.js";

const HEAD = new HeaderFields([[":status", "200"]]);
const TRAILERS = new HeaderFields([["grpc-status", "0"]]);
const open = (id: number): Uint8Array => frame(1, 4, id, "838684");
const u32 = (value: number): Uint8Array => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);

/** SETTINGS of a peer that takes DATA of a megabyte. */
const LONG = "f5da53100000";

/** A server whose peer takes long DATA, with windows that hold nothing up, and so many streams. */
function server(streams: number): ReturnType<typeof journaled> {
  const made = journaled("server");
  const windows = join(frame(4, 0, 0, `00047fffffff${LONG}`), frame(8, 0, 0, u32(0x7000_0000)));
  made.connection.receive(join(prefaceOf("client"), windows, ...Array.from({ length: streams }, (_, turn) => open(2 * turn + 1))));
  drain(made.connection);
  return made;
}

/** The bytes that a journal has seen of a stream, and whether its end came with the last of them. */
function body({ lines }: Journal, id: number): { bytes: Buffer; ended: boolean } {
  const mine = lines.filter((line) => line.startsWith(`data ${id} `));
  assert.ok(mine.slice(0, -1).every((line) => !line.endsWith("end")));
  return { bytes: Buffer.from(mine.map((line) => line.split(" ")[2]!).join(""), "hex"), ended: mine.at(-1)!.endsWith("end") };
}

test("DATA comes out the same wherever its frames are cut, padded or not", () => {
  const frames = fc.array(fc.record({ length: fc.constantFrom(0, 1, 4_095, 4_096, 5_000, 30_000), padding: fc.option(fc.nat({ max: 255 })) }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(frames, fc.array(fc.nat({ max: 120_000 }), { maxLength: 8 }), (parts, cuts) => {
      const { connection, journal } = journaled("server");
      connection.receive(join(prefaceOf("client"), frame(4, 0, 0, LONG), open(1)));
      let mark = 0;
      const payloads = parts.map(({ length }) => Buffer.alloc(length, (mark += 1)));
      const wire = join(
        ...parts.map(({ padding }, turn) => {
          const end = turn === parts.length - 1 ? 1 : 0;
          const payload = payloads[turn]!;
          return padding === null ? frame(0, end, 1, payload) : frame(0, end | 8, 1, join(Uint8Array.of(padding), payload, new Uint8Array(padding)));
        }),
      );
      const at = [0, ...cuts.map((cut) => cut % (wire.length + 1)).sort((a, b) => a - b), wire.length];
      for (const [turn, from] of at.slice(0, -1).entries()) connection.receive(wire, from, at[turn + 1]);
      const seen = body(journal, 1);
      assert.ok(seen.ended && seen.bytes.equals(Buffer.concat(payloads)));
      assert.ok(!connection.closed);
    }),
    { numRuns: 60 },
  );
});

test("of long DATA nothing is kept: it is passed on as it comes, and counts for the windows", () => {
  const { connection, journal } = journaled("server", { streamWindowBytes: 65_535, maxWindowBytes: 65_535 });
  journal.onData = (stream, _bytes, from, to) => { journal.lines.push(`${stream.id}:${to - from}`); };
  connection.receive(join(prefaceOf("client"), frame(4, 0, 0, LONG), open(1)));
  journal.lines.length = 0;
  connection.receive(join(Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 1), new Uint8Array(50_000)));
  connection.receive(new Uint8Array(15_535));
  assert.deepEqual(journal.lines, ["1:50000", "1:15535"]);
  connection.receive(new Uint8Array(1));
  assert.equal(journal.lines.at(-1), "reset 1 3", "one byte beyond the window");
  connection.receive(new Uint8Array(131_072 - 65_536));
  assert.ok(!connection.closed, "the rest of the frame belongs to a stream that was reset");
});

test("long DATA is for those who both announce it; other frames keep to MAX_FRAME_SIZE", () => {
  const one = (settings: string, type: number, length: number, longDataBytes = 100_000): number | undefined => {
    const { connection, journal } = journaled("server", { longDataBytes });
    connection.receive(join(prefaceOf("client"), frame(4, 0, 0, settings), open(1)));
    connection.receive(Uint8Array.of(length >>> 16, length >>> 8, length, type, 0, 0, 0, 0, 1));
    return journal.error?.code;
  };
  assert.equal(one("", 0, 16_384), undefined);
  assert.equal(one("", 0, 16_385), 6);
  assert.equal(one("f5da00100000", 0, 16_385), 6, "the number alone may mean anything");
  assert.equal(one(LONG, 0, 100_000), undefined);
  assert.equal(one(LONG, 0, 100_001), 6);
  assert.equal(one(LONG, 1, 16_385), 6);
});

test("a peer that does not take long DATA gets frames of 16,384 bytes", () => {
  const { connection, journal } = journaled("server");
  connection.receive(join(prefaceOf("client"), frame(4, 0, 0, "00047fffffff"), frame(8, 0, 0, u32(0x7000_0000)), open(1)));
  journal.streams[0]!.reply(HEAD, new Uint8Array(1_000_000), TRAILERS);
  assert.ok(framesOf(drain(connection)).every(({ payload }) => payload.length <= 16_384));
});

test("a frame of DATA that never ends leaves its connection cut, not orderly", () => {
  const { connection, journal } = journaled("server");
  connection.receive(join(prefaceOf("client"), frame(4, 0, 0, LONG), open(1)));
  journal.streams[0]!.reply(HEAD, new Uint8Array(1), TRAILERS);
  connection.receive(Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 1));
  connection.end();
  assert.equal(journal.error?.fault, "cut");
});

test("a long message is written from where it is, between heads of ours", () => {
  const { connection, journal } = server(1);
  const message = new Uint8Array(2_500_000).map((_, at) => at % 251);
  journal.streams[0]!.reply(HEAD, message, TRAILERS, Uint8Array.of(1, 2, 3, 4, 5));
  const parts: Uint8Array[] = [];
  let lent = 0;
  for (let output = connection.take(); output !== null; output = connection.take()) {
    const pieces = output instanceof Uint8Array ? [output] : output;
    for (const piece of pieces) if (piece.buffer === message.buffer) lent += piece.length;
    parts.push(...pieces.map((piece) => Uint8Array.from(piece)));
    connection.recycle(output);
  }
  assert.ok(lent > 2_000_000, `${lent} bytes were lent`);
  const frames = framesOf(join(...parts));
  assert.ok(Buffer.concat(frames.filter(({ type }) => type === 0).map(({ payload }) => payload)).equals(join(Uint8Array.of(1, 2, 3, 4, 5), message)));
  assert.ok(frames.every(({ payload }) => payload.length <= 1_048_576));
  assert.deepEqual([frames[0]!.type, frames.at(-1)!.type, connection.openStreams, connection.queuedBytes], [1, 1, 1, 0]);
});

test("a writer hears that there is room once what it lent is written", () => {
  const { connection, journal } = server(1);
  const stream = journal.streams[0]!;
  stream.headers(HEAD, false);
  assert.equal(stream.data(new Uint8Array(300_000), false), false);
  const output = connection.take();
  assert.ok(Array.isArray(output) && !journal.lines.includes("writable 1"));
  assert.equal(connection.take(), null);
  assert.ok(journal.lines.includes("writable 1"));
});

test("long messages of several streams take turns, short ones pass between them", () => {
  const { connection, journal } = server(3);
  const [first, second, third] = journal.streams;
  for (const stream of [first!, second!]) {
    stream.headers(HEAD, false);
    stream.data(new Uint8Array(400_000), true);
  }
  assert.notEqual(connection.take(), null);
  third!.reply(HEAD, new Uint8Array(10), TRAILERS);
  const rest = framesOf(drain(connection)).map(({ type, stream, payload }) => `${type}:${stream}:${payload.length}`);
  assert.ok(rest.indexOf("0:5:10") < rest.length - 4, rest.join(" "));
  assert.equal(journal.error, null);
});
