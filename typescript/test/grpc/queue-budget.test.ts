import assert from "node:assert/strict";
import { test } from "node:test";
import { HeaderFields } from "../../src/grpc/http2/header-fields.js";
import { QueueBudget } from "../../src/grpc/http2/queue-budget.js";
import { drain, frame, framesOf, join, journaled, prefaceOf } from "./journal.js";

const HEAD = new HeaderFields([[":status", "200"]]);
const request = join(Uint8Array.of(0x83, 0x86, 0, 5), Buffer.from(":path"), Uint8Array.of(4), Buffer.from("/a/B"));

/** Connections that share a budget of a million bytes, and what happens when it is exceeded. */
function scene() {
  let now = 0;
  const due: (() => void)[] = [];
  const queueBudget = new QueueBudget(1_000_000, () => now, (relieve) => due.push(relieve));
  return {
    queueBudget,
    pass: (ms: number): void => { now += ms; },
    relieve: (): void => { for (const each of due.splice(0)) each(); },
    /** A connection whose peer has opened no window beyond the first, and asks for so many bytes. */
    holder: (bytes: number) => {
      const { connection, journal } = journaled("server", { queueBudget });
      connection.receive(join(prefaceOf("client"), frame(4, 0, 0, "000400000000"), frame(1, 5, 1, request)));
      journal.streams[0]!.reply(HEAD, new Uint8Array(bytes), HEAD);
      drain(connection);
      return { connection, journal, stream: journal.streams[0]! };
    },
  };
}

test("beyond the budget the large holder that has stalled for longest gives up its streams, and no other", () => {
  const { queueBudget, holder, pass, relieve } = scene();
  const paused = holder(1_000);
  pass(1_000);
  const first = holder(400_000);
  pass(1_000);
  const second = holder(400_000);
  pass(1_000);
  const reader = holder(300_000);
  assert.equal(queueBudget.bytes, 1_101_000);
  relieve();
  assert.deepEqual([paused, first, second, reader].map(({ stream }) => stream.closed), [false, true, false, false]);
  assert.equal(queueBudget.bytes, 701_000);
  assert.equal(first.connection.queuedBytes, 0);
  assert.ok(first.journal.lines.includes("reset 1 11"));
  assert.deepEqual(framesOf(drain(first.connection)).map(({ type }) => type), [3]);
});

test("who takes some now and then has not stalled; who takes a byte at a time has", () => {
  const { holder, pass, relieve } = scene();
  const reader = holder(400_000);
  const trickler = holder(400_000);
  for (let turn = 0; turn < 5; turn += 1) {
    pass(1_000);
    reader.connection.receive(frame(8, 0, 1, "00004000"));
    trickler.connection.receive(frame(8, 0, 1, "00000001"));
    for (const { connection } of [reader, trickler]) {
      connection.receive(frame(8, 0, 0, "00004000"));
      drain(connection);
    }
  }
  holder(400_000);
  relieve();
  assert.deepEqual([reader.stream.closed, trickler.stream.closed], [false, true]);
});

test("what ends gives its bytes back to the budget", () => {
  const { queueBudget, holder } = scene();
  const [read, reset, cut] = [holder(1_000), holder(1_000), holder(1_000)];
  read.connection.receive(frame(8, 0, 1, "00004000"));
  drain(read.connection);
  reset.connection.receive(frame(3, 0, 1, "00000008"));
  cut.connection.end();
  assert.equal(queueBudget.bytes, 0);
});
