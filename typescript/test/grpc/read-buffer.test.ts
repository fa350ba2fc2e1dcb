import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import type { Duplex } from "node:stream";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Metadata } from "@grpc/grpc-js";
import { withReadBuffer } from "../../src/transport/read-buffer.js";
import type { handleBidiStreamingCall } from "../../src/grpc/index.js";
import { serve } from "./serving.js";
import type { Note } from "./serving.js";

test("an accepted socket is taken over whole: bytes, pauses, ends, and its server's count", async () => {
  const server = net.createServer({ allowHalfOpen: true });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = net.connect({ port: (server.address() as net.AddressInfo).port, host: "127.0.0.1" });
  const [accepted] = (await once(server, "connection")) as [net.Socket];
  const { socket, readBuffer } = withReadBuffer(accepted);
  assert.notEqual(socket, accepted);
  assert.equal(socket.remotePort, client.localPort);
  const got: number[] = [];
  readBuffer!.receiver = {
    receive(bytes, from, to) {
      got.push(...bytes.subarray(from, to));
    },
  };
  const until = async (length: number): Promise<void> => {
    for (const late = Date.now() + 5_000; got.length < length && Date.now() < late; ) await sleep(2);
    assert.equal(got.length, length);
  };
  client.write(Uint8Array.of(1, 2, 3));
  await until(3);
  socket.pause();
  client.write(Uint8Array.of(4));
  await sleep(20);
  await until(3);
  socket.resume();
  await until(4);
  assert.deepEqual(got, [1, 2, 3, 4]);
  socket.write("back");
  assert.equal(String((await once(client, "data"))[0]), "back");
  const ended = once(socket, "end");
  client.end();
  await ended;
  const closed = once(socket, "close");
  socket.end();
  await closed;
  await new Promise((resolve) => server.close(resolve));
});

test("the sockets of a thread read through one buffer, but on Windows", async () => {
  const server = net.createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const taken: ReturnType<typeof withReadBuffer>[] = [];
  server.on("connection", (socket) => taken.push(withReadBuffer(socket)));
  const clients = [1, 2].map(() => net.connect((server.address() as net.AddressInfo).port, "127.0.0.1"));
  for (const late = Date.now() + 5_000; taken.length < 2 && Date.now() < late; ) await sleep(2);
  assert.equal(taken[0]!.readBuffer!.buffer === taken[1]!.readBuffer!.buffer, process.platform !== "win32");
  for (const client of clients) client.destroy();
  for (const { socket } of taken) socket.destroy();
  server.close();
});

test("a socket without a handle of node's stays as it is", () => {
  const socket = new net.Socket();
  assert.deepEqual(withReadBuffer(socket), { socket, readBuffer: null });
});

test("a server whose sockets have no such handle serves all the same: node may change what it does not document", async (context) => {
  const probe = net.createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const client = net.connect((probe.address() as net.AddressInfo).port, "127.0.0.1");
  const [accepted] = (await once(probe, "connection")) as [net.Socket];
  const handles = Object.getPrototypeOf(Reflect.get(accepted, "_handle") as object) as object;
  const before = Object.getOwnPropertyDescriptor(handles, "useUserBuffer") ?? { value: Reflect.get(handles, "useUserBuffer") as unknown, configurable: true, writable: true };
  Object.defineProperty(handles, "useUserBuffer", { value: undefined, configurable: true, writable: true });
  context.after(() => { Object.defineProperty(handles, "useUserBuffer", before); });
  assert.deepEqual(withReadBuffer(accepted), { socket: accepted, readBuffer: null });
  client.destroy();
  accepted.destroy();
  probe.close();

  // The client is grpc-js's: ours asks node for the same by a documented option.
  const serving = await serve(context, {
    Unary: (call: { request: Note }, done: (error: null, note: Note) => void) => { done(null, call.request); },
    Bidi: ((call) => call.pipe(call as unknown as Duplex)) as handleBidiStreamingCall<Note, Note>,
  });
  const notes = serving.client({ "grpc.max_receive_message_length": -1 });
  const text = "long".repeat(750_000);
  const answer = await new Promise((resolve, reject) => {
    notes.Unary({ text }, new Metadata(), {}, (error, note) => { if (error === null) resolve(note); else reject(error); });
  });
  assert.deepEqual(answer, { text });
  const stream = notes.Bidi();
  const seen: number[] = [];
  stream.on("data", ({ number }: Note) => seen.push(number!));
  for (let number = 0; number < 2_000; number += 1) stream.write({ text: "x".repeat(200), number });
  stream.end();
  await once(stream, "end");
  assert.deepEqual(seen, Array.from({ length: 2_000 }, (_, number) => number));
});
