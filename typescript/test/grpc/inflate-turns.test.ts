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
  const all = Array.from({ length: 20 }, (_, at) => turns.run(greedy, {}, work(greedy, `greedy ${at}`)));
  all.push(turns.run(honest, {}, work(honest, "honest")), turns.run(third, {}, work(third, "third")));
  assert.ok((await Promise.all(all)).every((result) => result === RESULT));
  assert.equal(most, 2);
  assert.deepEqual(order.slice(0, 2), ["greedy 0", "honest"]);
  assert.ok(order.indexOf("third") <= 3, order.join());
});

test("the message of a forgotten call is dropped, and a failure ends one turn only", async () => {
  const turns = new InflateTurns(1);
  const connection = {};
  const gone = {};
  let done = 0;
  const count = (): Promise<Buffer> => {
    done += 1;
    return Promise.resolve(RESULT);
  };
  const failing = turns.run(connection, {}, () => Promise.reject(new Error("bad")));
  const needless = turns.run(connection, gone, count);
  const last = turns.run(connection, {}, count);
  turns.forget(connection, gone);
  await assert.rejects(needless, /the call has ended/);
  await assert.rejects(failing, /bad/);
  assert.equal(await last, RESULT);
  assert.equal(done, 1);
});
