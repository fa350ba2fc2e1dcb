import { BLOCK } from "./row-form.js";
import type { Writer } from "./writer.js";

/** Independent counters for neighbouring values, so that additions to equal counters do not wait for each other. */
const LANES = 4;
/** How many values of the block have i leading zeros: a byte for each lane, which counts 32 of the 128 values. */
const counts = new Uint8Array(LANES * 65);
const lanes = new Int32Array(counts.buffer);
/** Bytes of the varints of the exceptions at width i. */
const tails = new Int32Array(72);
/** The positions of the exceptions. One more element takes the position of the last value if it is not an exception. */
const exceptions = new Uint8Array(BLOCK + 1);
/** The low and high halves of the values of the block: whoever packs one puts them here. */
export const lows = new Uint32Array(BLOCK);
export const highs = new Uint32Array(BLOCK);
/** The second result of {@link bestWidth}: how many exceptions there are. */
let more = 0;

/** The most bytes that the packed blocks of `count` values take; widths up to 32 bits, exceptions up to 64. */
export function packedRoom(count: number, bits: number): number {
  return count * (bits > 32 ? 11 : 4) + 2 * Math.ceil(count / BLOCK) + 8;
}

/**
 * Returns the cheapest width, the smallest of equals, for a block of `m` values (section 9) that have been counted.
 *
 * An exception of b bits costs 1 + ⌈(b − w) / 7⌉ bytes, and ⌈(b − w) / 7⌉ is how many of w, w + 7, w + 14 … are less
 * than b. So with C(w) the number of values of more than w bits, all exceptions cost C(w) + S(w), where S(w) = C(w) +
 * S(w + 7).
 *
 * @param bits the bits of the type
 * @param longest the bits of the longest value
 */
function bestWidth(m: number, bits: number, longest: number): number {
  for (let w = longest; w < longest + 8; w++) tails[w] = 0;
  let best = Infinity;
  let width = 1;
  let beyond = 0;
  for (let w = longest; w > 0; w--) {
    let patches = 0;
    if (w < longest) {
      // The sum of the four counts.
      beyond += Math.imul(lanes[bits - w - 1]!, 0x0101_0101) >>> 24;
      tails[w] = beyond + tails[w + 7]!;
      patches = 1 + beyond + tails[w]!;
    }
    const cost = ((m * w + 7) >> 3) + patches;
    if (cost <= best && w <= 32) {
      best = cost;
      width = w;
      more = beyond;
    }
    // A smaller width takes no fewer bytes for exceptions, and a bit for each value.
    if (((m + 7) >> 3) + patches > best) break;
  }
  return width;
}

/** 1 if any bit is set, otherwise 0. No branch: it would be mispredicted. */
function isSome(bits: number): number {
  return (bits | (0 - bits)) >>> 31;
}

/**
 * Packs the low `width` bits of the first `m` values in `lows`. Collects in `exceptions` the positions of those with
 * more bits.
 */
function writeBits(w: Writer, p: number, m: number, width: number): number {
  const view = w.view();
  const mask = width === 32 ? -1 : (1 << width) - 1;
  let word = 0;
  let filled = 0;
  let found = 0;
  let k = 0;
  if (width <= 16) {
    const two = 2 * width;
    for (; k < m - 1; k += 2) {
      const first = lows[k]!;
      const second = lows[k + 1]!;
      const pair = (first & mask) | ((second & mask) << width);
      word |= pair << filled;
      filled += two;
      if (filled >= 32) {
        view.setInt32(p, word, true);
        p += 4;
        filled -= 32;
        // Two shifts, since a shift by 32 shifts by 0.
        word = (pair >>> 1) >>> (two - filled - 1);
      }
      exceptions[found] = k;
      found += isSome(first & ~mask);
      exceptions[found] = k + 1;
      found += isSome(second & ~mask);
    }
  }
  for (; k < m; k++) {
    const value = lows[k]!;
    word |= (value & mask) << filled;
    filled += width;
    if (filled >= 32) {
      view.setInt32(p, word, true);
      p += 4;
      filled -= 32;
      word = ((value & mask) >>> 1) >>> (width - filled - 1);
    }
    exceptions[found] = k;
    found += isSome(value & ~mask);
  }
  for (; filled > 0; filled -= 8) {
    w.b[p++] = word;
    word >>>= 8;
  }
  return p;
}

/** As {@link writeBits}, where no value has more bits: two or four values at a time. */
function writeAllBits(w: Writer, p: number, m: number, width: number): number {
  const view = w.view();
  let word = 0;
  let filled = 0;
  let k = 0;
  if (width <= 8) {
    const four = 4 * width;
    for (; k < m - 3; k += 4) {
      const bits = lows[k]! | (lows[k + 1]! << width) | (lows[k + 2]! << (2 * width)) | (lows[k + 3]! << (3 * width));
      word |= bits << filled;
      filled += four;
      if (filled >= 32) {
        view.setInt32(p, word, true);
        p += 4;
        filled -= 32;
        word = (bits >>> 1) >>> (four - filled - 1);
      }
    }
  } else if (width <= 16) {
    const two = 2 * width;
    for (; k < m - 1; k += 2) {
      const bits = lows[k]! | (lows[k + 1]! << width);
      word |= bits << filled;
      filled += two;
      if (filled >= 32) {
        view.setInt32(p, word, true);
        p += 4;
        filled -= 32;
        word = (bits >>> 1) >>> (two - filled - 1);
      }
    }
  }
  for (; k < m; k++) {
    const bits = lows[k]!;
    word |= bits << filled;
    filled += width;
    if (filled >= 32) {
      view.setInt32(p, word, true);
      p += 4;
      filled -= 32;
      word = (bits >>> 1) >>> (width - filled - 1);
    }
  }
  for (; filled > 0; filled -= 8) {
    w.b[p++] = word;
    word >>>= 8;
  }
  return p;
}

/**
 * Packs the first `count` values of a row of up to 32 bits; `zigzag` if any is negative. The buffer must have enough
 * bytes.
 */
export function pack32(w: Writer, p: number, row: Int32Array, count: number, zigzag: boolean): number {
  for (let from = 0; from < count; from += BLOCK) {
    const m = count - from < BLOCK ? count - from : BLOCK;
    if (zigzag) for (let k = 0; k < m; k++) lows[k] = (row[from + k]! << 1) ^ (row[from + k]! >> 31);
    else for (let k = 0; k < m; k++) lows[k] = row[from + k]!;
    p = packLows(w, p, m);
  }
  return p;
}

/** Packs the block of the first `m` values in `lows`. */
export function packLows(w: Writer, p: number, m: number): number {
  const width = bestWidth(m, 32, count32(m));
  if (more === 0) {
    w.b[p] = width;
    return writeAllBits(w, p + 1, m, width);
  }
  w.b[p++] = width | 0x80;
  w.b[p++] = more;
  p = writeBits(w, p, m, width);
  const { b } = w;
  for (let i = 0; i < more; i++) b[p++] = exceptions[i]!;
  for (let i = 0; i < more; i++) {
    const rest = lows[exceptions[i]!]! >>> width;
    if (rest < 128) b[p++] = rest;
    else p = w.varint(p, rest);
  }
  return p;
}

/** Counts the values of a block by leading zeros; returns the bits of the longest, at least 1. */
function count32(m: number): number {
  for (let zeros = 0; zeros <= 32; zeros++) lanes[zeros] = 0;
  let all = 1;
  let k = 0;
  for (; k < m - 3; k += LANES) {
    const first = lows[k]!;
    const second = lows[k + 1]!;
    const third = lows[k + 2]!;
    const fourth = lows[k + 3]!;
    all |= first | second | third | fourth;
    counts[LANES * Math.clz32(first)]!++;
    counts[LANES * Math.clz32(second) + 1]!++;
    counts[LANES * Math.clz32(third) + 2]!++;
    counts[LANES * Math.clz32(fourth) + 3]!++;
  }
  for (; k < m; k++) {
    all |= lows[k]!;
    counts[LANES * Math.clz32(lows[k]!)]!++;
  }
  return 32 - Math.clz32(all);
}

/** Packs `count` values of up to 64 bits, each as two halves, the low one first. The buffer must have enough bytes. */
export function pack64(w: Writer, p: number, halves: Int32Array, count: number): number {
  for (let from = 0; from < count; from += BLOCK) {
    const m = count - from < BLOCK ? count - from : BLOCK;
    for (let k = 0; k < m; k++) {
      lows[k] = halves[2 * (from + k)]!;
      highs[k] = halves[2 * (from + k) + 1]!;
    }
    p = packHalves(w, p, m);
  }
  return p;
}

/** Packs the block of the first `m` values in `lows` and `highs`. */
export function packHalves(w: Writer, p: number, m: number): number {
  const width = bestWidth(m, 64, count64(m));
  if (more === 0) {
    w.b[p] = width;
    return writeAllBits(w, p + 1, m, width);
  }
  w.b[p++] = width | 0x80;
  w.b[p++] = more;
  p = width === 32 ? writeAllBits(w, p, m, width) : writeBits(w, p, m, width);
  let found = 0;
  for (let k = 0; k < m; k++) {
    exceptions[found] = k;
    found += isSome(highs[k]! | (width === 32 ? 0 : lows[k]! >>> width));
  }
  const { b } = w;
  for (let i = 0; i < more; i++) b[p++] = exceptions[i]!;
  for (let i = 0; i < more; i++) {
    const low = lows[exceptions[i]!]!;
    const high = highs[exceptions[i]!]!;
    const rest = width === 32 ? high : (low >>> width) | (high << (32 - width));
    const restHigh = width === 32 ? 0 : high >>> width;
    if (restHigh === 0 && rest >>> 0 < 128) b[p++] = rest;
    else p = w.halves(p, rest, restHigh);
  }
  return p;
}

/** As {@link count32}, of values in two halves. */
function count64(m: number): number {
  for (let zeros = 0; zeros <= 64; zeros++) lanes[zeros] = 0;
  let allLow = 1;
  let allHigh = 0;
  for (let k = 0; k < m; k++) {
    const low = lows[k]!;
    const high = highs[k]!;
    allLow |= low;
    allHigh |= high;
    // No branch: a 32 counts on in the lower half.
    const above = Math.clz32(high);
    const zeros = above + (Math.clz32(low) & -(above >>> 5));
    counts[LANES * zeros + (k & (LANES - 1))]!++;
  }
  return allHigh === 0 ? 32 - Math.clz32(allLow) : 64 - Math.clz32(allHigh);
}
