// The parts of gRPC's runner that need no library: percentiles, the open loop, warm-up, and the client that writes its own frames.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { EXCHANGES, atRate } from "../peers/node-grpc/exchanges.mjs";
import { IdleConnection } from "../peers/node-grpc/idle.mjs";
import { Latencies } from "../peers/node-grpc/latencies.mjs";
import { resident, spent, start } from "../peers/node-grpc/processes.mjs";
import { samplesOf, warmedUp } from "../peers/node-grpc/sampling.mjs";

const HTTP2 = fileURLToPath(new URL("../peers/node-grpc/http2.mjs", import.meta.url));
const echoing = { unary: (_method, message, done) => setImmediate(done, null, { ...message }) };

function standStill(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test("a percentile is the least figure that so many do not exceed", () => {
  const latencies = new Latencies(1_000);
  for (let i = 1_000; i > 0; i -= 1) latencies.add(i);
  assert.deepEqual(latencies.told(), { p50: 500e6, p90: 900e6, p99: 990e6, "p99.9": 999e6 });
});

test("in an open loop a pause counts for every call that was due in it", async () => {
  let calls = 0;
  const pausing = {
    unary(method, message, done) {
      calls += 1;
      if (calls === 100) standStill(100);
      echoing.unary(method, message, done);
    },
  };
  const latencies = new Latencies(400);
  await atRate(pausing, 400, 1_000, (time) => latencies.add(time));
  const { p50, p90, p99 } = latencies.told();
  // A quarter of the calls was due while the client stood still: they waited up to 100 ms, evenly.
  assert.ok(p90 > 40e6 && p99 > 90e6 && p50 < p90, JSON.stringify({ p50, p90, p99 }));
});

test("a rate that is not carried ends the open loop", async () => {
  await assert.rejects(atRate({ unary: () => undefined }, 10_000, 2_000, () => undefined), { status: "cannot", message: /more than it carries/ });
});

test("a reply that differs ends an exchange", async () => {
  const wrong = { unary: (_method, message, done) => done(null, { ...message, value2: 7 }) };
  await assert.rejects(EXCHANGES["unary-1"].exchange(wrong, 10, null), /the reply is/);
});

test("a warm-up ends when its parts cost the same, and messages come in multiples", async () => {
  const counts = [];
  const once = async (count) => {
    counts.push(count);
    return { cpu: 100 + Math.max(0, 6 - counts.length) * 50, wall: 1e4 };
  };
  const plan = { warm: 100, samples: 3, sample: 0.01 };
  const count = await warmedUp(once, { first: 500, multiple: 500 }, true, plan);
  assert.ok(counts.length >= 9 && counts.length < 12, String(counts.length));
  assert.ok([...counts, count].every((each) => each % 500 === 0));
  assert.equal((await samplesOf(once, count, plan)).length, 3);
});

test("idle streams are held, then all are answered", async () => {
  const server = await start({ command: [process.execPath, HTTP2] });
  try {
    const connection = new IdleConnection(server.port);
    await connection.begin(20, "/EchoService/EchoBidiStream");
    await connection.begin(20, "/EchoService/Echo");
    await connection.finish();
    await connection.begin(1, "/EchoService/Echo");
    await connection.finish();
    await connection.close();
    assert.ok(resident(server.pid) > 2 ** 20 && spent(server.pid) > 1e6);
  } finally {
    server.stop();
  }
});

test("a server that ends a call or never listens is named", async () => {
  await assert.rejects(start({ command: [process.execPath, "-e", ""] }), /ended before it listened/);
  const server = await start({ command: [process.execPath, HTTP2] });
  const connection = new IdleConnection(server.port);
  await connection.begin(1, "/EchoService/Echo");
  server.stop();
  await assert.rejects(connection.finish(), /closed|ECONNRESET|EPIPE/);
});
