import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection } from "../../src/grpc/http2/connection.js";
import { ErrorCode } from "../../src/grpc/http2/error-code.js";
import { DEFAULT_OPTIONS } from "../../src/grpc/http2/options.js";
import type { Http2Options } from "../../src/grpc/http2/options.js";
import { drain, frame, framesOf, join, journaled, prefaceOf } from "./journal.js";
import type { Journal } from "./journal.js";

/* Streams whose reset came in the read that opened them: on a busy machine, calls that were cancelled meanwhile. */

const literal = (name: string, value: string): Uint8Array => join(Uint8Array.of(0, name.length), Buffer.from(name), Uint8Array.of(value.length), Buffer.from(value));
const request = join(Uint8Array.of(0x83, 0x86), literal(":path", "/a/B"));
const open = (id: number, block = request): Uint8Array => frame(1, 4, id, block);
const data = (id: number): Uint8Array => frame(0, 1, id, "0000000000");
const reset = (id: number): Uint8Array => frame(3, 0, id, "00000008");
const ids = (count: number, first = 1): number[] => Array.from({ length: count }, (_, at) => first + 2 * at);
const cancelled = (id: number): Uint8Array => join(open(id), data(id), reset(id));

/** A server that has received its client's preface, and whose clock stands still. */
function server(options: Partial<Http2Options> = {}): { connection: Connection; journal: Journal } {
  const made = journaled("server", { clock: () => 0, ...options });
  made.connection.receive(prefaceOf("client"));
  drain(made.connection);
  made.journal.lines.length = 0;
  return made;
}

/** Calls once more, and sees the call begin. */
function served({ connection, journal }: { connection: Connection; journal: Journal }, id: number): void {
  connection.receive(join(open(id), data(id)));
  assert.ok(!connection.closed);
  assert.deepEqual(journal.streams.map((stream) => stream.id), [id]);
  assert.equal(journal.lines.length, 2);
}

for (const count of [2_000, 20_000]) {
  for (const [order, chunk] of [
    ["call by call", join(...ids(count).map(cancelled))],
    ["resets last", join(...ids(count).map((id) => open(id)), ...ids(count).map(data), ...ids(count).map(reset))],
  ] as const) {
    test(`${count} streams that are opened and reset in one read, ${order}, start no handler, and the next call is served`, () => {
      const target = server();
      target.connection.receive(chunk);
      assert.deepEqual(target.journal.lines, []);
      assert.equal(target.connection.openStreams, 0);
      assert.deepEqual(framesOf(drain(target.connection)).filter(({ type }) => type !== 8), []);
      served(target, 2 * count + 1);
    });
  }
}

test("streams that are reset in a later read, at the same time, have started their handlers and count in full", () => {
  const { connection, journal } = server();
  for (const id of ids(10_000)) {
    if (connection.closed) break;
    connection.receive(join(open(id), data(id)));
    connection.receive(reset(id));
    drain(connection);
  }
  assert.equal(journal.streams.length, DEFAULT_OPTIONS.resetBurst + 1);
  assert.equal(journal.error?.code, ErrorCode.ENHANCE_YOUR_CALM);
});

test("an attacker who resets in the same read starts no handler, and is sent away in time", () => {
  const { connection, journal } = server();
  let sent = 0;
  for (; !connection.closed; sent += 1) connection.receive(cancelled(2 * sent + 1));
  assert.equal(sent, 32 * DEFAULT_OPTIONS.resetBurst + 1);
  assert.equal(journal.streams.length, 0);
  assert.equal(journal.error?.code, ErrorCode.ENHANCE_YOUR_CALM);
});

for (const [what, block] of [
  ["that are malformed", join(request, literal("UPPER", "x"))],
  ["with too long a header list", join(request, literal("x", "y".repeat(100)), literal("x", "y".repeat(100)))],
] as const) {
  test(`requests ${what} count in full, whenever they are reset`, () => {
    const { connection, journal } = server({ maxHeaderListBytes: 1_024 });
    const long = what.startsWith("with") ? join(...Array.from({ length: 5 }, () => block)) : block;
    let sent = 0;
    for (; !connection.closed; sent += 1) connection.receive(join(open(2 * sent + 1, long), reset(2 * sent + 1)));
    assert.equal(sent, DEFAULT_OPTIONS.resetBurst + 1);
    assert.equal(journal.error?.code, ErrorCode.ENHANCE_YOUR_CALM);
  });
}

test("other streams of the read have the same events, in the same order, as if it had come in pieces", () => {
  const chunk = join(
    ...[1, 3].map((id) => open(id)),
    cancelled(5),
    data(3),
    open(7),
    frame(6, 1, 0, "0102030405060708"),
    open(9),
    reset(7),
    reset(1),
    data(9),
  );
  const whole = server();
  whole.connection.receive(chunk);
  const pieces = server();
  for (const byte of chunk) pieces.connection.receive(Uint8Array.of(byte));
  const others = pieces.journal.lines.filter((line) => !/ [157] /.test(line));
  assert.equal(others.length, 5);
  assert.deepEqual(whole.journal.lines, others);
});

test("a header block that began in an earlier read starts no handler either", () => {
  const target = server();
  const chunk = cancelled(1);
  target.connection.receive(chunk.subarray(0, 15));
  target.connection.receive(chunk.subarray(15));
  target.connection.receive(join(frame(1, 0, 3, request.subarray(0, 4))));
  target.connection.receive(join(frame(9, 4, 3, request.subarray(4)), data(3), reset(3)));
  assert.deepEqual(target.journal.lines, []);
  served(target, 5);
});

test("a reset of which a byte is missing counts in full, and its handler starts", () => {
  const { connection, journal } = server();
  const chunk = cancelled(1);
  connection.receive(chunk.subarray(0, -1));
  connection.receive(chunk.subarray(-1));
  assert.equal(journal.lines.length, 3);
});

test("header tables stay in step with streams that did not start", () => {
  const { connection, journal } = server();
  const indexed = join(request, Uint8Array.of(0x40), literal("x", "kept").subarray(1));
  connection.receive(join(open(1, indexed), reset(1)));
  connection.receive(open(3, join(request, Uint8Array.of(0xbe))));
  assert.match(journal.lines[0]!, /^stream 3 .*x=kept$/);
});

test("frames after the reset of a stream that did not start are wrong, as after any other", () => {
  for (const late of [data(1), open(1)]) {
    const { connection, journal } = server();
    connection.receive(join(open(1), reset(1), late));
    assert.equal(journal.error?.code, ErrorCode.STREAM_CLOSED);
    assert.ok(connection.closed);
  }
});

test("streams that did not start take no place of another, and trailers and windows of theirs mean nothing", () => {
  const { connection, journal } = server({ maxConcurrentStreams: 1 });
  connection.receive(open(1));
  connection.receive(join(open(3), frame(8, 0, 3, "00000001"), frame(0, 0, 3, "01"), frame(1, 5, 3, literal("x", "y")), reset(3)));
  assert.ok(!connection.closed);
  assert.equal(journal.lines.length, 1);
  assert.deepEqual(framesOf(drain(connection)).filter(({ type }) => type === 3), []);
});
