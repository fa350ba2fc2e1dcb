import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { test } from "node:test";
import { listen } from "../../src/grpc/transport/index.js";
import type { Link } from "../../src/grpc/transport/index.js";
import { bytesInUse } from "./collect-garbage.js";
import { Echo } from "./echo.js";
import { prefaceOf } from "./journal.js";

const CONNECTIONS = 1_500;
const AT_ONCE = 100;
/** A timer that outlives its connection keeps about 15 kB: 22 MB of all of them. */
const MOST_BYTES = 6_000_000;

const HELLO = prefaceOf("client");

for (const [what, hello] of [["say nothing", new Uint8Array(0)], ["send their preface", HELLO]] as const) {
  test(`connections that ${what} and close leave no memory behind`, async (context) => {
    let opened = 0;
    let closed = 0;
    const listener = await listen({ host: "127.0.0.1", port: 0 }, {}, (_link: Link) => {
      opened += 1;
      const echo = new Echo();
      echo.onClosed = () => { closed += 1; };
      return echo;
    });
    context.after(() => listener.close());
    const { port } = listener.address as { port: number };
    const connectAndClose = async (): Promise<void> => {
      const socket = net.connect(port, "127.0.0.1");
      await once(socket, "connect");
      socket.resume();
      if (hello.length > 0) {
        socket.write(hello);
        await once(socket, "data");
      }
      socket.end();
      await once(socket, "close");
    };
    const round = async (connections: number): Promise<number> => {
      for (let made = 0; made < connections; made += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, connectAndClose));
      }
      while (listener.links > 0) await new Promise((resolve) => setImmediate(resolve));
      return bytesInUse();
    };
    const before = await round(500);
    const after = await round(CONNECTIONS);
    assert.equal(opened, CONNECTIONS + 500);
    assert.equal(closed, opened);
    assert.ok(after - before < MOST_BYTES, `${Math.round((after - before) / 1e6)} MB more after ${CONNECTIONS} connections`);
  });
}
