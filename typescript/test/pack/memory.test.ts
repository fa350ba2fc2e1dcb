/** No message makes the decoder take more than 1 GB under default limits, on the engine's default flags. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";
import { SHAPES } from "./memory-shapes.js";
import { peakOf } from "./memory.js";

const GIGABYTE = 1e9;
/** What `memory.js` found to take the most, of each kind; it tries them all. */
const WORST = ["empty map", "empty set", "array of 1 f64", "array of 1 i64", "bytes", "uuid", "Date", "struct of 1021", "any bytes", "list of recursive"];
const CLOSED = ["empty map", "struct of 1021"].map((name) => `${name}, closures`);

for (const name of [...WORST, ...CLOSED]) {
  test(`takes less than 1 GB: ${name}`, () => {
    const shape = SHAPES.find((candidate) => candidate.name === name)!;
    const bytes = peakOf(shape);
    assert.ok(bytes > 0 && bytes < GIGABYTE, `${bytes} bytes`);
  });
}

test("rejects zeros as structs of options at their count", () => {
  for (const [options, megabytes] of [[8, 16.7], [32, 66.8]] as const) {
    const fields = Object.fromEntries(Array.from({ length: options }, (_, i) => [`f${i}`, pack.option(pack.bool)]));
    const count = Math.floor((megabytes * 1e6 - 8) / (options / 8));
    const message = new Uint8Array(8 + (count * options) / 8);
    message.set([0x40, (count & 127) | 128, ((count >> 7) & 127) | 128, ((count >> 14) & 127) | 128, count >> 21]);
    for (const evaluate of [true, false]) {
      const codec = pack.codec(pack.list(pack.struct("S", fields)), { eval: evaluate });
      assert.throws(() => codec.decode(message), { code: "limit_items", at: 1, path: "$" });
    }
  }
});
