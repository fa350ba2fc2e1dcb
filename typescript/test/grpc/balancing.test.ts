import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addressToString, interleave } from "../../src/grpc/client/address.js";
import type { Balancer, BalancerHost, Endpoint } from "../../src/grpc/client/balancer.js";
import { ConnectivityState } from "../../src/grpc/client/connectivity.js";
import { ATTEMPT_DELAY, PickFirst } from "../../src/grpc/client/pick-first.js";
import { RoundRobin } from "../../src/grpc/client/round-robin.js";

const { IDLE, CONNECTING, READY, TRANSIENT_FAILURE } = ConnectivityState;

/** An endpoint whose connection the test opens and ends. */
class Fake implements Endpoint {
  state: ConnectivityState = IDLE;
  failure = "";
  constructor(
    readonly name: string,
    readonly changed: (fake: Fake) => void,
  ) {}

  connect(): void {
    if (this.state === IDLE) this.become(CONNECTING);
  }

  disconnect(): void {
    if (this.state === CONNECTING || this.state === READY) this.become(IDLE);
  }

  become(state: ConnectivityState): void {
    if (state === TRANSIENT_FAILURE) this.failure = `${this.name} refused`;
    this.state = state;
    this.changed(this);
  }
}

class Stage implements BalancerHost {
  now = 0;
  updates = 0;
  reresolutions = 0;
  balancer!: Balancer<Fake>;

  updated(): void {
    this.updates += 1;
  }

  reresolve(): void {
    this.reresolutions += 1;
  }

  fakes(...names: string[]): Fake[] {
    return names.map((name) => new Fake(name, (fake) => { this.balancer.changed(fake, this.now); }));
  }

  pass(milliseconds: number): void {
    this.now += milliseconds;
    this.balancer.expire(this.now);
  }
}

function pickFirst(): { stage: Stage; balancer: PickFirst<Fake> } {
  const stage = new Stage();
  const balancer = new PickFirst<Fake>(stage);
  stage.balancer = balancer;
  return { stage, balancer };
}

test("pick-first tries addresses in order and stays with the first that connects", () => {
  const { stage, balancer } = pickFirst();
  const [a, b, c] = stage.fakes("a", "b", "c") as [Fake, Fake, Fake];
  balancer.resolved([a, b, c], 0);
  assert.deepEqual([a.state, b.state, c.state, balancer.state], [CONNECTING, IDLE, IDLE, CONNECTING]);
  a.become(TRANSIENT_FAILURE);
  assert.deepEqual([b.state, c.state], [CONNECTING, IDLE]);
  b.become(READY);
  assert.equal(balancer.state, READY);
  assert.equal(balancer.pick(), b);
  assert.equal(c.state, IDLE);
  // A list that still has the chosen one changes nothing.
  balancer.resolved([c, b], 0);
  assert.equal(balancer.pick(), b);
  b.become(IDLE);
  assert.equal(balancer.state, IDLE);
  assert.equal(balancer.pick(), null);
  assert.equal(stage.reresolutions, 1);
  balancer.wake(0);
  assert.equal(c.state, CONNECTING);
});

test("pick-first gives a slow address company, not more", () => {
  const { stage, balancer } = pickFirst();
  const [a, b] = stage.fakes("a", "b") as [Fake, Fake];
  balancer.resolved([a, b], 0);
  assert.equal(balancer.due, ATTEMPT_DELAY);
  stage.pass(ATTEMPT_DELAY - 1);
  assert.equal(b.state, IDLE);
  stage.pass(1);
  assert.equal(b.state, CONNECTING);
  assert.equal(balancer.due, Infinity);
  b.become(READY);
  assert.equal(balancer.pick(), b);
  // The loser of the race is not kept.
  assert.equal(a.state, IDLE);
});

test("pick-first fails when every address has failed, says why, and goes on trying", () => {
  const { stage, balancer } = pickFirst();
  const [a, b] = stage.fakes("a", "b") as [Fake, Fake];
  balancer.resolved([a, b], 0);
  a.become(TRANSIENT_FAILURE);
  assert.equal(balancer.state, CONNECTING);
  b.become(TRANSIENT_FAILURE);
  assert.equal(balancer.state, TRANSIENT_FAILURE);
  assert.equal(balancer.failure, "b refused");
  assert.equal(stage.reresolutions, 1);
  a.become(IDLE);
  assert.equal(a.state, CONNECTING);
  assert.equal(balancer.state, TRANSIENT_FAILURE);
  a.become(READY);
  assert.equal(balancer.state, READY);
});

test("pick-first without addresses fails", () => {
  const { balancer } = pickFirst();
  balancer.resolved([], 0);
  assert.equal(balancer.state, TRANSIENT_FAILURE);
  assert.equal(balancer.failure, "No addresses resolved");
});

test("round-robin spreads evenly, reconnects, and its state is the best of all", () => {
  const stage = new Stage();
  const balancer = new RoundRobin<Fake>(stage, 0.5);
  stage.balancer = balancer;
  const [a, b, c] = stage.fakes("a", "b", "c") as [Fake, Fake, Fake];
  balancer.resolved([a, b, c]);
  assert.equal(balancer.state, CONNECTING);
  a.become(READY);
  assert.equal(balancer.state, READY);
  b.become(READY);
  const picks = Array.from({ length: 10 }, () => balancer.pick()!.name);
  assert.equal(picks.filter((name) => name === "a").length, 5);
  a.become(IDLE);
  assert.equal(a.state, CONNECTING);
  assert.equal(balancer.pick(), b);
  b.become(TRANSIENT_FAILURE);
  a.become(TRANSIENT_FAILURE);
  assert.equal(balancer.state, CONNECTING);
  c.become(TRANSIENT_FAILURE);
  assert.equal(balancer.state, TRANSIENT_FAILURE);
  c.become(IDLE);
  assert.equal(c.state, CONNECTING);
  assert.equal(balancer.state, TRANSIENT_FAILURE);
  balancer.resolved([b]);
  assert.equal(balancer.pick(), null);
});

test("picks are ready endpoints and no call waits in vain, in random histories of endpoints", () => {
  const states = fc.constantFrom(IDLE, CONNECTING, READY, TRANSIENT_FAILURE);
  const steps = fc.array(fc.tuple(fc.nat(4), states, fc.nat(400)), { maxLength: 60 });
  fc.assert(
    fc.property(fc.boolean(), fc.integer({ min: 1, max: 5 }), steps, (first, count, script) => {
      const stage = new Stage();
      const balancer: Balancer<Fake> = first ? new PickFirst<Fake>(stage) : new RoundRobin<Fake>(stage, 0);
      stage.balancer = balancer;
      const fakes = stage.fakes(...Array.from({ length: count }, (_, at) => `e${at}`));
      balancer.resolved(fakes, 0);
      for (const [at, state, wait] of script) {
        const fake = fakes[at % count]!;
        // Only moves that a subchannel makes.
        const legal = { [IDLE]: [], [CONNECTING]: [READY, TRANSIENT_FAILURE], [READY]: [IDLE], [TRANSIENT_FAILURE]: [IDLE] } as Record<number, ConnectivityState[]>;
        if (legal[fake.state]!.includes(state)) fake.become(state);
        stage.pass(wait);
        const pick = balancer.pick();
        assert.equal(pick !== null, balancer.state === READY);
        if (pick !== null) assert.equal(pick.state, READY);
        if (balancer.state === CONNECTING) {
          assert.ok(balancer.due < Infinity || fakes.some((each) => each.state === CONNECTING || each.state === READY), "CONNECTING without a connecting endpoint");
        }
        if (balancer.state === IDLE) balancer.wake(stage.now);
      }
    }),
    { numRuns: 300 },
  );
});

test("addresses of both families take turns, repeated ones are dropped", () => {
  const tcp = (host: string) => ({ host, port: 1 });
  const order = interleave([tcp("::1"), tcp("::2"), tcp("::1"), tcp("1.1.1.1"), tcp("2.2.2.2"), tcp("3.3.3.3"), { path: "/x" }]);
  assert.deepEqual(order.map(addressToString), ["[::1]:1", "1.1.1.1:1", "[::2]:1", "2.2.2.2:1", "3.3.3.3:1", "unix:/x"]);
});
