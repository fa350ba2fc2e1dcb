import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:http2";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Server, ServerCredentials } from "../../src/grpc/index.js";
import type { ServerDuplexStream } from "../../src/grpc/index.js";
import { InflateTurns, SHORT_A_TURN } from "../../src/grpc/transport/inflate-turns.js";
import { connect as connectClient, serialize } from "./peers.js";
import { rawServer } from "./raw-server.js";

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

test("calls of one connection may have several messages at a time, where that is allowed", async () => {
  const turns = new InflateTurns(3, 2);
  const [greedy, honest] = [{}, {}];
  let running = 0;
  let most = 0;
  const order: string[] = [];
  const work = (name: string) => async (): Promise<Buffer> => {
    order.push(name);
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return RESULT;
  };
  const all = Array.from({ length: 10 }, () => turns.run(greedy, {}, work("greedy")));
  all.push(turns.run(honest, {}, work("honest")));
  await Promise.all(all);
  assert.equal(most, 3);
  assert.deepEqual(order.slice(0, 3), ["greedy", "greedy", "honest"]);
});

/** Counts what happens in one turn of the event loop, at most. */
class Turn {
  most = 0;
  #now = 0;

  count(): void {
    if (this.#now === 0) setImmediate(() => { this.#now = 0; });
    this.most = Math.max(this.most, this.#now += 1);
  }
}

test("a client, too, decompresses a window full of messages that become nothing in many turns", async (context) => {
  const zip = gzipSync(Buffer.alloc(0));
  const COUNT = 10_000;
  const server = await rawServer((stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc", "grpc-encoding": "gzip" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => { stream.sendTrailers({ "grpc-status": "0" }); });
    stream.end(Buffer.concat(Array.from({ length: COUNT }, () => Buffer.concat([Buffer.of(1, 0, 0, 0, zip.length), zip]))));
  });
  const client = connectClient(server);
  context.after(async () => {
    client.close();
    await server.close();
  });
  const turn = new Turn();
  let got = 0;
  const call = client.makeServerStreamRequest("/test.Echo/Down", serialize, (bytes) => bytes.length, {});
  call.on("data", () => {
    got += 1;
    turn.count();
  });
  await once(call, "end");
  assert.equal(got, COUNT);
  assert.ok(turn.most <= 2 * SHORT_A_TURN + 1, `${turn.most} messages in one turn`);
});

test("a window full of messages that decompress to nothing takes many turns of the event loop", async (context) => {
  const same = (bytes: Buffer): Buffer => bytes;
  const COUNT = 10_000;
  const turn = new Turn();
  let got = 0;
  const server = new Server();
  server.addService({ Take: { path: "/t.T/Take", requestStream: true, responseStream: true, requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same } }, {
    Take(call: ServerDuplexStream<Buffer, Buffer>) {
      call.on("data", () => {
        got += 1;
        turn.count();
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
  assert.ok(turn.most <= 2 * SHORT_A_TURN + 1, `${turn.most} messages in one turn`);
});
