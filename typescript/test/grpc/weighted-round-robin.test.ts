import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectivityState } from "../../src/grpc/client/connectivity.js";
import { WeightedRoundRobin } from "../../src/grpc/client/weighted-round-robin.js";
import { Server } from "../../src/grpc/index.js";
import type { sendUnaryData, ServerUnaryCall } from "../../src/grpc/index.js";
import { followsLoads } from "./load-shares.js";
import { ReadyEndpoint } from "./ready-endpoint.js";
import { bind, notes, type Note } from "./serving.js";

const { IDLE, READY } = ConnectivityState;

class Stage {
  now = 0;
  readonly balancer: WeightedRoundRobin<ReadyEndpoint>;
  readonly endpoints: ReadyEndpoint[];

  constructor(count: number, options: { blackout?: number; errorPenalty?: number } = {}) {
    const balancer = new WeightedRoundRobin<ReadyEndpoint>({ blackout: 0, expiration: 10_000, update: 1_000, errorPenalty: 1, ...options }, { updated: () => undefined, reresolve: () => undefined }, 0);
    this.balancer = balancer;
    this.endpoints = Array.from({ length: count }, () => new ReadyEndpoint());
    for (const endpoint of this.endpoints) endpoint.changed = () => { balancer.changed(endpoint, this.now); };
    balancer.resolved(this.endpoints, 0);
  }

  /** Reports loads at a hundred calls a second, with more fields. */
  report(loads: readonly (number | null)[], more: object = {}): void {
    for (const [at, load] of loads.entries()) {
      if (load !== null) this.balancer.reported(this.endpoints[at]!, { qps: 100, applicationUtilization: load, ...more }, this.now);
    }
  }

  pass(milliseconds: number): void {
    this.now += milliseconds;
    this.balancer.expire(this.now);
  }

  /** How often each is picked. */
  picks(count: number): number[] {
    const picked = Array.from({ length: count }, () => this.endpoints.indexOf(this.balancer.pick()!));
    return this.endpoints.map((_, at) => picked.filter((each) => each === at).length);
  }
}

test("calls go in proportion to what servers can do, and an unknown one gets the mean", () => {
  const stage = new Stage(3);
  assert.deepEqual(stage.picks(30), [10, 10, 10], "nothing is known");
  stage.report([0.1, 0.2, null]);
  assert.deepEqual(stage.picks(30), [10, 10, 10], "it counts from the next update on");
  stage.pass(1_000);
  // 1000, 500 and their mean.
  assert.deepEqual(stage.picks(450), [200, 100, 150]);
  stage.report([null, null, 0.05]);
  stage.pass(1_000);
  assert.deepEqual(stage.picks(700), [200, 100, 400]);
});

test("who gets an eighth gets its turns one by one, also across updates", () => {
  const stage = new Stage(2);
  stage.report([1, 0.125]);
  stage.pass(1_000);
  const gaps: number[] = [];
  let gap = 0;
  for (let call = 0; call < 110; call += 1) {
    if (call % 4 === 3) stage.pass(1_000);
    stage.report([1, 0.125]);
    gap += 1;
    if (stage.balancer.pick() !== stage.endpoints[0]) continue;
    gaps.push(gap);
    gap = 0;
  }
  assert.equal(gaps.length, 12);
  assert.deepEqual([...new Set(gaps.slice(1))], [9]);
});

test("picks end and use every server, with any reported figures", () => {
  const beyond = new Stage(3);
  for (const at of [0, 1]) beyond.balancer.reported(beyond.endpoints[at]!, { qps: 1e308, applicationUtilization: 1 }, 0);
  beyond.pass(1_000);
  assert.deepEqual(beyond.picks(30), [10, 10, 10], "the sum of two overflows");
  const greedy = new Stage(2);
  greedy.report([1e-9, 1]);
  greedy.pass(1_000);
  const [, rare] = greedy.picks(2_010);
  assert.ok(rare! >= 9 && rare! <= 11, `a hundredth of the mean is a share of one in 201: ${rare!} of 2,010`);
});

test("reports are waited for, and grow old", () => {
  const stage = new Stage(2, { blackout: 3_000 });
  for (let second = 0; second < 3; second += 1) {
    stage.report([0.1, 0.4]);
    stage.pass(1_000);
    assert.deepEqual(stage.picks(10), second < 2 ? [5, 5] : [8, 2]);
  }
  stage.pass(9_000);
  assert.deepEqual(stage.picks(10), [5, 5], "ten seconds without a report");
  stage.report([0.1, 0.4]);
  stage.pass(1_000);
  assert.deepEqual(stage.picks(10), [5, 5], "and the wait begins anew");
  stage.pass(2_000);
  assert.deepEqual(stage.picks(10), [8, 2]);
  stage.endpoints[0]!.become(IDLE);
  stage.pass(1_000);
  assert.equal(stage.endpoints[0]!.state, READY);
  assert.deepEqual(stage.picks(10), [5, 5], "a new connection is to another server perhaps");
});

test("errors count against a server, the processor's load where a program tells none, and invalid loads not at all", () => {
  const stage = new Stage(2, { errorPenalty: 2 });
  stage.report([0.2, null]);
  stage.report([null, 0.2], { eps: 20 });
  stage.pass(1_000);
  assert.deepEqual(stage.picks(40), [30, 10], "0.2 and 0.2 + 2 * 20 / 100");
  for (const [at, cpuUtilization] of [0.5, 0.25].entries()) stage.balancer.reported(stage.endpoints[at]!, { qps: 10, cpuUtilization }, stage.now);
  for (const qps of [0, -1, NaN, Infinity]) stage.balancer.reported(stage.endpoints[0]!, { qps, applicationUtilization: 0.001 }, stage.now);
  for (const applicationUtilization of [0, -1, NaN, Infinity]) stage.balancer.reported(stage.endpoints[0]!, { qps: 1_000, applicationUtilization }, stage.now);
  stage.pass(1_000);
  assert.deepEqual(stage.picks(30), [10, 20]);
});

test("a channel goes by what servers tell with each call, also within outlier detection", async (context) => {
  const handled = [0, 0];
  const loads = [0.9, 0.1];
  const ports: number[] = [];
  for (const at of handled.keys()) {
    const server = new Server({ "grpc.server_call_metric_recording": 1 });
    server.addService(notes, {
      Unary(call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) {
        handled[at]! += 1;
        call.getMetricsRecorder().recordQpsMetric(100);
        call.getMetricsRecorder().recordApplicationUtilizationMetric(loads[at]!);
        callback(null, call.request);
      },
    });
    ports.push(await bind(server, "127.0.0.1:0"));
    context.after(() => { server.forceShutdown(); });
  }
  const policy = { weighted_round_robin: { blackoutPeriod: "0s", weightUpdatePeriod: "0.1s" } };
  await followsLoads(context, { ports, handled }, policy, () => { loads.reverse(); });
});
