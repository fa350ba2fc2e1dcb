import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Stream } from "../../src/grpc/http2/stream.js";
import { StreamTable } from "../../src/grpc/http2/stream-table.js";

/** All that the table looks at. */
function streamOf(id: number): Stream {
  return Object.assign(Object.create(Stream.prototype) as Stream, { id });
}

test("a table of streams does what a Map does", () => {
  // Few ids over few slots make the runs in which removal is delicate.
  const id = fc.oneof(fc.nat({ max: 200 }), fc.constantFrom(1, 129, 257, 385, 3, 131, 259, 127, 255), fc.nat({ max: 0x7fff_ffff }));
  fc.assert(
    fc.property(fc.array(fc.record({ id, add: fc.boolean() }), { maxLength: 400 }), (steps) => {
      const table = new StreamTable();
      const map = new Map<number, Stream>();
      for (const step of steps) {
        if (step.add && !map.has(step.id)) {
          const stream = streamOf(step.id);
          table.set(step.id, stream);
          map.set(step.id, stream);
        } else if (!step.add) {
          assert.equal(table.delete(step.id), map.delete(step.id));
        }
        assert.equal(table.size, map.size);
        assert.equal(table.get(step.id), map.get(step.id));
      }
      for (const [each, stream] of map) assert.equal(table.get(each), stream);
      assert.deepEqual(new Set(table.values()), new Set(map.values()));
    }),
  );
});

test("streams come and go without end in a table that does not grow", () => {
  const table = new StreamTable();
  for (let each = 1; each < 1_000_000; each += 2) {
    table.set(each, streamOf(each));
    if (each > 60) assert.ok(table.delete(each - 60));
  }
  assert.equal(table.size, 30);
});
