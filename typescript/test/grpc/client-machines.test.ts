import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Backoff } from "../../src/grpc/client/backoff.js";
import { Keepalive } from "../../src/grpc/client/keepalive.js";
import { DEFAULT_METHOD_CONFIG, type MethodConfig } from "../../src/grpc/client/method-config.js";
import { GIVE_UP, NO_PUSHBACK, parsePushback, RetryPlan, STOP } from "../../src/grpc/client/retry-plan.js";
import { RetryThrottle } from "../../src/grpc/client/throttle.js";

test("back-off grows to its maximum, within the jitter, and starts over", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1, maxLength: 30 }), (chances) => {
      const backoff = new Backoff({ initial: 100, max: 5_000, multiplier: 1.6, jitter: 0.2 });
      let plain = 100;
      for (const chance of chances) {
        const delay = backoff.next(chance);
        assert.ok(delay >= plain * 0.8 && delay <= plain * 1.2);
        plain = Math.min(plain * 1.6, 5_000);
      }
      backoff.reset();
      assert.equal(backoff.next(0.5), 100);
    }),
  );
  assert.equal(new Backoff({ initial: 500, max: 200, jitter: 0 }).next(0.9), 200);
});

test("the retry bucket opens above half and keeps its level over a new configuration", () => {
  const throttle = new RetryThrottle(10, 0.5);
  for (let at = 0; at < 5; at += 1) throttle.failed();
  assert.equal(throttle.open, false);
  throttle.succeeded();
  assert.equal(throttle.open, true);
  for (let at = 0; at < 100; at += 1) throttle.failed();
  assert.equal(throttle.tokens, 0);
  for (let at = 0; at < 100; at += 1) throttle.succeeded();
  assert.equal(throttle.tokens, 10);
  for (let at = 0; at < 5; at += 1) throttle.failed();
  assert.equal(new RetryThrottle(100, 1, throttle).tokens, 50);
});

test("keepalive pings after silence, once, and declares death after the time-out", () => {
  const keepalive = new Keepalive({ time: 100, timeout: 20, withoutCalls: false }, 0);
  assert.equal(keepalive.due(false), Infinity);
  assert.equal(keepalive.due(true), 100);
  assert.equal(keepalive.check(99, true), "none");
  keepalive.heard(50);
  assert.equal(keepalive.check(149, true), "none");
  assert.equal(keepalive.check(150, true), "ping");
  assert.equal(keepalive.check(169, true), "none");
  keepalive.heard(169);
  assert.equal(keepalive.check(268, true), "none");
  assert.equal(keepalive.check(269, true), "ping");
  assert.equal(keepalive.check(289, true), "dead");
  assert.equal(new Keepalive({ time: 100, timeout: 20, withoutCalls: true }, 0).check(100, false), "ping");
});

const config = (changes: Partial<MethodConfig>): MethodConfig => ({ ...DEFAULT_METHOD_CONFIG, ...changes });
const retry = { maxAttempts: 4, initialBackoff: 100, maxBackoff: 150, backoffMultiplier: 2, codes: new Set([14]) };

test("a retry plan pauses longer each time and stops at its attempts or at another code", () => {
  const plan = new RetryPlan(config({ retry }), null, 5);
  assert.equal(plan.failed(14, NO_PUSHBACK, 0.5), 100);
  assert.ok(plan.begin());
  assert.equal(plan.failed(14, NO_PUSHBACK, 0.5), 150);
  assert.ok(plan.begin());
  assert.equal(plan.failed(13, NO_PUSHBACK, 0.5), GIVE_UP);
  assert.equal(plan.failed(14, 700, 0.5), 700);
  assert.ok(plan.begin());
  assert.equal(plan.attempts, 4);
  assert.equal(plan.failed(14, NO_PUSHBACK, 0.5), GIVE_UP);
  assert.equal(plan.begin(), false);
});

test("pushback sets the pause and starts the back-off over, a negative or garbled one ends the attempts", () => {
  const plan = new RetryPlan(config({ retry }), null, 5);
  plan.failed(14, NO_PUSHBACK, 0.5);
  plan.begin();
  assert.equal(plan.failed(14, parsePushback("20"), 0.5), 20);
  plan.begin();
  assert.equal(plan.failed(14, NO_PUSHBACK, 0.5), 100);
  for (const text of ["-1", "x", "", "1.5", "99999999999"]) assert.equal(parsePushback(text), STOP);
  assert.equal(parsePushback(undefined), NO_PUSHBACK);
  const stopped = new RetryPlan(config({ retry }), null, 5);
  assert.equal(stopped.failed(14, STOP, 0.5), GIVE_UP);
  assert.equal(stopped.failed(14, NO_PUSHBACK, 0.5), GIVE_UP);
});

test("a throttled plan makes no more attempts, and failures that a policy names cost tokens", () => {
  const throttle = new RetryThrottle(4, 1);
  const plan = new RetryPlan(config({ retry }), throttle, 5);
  assert.equal(plan.failed(13, NO_PUSHBACK, 0), GIVE_UP);
  assert.equal(throttle.tokens, 4);
  assert.equal(plan.failed(14, NO_PUSHBACK, 0), 80);
  assert.ok(plan.begin());
  assert.equal(plan.failed(14, NO_PUSHBACK, 0), GIVE_UP);
  assert.equal(throttle.tokens, 2);
});

test("a hedging plan hedges up to its attempts; fatal codes are those it does not name", () => {
  const plan = new RetryPlan(config({ hedging: { maxAttempts: 3, delay: 30, nonFatal: new Set([14]) } }), null, 5);
  assert.ok(plan.hedging);
  assert.equal(plan.hedge(), 30);
  plan.begin();
  assert.equal(plan.hedge(), 30);
  assert.equal(plan.failed(14, NO_PUSHBACK, 0), 0);
  plan.begin();
  assert.equal(plan.hedge(), GIVE_UP);
  assert.equal(plan.fatal(14), false);
  assert.equal(plan.fatal(5), true);
});

test("no plan makes more attempts than its limit, for random outcomes", () => {
  const event = fc.tuple(fc.constantFrom(14, 13, 4), fc.constantFrom(NO_PUSHBACK, STOP, 0, 10), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 50 }), fc.integer({ min: 1, max: 8 }), (events, limit) => {
      const plan = new RetryPlan(config({ retry: { ...retry, maxAttempts: 6 } }), new RetryThrottle(10, 0.1), limit);
      let stopped = false;
      for (const [code, pushback, chance] of events) {
        const delay = plan.failed(code, pushback, chance);
        stopped ||= pushback === STOP;
        if (stopped) assert.equal(delay, GIVE_UP);
        if (delay !== GIVE_UP) plan.begin();
        assert.ok(plan.attempts <= Math.min(limit, 6));
      }
    }),
  );
});
