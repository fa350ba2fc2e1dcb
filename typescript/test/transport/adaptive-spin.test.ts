import assert from "node:assert/strict";
import { test } from "node:test";
import { AdaptiveSpin } from "../../src/transport/adaptive-spin.js";

/** A spin whose event loop the test turns. */
class Loop {
  readonly spin = new AdaptiveSpin((turn) => {
    assert.equal(this.next, null, "one turn is scheduled at a time");
    this.next = turn;
  });
  private next: (() => void) | null = null;

  get turning(): boolean {
    return this.next !== null;
  }

  /** Turns up to `most` times, while a turn is scheduled. Returns how many times. */
  turn(most: number): number {
    let turns = 0;
    for (; turns < most && this.next !== null; turns += 1) {
      const { next } = this;
      this.next = null;
      next();
    }
    return turns;
  }

  /** Sends a message whose reply comes after `turns` turns. Returns whether there was a spin. */
  exchange(turns: number): boolean {
    this.spin.begin();
    const { turning } = this;
    this.turn(turns);
    this.spin.end();
    this.turn(1_000);
    return turning;
  }

  /** Returns how many of so many exchanges had a spin. */
  count(exchanges: number, turns: number): number {
    let spins = 0;
    for (let made = 0; made < exchanges; made += 1) if (this.exchange(turns)) spins += 1;
    return spins;
  }
}

test("a spin ends by itself after some 100 turns", () => {
  const loop = new Loop();
  loop.spin.begin();
  const turns = loop.turn(10_000);
  assert.ok(turns > 50 && turns < 200, `${turns} turns`);
  assert.equal(loop.turning, false);
});

test("a message during a spin starts it anew without a gap", () => {
  const loop = new Loop();
  for (let round = 0; round < 100; round += 1) {
    loop.spin.begin();
    assert.equal(loop.turn(10), 10);
    loop.spin.end();
  }
  assert.equal(loop.turn(10), 1);
});

test("replies during the spin keep it on", () => {
  assert.equal(new Loop().count(1_000, 10), 1_000);
});

for (const [what, turns] of [["late replies", 1_000], ["immediate replies", 1]] as const) {
  test(`${what} make spins rare, and a hit brings them back`, () => {
    const loop = new Loop();
    const rare = loop.count(2_000, turns);
    assert.ok(rare < 50, `${rare} spins`);
    const first = loop.count(1_000, 10);
    assert.ok(first > 900, `${first} spins`);
    assert.equal(loop.count(1_000, 10), 1_000);
  });
}

test("a hit now and then does not keep spins on", () => {
  const loop = new Loop();
  loop.count(2_000, 1_000);
  let spins = 0;
  for (let round = 0; round < 20; round += 1) {
    loop.spin.begin();
    loop.turn(10);
    loop.spin.end();
    spins += loop.count(200, 1_000);
  }
  assert.ok(spins < 160, `${spins} spins`);
});

test("a reply without a spin changes nothing", () => {
  const loop = new Loop();
  loop.spin.end();
  assert.equal(loop.exchange(10), true);
});
