import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { takeOver } from "../../src/grpc/transport/intake.js";

test("an accepted socket is taken over whole: bytes, pauses, ends, and its server's count", async () => {
  const server = net.createServer({ allowHalfOpen: true });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = net.connect({ port: (server.address() as net.AddressInfo).port, host: "127.0.0.1" });
  const [accepted] = (await once(server, "connection")) as [net.Socket];
  const { socket, intake } = takeOver(accepted);
  assert.notEqual(socket, accepted);
  assert.equal(socket.remotePort, client.localPort);
  const got: number[] = [];
  intake!.taker = {
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
  const taken: ReturnType<typeof takeOver>[] = [];
  server.on("connection", (socket) => taken.push(takeOver(socket)));
  const clients = [1, 2].map(() => net.connect((server.address() as net.AddressInfo).port, "127.0.0.1"));
  for (const late = Date.now() + 5_000; taken.length < 2 && Date.now() < late; ) await sleep(2);
  assert.equal(taken[0]!.intake!.buffer === taken[1]!.intake!.buffer, process.platform !== "win32");
  for (const client of clients) client.destroy();
  for (const { socket } of taken) socket.destroy();
  server.close();
});

test("a socket without a handle of node's stays as it is", () => {
  const socket = new net.Socket();
  assert.deepEqual(takeOver(socket), { socket, intake: null });
});
