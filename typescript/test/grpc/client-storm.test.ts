import assert from "node:assert/strict";
import { test } from "node:test";
import { Metadata, status, type ServiceError } from "../../src/grpc/index.js";
import { codeOf, connect, makers, pause, startPeer, unary, until, type EchoClient } from "./peers.js";

/** Small numbers in an order that a seed decides. */
function chances(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Makes one call of some kind, treats it somehow, and reports each of its ends. */
function begin(client: EchoClient, chance: (below: number) => number, ended: (code: number) => void): void {
  const options = chance(4) === 0 ? { deadline: Date.now() + chance(60) } : {};
  const kind = chance(4);
  const over = (error: ServiceError | null) => { ended(error?.code ?? 0); };
  const cancelling = chance(4) === 0 ? chance(30) : -1;
  if (kind === 0) {
    const call = client.Unary({ number: 1, ...(chance(2) === 0 ? { wait: chance(40) } : {}) }, options, over);
    if (cancelling >= 0) setTimeout(() => { call.cancel(); }, cancelling);
    return;
  }
  if (kind === 1) {
    const call = client.Up(over);
    for (let number = 0; number < 5; number += 1) call.write({ number });
    if (cancelling >= 0) setTimeout(() => { call.cancel(); }, cancelling);
    else call.end();
    return;
  }
  const call = kind === 2 ? client.Down({ count: chance(200), size: 100 }, options) : client.Both(options);
  call.on("data", () => undefined);
  call.on("error", () => undefined);
  call.on("status", ({ code }: { code: number }) => { ended(code); });
  if ("write" in call) {
    for (let number = 0; number < 5; number += 1) call.write({ number });
    if (cancelling < 0) call.end();
  }
  if (cancelling >= 0) setTimeout(() => { call.cancel(); }, cancelling);
}

for (const maker of makers) {
  test(`every call ends exactly once while servers of ${maker} come and go`, async () => {
    const chance = chances(7);
    let peer = await startPeer(maker);
    const client = connect(peer, { "grpc.initial_reconnect_backoff_ms": 20, "grpc.max_reconnect_backoff_ms": 40 });
    const ends: number[] = [];
    const codes = new Set<number>();
    let calls = 0;
    for (let round = 0; round < 8; round += 1) {
      for (let burst = 0; burst < 10; burst += 1) {
        for (let at = 0; at < 25; at += 1) {
          const number = calls++;
          ends.push(0);
          begin(client, chance, (code) => {
            ends[number]! += 1;
            codes.add(code);
          });
        }
        await pause(chance(8));
      }
      if (round % 2 === 0) {
        peer.stop();
        await pause(chance(30));
        peer = await startPeer(maker, peer.address);
      }
    }
    await until(() => ends.every((count) => count > 0), "the end of every call", 10_000);
    await pause(50);
    assert.deepEqual(ends.filter((count) => count !== 1), []);
    for (const code of [status.OK, status.CANCELLED, status.DEADLINE_EXCEEDED, status.UNAVAILABLE]) assert.ok(codes.has(code), status[code]);
    const { active, queued } = (client.getChannel() as unknown as { core: { statistics: { active: number; queued: number } } }).core.statistics;
    assert.deepEqual([active, queued], [0, 0]);
    client.close();
    peer.stop();
  });
}

test("servers that shut down one after the other under load lose no call and answer none twice", async () => {
  let peer = await startPeer("samewire");
  const peers = [peer];
  const client = connect(peer, { "grpc.initial_reconnect_backoff_ms": 20, "grpc.max_reconnect_backoff_ms": 40 });
  const metadata = new Metadata({ waitForReady: true });
  const codes: number[] = [];
  let calls = 0;
  let going = true;
  const callOn = async (): Promise<void> => {
    while (going) {
      calls += 1;
      codes.push(await codeOf(unary(client, { number: calls, wait: calls % 7 }, metadata)));
    }
  };
  const callers = Array.from({ length: 50 }, callOn);
  try {
    for (let round = 0; round < 6; round += 1) {
      const { server, events } = peer;
      await until(() => events.handled > 0, "a call that reaches the server");
      await pause(60);
      const down = new Promise<void>((resolve) => { server.tryShutdown(resolve); });
      await pause(10);
      peer = await startPeer("samewire", peer.address);
      peers.push(peer);
      await down;
    }
    going = false;
    await Promise.all(callers);
    assert.deepEqual(codes.filter((code) => code !== 0), []);
    assert.equal(peers.reduce((sum, { events }) => sum + events.handled, 0), calls, "each call was handled once");
    assert.ok(peers.every(({ events }) => events.cancelled === 0));
  } finally {
    going = false;
    client.close();
    peer.stop();
  }
});
