import assert from "node:assert/strict";
import { test } from "node:test";
import { hardTest } from "../hard.js";
import fc from "fast-check";
import { MessageBacklog } from "../../src/grpc/protocol/message-backlog.js";

interface Waiting {
  message: Buffer;
  compressed: boolean;
  windowBytes: number;
}

const push = fc.record({
  length: fc.oneof(fc.nat({ max: 40 }), fc.constantFrom(0, 255, 256, 257, 5_000)),
  compressed: fc.boolean(),
  windowBytes: fc.constantFrom(0, 5, 0x8000_0000, 0xffff_ffff),
  isOwned: fc.boolean(),
});

test("messages come out as they went in, in order, however they are mixed", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(push, fc.constant("shift" as const), fc.constant("clear" as const)), { maxLength: 300 }), (steps) => {
      const backlog = new MessageBacklog();
      const model: Waiting[] = [];
      const takeFirst = (): void => {
        const expected = model.shift();
        const message = backlog.shift();
        assert.deepEqual(message, expected?.message ?? null);
        if (expected !== undefined) assert.deepEqual([backlog.compressed, backlog.windowBytes], [expected.compressed, expected.windowBytes]);
      };
      for (const [number, step] of steps.entries()) {
        if (step === "shift") {
          takeFirst();
        } else if (step === "clear") {
          // Half of the time only, so that backlogs grow long.
          if (number % 2 === 0) continue;
          assert.equal(backlog.clear(), model.reduce((sum, { windowBytes }) => sum + windowBytes, 0));
          model.length = 0;
        } else {
          const { length, compressed, windowBytes, isOwned } = step;
          const lent = Buffer.alloc(length + 3, number & 255);
          model.push({ message: Buffer.from(lent.subarray(2, 2 + length)), compressed, windowBytes });
          backlog.push(lent, 2, 2 + length, compressed, windowBytes, isOwned);
          if (!isOwned) lent.fill(0xee);
        }
        assert.equal(backlog.size, model.length);
      }
      while (model.length > 0) takeFirst();
      assert.equal(backlog.shift(), null);
    }),
  );
});

hardTest("200,000 messages of no bytes take little room, and one step each", () => {
  const memory = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const backlog = new MessageBacklog();
  const nothing = Buffer.alloc(0);
  const [before, cpu] = [memory(), process.cpuUsage()];
  for (let at = 0; at < 200_000; at += 1) backlog.push(nothing, 0, 0, false, 5, true);
  const grown = memory() - before;
  assert.ok(grown < 8e6, `${grown} bytes`);
  let taken = 0;
  while (backlog.shift() !== null) taken += 1;
  const { user, system } = process.cpuUsage(cpu);
  assert.equal(taken, 200_000);
  assert.ok(user + system < 1e6, `${user + system} µs`);
});
