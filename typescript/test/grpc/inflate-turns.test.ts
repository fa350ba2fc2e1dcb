import assert from "node:assert/strict";
import { test } from "node:test";
import { InflateTurns } from "../../src/grpc/server/inflate-turns.js";

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
  const all = Array.from({ length: 20 }, (_, at) => turns.run(greedy, work(greedy, `greedy ${at}`), () => false));
  all.push(turns.run(honest, work(honest, "honest"), () => false), turns.run(third, work(third, "third"), () => false));
  assert.ok((await Promise.all(all)).every((result) => result === RESULT));
  assert.equal(most, 2);
  assert.deepEqual(order.slice(0, 2), ["greedy 0", "honest"]);
  assert.ok(order.indexOf("third") <= 3, order.join());
});

test("what nobody wants any more is not done, and a failure ends one turn only", async () => {
  const turns = new InflateTurns(1);
  const connection = {};
  let done = 0;
  const count = (): Promise<Buffer> => {
    done += 1;
    return Promise.resolve(RESULT);
  };
  const failing = turns.run(connection, () => Promise.reject(new Error("bad")), () => false);
  const needless = turns.run(connection, count, () => true);
  const last = turns.run(connection, count, () => false);
  await assert.rejects(failing, /bad/);
  await assert.rejects(needless, /the call has ended/);
  assert.equal(await last, RESULT);
  assert.equal(done, 1);
});
