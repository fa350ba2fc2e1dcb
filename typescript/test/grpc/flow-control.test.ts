import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection } from "../../src/grpc/http2/connection.js";
import { ErrorCode } from "../../src/grpc/http2/error-code.js";
import { HeaderFields } from "../../src/grpc/http2/header-fields.js";
import { DEFAULT_OPTIONS } from "../../src/grpc/http2/options.js";
import type { Http2Options } from "../../src/grpc/http2/options.js";
import type { Stream } from "../../src/grpc/http2/stream.js";
import { drain, frame, framesOf, prefaceOf, join, journaled } from "./journal.js";
import type { Seen } from "./journal.js";

const HEAD = new HeaderFields([[":status", "200"]]);
const TRAILERS = new HeaderFields([["grpc-status", "0"]]);
const open = (id: number): Uint8Array => frame(1, 5, id, "838684");
const u32 = (value: number): Uint8Array => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);

function server(options: Partial<Http2Options> = {}, streams = 1): { connection: Connection; streams: Stream[]; lines: string[] } {
  const { connection, journal } = journaled("server", options);
  connection.receive(prefaceOf("client"));
  for (let i = 0; i < streams; i++) connection.receive(open(2 * i + 1));
  drain(connection);
  return { connection, streams: journal.streams, lines: journal.lines };
}

/** `stream:length`, with a star where the stream ends, of the DATA frames; H for header lists. */
function summary(frames: readonly Seen[]): string {
  return frames
    .filter(({ type }) => type <= 1)
    .map(({ type, stream, payload, flags }) => `${stream}:${type === 1 ? "H" : payload.length}${(flags & 1) === 1 ? "*" : ""}`)
    .join(" ");
}

const sent = (connection: Connection): string => summary(framesOf(drain(connection)));

test("a message goes out in frames of 16,384 bytes, as far as the windows reach, and goes on when they open", () => {
  const { connection, streams } = server();
  streams[0]!.reply(HEAD, new Uint8Array(100_000), TRAILERS);
  assert.equal(sent(connection), "1:H 1:16384 1:16384 1:16384 1:16383");
  connection.receive(frame(8, 0, 1, u32(20_000)));
  assert.equal(sent(connection), "");
  connection.receive(frame(8, 0, 0, u32(10)));
  assert.equal(sent(connection), "1:10");
  connection.receive(frame(8, 0, 0, u32(100_000)));
  assert.equal(sent(connection), "1:16384 1:3606");
  connection.receive(frame(8, 0, 1, u32(100_000)));
  assert.equal(sent(connection), "1:14465 1:H*");
  assert.equal(connection.openStreams, 0);
});

test("the end without trailers, and a message of exactly the window", () => {
  const { connection, streams } = server();
  streams[0]!.headers(HEAD, false);
  streams[0]!.data(new Uint8Array(65_535), true);
  assert.equal(sent(connection), "1:H 1:16384 1:16384 1:16384 1:16383*");
});

test("an empty DATA and trailers need no window", () => {
  const { connection, streams } = server({}, 2);
  streams[0]!.reply(HEAD, new Uint8Array(65_535), TRAILERS);
  drain(connection);
  streams[1]!.headers(HEAD, false);
  streams[1]!.data(new Uint8Array(0), false);
  streams[1]!.headers(TRAILERS, true);
  assert.equal(sent(connection), "3:H 3:0 3:H*");
});

test("a prefix is copied and joined with its message", () => {
  const { connection, streams } = server({}, 2);
  const prefix = Uint8Array.of(1, 2, 3, 4, 5);
  streams[0]!.reply(HEAD, Uint8Array.of(6), TRAILERS, prefix);
  streams[1]!.headers(HEAD, false);
  streams[1]!.data(new Uint8Array(16_383).fill(9), true, prefix);
  prefix.fill(0);
  const data = framesOf(drain(connection)).filter(({ type }) => type === 0);
  assert.deepEqual(data[0]!.payload, Uint8Array.of(1, 2, 3, 4, 5, 6));
  assert.deepEqual(data.slice(1).map(({ payload }) => payload.length), [16_384, 4]);
  assert.deepEqual(data[1]!.payload.slice(0, 6), Uint8Array.of(1, 2, 3, 4, 5, 9));
});

test("streams that wait take turns", () => {
  const { connection, streams } = server({}, 3);
  connection.receive(frame(4, 0, 0, "00047fffffff"));
  connection.receive(frame(8, 0, 0, u32(1_000_000)));
  drain(connection);
  for (const stream of streams) {
    stream.headers(HEAD, false);
    stream.data(new Uint8Array(40_000), true);
  }
  assert.equal(sent(connection), "1:H 3:H 5:H 1:16384 3:16384 5:16384 1:16384 3:16384 5:16384 1:7232* 3:7232* 5:7232*");
});

test("SETTINGS move the windows of open streams, below zero too", () => {
  const { connection, streams } = server();
  streams[0]!.headers(HEAD, false);
  streams[0]!.data(new Uint8Array(60_000), false);
  drain(connection);
  connection.receive(frame(4, 0, 0, "000400002710")); // 10,000: the stream has 50,000 less than nothing
  streams[0]!.data(new Uint8Array(100), false);
  assert.equal(sent(connection), "");
  connection.receive(frame(8, 0, 1, u32(50_050)));
  assert.equal(sent(connection), "1:50");
  connection.receive(frame(4, 0, 0, "0004000028a0"));
  assert.equal(sent(connection), "1:50");
});

test("a stream that is reset drops what waits, and the others go on", () => {
  const { connection, streams } = server({}, 2);
  streams[0]!.reply(HEAD, new Uint8Array(200_000), TRAILERS);
  drain(connection);
  streams[1]!.reply(HEAD, new Uint8Array(5_000), TRAILERS);
  streams[0]!.reset(ErrorCode.CANCEL);
  assert.equal(connection.queuedBytes, 5_000);
  connection.receive(frame(8, 0, 0, u32(100_000)));
  assert.equal(sent(connection), "3:H 3:5000 3:H*");
});

test("onWritable may send on at once", () => {
  const { connection, journal } = journaled("server", { streamQueueBytes: 10_000 });
  connection.receive(join(prefaceOf("client"), open(1)));
  const stream = journal.streams[0]!;
  let left = 20;
  journal.onWritable = (waiting) => {
    while (left-- > 0) if (!waiting.data(new Uint8Array(20_000), false)) return;
    if (!waiting.localEnded) waiting.headers(TRAILERS, true);
  };
  connection.receive(join(frame(8, 0, 0, u32(1_000_000)), frame(8, 0, 1, u32(1_000_000))));
  stream.headers(HEAD, false);
  journal.onWritable(stream);
  const frames = framesOf(drain(connection)).filter(({ type }) => type === 0);
  assert.equal(frames.reduce((sum, { payload }) => sum + payload.length, 0), 400_000);
  assert.ok(stream.localEnded);
});

/** WINDOW_UPDATE frames as `stream:increment`. */
const updates = (connection: Connection): string[] =>
  framesOf(drain(connection))
    .filter(({ type }) => type === 8)
    .map(({ stream, payload }) => `${stream}:${Buffer.from(payload).readUInt32BE(0)}`);

test("what is given back is announced in halves of a window; what is not holds the peer", () => {
  const { connection, journal } = journaled("server", { streamWindowBytes: 65_535, connectionWindowBytes: 100_000, maxWindowBytes: 65_535 });
  journal.onData = () => undefined;
  connection.receive(join(prefaceOf("client"), frame(1, 4, 1, "838684")));
  assert.deepEqual(updates(connection), [`0:${100_000 - 65_535}`]);
  const stream = journal.streams[0]!;
  for (let i = 0; i < 4; i++) connection.receive(frame(0, 0, 1, new Uint8Array(16_000)));
  assert.deepEqual(updates(connection), []);
  stream.consume(32_766);
  assert.deepEqual(updates(connection), []);
  stream.consume(1);
  assert.deepEqual(updates(connection), ["1:32767"]);
  stream.consume(1_000_000);
  assert.deepEqual(updates(connection), ["0:64000"]);
  connection.receive(frame(0, 0, 1, new Uint8Array(16_000)));
  stream.reset(ErrorCode.CANCEL);
  stream.consume(16_000);
  connection.receive(frame(0, 0, 1, new Uint8Array(16_000)));
  for (let i = 0; i < 2; i++) connection.receive(frame(0, 0, 1, new Uint8Array(10_000)));
  assert.deepEqual(updates(connection), ["0:52000"], "the reset and what came late are given back");
});

test("padding is given back at once, and the rest at the latest when the stream is over", () => {
  const { connection, journal } = journaled("server", { connectionWindowBytes: 65_535 });
  journal.onData = () => undefined;
  connection.receive(join(prefaceOf("client"), frame(1, 4, 1, "838684")));
  drain(connection);
  for (let i = 0; i < 200; i++) connection.receive(frame(0, 8, 1, join(Uint8Array.of(199), new Uint8Array(199))));
  const due = updates(connection);
  assert.equal(due.length, 1);
  connection.receive(frame(0, 1, 1, new Uint8Array(16_384)));
  const stream = journal.streams[0]!;
  stream.reply(HEAD, new Uint8Array(0), TRAILERS);
  assert.ok(stream.closed);
  stream.consume(16_384);
  drain(connection);
  // Two megabytes that are never acknowledged, through a window of 65,535 bytes.
  for (let id = 3; id < 260; id += 2) {
    connection.receive(join(frame(1, 4, id, "838684"), frame(0, 1, id, new Uint8Array(16_000))));
    journal.streams.at(-1)!.reply(HEAD, new Uint8Array(0), TRAILERS);
  }
  assert.equal(updates(connection).length, 43);
  assert.ok(!connection.closed);
});

test("DATA beyond a stream's window ends the stream, beyond the connection's the connection", () => {
  for (const [streamWindowBytes, connectionWindowBytes, type] of [[65_535, 1_000_000, 3], [200_000, 65_535, 7]] as const) {
    const { connection, journal } = journaled("server", { streamWindowBytes, connectionWindowBytes });
    journal.onData = () => undefined;
    connection.receive(join(prefaceOf("client"), frame(1, 4, 1, "838684")));
    for (let i = 0; i < 4; i++) connection.receive(frame(0, 0, 1, new Uint8Array(16_384)));
    const answer = framesOf(drain(connection)).find(({ type }) => type === 3 || type === 7)!;
    assert.equal(answer.type, type);
    assert.equal(Buffer.from(answer.payload).readUInt32BE(type === 3 ? 0 : 4), ErrorCode.FLOW_CONTROL_ERROR);
    assert.equal(connection.closed, type === 7);
  }
});

/**
 * A peer that fills every window it is given, over a path with a round trip and a rate. Returns the stream window in
 * the end.
 */
function settle(roundTripMs: number, bytesPerMs: number): number {
  let now = 0;
  const { connection, journal } = journaled("server", { clock: () => now });
  connection.receive(join(prefaceOf("client"), frame(1, 4, 1, "838684")));
  let streamWindow = 65_535;
  let [room, connectionRoom] = [65_535, 65_535];
  let inFlight: { at: number; frames: Seen[] }[] = [];
  for (; now < 3_000; now++) {
    inFlight = inFlight.filter(({ at, frames }) => {
      if (at > now) return true;
      for (const { type, stream, payload, flags } of frames) {
        const bytes = Buffer.from(payload);
        if (type === 8) {
          if (stream === 0) connectionRoom += bytes.readUInt32BE(0);
          else room += bytes.readUInt32BE(0);
        }
        if (type === 4) for (let i = 0; i < bytes.length; i += 6) if (bytes.readUInt16BE(i) === 4) {
          room += bytes.readUInt32BE(i + 2) - streamWindow;
          streamWindow = bytes.readUInt32BE(i + 2);
        }
        if (type === 6 && flags === 0) connection.receive(frame(6, 1, 0, payload));
      }
      return false;
    });
    for (let budget = bytesPerMs; budget > 0 && room > 0 && connectionRoom > 0; ) {
      const size = Math.min(16_384, budget, room, connectionRoom);
      connection.receive(frame(0, 0, 1, new Uint8Array(size)));
      budget -= size;
      room -= size;
      connectionRoom -= size;
    }
    const frames = framesOf(drain(connection));
    if (frames.length > 0) inFlight.push({ at: now + roundTripMs, frames });
  }
  assert.ok(!connection.closed && journal.lines.length > 0);
  return streamWindow;
}

test("windows grow to what the path carries in a round trip, and no further", () => {
  const slow = settle(2, 20_000); // 40 kB in flight
  const far = settle(50, 25_000); // 1.25 MB in flight
  assert.equal(slow, DEFAULT_OPTIONS.streamWindowBytes);
  assert.ok(far >= 2_000_000 && far <= 4_194_304, `${far}`);
  assert.equal(settle(200, 500_000), 8_388_608, "and never above maxWindowBytes");
});
