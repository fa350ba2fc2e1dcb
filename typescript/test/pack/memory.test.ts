/** No message makes the decoder take more than 1 GB under default limits, on the engine's default flags. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hardTest } from "../hard.js";
import * as pack from "../../src/pack/index.js";
import { SHAPES } from "./memory-shapes.js";
import type { MemoryShape } from "./memory-shapes.js";
import { peakOf } from "./memory.js";

const GIGABYTE = 1e9;
/** The shapes of each kind that take the most memory, found by `memory.js`, which tries them all. */
const WORST = ["empty map", "empty set", "array of 1 f64", "array of 1 i64", "bytes", "uuid", "Date", "struct of 1021", "any bytes", "list of recursive"];
const CLOSED = ["empty map", "struct of 1021"].map((name) => `${name}, closures`);
/** All are decoded under a part of the limits first, and those that took the most of it under all of them. */
const PART = 1 / 8;
const AT_THE_LIMIT = 2;
/** The share of the engine's young generation in a small heap: megabytes, which are negligible beside a gigabyte. */
const YOUNG = 48 << 20;

const NAMES = [...WORST, ...CLOSED];

const shaped = (name: string): MemoryShape => SHAPES.find((candidate) => candidate.name === name)!;

const found = new Map<string, number>();

/** The memory of a shape under a part of the limits, measured once. */
function ofPart(name: string): number {
  const bytes = found.get(name) ?? peakOf(shaped(name), PART);
  found.set(name, bytes);
  return bytes;
}

for (const name of NAMES) {
  hardTest(`takes an eighth of 1 GB under an eighth of the limits: ${name}`, () => {
    const bytes = ofPart(name);
    assert.ok(bytes > 0 && bytes < GIGABYTE * PART + YOUNG, `${bytes} bytes`);
  });
}

for (let place = 0; place < AT_THE_LIMIT; place += 1) {
  hardTest(`takes less than 1 GB: number ${place + 1} of those`, (context) => {
    const name = [...NAMES].sort((one, other) => ofPart(other) - ofPart(one))[place]!;
    const bytes = peakOf(shaped(name));
    context.diagnostic(`${name}: ${bytes} bytes`);
    assert.ok(bytes > 0 && bytes < GIGABYTE, `${name}: ${bytes} bytes`);
  });
}

test("rejects zeros as structs of options at their count", () => {
  for (const [options, megabytes] of [[8, 16.7], [32, 66.8]] as const) {
    const fields = Object.fromEntries(Array.from({ length: options }, (_, i) => [`f${i}`, pack.option(pack.bool)]));
    const count = Math.floor((megabytes * 1e6 - 8) / (options / 8));
    const message = new Uint8Array(8 + (count * options) / 8);
    message.set([0x80, (count & 127) | 128, ((count >> 7) & 127) | 128, ((count >> 14) & 127) | 128, count >> 21]);
    for (const evaluate of [true, false]) {
      const codec = pack.codec(pack.list(pack.struct("S", fields)), { eval: evaluate });
      assert.throws(() => codec.decode(message), { code: "limit_items", at: 1, path: "$" });
    }
  }
});
