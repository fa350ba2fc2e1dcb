/**
 * Looks for the shape of message that makes the decoder take the most memory under default limits.
 *
 *     memory.js [NAME...]        all shapes, or those named, each in a process of its own
 *     memory.js --decode INDEX   decodes a message from standard input's file, and tells how much memory that took at most
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as pack from "../../src/pack/index.js";
import { SHAPES } from "./memory-shapes.js";
import type { MemoryShape } from "./memory-shapes.js";

const CELLS = pack.DEFAULT_LIMITS.cells;
const BYTES = pack.DEFAULT_LIMITS.frameBytes;
const PROBES = 16;

/** Cells that a message is charged. */
function cellsOf(codec: (limits: Partial<pack.Limits>) => pack.Codec<unknown>, message: Uint8Array): number {
  let [least, most] = [1, 1 << 20];
  while (least < most) {
    const middle = (least + most) >> 1;
    try {
      codec({ cells: middle }).decode(message);
      most = middle;
    } catch {
      least = middle + 1;
    }
  }
  return least;
}

function elements(shape: MemoryShape, count: number): unknown[] {
  return Array.from({ length: count }, () => shape.value ?? { a: true });
}

/** A list of as many of the values as fit the limits. */
export function largest(shape: MemoryShape): Uint8Array {
  const list = pack.list(shape.element);
  const codec = (limits: Partial<pack.Limits>): pack.Codec<unknown> => pack.codec(list, { profile: "fast", eval: false, limits });
  const probe = codec({}).encode(elements(shape, PROBES));
  const two = codec({}).encode(elements(shape, 2 * PROBES));
  const cells = (cellsOf(codec, two) - cellsOf(codec, probe)) / PROBES;
  const bytes = (two.length - probe.length) / PROBES;
  let count = Math.floor(Math.min((CELLS - 64) / cells, (BYTES - 1_024) / bytes));
  count -= count % PROBES;
  return codec({}).encode(new Array(count).fill(shape.value ?? { a: true }));
}

/** Bytes of memory beyond those of the idle process that decoding a message of the shape takes at most. */
export function peakOf(index: number): number {
  const folder = mkdtempSync(join(tmpdir(), "samewire-memory-"));
  try {
    const file = join(folder, "message");
    writeFileSync(file, largest(SHAPES[index]!));
    const self = fileURLToPath(import.meta.url);
    return Number(execFileSync(process.execPath, [self, "--decode", String(index), file], { encoding: "utf8" }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [first, index, file] = process.argv.slice(2);
  if (first === "--decode") {
    const { element, options } = SHAPES[Number(index)]!;
    const codec = pack.codec(pack.list(element), options);
    const idle = process.memoryUsage().rss;
    const value = codec.decode(readFileSync(file ?? ""));
    process.stdout.write(String(1_024 * process.resourceUsage().maxRSS - idle + 0 * (value).length));
  } else {
    const named = process.argv.slice(2);
    SHAPES.forEach(({ name }, i) => {
      if (named.length > 0 && !named.includes(name)) return;
      const start = Date.now();
      process.stdout.write(`${(peakOf(i) / 1e6).toFixed(0).padStart(5)} MB  ${name}  (${Date.now() - start} ms)\n`);
    });
  }
}
