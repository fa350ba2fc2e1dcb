import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { test } from "node:test";
import { Lookout, lookout } from "../../src/grpc/transport/lookout.js";
import { SocketLink } from "../../src/grpc/transport/socket-link.js";
import { Echo } from "./echo.js";
import { frame, greeting } from "./journal.js";
import { connect, startPeer, unary } from "./peers.js";

/** A lookout whose event loop turns when it is told to. */
class Loop {
  readonly lookout = new Lookout((turn) => {
    assert.equal(this.next, null, "one turn is awaited at a time");
    this.next = turn;
  });
  private next: (() => void) | null = null;

  get turning(): boolean {
    return this.next !== null;
  }

  /** Turns so often, or until nobody waits for it. Returns how often it did. */
  turn(most: number): number {
    let turns = 0;
    for (; turns < most && this.next !== null; turns += 1) {
      const { next } = this;
      this.next = null;
      next();
    }
    return turns;
  }

  /** A message goes out, and its answer comes after so many turns. Returns whether there was a lookout. */
  exchange(turns: number): boolean {
    this.lookout.begin();
    const { turning } = this;
    this.turn(turns);
    this.lookout.end();
    this.turn(1_000);
    return turning;
  }

  /** Of so many exchanges those that had a lookout. */
  count(exchanges: number, turns: number): number {
    let lookouts = 0;
    for (let made = 0; made < exchanges; made += 1) if (this.exchange(turns)) lookouts += 1;
    return lookouts;
  }
}

test("a lookout ends by itself, and soon", () => {
  const loop = new Loop();
  loop.lookout.begin();
  const turns = loop.turn(10_000);
  assert.ok(turns > 50 && turns < 200, `${turns} turns`);
  assert.equal(loop.turning, false);
});

test("one message after the other is looked out for without a pause in the turning", () => {
  const loop = new Loop();
  for (let round = 0; round < 100; round += 1) {
    loop.lookout.begin();
    assert.equal(loop.turn(10), 10);
    loop.lookout.end();
  }
  assert.equal(loop.turn(10), 1);
});

test("answers that come during it keep it up", () => {
  assert.equal(new Loop().count(1_000, 10), 1_000);
});

for (const [what, turns] of [["answers that come late", 1_000], ["answers that come at once", 1]] as const) {
  test(`${what} make lookouts rare, and one that pays brings them back`, () => {
    const loop = new Loop();
    const rare = loop.count(2_000, turns);
    assert.ok(rare < 50, `${rare} lookouts`);
    const first = loop.count(1_000, 10);
    assert.ok(first > 900, `${first} lookouts`);
    assert.equal(loop.count(1_000, 10), 1_000);
  });
}

test("one that pays now and then does not keep it up", () => {
  const loop = new Loop();
  loop.count(2_000, 1_000);
  let lookouts = 0;
  for (let round = 0; round < 20; round += 1) {
    loop.lookout.begin();
    loop.turn(10);
    loop.lookout.end();
    lookouts += loop.count(200, 1_000);
  }
  assert.ok(lookouts < 160, `${lookouts} lookouts`);
});

test("what comes without a lookout changes nothing", () => {
  const loop = new Loop();
  loop.lookout.end();
  assert.equal(loop.exchange(10), true);
});

test("a small message that goes out alone is looked out for, by servers and clients that have not switched it off", async (context) => {
  const begin = context.mock.method(lookout, "begin");
  for (const [server, client] of [[0, 0], [1, 0], [0, 1], [undefined, undefined]]) {
    const peer = await startPeer("samewire", undefined, undefined, server === undefined ? {} : { "samewire.lookout": server });
    const caller = connect(peer, client === undefined ? {} : { "samewire.lookout": client });
    begin.mock.resetCalls();
    for (let call = 0; call < 10; call += 1) await unary(caller, { number: call });
    const sides = [server, client].filter((side) => side !== 0).length;
    const begun = begin.mock.callCount();
    assert.ok(sides === 0 ? begun === 0 : begun >= 10 * sides, `${begun} times with ${sides} sides`);
    caller.close();
    peer.stop();
  }
});

test("only what is small and goes out alone is looked out for", async () => {
  const plain = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => { done(); },
  });
  const socket = Object.assign(plain, { setNoDelay: () => undefined }) as unknown as Socket;
  let begun = 0;
  const counting = { begin: () => { begun += 1; }, end: () => undefined } as unknown as Lookout;
  const link = new SocketLink(socket, () => new Echo(), { role: "client", http2: undefined, stallMs: undefined, lookout: counting, intake: null, path: undefined });
  const read = async (...frames: Uint8Array[]): Promise<number> => {
    begun = 0;
    const bytes = Buffer.concat(frames);
    link.receive(bytes, 0, bytes.length);
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return begun;
  };
  const ping = frame(6, 0, 0, new Uint8Array(8));
  await read(greeting("server"));
  assert.equal(await read(ping), 1);
  assert.equal(await read(...Array.from({ length: 100 }, () => ping)), 0, "1,700 bytes of answers");
  assert.equal(await read(ping), 0, "what was last written was long: more may follow, and is gathered");
  assert.equal(await read(ping), 1);
  link.destroy();
});
