import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:http2";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Server, ServerCredentials } from "../../src/grpc/index.js";
import type { ServerDuplexStream } from "../../src/grpc/index.js";
import { InflateTurns, SHORT_A_TURN } from "../../src/grpc/server/inflate-turns.js";

const RESULT = Buffer.alloc(1);

test("connections have turns: one message of each at a time, and no more than there are threads", async () => {
  const turns = new InflateTurns(2);
  const order: string[] = [];
  const running = new Map<object, number>();
  let most = 0;
  const work = (connection: object, name: string) => async (): Promise<Buffer> => {
    order.push(name);
    running.set(connection, (running.get(connection) ?? 0) + 1);
    assert.equal(running.get(connection), 1);
    most = Math.max(most, [...running.values()].reduce((sum, count) => sum + count, 0));
    await new Promise((resolve) => setImmediate(resolve));
    running.set(connection, 0);
    return RESULT;
  };
  const [greedy, honest, third] = [{}, {}, {}];
  const all = Array.from({ length: 20 }, (_, at) => turns.run(greedy, {}, work(greedy, `greedy ${at}`)));
  all.push(turns.run(honest, {}, work(honest, "honest")), turns.run(third, {}, work(third, "third")));
  assert.ok((await Promise.all(all)).every((result) => result === RESULT));
  assert.equal(most, 2);
  assert.deepEqual(order.slice(0, 2), ["greedy 0", "honest"]);
  assert.ok(order.indexOf("third") <= 3, order.join());
});

test("the message of a forgotten call is dropped, and a failure ends one turn only", async () => {
  const turns = new InflateTurns(1);
  const connection = {};
  const gone = {};
  let done = 0;
  const count = (): Promise<Buffer> => {
    done += 1;
    return Promise.resolve(RESULT);
  };
  const failing = turns.run(connection, {}, () => Promise.reject(new Error("bad")));
  const needless = turns.run(connection, gone, count);
  const last = turns.run(connection, {}, count);
  turns.forget(connection, gone);
  await assert.rejects(needless, /the call has ended/);
  await assert.rejects(failing, /bad/);
  assert.equal(await last, RESULT);
  assert.equal(done, 1);
});

test("short messages are decompressed at once up to a number in each turn of the event loop", async () => {
  const turns = new InflateTurns(1);
  const inOneTurn = (): number => Array.from({ length: 3 * SHORT_A_TURN }, () => turns.mayNow()).filter(Boolean).length;
  assert.equal(inOneTurn(), SHORT_A_TURN);
  assert.equal(inOneTurn(), 0);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(inOneTurn(), SHORT_A_TURN);
});

test("a window full of messages that decompress to nothing takes many turns of the event loop", async (context) => {
  const same = (bytes: Buffer): Buffer => bytes;
  const COUNT = 20_000;
  let [got, most, ofTurn] = [0, 0, 0];
  const server = new Server();
  server.addService({ Take: { path: "/t.T/Take", requestStream: true, responseStream: true, requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same } }, {
    Take(call: ServerDuplexStream<Buffer, Buffer>) {
      call.on("data", () => {
        if (ofTurn === 0) setImmediate(() => { ofTurn = 0; });
        got += 1;
        most = Math.max(most, ofTurn += 1);
      });
      call.on("end", () => { call.end(); });
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, at) => { if (error === null) resolve(at); else reject(error); });
  });
  context.after(() => { server.forceShutdown(); });
  const session = connect(`http://127.0.0.1:${port}`);
  context.after(() => { session.destroy(); });
  const zip = gzipSync(Buffer.alloc(0));
  const stream = session.request({ ":method": "POST", ":path": "/t.T/Take", te: "trailers", "content-type": "application/grpc", "grpc-encoding": "gzip" }, { endStream: false });
  stream.resume().end(Buffer.concat(Array.from({ length: COUNT }, () => Buffer.concat([Buffer.of(1, 0, 0, 0, zip.length), zip]))));
  await once(stream, "close");
  assert.equal(got, COUNT);
  // Those of a turn, those of the next that came in its place, and the one between.
  assert.ok(most <= 2 * SHORT_A_TURN + 1, `${most} messages in one turn`);
});
