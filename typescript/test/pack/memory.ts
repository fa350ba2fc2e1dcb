/**
 * Searches for the message that makes the decoder take the most memory under default limits.
 *
 *     memory.js [NAME...]               all shapes of memory-shapes.ts, or those named, each in a process of its own
 *     memory.js --decode INDEX FILE     decodes the message in the file; prints the bytes of memory that it took at most
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as pack from "../../src/pack/index.js";
import { SHAPES } from "./memory-shapes.js";
import type { MemoryShape } from "./memory-shapes.js";

const { cells: CELLS, frameBytes: BYTES } = pack.DEFAULT_LIMITS;
/** A multiple of 8: the flags of so many elements are whole bytes. */
const PROBES = 16;
const HEADER_BYTES = 64;

/** Cells that a message is charged: the lowest limit under which it is read. */
function cellsOf(type: pack.Type, message: Uint8Array): number {
  let [least, most] = [1, 1 << 20];
  while (least < most) {
    const middle = (least + most) >> 1;
    try {
      pack.codec(type, { eval: false, limits: { cells: middle } }).decode(message);
      most = middle;
    } catch {
      least = middle + 1;
    }
  }
  return least;
}

/** A list of as many values of the shape as a part of the default limits allows. */
function largest({ element, value }: MemoryShape, part: number): Uint8Array {
  const type = pack.list(element);
  const codec = pack.codec(type, { profile: "fast", check: false });
  const encoded = (count: number): Uint8Array => codec.encode(Array.from({ length: count }, value));
  const [probe, two] = [encoded(PROBES), encoded(2 * PROBES)];
  const cells = (cellsOf(type, two) - cellsOf(type, probe)) / PROBES;
  const bytes = (two.length - probe.length) / PROBES;
  const count = Math.floor(Math.min((part * CELLS - HEADER_BYTES) / cells, (part * BYTES - HEADER_BYTES) / bytes));
  const [once, twice] = [Buffer.from(probe.subarray(2)), Buffer.from(two.subarray(2))];
  if (!twice.equals(Buffer.concat([once, once])) || probe[0] !== 0x80) return encoded(count - (count % PROBES));
  // Without text, flags and padding: the same row over and over.
  const rows = Math.floor(count / PROBES);
  const output = new pack.Output(HEADER_BYTES + rows * once.length);
  output.write(probe.subarray(0, 1));
  for (let left = rows * PROBES; ; left >>>= 7) {
    output.write(Uint8Array.of(left > 127 ? (left & 127) | 128 : left));
    if (left < 128) break;
  }
  for (let i = 0; i < rows; i++) output.write(once);
  return output.bytes;
}

/**
 * Bytes of memory beyond those of the idle process that decoding a message of the shape takes at most, the message
 * included. The message has a `part` of the cells, or else of the bytes, that the default limits allow.
 */
export function peakOf(shape: MemoryShape, part = 1): number {
  const folder = mkdtempSync(join(tmpdir(), "samewire-memory-"));
  try {
    const file = join(folder, "message");
    writeFileSync(file, largest(shape, part));
    const self = fileURLToPath(import.meta.url);
    const index = String(SHAPES.indexOf(shape));
    return Number(execFileSync(process.execPath, [self, "--decode", index, file], { encoding: "utf8" }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** In the process of its own. */
function decode({ element, options }: MemoryShape, file: string): number {
  const codec = pack.codec(pack.list(element), options);
  const idle = process.memoryUsage().rss;
  const values = codec.decode(readFileSync(file));
  return values.length > 0 ? 1_024 * process.resourceUsage().maxRSS - idle : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [first, index, file] = process.argv.slice(2);
  if (first === "--decode") {
    process.stdout.write(String(decode(SHAPES[Number(index)]!, file ?? "")));
  } else {
    const named = process.argv.slice(2);
    for (const shape of SHAPES.filter(({ name }) => named.length === 0 || named.includes(name))) {
      const start = Date.now();
      process.stdout.write(`${(peakOf(shape) / 1e6).toFixed(0).padStart(5)} MB  ${shape.name}  (${Date.now() - start} ms)\n`);
    }
  }
}
