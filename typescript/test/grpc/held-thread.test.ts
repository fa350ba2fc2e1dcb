import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import { Client, credentials } from "../../src/grpc/index.js";
import { frame, framesOf, prefaceOf } from "./journal.js";
import { until } from "./serving.js";

/* A thread that was held, by a long handler or a busy machine, finds its timers due before it has read what came. */

const KEEPALIVE = { "grpc.keepalive_time_ms": 20, "grpc.keepalive_timeout_ms": 1_500 };

/** Acknowledges PINGs at once, and holds the thread for longer than their time each time. Returns how many it has seen. */
function hold(socket: Socket): () => number {
  let pings = 0;
  socket.on("data", (chunk: Buffer) => {
    for (const { type, flags, payload } of framesOf(chunk)) {
      if (type !== 6 || flags !== 0) continue;
      pings += 1;
      socket.write(frame(6, 1, 0, payload));
      const end = performance.now() + 2_000;
      while (performance.now() < end);
    }
  });
  return () => pings;
}

test("a client whose thread was held reads the acknowledgement of its keepalive before it gives up", async (context) => {
  let connections = 0;
  let pings = (): number => 0;
  const server = createServer((socket) => {
    connections += 1;
    pings = hold(socket);
    socket.on("error", () => undefined);
    socket.write(prefaceOf("server"));
    context.after(() => { socket.destroy(); });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = new Client(`127.0.0.1:${(server.address() as AddressInfo).port}`, credentials.createInsecure(), KEEPALIVE);
  context.after(() => { client.close(); server.close(); });
  let ended = false;
  const bytes = (value: Buffer): Buffer => value;
  client.makeUnaryRequest("/a/B", bytes, bytes, Buffer.alloc(0), () => { ended = true; });
  await until(() => pings() >= 2 || ended || connections > 1);
  assert.ok(!ended);
  assert.equal(connections, 1);
});
