import { bailOut } from "../bail-out.js";
import type { Reader } from "../reader.js";
import type { Writer } from "../writer.js";

/** Writes a bit for each of `m` values, which are 0 or 1. May move the buffer. */
export function writeBits(w: Writer, p: number, values: Int32Array, m: number): number {
  const size = (m + 7) >>> 3;
  w.ensureAll(p, size);
  const { b } = w;
  let i = 0;
  for (; i < m - 7; i += 8) {
    const low = values[i]! | (values[i + 1]! << 1) | (values[i + 2]! << 2) | (values[i + 3]! << 3);
    const high = values[i + 4]! | (values[i + 5]! << 1) | (values[i + 6]! << 2) | (values[i + 7]! << 3);
    b[p++] = low | (high << 4);
  }
  if (i === m) return p;
  b[p] = 0;
  for (let bit = 0; i < m; bit++) b[p]! |= values[i++]! << bit;
  return p + 1;
}

/** Passes by the bits of `m` values; returns where they begin. */
export function bitsAt(r: Reader, m: number): number {
  const at = r.p;
  const size = (m + 7) >>> 3;
  if (size > r.end - at) bailOut();
  r.p = at + size;
  if ((m & 7) !== 0 && r.b[r.p - 1]! >> (m & 7) !== 0) bailOut();
  return at;
}

/** How many of the bits of `m` values are set. */
export function countBits(r: Reader, at: number, m: number): number {
  const { b } = r;
  let count = 0;
  for (let end = at + ((m + 7) >>> 3); at < end; at++) count += ONES[b[at]!]!;
  return count;
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);
