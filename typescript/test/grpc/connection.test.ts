import assert from "node:assert/strict";
import { test } from "node:test";
import { ErrorCode } from "../../src/grpc/http2/error-code.js";
import { HeaderFields } from "../../src/grpc/http2/header-fields.js";
import type { Http2Options } from "../../src/grpc/http2/options.js";
import type { HeaderBlock } from "../../src/grpc/http2/header-block.js";
import { drain, frame, framesOf, prefaceOf, join, journaled } from "./journal.js";

const REQUEST = new HeaderFields([[":method", "POST"], [":scheme", "http"], [":path", "/a/B"], ["te", "trailers"]]);
const HEAD = new HeaderFields([[":status", "200"], ["content-type", "application/grpc"]]);
const TRAILERS = new HeaderFields([["grpc-status", "0"]]);
const BODY = Uint8Array.of(1, 2, 3);

/** A client and a server that talk to each other, and a pump that carries bytes until both are silent. */
function pair(): { client: ReturnType<typeof journaled>; server: ReturnType<typeof journaled>; settle: () => void } {
  const client = journaled("client");
  const server = journaled("server");
  const settle = (): void => {
    for (;;) {
      const [there, back] = [drain(client.connection), drain(server.connection)];
      if (there.length + back.length === 0) return;
      server.connection.receive(there);
      client.connection.receive(back);
    }
  };
  settle();
  return { client, server, settle };
}

const goaways = (bytes: Uint8Array): [last: number, code: number, text: string][] =>
  framesOf(bytes)
    .filter(({ type }) => type === 7)
    .map(({ payload }) => [Buffer.from(payload).readUInt32BE(0), Buffer.from(payload).readUInt32BE(4), Buffer.from(payload.subarray(8)).toString()]);

test("a call from end to end, and all that a stream tells on the way", () => {
  const { client, server, settle } = pair();
  const call = { mine: true };
  const stream = client.connection.open(REQUEST, false, call, new HeaderFields([["x-id", "7"]], "once"));
  assert.deepEqual([stream.id, stream.context, stream.localEnded, stream.remoteEnded, stream.closed], [1, call, false, false, false]);
  stream.data(BODY, true);
  assert.deepEqual([stream.localEnded, stream.closed], [true, false]);
  settle();
  assert.deepEqual(server.journal.lines.slice(1), ["stream 1 :method=POST; :scheme=http; :path=/a/B; te=trailers; x-id=7", "data 1 010203 end"]);
  const reply = server.journal.streams[0]!;
  assert.deepEqual([reply.remoteEnded, reply.closed], [true, false]);
  reply.reply(HEAD, BODY, TRAILERS);
  assert.ok(reply.closed);
  settle();
  assert.deepEqual(client.journal.lines.slice(1), ["headers 1 :status=200; content-type=application/grpc", "data 1 010203", "headers 1 grpc-status=0 end"]);
  assert.ok(stream.closed);
  assert.equal(client.connection.openStreams + server.connection.openStreams, 0);
});

test("sending on a stream that is over does nothing; sending after one's own end is misuse", () => {
  const { client, settle } = pair();
  const stream = client.connection.open(REQUEST, true, null);
  assert.throws(() => stream.data(BODY, false), { fault: "misuse" });
  assert.throws(() => { stream.headers(TRAILERS, true); }, { fault: "misuse" });
  stream.reset(ErrorCode.CANCEL);
  settle();
  assert.equal(stream.data(BODY, true), true);
  stream.headers(TRAILERS, true);
  stream.reset(ErrorCode.CANCEL);
  assert.equal(drain(client.connection).length, 0);
});

test("data before the head is misuse, and a header that may not be sent is not", () => {
  const { server, client, settle } = pair();
  client.connection.open(REQUEST, true, null);
  settle();
  assert.throws(() => server.journal.streams[0]!.data(BODY, false), { fault: "misuse" });
  for (const wrong of [["X-A", "1"], ["x a", "1"], ["", "1"], ["x-a", "1\n"], ["x-a", " 1"], ["x-a", "☃"]] as const) {
    assert.throws(() => new HeaderFields([wrong]), { fault: "misuse" }, wrong[0]);
  }
});

test("a reset by either side calls the peer's onReset once", () => {
  const { client, server, settle } = pair();
  const one = client.connection.open(REQUEST, false, null);
  const two = client.connection.open(REQUEST, false, null);
  settle();
  one.reset(ErrorCode.CANCEL);
  server.journal.streams[1]!.reset(ErrorCode.REFUSED_STREAM);
  settle();
  assert.deepEqual(server.journal.lines.filter((line) => line.startsWith("reset")), ["reset 1 8 remote"]);
  assert.deepEqual(client.journal.lines.filter((line) => line.startsWith("reset")), ["reset 3 7 remote"]);
  assert.ok(one.closed && two.closed);
  assert.ok(!client.connection.closed && !server.connection.closed);
});

test("equal header blocks are one object, and what was derived from it stays", () => {
  const { client, server, settle } = pair();
  const blocks: HeaderBlock[] = [];
  server.journal.onStream = (_stream, block) => {
    block.derived ??= { path: block.get(":path") };
    blocks.push(block);
  };
  for (let i = 0; i < 10; i++) client.connection.open(REQUEST, true, null);
  settle();
  // The first adds to the table; from the second on the bytes are the same, and so is the block.
  assert.equal(new Set(blocks.slice(1)).size, 1);
  assert.deepEqual(blocks[9]!.derived, { path: "/a/B" });
});

test("GOAWAY: what is open goes on, what is new is refused or ignored, and nothing more may be opened", () => {
  const { client, server, settle } = pair();
  const first = client.connection.open(REQUEST, false, null);
  settle();
  const late = client.connection.open(REQUEST, true, null);
  server.connection.goaway();
  assert.ok(client.connection.canOpen);
  settle();
  assert.ok(!client.connection.canOpen);
  assert.deepEqual(client.journal.lines.slice(1), ["reset 3 7 remote", "goaway 1 0 "]);
  assert.ok(late.closed);
  assert.throws(() => client.connection.open(REQUEST, true, null), { fault: "misuse" });
  first.data(BODY, true);
  settle();
  assert.deepEqual(server.journal.streams.map(({ id }) => id), [1]);
  server.journal.streams[0]!.reply(HEAD, BODY, TRAILERS);
  settle();
  assert.equal(client.journal.lines.at(-1), "headers 1 grpc-status=0 end");
});

test("a first warning leaves the last stream open-ended, the second fixes it", () => {
  const { client, server, settle } = pair();
  assert.ok(server.connection.warn());
  assert.ok(!server.connection.warn(), "once is enough");
  client.connection.open(REQUEST, true, null);
  settle();
  assert.equal(server.journal.streams.length, 1);
  server.connection.goaway();
  settle();
  assert.deepEqual(client.journal.lines.slice(1), ["goaway 2147483647 0 ", "goaway 1 0 "]);
});

test("MAX_CONCURRENT_STREAMS of the peer shows in canOpen", () => {
  const { connection, journal } = journaled("client");
  connection.receive(join(frame(4, 0, 0, "000300000002")));
  assert.equal(connection.peer.maxConcurrentStreams, 2);
  const streams = [connection.open(REQUEST, true, null), connection.open(REQUEST, true, null)];
  assert.ok(!connection.canOpen);
  streams[0]!.reset(ErrorCode.CANCEL);
  assert.ok(connection.canOpen);
  assert.deepEqual(journal.lines, ["settings"]);
});

test("PING comes back with its bytes", () => {
  const { client, settle } = pair();
  client.connection.ping(Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1));
  settle();
  assert.deepEqual(client.journal.lines.slice(1), ["pong 0807060504030201"]);
});

test("close: GOAWAY, every stream is reset, closed exactly once, and then nothing more", () => {
  for (const [code, text] of [[ErrorCode.NO_ERROR, ""], [ErrorCode.ENHANCE_YOUR_CALM, "too_many_pings"]] as const) {
    const { connection, journal } = journaled("server");
    let finished = 0;
    connection.attach({ onOutput: () => undefined, onPause: () => undefined, onDeadline: () => undefined, onFinished: () => finished++ });
    connection.receive(join(prefaceOf("client"), frame(1, 5, 1, "838684")));
    drain(connection);
    connection.close(code, text);
    connection.close();
    connection.end(new Error("too late"));
    connection.receive(frame(1, 5, 3, "838684"));
    connection.ping(new Uint8Array(8));
    connection.goaway();
    journal.streams[0]!.reply(HEAD, BODY, TRAILERS);
    assert.deepEqual(journal.lines.slice(2), [`reset 1 ${code === 0 ? 8 : code} remote`, code === 0 ? "closed in order" : `closed ${code}`]);
    assert.deepEqual(goaways(drain(connection)), [[1, code, text]]);
    assert.equal(finished, 1);
    assert.equal(connection.openStreams, 0);
    assert.equal(connection.error?.code ?? 0, code);
  }
});

test("a GOAWAY for a limit names the options that raise it", () => {
  const begun = (id: number): Uint8Array => frame(1, 5, id, "838684");
  const limits: [options: Partial<Http2Options>, frames: Uint8Array[], named: string][] = [
    [{ idleFrameBurst: 100 }, Array.from({ length: 101 }, () => frame(6, 0, 0, "0102030405060708")), "idleFrameBurst and idleFramesPerSecond"],
    [{ resetBurst: 1 }, [1, 3, 5].flatMap((id) => [begun(id), frame(3, 0, id, "00000008")]), "resetBurst and resetsPerSecond"],
    [{ maxContinuations: 1 }, [frame(1, 1, 1, "83"), frame(9, 0, 1, "86"), frame(9, 4, 1, "84")], "maxHeaderBlockBytes and maxContinuations"],
  ];
  for (const [options, frames, named] of limits) {
    const { connection } = journaled("server", options);
    connection.receive(prefaceOf("client"));
    drain(connection);
    for (const one of frames) connection.receive(one);
    const [[, code, text] = [0, 0, ""]] = goaways(drain(connection));
    assert.equal(code, ErrorCode.ENHANCE_YOUR_CALM, named);
    assert.ok(text.endsWith(`, or raise samewire.http2.${named}`), text);
  }
});

test("the end of the peer's bytes: in order between frames without streams, a cut otherwise", () => {
  const orderly = journaled("server");
  orderly.connection.receive(prefaceOf("client"));
  orderly.connection.end();
  assert.equal(orderly.journal.error, null);
  for (const last of [Uint8Array.of(0), frame(1, 4, 1, "838684")]) {
    const cut = journaled("server");
    cut.connection.receive(join(prefaceOf("client"), last));
    drain(cut.connection);
    cut.connection.end();
    assert.equal(cut.journal.error?.fault, "cut");
    assert.equal(cut.journal.error.code, ErrorCode.CONNECT_ERROR);
    assert.equal(drain(cut.connection).length, 0, "no GOAWAY on a cut connection");
  }
});

test("an error thrown by a callback kills the connection, is its cause, and other streams still end", () => {
  const { connection, journal } = journaled("server");
  journal.onData = () => {
    throw new Error("a defect");
  };
  connection.receive(join(prefaceOf("client"), frame(1, 4, 1, "838684"), frame(1, 4, 3, "838684"), frame(0, 1, 1, "00")));
  assert.equal(journal.error?.fault, "misuse");
  assert.equal((journal.error.cause as Error).message, "a defect");
  assert.deepEqual(journal.lines.filter((line) => line.startsWith("reset")), ["reset 1 2 remote", "reset 3 2 remote"]);
  const worse = journaled("server");
  let finished = 0;
  worse.connection.attach({ onOutput: () => undefined, onPause: () => undefined, onDeadline: () => undefined, onFinished: () => finished++ });
  worse.connection.receive(join(prefaceOf("client"), frame(1, 4, 1, "838684"), frame(1, 4, 3, "838684")));
  let resets = 0;
  worse.journal.onReset = () => {
    resets++;
    throw new Error("again");
  };
  assert.throws(() => { worse.connection.close(); }, /again/);
  assert.deepEqual([resets, worse.journal.closed, finished], [2, 1, 1]);
});

test("a callback may close the connection in the middle of a chunk", () => {
  const { connection, journal } = journaled("server");
  journal.onStream = () => {
    journal.lines.push("stream");
    connection.close();
  };
  connection.receive(join(prefaceOf("client"), frame(1, 5, 1, "838684"), frame(1, 5, 3, "838684")));
  assert.deepEqual(journal.lines, ["settings", "stream", "reset 1 8 remote", "closed in order"]);
});

test("a header list longer than the peer's frames goes out in CONTINUATION and comes back whole", () => {
  const { client, server, settle } = pair();
  const fields: [string, string][] = Array.from({ length: 60 }, (_, i) => [`x-${i}`, String(i % 10).repeat(900)]);
  const stream = client.connection.open(REQUEST, false, null, new HeaderFields(fields, "secret"));
  const frames = framesOf(drain(client.connection));
  assert.ok(frames.length > 1 && frames.slice(1).every(({ type }) => type === 9));
  assert.ok(frames.every(({ payload }) => payload.length <= 16_384));
  stream.reset(ErrorCode.CANCEL);
  const again = client.connection.open(REQUEST, true, null);
  assert.equal(again.id, 3);
  const both = pair();
  both.client.connection.open(REQUEST, true, null, new HeaderFields(fields, "once"));
  both.settle();
  assert.match(both.server.journal.lines[1]!, /x-59=9{900} end$/);
  settle();
  assert.deepEqual(server.journal.streams, []);
});

test("onOutput is called once until the bytes are taken", () => {
  const { connection, journal } = journaled("server");
  let told = 0;
  connection.attach({ onOutput: () => told++, onPause: () => undefined, onDeadline: () => undefined, onFinished: () => undefined });
  drain(connection);
  connection.receive(join(prefaceOf("client"), frame(1, 5, 1, "838684"), frame(6, 0, 0, new Uint8Array(8))));
  journal.streams[0]!.reply(HEAD, BODY, TRAILERS);
  assert.equal(told, 1);
  drain(connection);
  connection.ping(new Uint8Array(8));
  assert.equal(told, 2);
});

for (const [code, delays] of [[0, []], [11, [5_000]]] as const) {
  test(`a GOAWAY with code ${code} gives the peer ${delays.length === 0 ? "all the time" : "a deadline"} to close`, () => {
    const { connection, journal } = journaled("client");
    connection.receive(prefaceOf("server"));
    const stream = connection.open(REQUEST, true, null);
    const set: number[] = [];
    const ignore = (): undefined => undefined;
    connection.attach({ onOutput: ignore, onPause: ignore, onDeadline: (delay) => set.push(delay), onFinished: ignore });
    connection.receive(frame(7, 0, 0, `00000001${code.toString(16).padStart(8, "0")}`));
    assert.deepEqual(set, delays);
    assert.ok(!stream.closed);
    if (delays.length === 0) return;
    connection.expire();
    assert.ok(connection.closed && stream.closed);
    assert.match(connection.error!.message, /announced an error/);
    assert.deepEqual(journal.lines.slice(-2), ["reset 1 10 remote", "closed 10"]);
  });
}

test("stream ids are used up: no more streams", () => {
  const { connection } = journaled("client");
  connection.receive(prefaceOf("server"));
  Object.assign(connection, { nextId: 0x7fff_ffff });
  assert.equal(connection.open(REQUEST, true, null).id, 0x7fff_ffff);
  assert.ok(!connection.canOpen);
  assert.throws(() => connection.open(REQUEST, true, null), { fault: "misuse" });
});
