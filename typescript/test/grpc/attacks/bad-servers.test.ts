import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import { status } from "../../../src/grpc/index.js";
import { frame, join } from "../journal.js";
import { codeOf, connect, pause, unary, until } from "../peers.js";
import { SECONDS } from "./scale.js";

/* Servers that accept connections and answer nothing: how often a client with calls comes back, and how its calls fail.
   @grpc/grpc-js makes 556 connections in 6 seconds to the first one. */

const CALLERS = 20;
const SETTINGS = frame(4, 0, 0);
const TOO_MANY_PINGS = join(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 11), Buffer.from("too_many_pings"));

const servers: readonly (readonly [string, (socket: Socket) => void])[] = [
  ["SETTINGS and GOAWAY", (socket) => { socket.write(join(SETTINGS, frame(7, 0, 0, "0000000000000000"))); }],
  ["SETTINGS and the end", (socket) => { socket.end(SETTINGS); }],
  ["SETTINGS and a reset", (socket) => { socket.write(SETTINGS, () => { setImmediate(() => { socket.resetAndDestroy(); }); }); }],
  ["SETTINGS and GOAWAY for too many pings", (socket) => { socket.write(join(SETTINGS, frame(7, 0, 0, TOO_MANY_PINGS))); }],
];

for (const [what, answer] of servers) {
  test(`a server that sends ${what} gets few connections, and calls fail at once`, async (context) => {
    let connections = 0;
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      connections += 1;
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket)).resume();
      answer(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const client = connect({ address: `127.0.0.1:${(server.address() as AddressInfo).port}` });
    let going = true;
    context.after(() => {
      going = false;
      client.close();
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const codes: number[] = [];
    const callOn = async (): Promise<void> => {
      while (going) {
        codes.push(await codeOf(unary(client, { number: 1 }, { deadline: Date.now() + 10_000 })));
        await pause(10);
      }
    };
    const callers = Array.from({ length: CALLERS }, callOn);
    await pause(SECONDS * 1_000);
    const made = connections;
    // A busy machine needs longer for the first calls.
    await until(() => codes.length > CALLERS, "the end of more calls than there are callers");
    going = false;
    await Promise.all(callers);
    // One that is taken for chance, then one for each back-off: 1 s, 1.6 s, 2.56 s and so on, less the jitter.
    assert.ok(made <= 3 + SECONDS / 0.8, `${made} connections in ${SECONDS} s`);
    assert.deepEqual(codes.filter((code) => code !== status.UNAVAILABLE), []);
  });
}
