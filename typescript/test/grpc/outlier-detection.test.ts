import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeBalancer } from "../../src/grpc/client/balancing.js";
import type { Balancer } from "../../src/grpc/client/balancer.js";
import { ConnectivityState } from "../../src/grpc/client/connectivity.js";
import type { CountedEndpoint } from "../../src/grpc/client/outlier-detection.js";
import { parseServiceConfig } from "../../src/grpc/client/service-config.js";
import { Server, credentials, makeClientConstructor, status } from "../../src/grpc/index.js";
import type { requestCallback, sendUnaryData, ServerUnaryCall } from "../../src/grpc/index.js";
import { ReadyEndpoint } from "./ready-endpoint.js";
import { bind, notes, type Note } from "./serving.js";

const { IDLE, READY, CONNECTING, TRANSIENT_FAILURE } = ConnectivityState;

/** An endpoint that counts what a test says. */
class Counted extends ReadyEndpoint implements CountedEndpoint {
  statistics = { callsSucceeded: 0, callsFailed: 0 };

  calls(succeeded: number, failed: number): void {
    this.statistics.callsSucceeded += succeeded;
    this.statistics.callsFailed += failed;
  }
}

interface Stage {
  readonly endpoints: Counted[];
  readonly balancer: Balancer<Counted>;
  /** Each endpoint has calls, and then an interval ends. Who is picked afterwards, by number. */
  readonly interval: (...calls: [succeeded: number, failed: number][]) => number[];
}

function staged(count: number, options: object, random = () => 0): Stage {
  const policy = { outlier_detection: { interval: "1s", baseEjectionTime: "2s", childPolicy: [{ round_robin: {} }], ...options } };
  const { policy: parsed } = parseServiceConfig({ loadBalancingConfig: [policy] });
  const balancer = makeBalancer<Counted>(parsed, { updated: () => undefined, reresolve: () => undefined }, random);
  let now = 0;
  const endpoints = Array.from({ length: count }, () => new Counted());
  for (const endpoint of endpoints) {
    endpoint.changed = () => {
      balancer.changed(endpoint, now);
    };
  }
  balancer.resolved(endpoints, now);
  return {
    endpoints,
    balancer,
    interval(...calls) {
      for (const [at, [succeeded, failed]] of calls.entries()) endpoints[at]!.calls(succeeded, failed);
      assert.equal(balancer.due, now + 1_000);
      now += 1_000;
      balancer.expire(now - 1);
      balancer.expire(now);
      const picked = new Set(Array.from({ length: count * 2 }, () => balancer.pick()));
      return endpoints.flatMap((endpoint, at) => (picked.has(endpoint) ? [at] : []));
    },
  };
}

const BY_FAILURES = { maxEjectionPercent: 50, failurePercentageEjection: { threshold: 40, minimumHosts: 3, requestVolume: 10 } };

test("an address that fails more often than is allowed is put aside, longer each time, and comes back", () => {
  const { interval } = staged(3, BY_FAILURES);
  assert.deepEqual(interval([10, 0], [60, 40], [10, 0]), [0, 1, 2], "40 per cent are not more than 40");
  assert.deepEqual(interval([10, 0], [59, 41], [10, 0]), [0, 2]);
  assert.deepEqual(interval([10, 0], [0, 0], [10, 0]), [0, 2], "no calls, no judgement: it stays aside");
  assert.deepEqual(interval(), [0, 1, 2], "two seconds are over");
  assert.deepEqual(interval([10, 0], [0, 50], [10, 0]), [0, 2]);
  for (let second = 0; second < 3; second += 1) assert.deepEqual(interval(), [0, 2], "twice as long");
  assert.deepEqual(interval(), [0, 1, 2]);
  for (let second = 0; second < 3; second += 1) assert.deepEqual(interval([9, 0], [0, 9], [9, 0]), [0, 1, 2], "too few calls to judge");
  assert.deepEqual(interval([10, 0], [0, 50], [10, 0]), [0, 2]);
  interval();
  assert.deepEqual(interval(), [0, 1, 2], "what went well meanwhile counts for it");
});

test("not all are put aside, not without comparison, and only by the chance that was asked for", () => {
  assert.deepEqual(staged(4, BY_FAILURES).interval([0, 10], [0, 10], [0, 10], [10, 0]), [2, 3], "half of them at most");
  assert.deepEqual(staged(4, BY_FAILURES).interval([0, 10], [10, 0]), [0, 1, 2, 3], "two are too few to compare");
  let chance = 0.29;
  const enforced = { ...BY_FAILURES, failurePercentageEjection: { ...BY_FAILURES.failurePercentageEjection, enforcementPercentage: 30 } };
  const { interval } = staged(3, enforced, () => chance);
  chance = 0.3;
  assert.deepEqual(interval([0, 10], [10, 0], [10, 0]), [0, 1, 2]);
  chance = 0.29;
  assert.deepEqual(interval([0, 10], [10, 0], [10, 0]), [1, 2]);
});

test("an address whose success rate is far below the others' is put aside", () => {
  const rule = { maxEjectionPercent: 50, successRateEjection: { stdevFactor: 1_000, minimumHosts: 5, requestVolume: 10 } };
  const { interval } = staged(5, rule);
  assert.deepEqual(interval([10, 0], [10, 0], [10, 0], [10, 0], [10, 0]), [0, 1, 2, 3, 4], "all are alike");
  assert.deepEqual(interval([9, 1], [10, 0], [9, 1], [10, 0], [5, 5]), [0, 1, 2, 3]);
  assert.deepEqual(staged(5, { ...rule, maxEjectionPercent: 0 }).interval([10, 0], [10, 0], [10, 0], [10, 0], [0, 10]), [0, 1, 2, 3, 4], "none may be");
});

test("what becomes of connections that were put aside is found when they come back", () => {
  const { balancer, endpoints, interval } = staged(3, { ...BY_FAILURES, maxEjectionPercent: 100 });
  interval([0, 10], [0, 10], [0, 10]);
  assert.equal(balancer.state, TRANSIENT_FAILURE);
  assert.equal(balancer.pick(), null);
  assert.match(balancer.failure, /put aside/);
  endpoints[0]!.become(CONNECTING);
  endpoints[1]!.become(IDLE);
  assert.equal(balancer.state, TRANSIENT_FAILURE);
  interval();
  assert.deepEqual(interval(), [1, 2], "one was made ready again, one has to wait");
  endpoints[0]!.become(READY);
  assert.deepEqual(interval(), [0, 1, 2]);
});

test("a server that fails is left alone by a channel for a while, and asked again", async (context) => {
  const handled = [0, 0, 0];
  let broken = true;
  const ports: number[] = [];
  for (const at of handled.keys()) {
    const server = new Server();
    server.addService(notes, {
      Unary(call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) {
        handled[at]! += 1;
        if (at === 1 && broken) callback({ code: status.UNAVAILABLE, details: "broken" });
        else callback(null, call.request);
      },
    });
    ports.push(await bind(server, "127.0.0.1:0"));
    context.after(() => { server.forceShutdown(); });
  }
  const rule = { threshold: 50, minimumHosts: 3, requestVolume: 5 };
  const policy = { outlier_detection: { interval: "0.1s", baseEjectionTime: "0.4s", maxEjectionPercent: 40, failurePercentageEjection: rule, childPolicy: [{ round_robin: {} }] } };
  const Client = makeClientConstructor(notes, "notes.Notes");
  const target = `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(",")}`;
  const client = new Client(target, credentials.createInsecure(), { "grpc.service_config": JSON.stringify({ loadBalancingConfig: [policy] }) }) as unknown as { Unary(note: Note, done: requestCallback<Note>): void; close(): void };
  context.after(() => { client.close(); });
  const ask = async (): Promise<number[]> => {
    const before = [...handled];
    for (let call = 0; call < 60; call += 1) await new Promise((resolve) => { client.Unary({ text: "x" }, resolve); });
    return handled.map((count, at) => count - before[at]!);
  };
  const until = async (what: string, right: (shares: number[]) => boolean): Promise<void> => {
    for (let round = 0; round < 200; round += 1) {
      if (right(await ask())) return;
      await sleep(20);
    }
    assert.fail(what);
  };
  await until("all are asked", (shares) => shares.every((share) => share === 20));
  await until("the broken one is not", (shares) => shares[1] === 0 && shares[0] === 30);
  broken = false;
  await until("all are asked again", (shares) => shares.every((share) => share === 20));
  await sleep(300);
  assert.deepEqual(await ask(), [20, 20, 20]);
});
