import { BLOCK } from "./plan.js";
import type { Writer } from "./writer.js";

/** How many values of the open block have more than i bits. Entries beyond 64 stay 0. */
const beyond = new Int32Array(72);
/** Bytes of the varints of the exceptions at width i. */
const tails = new Int32Array(72);
const exceptions = new Uint8Array(BLOCK);

/** The most bytes that the packed blocks of `count` values take; widths up to 32 bits, exceptions up to 64. */
export function packedRoom(count: number, bits: number): number {
  return count * (bits > 32 ? 11 : 4) + 2 * Math.ceil(count / BLOCK) + 8;
}

/**
 * The width that costs least, the smallest in a tie, for a block of `m` values (section 9).
 *
 * An exception of b bits costs 1 + ⌈(b − w) / 7⌉ bytes, and ⌈(b − w) / 7⌉ is how often b is greater than w, w + 7, w + 14 …; so with C(w) the number
 * of values of more than w bits, all exceptions cost C(w) + S(w), where S(w) = C(w) + S(w + 7).
 *
 * @param longest the bits of the longest value
 */
function bestWidth(m: number, longest: number): number {
  for (let w = longest; w < longest + 7; w++) tails[w] = 0;
  let best = Infinity;
  let width = 1;
  for (let w = longest; w > 0; w--) {
    const more = beyond[w]!;
    const tail = more + tails[w + 7 < 72 ? w + 7 : 71]!;
    tails[w] = w >= longest ? 0 : tail;
    if (w > 32) continue;
    const cost = ((m * w + 7) >> 3) + (more === 0 ? 0 : 1 + more + tail);
    if (cost <= best) {
      best = cost;
      width = w;
    }
  }
  return width;
}

/** Turns the histogram in `beyond`, of values by their bits, into counts of values with more bits than each; answers the longest. */
function accumulate(most: number): number {
  let longest = most;
  while (longest > 1 && beyond[longest] === 0) longest--;
  let count = 0;
  for (let w = longest; w >= 0; w--) {
    const here = beyond[w]!;
    beyond[w] = count;
    count += here;
  }
  for (let w = longest + 1; w <= most; w++) beyond[w] = 0;
  return longest;
}

/** Writes the low `width` bits of `m` values, the first of them at `from`. */
function writeBits(w: Writer, p: number, values: Uint32Array, from: number, step: number, m: number, width: number): number {
  const view = w.view();
  const mask = width === 32 ? -1 : (1 << width) - 1;
  let word = 0;
  let filled = 0;
  for (let k = 0, at = from; k < m; k++, at += step) {
    const low = values[at]! & mask;
    word |= low << filled;
    filled += width;
    if (filled >= 32) {
      view.setUint32(p, word, true);
      p += 4;
      filled -= 32;
      word = filled === 0 ? 0 : low >>> (width - filled);
    }
  }
  for (; filled > 0; filled -= 8) {
    w.b[p++] = word;
    word >>>= 8;
  }
  return p;
}

/** Packs `count` values of up to 32 bits, which are in their unsigned or zigzag form. The writer has room. */
export function pack32(w: Writer, p: number, values: Uint32Array, count: number): number {
  for (let from = 0; from < count; from += BLOCK) {
    const m = count - from < BLOCK ? count - from : BLOCK;
    beyond.fill(0, 0, 33);
    for (let k = from; k < from + m; k++) beyond[32 - Math.clz32(values[k]!)]!++;
    const width = bestWidth(m, accumulate(32));
    const more = beyond[width]!;
    if (more === 0) {
      w.b[p] = width;
      p = writeBits(w, p + 1, values, from, 1, m, width);
      continue;
    }
    w.b[p] = width | 0x80;
    w.b[p + 1] = more;
    p = writeBits(w, p + 2, values, from, 1, m, width);
    // Without a branch: nobody foresees which values are exceptions.
    for (let k = 0, found = 0; k < m; k++) {
      const rest = values[from + k]! >>> width;
      exceptions[found] = k;
      found += (rest | (0 - rest)) >>> 31;
    }
    const { b } = w;
    for (let i = 0; i < more; i++) b[p++] = exceptions[i]!;
    for (let i = 0; i < more; i++) {
      const rest = values[from + exceptions[i]!]! >>> width;
      if (rest < 128) b[p++] = rest;
      else p = w.varint(p, rest);
    }
  }
  return p;
}

/** Packs `count` values of up to 64 bits, each as two halves, the low one first. The writer has room. */
export function pack64(w: Writer, p: number, halves: Uint32Array, count: number): number {
  for (let from = 0; from < count; from += BLOCK) {
    const m = count - from < BLOCK ? count - from : BLOCK;
    beyond.fill(0, 0, 65);
    for (let k = from; k < from + m; k++) beyond[bits64(halves[2 * k]!, halves[2 * k + 1]!)]!++;
    const width = bestWidth(m, accumulate(64));
    const more = beyond[width]!;
    w.b[p++] = more === 0 ? width : width | 0x80;
    if (more > 0) w.b[p++] = more;
    p = writeBits(w, p, halves, 2 * from, 2, m, width);
    if (more === 0) continue;
    let found = 0;
    for (let k = 0; k < m; k++) if (bits64(halves[2 * (from + k)]!, halves[2 * (from + k) + 1]!) > width) exceptions[found++] = k;
    for (let i = 0; i < more; i++) w.b[p++] = exceptions[i]!;
    for (let i = 0; i < more; i++) {
      const low = halves[2 * (from + exceptions[i]!)]!;
      const high = halves[2 * (from + exceptions[i]!) + 1]!;
      p = width === 32 ? w.halves(p, high, 0) : w.halves(p, (low >>> width) | (high << (32 - width)), high >>> width);
    }
  }
  return p;
}

/** The position of the highest bit that is set, from 1. */
function bits64(low: number, high: number): number {
  return high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high);
}
