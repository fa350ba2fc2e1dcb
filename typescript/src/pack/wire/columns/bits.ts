import { bailOut } from "../bail-out.js";
import type { Reader } from "../reader.js";
import type { Writer } from "../writer.js";

/** Writes a bit for each of `m` values, which are 0 or 1. May move the buffer. */
export function writeBits(w: Writer, p: number, values: Int32Array, m: number): number {
  const size = (m + 7) >>> 3;
  w.ensureAll(p, size);
  const { b } = w;
  for (let i = 0; i < m; p++) {
    let byte = 0;
    for (let bit = 0; bit < 8 && i < m; bit++) byte |= values[i++]! << bit;
    b[p] = byte;
  }
  return p;
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
