import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Timer, TimerWheel } from "../../src/transport/timer-wheel.js";

class Recorder extends Timer {
  readonly fired: number[] = [];
  action: (() => void) | null = null;

  expire(now: number): void {
    this.fired.push(now);
    this.action?.();
  }
}

test("a timer fires in the first advance at or after its time, exactly once", () => {
  const delay = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 2 ** 40 }));
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 31 }), fc.array(delay, { maxLength: 40 }), fc.array(delay, { maxLength: 20 }), (start, delays, steps) => {
      const wheel = new TimerWheel(start);
      const timers = delays.map((each) => {
        const timer = new Recorder();
        wheel.set(timer, start + each);
        return { timer, due: start + each };
      });
      let now = start;
      for (const step of [...steps.sort((a, b) => a - b), 2 ** 41]) {
        const before = now;
        const soonest = Math.min(Infinity, ...timers.filter(({ timer }) => timer.fired.length === 0).map(({ due }) => due));
        assert.ok(wheel.next() <= soonest, "next() must not promise too much");
        now = Math.max(now, start + step);
        wheel.advance(now);
        for (const { timer, due } of timers) {
          if (due > now) assert.deepEqual(timer.fired, []);
          else if (due > before) assert.deepEqual(timer.fired, [now]);
          else assert.equal(timer.fired.length, 1);
        }
      }
      assert.equal(wheel.size, 0);
      assert.equal(wheel.next(), Infinity);
    }),
  );
});

test("cleared and moved timers do not fire at their old time", () => {
  const wheel = new TimerWheel(0);
  const [a, b, c] = [new Recorder(), new Recorder(), new Recorder()];
  for (const timer of [a, b, c]) wheel.set(timer, 1_000);
  wheel.clear(b);
  wheel.clear(b);
  wheel.set(c, 5_000);
  wheel.advance(1_000);
  assert.deepEqual([a.fired, b.fired, c.fired], [[1_000], [], []]);
  wheel.advance(5_000);
  assert.deepEqual(c.fired, [5_000]);
});

test("timers may clear their neighbours and set themselves again while firing", () => {
  const wheel = new TimerWheel(0);
  const timers = Array.from({ length: 5 }, () => new Recorder());
  for (const timer of timers) {
    wheel.set(timer, 10);
    timer.action = () => {
      for (const other of timers) if (other !== timer) wheel.clear(other);
    };
  }
  wheel.advance(20);
  assert.equal(timers.reduce((sum, { fired }) => sum + fired.length, 0), 1);
  const again = new Recorder();
  again.action = () => {
    wheel.set(again, 0);
  };
  wheel.set(again, 20);
  wheel.advance(30);
  assert.equal(again.fired.length, 11, "once each millisecond, and advance returns");
});

test("fractions round up, and what has passed fires next", () => {
  const wheel = new TimerWheel(100.7);
  const early = new Recorder();
  const late = new Recorder();
  wheel.set(early, 3);
  wheel.set(late, 101.2);
  wheel.advance(101.9);
  assert.deepEqual([early.fired, late.fired], [[101.9], []]);
  wheel.advance(102);
  assert.deepEqual(late.fired, [102]);
});

test("a hundred thousand timers cost little", () => {
  const wheel = new TimerWheel(0);
  const timers = Array.from({ length: 100_000 }, () => new Recorder());
  const start = process.cpuUsage();
  for (let at = 0; at < timers.length; at += 1) wheel.set(timers[at]!, (at * 7_919) % 600_000);
  for (let at = 0; at < timers.length; at += 2) wheel.clear(timers[at]!);
  for (let now = 0; now <= 600_000; now += 50) wheel.advance(now);
  const { user, system } = process.cpuUsage(start);
  assert.equal(wheel.size, 0);
  assert.ok((user + system) / timers.length < 100, `${(user + system) / timers.length} us each`);
});
