import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import type { ClientReadableStream, ServerWritableStream } from "../../src/grpc/index.js";
import { frame, framesOf, drain, join, journaled, prefaceOf } from "./journal.js";
import { pause } from "./peers.js";
import { same } from "./same-program.js";
import type { Note } from "./serving.js";

const MIB = 1_048_576;
const LEAST = 65_535;
const ACK = frame(4, 1, 0, "");

/** A server's half whose handlers read nothing, with so many streams open; what it is sent counts for their windows. */
function paused(streams: number) {
  const { connection, journal } = journaled("server", { connectionWindowBytes: 64 * MIB });
  journal.onData = () => undefined;
  connection.receive(prefaceOf("client"));
  for (let i = 0; i < streams; i++) connection.receive(frame(1, 4, 2 * i + 1, "838684"));
  connection.receive(ACK);
  drain(connection);
  const send = (id: number, bytes: number): void => {
    for (let left = bytes; left > 0; left -= 16_384) connection.receive(frame(0, 0, id, new Uint8Array(Math.min(left, 16_384))));
  };
  /** Windows of streams that were announced since the last look, and the resets. */
  const announced = (): string[] =>
    framesOf(drain(connection)).flatMap(({ type, flags, payload, stream }) => {
      if (type === 4 && flags === 0) return [`window ${Buffer.from(payload).readUInt32BE(2)}`];
      if (type === 8 && stream > 0) return [`${stream}:${Buffer.from(payload).readUInt32BE(0)}`];
      return type === 3 ? [`reset ${stream}`] : [];
    });
  return { connection, journal, send, announced };
}

test("streams without a reader get small windows once eight megabytes wait in all of them together", () => {
  const { connection, journal, send, announced } = paused(20);
  for (let i = 0; i < 8; i++) send(2 * i + 1, MIB);
  assert.deepEqual(announced(), []);
  send(17, 1);
  assert.deepEqual(announced(), [`window ${LEAST}`], "announced once");
  send(19, 200_000);
  assert.deepEqual(announced(), [], "until the peer has heard of it, it sends by the windows of before");
  connection.receive(ACK);
  send(21, LEAST);
  assert.deepEqual(announced(), []);
  send(21, 1);
  assert.deepEqual(announced(), ["reset 21"], "then a stream has the small window");
  connection.receive(frame(0, 1, 1, new Uint8Array(0)));
  assert.deepEqual(announced(), [], "and one whose window is below zero may end");
  journal.streams[9]!.consume(200_000 - 100);
  assert.deepEqual(announced(), [`19:${200_000 - 100}`]);
  send(19, LEAST - 100);
  assert.deepEqual(announced(), []);
});

test("a setting that no peer has acknowledged makes no window smaller", () => {
  const { connection, send, announced } = paused(12);
  for (let i = 0; i < 9; i++) send(2 * i + 1, MIB);
  assert.deepEqual(announced(), [`window ${LEAST}`]);
  send(19, MIB);
  connection.receive(join(ACK, ACK));
  assert.deepEqual(announced(), []);
  assert.ok(!connection.closed);
});

/** A stream that pauses with its first message. `whole` goes on: whether all of so many came, in order. */
async function pausing(stream: ClientReadableStream<Note>, count: number) {
  let next = 1;
  stream.on("data", ({ number }: Note) => {
    if (number === 1) stream.pause();
    if (number === next) next += 1;
  });
  await once(stream, "data");
  return async function whole(): Promise<boolean> {
    stream.resume();
    await once(stream, "end");
    return next === count + 1;
  };
}

same("what a hundred paused streams were sent is bounded, other calls go on, and so do they", async (stage) => {
  const [streams, count, text] = [100, 100, "x".repeat(10_000)];
  let sent = 0;
  const address = await stage.serve({
    Unary(_call: unknown, callback: (error: null, reply: Note) => void) {
      callback(null, { text: "here" });
    },
    Server(call: ServerWritableStream<Note, Note>) {
      let number = 0;
      const go = (): void => {
        while (number < count && !call.cancelled) {
          sent += 1;
          number += 1;
          if (!call.write({ text, number })) {
            call.once("drain", go);
            return;
          }
        }
        call.end();
      };
      go();
    },
  });
  const client = stage.client(address);
  const paused = await Promise.all(Array.from({ length: streams }, () => pausing(client.Server({ text: "" }), count)));
  // Nothing tells that the server cannot write any more: its count stands still.
  for (let before = -1; before !== sent; ) {
    before = sent;
    await pause(200);
  }
  const most = 48 * MIB;
  const bounded = sent * text.length < most || `${sent} messages were sent`;
  const other = await stage.unary(client, { text: "" });
  const whole = await Promise.all(paused.map((wholeOf) => wholeOf()));
  return { bounded, other, whole: whole.every(Boolean) };
});
