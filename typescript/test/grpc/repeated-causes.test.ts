import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { Server } from "../../src/grpc/index.js";
import type { ClientOptions, ServerUnaryCall, sendUnaryData } from "../../src/grpc/index.js";
import { connect, service, unary, type Item } from "./peers.js";
import { bind, logging } from "./serving.js";

/* What a peer can cause with each of its calls is bounded: lines of a server's log, resets of a client's streams. */

/** The address of a server of one unary method. */
async function serving(context: TestContext, handler: (call: ServerUnaryCall<Item, Item>, callback: sendUnaryData<Item>) => void): Promise<string> {
  const server = new Server();
  server.addService({ Unary: service.Unary }, { Unary: handler });
  const port = await bind(server, "127.0.0.1:0");
  context.after(() => { server.forceShutdown(); });
  return `127.0.0.1:${port}`;
}

test("a log line of each call is written 100 times at once, and 10 times a second", async (context) => {
  const logged = logging(context);
  const address = await serving(context, () => {
    throw new Error("a fault of the handler");
  });
  const client = connect({ address }, {});
  for (let round = 0; round < 10; round += 1) await Promise.allSettled(Array.from({ length: 50 }, () => unary(client, {})));
  // Since the process began: what was not written before is saved up.
  const seconds = performance.now() / 1_000;
  client.close();
  const faults = logged.filter((line) => String(line[0]).startsWith("The handler of "));
  assert.ok(faults.length >= 100, `${faults.length} lines`);
  assert.ok(faults.length <= 101 + 10 * seconds, `${faults.length} lines in ${seconds} s`);
  // Beside them only what tells how many are missing.
  assert.ok(logged.length <= 2 * faults.length);
});

test("channel options pace a client's resets", async (context) => {
  const cancel = async (options: ClientOptions, expected: number): Promise<void> => {
    let cancelled = 0;
    const address = await serving(context, (call, callback) => {
      call.on("cancelled", () => { cancelled += 1; });
      if (call.request.text === "reply") callback(null, {});
    });
    const client = connect({ address }, options);
    await unary(client, { text: "reply" });
    const calls = Array.from({ length: 10 }, () => client.Unary({}, () => undefined));
    // All of them are on their way.
    await unary(client, { text: "reply" });
    for (const call of calls) call.cancel();
    // Behind all that was reset at once.
    await unary(client, { text: "reply" });
    while (cancelled < expected) await new Promise(setImmediate);
    assert.equal(cancelled, expected);
    client.close();
  };
  await cancel({ "samewire.reset_burst": 3, "samewire.resets_per_second": 0 }, 3);
  await cancel({}, 10);
});
