import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection } from "../../src/grpc/http2/connection.js";
import { ErrorCode } from "../../src/grpc/http2/error-code.js";
import { HeaderFields } from "../../src/grpc/http2/header-fields.js";
import { DEFAULT_OPTIONS } from "../../src/grpc/http2/options.js";
import type { Http2Options } from "../../src/grpc/http2/options.js";
import { bytesInUse } from "./collect-garbage.js";
import { drain, frame, framesOf, prefaceOf, join, journaled } from "./journal.js";
import type { Journal } from "./journal.js";

const HEAD = new HeaderFields([[":status", "200"]]);
const REQUEST = new HeaderFields([[":method", "POST"], [":scheme", "http"], [":path", "/a/B"], ["te", "trailers"]]);
const literal = (name: string, value: string): Uint8Array => join(Uint8Array.of(0, name.length), Buffer.from(name), Uint8Array.of(value.length), Buffer.from(value));
const request = join(Uint8Array.of(0x83, 0x86), literal(":path", "/a/B"));

/** A server that has received its client's preface. */
function server(options: Partial<Http2Options> = {}): { connection: Connection; journal: Journal } {
  const made = journaled("server", options);
  made.connection.receive(prefaceOf("client"));
  drain(made.connection);
  return made;
}

const open = (id: number, end = true): Uint8Array => frame(1, end ? 5 : 4, id, request);
const reset = (id: number): Uint8Array => frame(3, 0, id, "00000008");

/** CPU time on a busy machine, beside that on a quiet one; a cost that grows faster than its input is far above it. */
const BUSY = 20;

/**
 * Does something that may take so much CPU, in milliseconds, and memory, in bytes, what the collector has yet to find
 * included.
 */
function bounded(most: { ms: number; bytes: number }, run: () => void): void {
  const memory = (): number => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const [before, cpu] = [memory(), process.cpuUsage()];
  run();
  const { user, system } = process.cpuUsage(cpu);
  const [ms, bytes] = [(user + system) / 1_000, memory() - before];
  assert.ok(ms < BUSY * most.ms && bytes < most.bytes, `${ms} ms, ${bytes} bytes`);
}

/** Feeds pieces until the connection dies; returns how many it took. */
function feed(connection: Connection, most: number, piece: (i: number) => Uint8Array): number {
  for (let i = 0; i < most; i++) {
    if (connection.closed) return i;
    connection.receive(piece(i));
    drain(connection);
  }
  return most;
}

/** Feeds the frames of an attack one by one, so that each is handled before the next has come. */
function feedApart(connection: Connection, most: number, pieces: (i: number) => readonly Uint8Array[]): number {
  for (let i = 0; i < most; i++) {
    if (connection.closed) return i;
    for (const piece of pieces(i)) connection.receive(piece);
    drain(connection);
  }
  return most;
}

function calm({ connection, journal }: { connection: Connection; journal: Journal }): void {
  assert.ok(connection.closed);
  assert.equal(journal.error?.code, ErrorCode.ENHANCE_YOUR_CALM);
  assert.equal(journal.error.fault, "peer");
  assert.equal(journal.closed, 1);
}

test("rapid reset (CVE-2023-44487): resetBurst streams, then the connection ends", () => {
  const attacked = server();
  bounded({ ms: 500, bytes: 24e6 }, () => {
    const taken = feedApart(attacked.connection, 100_000, (i) => [open(2 * i + 1), reset(2 * i + 1)]);
    assert.equal(taken, DEFAULT_OPTIONS.resetBurst + 1);
  });
  calm(attacked);
  assert.equal(attacked.journal.streams.length, DEFAULT_OPTIONS.resetBurst + 1);
  assert.equal(attacked.connection.openStreams, 0);
});

test("resets are forgiven with time", () => {
  let now = 0;
  const patient = server({ resetBurst: 10, resetsPerSecond: 100, clock: () => now });
  // 50 a second for a while.
  feedApart(patient.connection, 500, (i) => {
    now += 20;
    return [open(2 * i + 1), reset(2 * i + 1)];
  });
  assert.ok(!patient.connection.closed);
  feedApart(patient.connection, 20, (i) => [open(2 * i + 1_001), reset(2 * i + 1_001)]);
  calm(patient);
});

test("streams that were open for a while before their reset count less, and those after a whole response not at all", () => {
  let now = 0;
  const { connection, journal } = server({ resetBurst: 10, resetsPerSecond: 1, clock: () => now });
  // 200 at a time, each open for 1,100 ms: less than two of the ten that are allowed.
  for (let round = 0; round < 10; round += 1) {
    const ids = Array.from({ length: 200 }, (_, i) => 2 * (200 * round + i) + 1);
    feed(connection, 200, (i) => open(ids[i]!));
    now += 1_100;
    feed(connection, 200, (i) => reset(ids[i]!));
  }
  assert.ok(!connection.closed);
  // Reset at once, they count as before.
  assert.ok(feedApart(connection, 200, (i) => [open(2 * i + 10_001), reset(2 * i + 10_001)]) <= 25);
  calm({ connection, journal });
});

for (const [name, provoke] of [
  ["WINDOW_UPDATE by nothing", (id: number) => frame(8, 0, id, "00000000")],
  ["DATA beyond content-length", (id: number) => frame(0, 0, id, "01")],
  ["trailers that do not end", (id: number) => frame(1, 4, id, literal("x", "y"))],
] as const) {
  test(`streams we are made to reset (CVE-2025-8671) count as well: ${name}`, () => {
    const attacked = server();
    const head = join(request, literal("content-length", "0"));
    bounded({ ms: 500, bytes: 24e6 }, () => {
      const taken = feed(attacked.connection, 100_000, (i) => join(frame(1, 4, 2 * i + 1, head), provoke(2 * i + 1)));
      assert.equal(taken, DEFAULT_OPTIONS.resetBurst + 1);
    });
    calm(attacked);
  });
}

test("CONTINUATION flood (CVE-2024-27316): maxContinuations pieces or maxHeaderBlockBytes, whichever comes first", () => {
  const empty = server();
  empty.connection.receive(frame(1, 1, 1, request));
  bounded({ ms: 200, bytes: 4e6 }, () => {
    assert.equal(feed(empty.connection, 100_000, () => frame(9, 0, 1)), DEFAULT_OPTIONS.maxContinuations + 1);
  });
  calm(empty);
  const large = server();
  large.connection.receive(frame(1, 1, 1, request));
  bounded({ ms: 200, bytes: 4e6 }, () => {
    const taken = feed(large.connection, 100_000, () => frame(9, 0, 1, new Uint8Array(16_384)));
    assert.equal(taken, DEFAULT_OPTIONS.maxHeaderBlockBytes / 16_384);
  });
  calm(large);
});

for (const [name, piece, each] of [
  ["PING", frame(6, 0, 0, new Uint8Array(8)), 1],
  ["acknowledged PING", frame(6, 1, 0, new Uint8Array(8)), 1],
  ["SETTINGS", frame(4, 0, 0), 1],
  ["SETTINGS of 100 parameters", frame(4, 0, 0, "000400010000".repeat(100)), 101],
  ["acknowledged SETTINGS", frame(4, 1, 0), 1],
  ["empty DATA", frame(0, 0, 1), 1],
  ["DATA of padding alone", frame(0, 8, 1, "00"), 1],
  ["PRIORITY", frame(2, 0, 1, "0000000000"), 1],
  ["WINDOW_UPDATE", frame(8, 0, 1, "00000001"), 1],
  ["RST_STREAM of a stream that ended", frame(3, 0, 3, "00000000"), 1],
  ["unknown frame", frame(0x77, 0, 0, "00"), 1],
] as const) {
  test(`${name} flood: idleFrameBurst of them, then the connection ends, in bounded memory and time`, () => {
    const attacked = server();
    attacked.connection.receive(join(open(1, false), open(3), reset(3)));
    const chunk = join(...Array.from({ length: 50 }, () => piece));
    bounded({ ms: 1_000, bytes: 32e6 }, () => {
      const taken = feed(attacked.connection, 10_000, () => chunk);
      assert.ok(Math.abs(taken * 50 * each - DEFAULT_OPTIONS.idleFrameBurst) <= 50 * each + 10, `${taken * 50} frames`);
    });
    calm(attacked);
  });
}

test("useful traffic pays for its window updates and pings", () => {
  const { connection, journal } = server({ idleFrameBurst: 100 });
  for (let i = 0; i < 1_000; i++) {
    const id = 2 * i + 1;
    connection.receive(join(open(id, false), frame(0, 1, id, "0102"), frame(6, 0, 0, new Uint8Array(8))));
    const stream = journal.streams.at(-1)!;
    stream.reply(HEAD, Uint8Array.of(1, 2), HEAD);
    drain(connection);
    connection.receive(join(frame(8, 0, 0, "00000002"), frame(8, 0, id, "00000002")));
  }
  assert.ok(!connection.closed);
});

test("a SETTINGS flood of a client that is connected to a bad server ends too", () => {
  const attacked = journaled("client");
  attacked.connection.receive(prefaceOf("server"));
  bounded({ ms: 1_000, bytes: 48e6 }, () => {
    const taken = feed(attacked.connection, 100_000, () => frame(4, 0, 0));
    assert.ok(taken <= DEFAULT_OPTIONS.idleFrameBurst + 1);
  });
  calm(attacked);
});

test("a client whose server makes it answer and reads nothing gives up at maxPendingBytes", () => {
  const attacked = journaled("client", { idleFrameBurst: 1e9, maxPendingBytes: 16_384 });
  attacked.connection.receive(prefaceOf("server"));
  let sent = 0;
  bounded({ ms: 500, bytes: 16e6 }, () => {
    while (!attacked.connection.closed && sent < 10_000) {
      attacked.connection.receive(frame(6, 0, 0, new Uint8Array(8)));
      sent++;
    }
  });
  calm(attacked);
  assert.ok(sent * 17 < 17_000, `${sent} frames`);
});

test("a server stops reading at maxPendingBytes and goes on once they are taken", () => {
  const { connection, journal } = server({ maxPendingBytes: 16_384 });
  const pauses: boolean[] = [];
  connection.attach({ onOutput: () => undefined, onPause: (pause) => pauses.push(pause), onDeadline: () => undefined, onFinished: () => undefined });
  let id = 1;
  bounded({ ms: 1_000, bytes: 48e6 }, () => {
    for (; pauses.length === 0; id += 2) {
      connection.receive(open(id));
      journal.streams.at(-1)!.headers(HEAD, true);
    }
  });
  assert.deepEqual(pauses, [true]);
  drain(connection);
  assert.deepEqual(pauses, [true, false]);
  connection.receive(open(id));
  assert.equal(journal.streams.at(-1)!.id, id);
});

test("HPACK bomb: one large entry repeated by its index costs its bytes on the wire and is dropped at maxHeaderListBytes", () => {
  const attacked = server({ maxHeaderListBytes: 16_384 });
  const entry = join(Uint8Array.of(0x40, 1), Buffer.from("x"), Uint8Array.of(0x7f, 0x81, 0x1e), Buffer.alloc(3_968, "v"));
  const bomb = join(request, entry, new Uint8Array(12_000).fill(0xbe));
  // 100 bombs would be 6 GB of fields.
  bounded({ ms: 1_000, bytes: 32e6 }, () => {
    for (let i = 0; i < 100; i++) {
      attacked.connection.receive(frame(1, 5, 2 * i + 1, i === 0 ? bomb : join(request, new Uint8Array(16_000).fill(0xbe))));
      const [answer] = framesOf(drain(attacked.connection));
      assert.deepEqual([answer?.type, Buffer.from(answer!.payload).readUInt32BE(0)], [3, ErrorCode.ENHANCE_YOUR_CALM]);
    }
  });
  assert.deepEqual(attacked.journal.lines, ["settings"]);
  attacked.connection.receive(open(999));
  assert.equal(attacked.journal.streams.length, 1, "the table kept step");
});

for (const [name, fields] of [
  ["many short fields", Array.from({ length: 4_000 }, (_, i) => literal(`x${i}`, "y"))],
  ["fields that all want an entry of the table", Array.from({ length: 4_000 }, (_, i) => join(Uint8Array.of(0x40), literal(`x${i}`, "y").subarray(1)))],
  ["one long value", [join(Uint8Array.of(0, 1), Buffer.from("x"), Uint8Array.of(0x7f, 0x81, 0xf0, 0x04), Buffer.alloc(80_000, "v"))]],
] as const) {
  test(`header lists over maxHeaderListBytes, ${name}: the stream ends, the rest goes on, at the cost of reading them`, () => {
    const attacked = server();
    const block = join(request, ...fields);
    const rest = Array.from({ length: Math.ceil(block.length / 16_384) }, (_, i) => block.subarray(i * 16_384, (i + 1) * 16_384));
    bounded({ ms: 2_000, bytes: 64e6 }, () => {
      for (let i = 0; i < 50; i++) {
        const id = 2 * i + 1;
        attacked.connection.receive(join(...rest.map((part, at) => frame(at === 0 ? 1 : 9, (at === 0 ? 1 : 0) | (at === rest.length - 1 ? 4 : 0), id, part))));
        const [answer] = framesOf(drain(attacked.connection));
        assert.deepEqual([answer?.type, Buffer.from(answer!.payload).readUInt32BE(0)], [3, ErrorCode.ENHANCE_YOUR_CALM]);
      }
    });
    assert.equal(attacked.journal.streams.length, 0);
    attacked.connection.receive(open(999));
    assert.equal(attacked.journal.streams.length, 1, "the table kept step");
  });
}

test("what a peer can make our caches keep is bounded", () => {
  const { connection } = server();
  const blocks = Array.from({ length: 5_000 }, (_, i) => join(request, literal("x-request", `${i}`.padStart(100, "0"))));
  bounded({ ms: 1_000, bytes: 16e6 }, () => {
    blocks.forEach((block, i) => {
      connection.receive(join(frame(1, 4, 2 * i + 1, block), reset(2 * i + 1)));
      if (i % 500 === 0) drain(connection);
    });
  });
});

test("too many streams: those above maxConcurrentStreams are refused, and in time the connection ends", () => {
  const { connection, journal } = server({ maxConcurrentStreams: 10 });
  feed(connection, 12, (i) => open(2 * i + 1, false));
  assert.equal(connection.openStreams, 10);
  assert.equal(journal.streams.length, 10);
  connection.receive(frame(0, 1, 23, "01"));
  assert.ok(!connection.closed, "DATA of a refused stream is late, not wrong");
  journal.streams[0]!.reset(ErrorCode.CANCEL);
  connection.receive(open(101, false));
  assert.equal(journal.streams.length, 11);
  bounded({ ms: 500, bytes: 24e6 }, () => {
    feed(connection, 100_000, (i) => open(2 * i + 103, false));
  });
  calm({ connection, journal });
});

test("a peer that never opens its windows: above maxQueuedBytes no more streams", () => {
  const { connection, journal } = server({ maxQueuedBytes: 1_000_000 });
  connection.receive(frame(4, 0, 0, "000400000000"));
  drain(connection);
  bounded({ ms: 500, bytes: 16e6 }, () => {
    for (let id = 1; id < 400; id += 2) {
      connection.receive(open(id));
      const stream = journal.streams.at(-1)!;
      if (stream.id === id) stream.reply(HEAD, new Uint8Array(100_000), HEAD);
    }
  });
  assert.equal(journal.streams.length, 11);
  assert.equal(connection.queuedBytes, 1_100_000);
  assert.ok(framesOf(drain(connection)).filter(({ type }) => type === 3).every(({ payload }) => payload[3] === ErrorCode.REFUSED_STREAM));
  for (const { id } of journal.streams.slice(0, 11)) connection.receive(reset(id));
  assert.equal(connection.queuedBytes, 0);
  connection.receive(open(999));
  assert.equal(journal.streams.length, 12);
});

test("small messages for a peer that never opens its windows take little more than their bytes", () => {
  const { connection, journal } = server();
  connection.receive(frame(4, 0, 0, "000400000000"));
  drain(connection);
  const prefix = Uint8Array.of(0, 0, 0, 0, 1);
  const message = Uint8Array.of(7);
  // As an array of its own, each of 550,000 messages would take 200 bytes and more.
  bounded({ ms: 2_000, bytes: 16e6 }, () => {
    for (let id = 1; id < 100; id += 2) {
      connection.receive(open(id));
      const stream = journal.streams.at(-1)!;
      stream.headers(HEAD, false);
      while (stream.data(message, false, prefix));
    }
  });
  assert.equal(connection.queuedBytes, 50 * 65_538);
  connection.receive(join(frame(8, 0, 0, "0fffffff"), frame(8, 0, 1, "0000001e")));
  const [data] = framesOf(drain(connection)).filter(({ type }) => type === 0);
  assert.deepEqual(data!.payload, join(...Array.from({ length: 5 }, () => join(prefix, message))));
});

test("a stream whose write returns false takes what it is given, and tells when there is room", () => {
  const { connection, journal } = server({ streamQueueBytes: 1_000 });
  connection.receive(join(frame(4, 0, 0, "000400000000"), open(1)));
  const stream = journal.streams[0]!;
  stream.headers(HEAD, false);
  assert.equal(stream.data(new Uint8Array(1_000), false), true);
  assert.equal(stream.data(new Uint8Array(1), false), false);
  assert.equal(stream.queued, 1_001);
  drain(connection);
  connection.receive(frame(8, 0, 1, "000003e9"));
  assert.ok(!journal.lines.includes("writable 1"));
  drain(connection);
  assert.ok(journal.lines.includes("writable 1"));
});

test("a frame is not given room before its bytes come", () => {
  bounded({ ms: 1_000, bytes: 20e6 }, () => {
    const peers = Array.from({ length: 200 }, () => server({ maxFrameBytes: 16_777_215 }).connection);
    for (const peer of peers) peer.receive(Uint8Array.of(0xff, 0xff, 0xff, 1, 0, 0, 0, 0, 1, 1, 2, 3));
    assert.ok(peers.every(({ closed }) => !closed));
  });
});

for (const [what, half, rest] of [
  ["header block", frame(1, 1, 1, request), frame(9, 4, 1)],
  ["frame", open(1).subarray(0, 20), open(1).subarray(20)],
  ["head of a frame", open(1).subarray(0, 5), open(1).subarray(5)],
] as const) {
  test(`a ${what} that is begun and not finished in frameMs ends the connection; others may be begun meanwhile`, () => {
    const watched = () => {
      const made = server({ frameMs: 5_000 });
      const deadlines: number[] = [];
      made.connection.attach({ onOutput: () => undefined, onPause: () => undefined, onDeadline: (delay) => deadlines.push(delay), onFinished: () => undefined });
      return { ...made, deadlines };
    };
    const attacked = watched();
    attacked.connection.receive(half);
    assert.deepEqual(attacked.deadlines, [5_000]);
    attacked.connection.expire();
    // Once more, for what came while the thread was held.
    assert.deepEqual(attacked.deadlines, [5_000, 1_000]);
    attacked.connection.expire();
    calm(attacked);

    const honest = watched();
    honest.connection.receive(half);
    honest.connection.expire();
    honest.connection.receive(rest);
    honest.connection.expire();
    assert.equal(honest.journal.streams.length, 1);
    assert.ok(!honest.connection.closed);

    const busy = watched();
    busy.connection.receive(half);
    busy.connection.receive(join(rest, open(3).subarray(0, 12)));
    busy.connection.expire();
    assert.deepEqual(busy.deadlines, [5_000, 5_000], "another frame, another time");
  });
}

test("an idle connection is small", () => {
  const connections: unknown[] = [];
  const before = bytesInUse();
  for (let i = 0; i < 500; i++) {
    const { connection, journal } = server();
    connection.receive(open(1));
    journal.streams[0]!.reply(HEAD, new Uint8Array(10), HEAD);
    drain(connection);
    connections.push(connection);
  }
  const each = (bytesInUse() - before) / connections.length;
  assert.ok(each < 16_000, `${each} bytes each`);
});

test("options out of their range are misuse", () => {
  for (const wrong of [{ maxFrameBytes: 16_383 }, { maxConcurrentStreams: 0 }, { streamWindowBytes: 65_534 }, { blockCacheEntries: 48 }, { resetBurst: Number.NaN }, { maxQueuedBytes: Infinity }]) {
    assert.throws(() => journaled("server", wrong), { name: "Http2Error", fault: "misuse" });
  }
  assert.doesNotThrow(() => journaled("client").connection.open(REQUEST, true, null));
});
