import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { Channel as ClientChannel } from "../../src/grpc/client/channel.js";
import type { RequestMessages } from "../../src/grpc/client/request-messages.js";
import type { WaitingMessages } from "../../src/grpc/client/waiting-messages.js";
import { createClient, status } from "../../src/grpc/index.js";
import type { ClientReadableStream, ServerDuplexStream } from "../../src/grpc/index.js";
import { hardTest } from "../hard.js";
import { connect, serialize, service, until } from "./peers.js";
import { rawServer, type Respond } from "./raw-server.js";
import { framed, serve } from "./serving.js";
import type { Note } from "./serving.js";

/* What waits in a server or a client, by the bytes it keeps alive: flow control counts bytes of the wire, and a
   message may have none. */

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes that are alive. */
function alive(): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const EMPTY = Buffer.alloc(5);
const MANY = 200_000;
const HEAD = { ":status": 200, "content-type": "application/grpc" };

const request = (method: string): Record<string, string> => ({ ":method": "POST", ":path": `/notes.Notes/${method}`, "content-type": "application/grpc", te: "trailers" });

test("a window full of messages of no bytes, for a handler that does not read, takes little more than the window", async (context) => {
  let call: ServerDuplexStream<Note, Note> | null = null;
  const serving = await serve(context, {
    Bidi(started: ServerDuplexStream<Note, Note>) {
      call = started;
    },
  });
  const session = await serving.session();
  const stream = session.request(request("Bidi"), { endStream: false });
  stream.on("error", () => undefined);
  await until(() => call !== null, "the call");
  const before = alive();
  const flood = Buffer.alloc(MANY * EMPTY.length);
  stream.write(flood);
  await until(() => serving.server.getStatistics().messagesReceived === MANY, "the messages", 20_000);
  const grown = alive() - before;
  assert.ok(grown < 8e6, `${grown} bytes`);
  stream.close(8);
});

test("a handler that is always behind keeps no message that it has read", async (context) => {
  const count = 6_000;
  let most = 0;
  let received = 0;
  const before = alive();
  const serving = await serve(context, {
    async Bidi(call: ServerDuplexStream<Note, Note>) {
      for await (const note of call) {
        assert.equal(note.text.length, 10_000);
        received += 1;
        if (received % 500 === 0 && received < count) most = Math.max(most, alive() - before);
        await new Promise((resolve) => setImmediate(resolve));
      }
      call.end();
    },
  });
  const session = await serving.session();
  const stream = session.request(request("Bidi"), { endStream: false });
  const ten = Buffer.concat(Array.from({ length: 10 }, () => framed(JSON.stringify({ text: "x".repeat(10_000) }))));
  for (let sent = 0; sent < count; sent += 10) if (!stream.write(ten)) await once(stream, "drain");
  stream.end();
  stream.resume();
  await once(stream, "close");
  assert.equal(received, count);
  // 60 MB went through; the window, what node's client queues, and its rest are a few.
  assert.ok(most < 24e6, `${most} bytes`);
});

/** Messages that have come and that a call's reader has not asked for. */
function waiting({ inner }: ClientReadableStream<unknown>): number {
  const { current } = inner.core!;
  return current === null ? 0 : ((Reflect.get(current, "waiting") as WaitingMessages | null)?.backlog.size ?? 0);
}

/** A compressed message with its prefix. */
function compressed(bytes: Buffer): Buffer {
  const prefix = Buffer.alloc(5, 1);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

/** A server's whole answer is these bytes, as fast as the client takes them. */
const answering = (bytes: Buffer, encoding: string | null = null): Respond => (stream) => {
  stream.respond({ ...HEAD, ...(encoding === null ? {} : { "grpc-encoding": encoding }) }, { waitForTrailers: true });
  stream.on("wantTrailers", () => { stream.sendTrailers({ "grpc-status": "0" }); });
  stream.end(bytes);
};

test("a window full of messages of no bytes, for a reader that does not ask, takes little more than the window", async () => {
  const server = await rawServer(answering(Buffer.alloc(MANY * EMPTY.length)));
  const client = connect(server);
  const before = alive();
  const call = client.makeServerStreamRequest("/test.Echo/Down", serialize, () => 1, {});
  call.read(0);
  await until(() => waiting(call) > MANY - 100, "the messages", 20_000);
  const grown = alive() - before;
  assert.ok(grown < 8e6, `${grown} bytes`);
  let read = 0;
  for await (const each of call) read += each as number;
  assert.equal(read, MANY);
  client.close();
  await server.close();
});

test("messages that a reader does not ask for stay compressed", async () => {
  const message = compressed(gzipSync(Buffer.alloc(4_000_000)));
  const count = 100;
  const server = await rawServer(answering(Buffer.concat(Array.from({ length: count }, () => message)), "gzip"));
  const client = connect(server);
  const before = alive();
  const call = client.makeServerStreamRequest("/test.Echo/Down", serialize, (bytes) => bytes.length, {});
  call.read(0);
  await until(() => waiting(call) > count - 40, "the messages", 20_000);
  await new Promise((resolve) => setTimeout(resolve, 200));
  // 400 MB, were they decompressed. Sixteen numbers wait in the Node stream.
  const grown = alive() - before;
  assert.ok(grown < 20e6, `${grown} bytes`);
  let read = 0;
  for await (const length of call) {
    assert.equal(length, 4_000_000);
    read += 1;
  }
  assert.equal(read, count);
  client.close();
  await server.close();
});

hardTest("messages that wait are read one by one in time that grows with their number alone", async () => {
  const server = await rawServer(answering(Buffer.alloc(MANY * EMPTY.length)));
  const client = createClient({ Down: { ...service.Down, responseDeserialize: () => 1 } }, server.address);
  let read = 0;
  const began = process.cpuUsage();
  for await (const each of client.Down({}) as AsyncIterable<number>) read += each;
  const { user, system } = process.cpuUsage(began);
  assert.equal(read, MANY);
  assert.ok(user + system < 5e6, `${(user + system) / 1_000} ms`);
  await client[Symbol.asyncDispose]();
  await server.close();
});

test("a server that sends faster than its messages can be decompressed is held by the window", async () => {
  const count = 16;
  const message = compressed(gzipSync(randomBytes(2_500_000).toString("hex"), { level: 1 }));
  let sent = 0;
  const server = await rawServer((stream) => {
    stream.respond({ ...HEAD, "grpc-encoding": "gzip" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => { stream.sendTrailers({ "grpc-status": "0" }); });
    const next = (): void => {
      if (sent === count) stream.end();
      else stream.write(message, () => { sent += 1; next(); });
    };
    next();
  });
  const client = connect(server, { "grpc-node.flow_control_window": 1_000_000, "grpc.max_receive_message_length": -1 });
  const call = client.makeServerStreamRequest("/test.Echo/Down", serialize, (bytes) => bytes.length, {});
  let got = 0;
  let ahead = 0;
  for await (const length of call) {
    assert.equal(length, 5_000_000);
    got += 1;
    ahead = Math.max(ahead, sent - got);
  }
  assert.equal(got, count);
  assert.ok(ahead <= 3, `${ahead} of ${count} messages had come and waited`);
  client.close();
  await server.close();
});

test("messages of no bytes, for a server that says nothing, are not kept for a retry without end", async () => {
  const server = await rawServer((stream) => { stream.resume(); });
  const client = connect(server);
  let ended = -1;
  const call = client.makeClientStreamRequest("/test.Echo/Up", () => Buffer.alloc(0), (bytes: Buffer) => bytes, (error) => { ended = error!.code; });
  for (let at = 0; at < 20_000; at += 1) if (!call.write({})) await once(call, "drain");
  const { bytes } = Reflect.get(call.inner.core!, "messages") as RequestMessages;
  // Each counts for 128.
  assert.ok(bytes < 1.2e6, `${bytes} bytes`);
  call.cancel();
  await until(() => ended >= 0, "the end");
  assert.equal(ended, status.CANCELLED);
  client.close();
  await server.close();
});

test("a channel remembers a bounded number of methods", () => {
  const channel = new ClientChannel("localhost:1");
  const first = channel.method("/a/first");
  assert.equal(channel.method("/a/first"), first);
  for (let at = 0; at < 1_024; at += 1) channel.method(`/a/${at}`);
  assert.notEqual(channel.method("/a/first"), first);
  channel.close();
});
