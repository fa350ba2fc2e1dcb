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
/** The low and high halves of the values of the block, which callers set before they pack it. */
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
    // A lower bound for all smaller widths: a bit for each value, and no fewer bytes for exceptions.
    if (((m + 7) >> 3) + patches > best) break;
  }
  return width;
}

/**
 * Packs the low `width` bits of the first `m` values in `lows`: two or four values at a time, which takes two thirds and less than
 * half of the time.
 */
function writeBits(view: DataView, p: number, m: number, width: number): number {
  const mask = width === 32 ? -1 : (1 << width) - 1;
  let word = 0;
  let filled = 0;
  let k = 0;
  if (width <= 8) {
    const four = 4 * width;
    for (; k < m - 3; k += 4) {
      const bits = (lows[k]! & mask) | ((lows[k + 1]! & mask) << width) | ((lows[k + 2]! & mask) << (2 * width)) | ((lows[k + 3]! & mask) << (3 * width));
      word |= bits << filled;
      filled += four;
      if (filled >= 32) {
        view.setInt32(p, word, true);
        p += 4;
        filled -= 32;
        // Two shifts, since a shift by 32 shifts by 0.
        word = (bits >>> 1) >>> (four - filled - 1);
      }
    }
  } else if (width <= 16) {
    const two = 2 * width;
    for (; k < m - 1; k += 2) {
      const bits = (lows[k]! & mask) | ((lows[k + 1]! & mask) << width);
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
    const bits = lows[k]! & mask;
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
    view.setUint8(p++, word);
    word >>>= 8;
  }
  return p;
}

/**
 * Packs the first `count` values of a row of up to 32 bits; `zigzag` if any is negative. The buffer must have enough
 * bytes.
 */
export function pack32(w: Writer, p: number, row: Int32Array, count: number, zigzag: boolean): number {
  const view = w.view();
  for (let from = 0; from < count; from += BLOCK) {
    const m = count - from < BLOCK ? count - from : BLOCK;
    p = zigzag ? packZigzag(w, view, p, row, from, m) : packAbove(w, view, p, row, from, m, 0);
  }
  return p;
}

/** Packs a block of the `m` values from `from` on, each as what it is above `least`. */
export function packAbove(w: Writer, view: DataView, p: number, row: Int32Array, from: number, m: number, least: number): number {
  clear(32);
  let all = 0;
  let k = 0;
  for (; k < m - 3; k += LANES) {
    all |= put(k, row[from + k]! - least, 0) | put(k + 1, row[from + k + 1]! - least, 1);
    all |= put(k + 2, row[from + k + 2]! - least, 2) | put(k + 3, row[from + k + 3]! - least, 3);
  }
  for (; k < m; k++) all |= put(k, row[from + k]! - least, 0);
  return packCounted(w, view, p, m, all);
}

/** Packs a block of the steps, in zigzag form, from the value before `from` over the next `m` values. */
export function packSteps(w: Writer, view: DataView, p: number, row: Int32Array, from: number, m: number): number {
  clear(32);
  let all = 0;
  let k = 0;
  let before = row[from - 1]!;
  for (; k < m - 3; k += LANES) {
    const first = row[from + k]!;
    const second = row[from + k + 1]!;
    const third = row[from + k + 2]!;
    all |= put(k, zigzag(first - before), 0) | put(k + 1, zigzag(second - first), 1);
    before = row[from + k + 3]!;
    all |= put(k + 2, zigzag(third - second), 2) | put(k + 3, zigzag(before - third), 3);
  }
  for (; k < m; k++) {
    const value = row[from + k]!;
    all |= put(k, zigzag(value - before), 0);
    before = value;
  }
  return packCounted(w, view, p, m, all);
}

/** Packs a block of the zigzag forms of the `m` values from `from` on. */
function packZigzag(w: Writer, view: DataView, p: number, row: Int32Array, from: number, m: number): number {
  clear(32);
  let all = 0;
  for (let k = 0; k < m; k++) all |= put(k, zigzag(row[from + k]!), k & (LANES - 1));
  return packCounted(w, view, p, m, all);
}

function clear(bits: number): void {
  for (let zeros = 0; zeros <= bits; zeros++) lanes[zeros] = 0;
}

/** Puts a value into the block, and counts it. */
function put(k: number, value: number, lane: number): number {
  lows[k] = value;
  counts[LANES * Math.clz32(value) + lane]!++;
  return value;
}

function zigzag(value: number): number {
  return (value << 1) ^ ((value | 0) >> 31);
}

/** Packs a block of `m` values in `lows`, which are counted, with the union of their bits. */
function packCounted(w: Writer, view: DataView, p: number, m: number, all: number): number {
  const width = bestWidth(m, 32, 32 - Math.clz32(all | 1));
  if (more === 0) {
    w.b[p] = width;
    return writeBits(view, p + 1, m, width);
  }
  w.b[p++] = width | 0x80;
  w.b[p++] = more;
  p = writeBits(view, p, m, width);
  let found = 0;
  for (let k = 0; k < m; k++) {
    exceptions[found] = k;
    found += isSome(lows[k]! >>> width);
  }
  const { b } = w;
  for (let i = 0; i < more; i++) b[p++] = exceptions[i]!;
  for (let i = 0; i < more; i++) {
    const rest = lows[exceptions[i]!]! >>> width;
    if (rest < 128) b[p++] = rest;
    else p = w.varint(p, rest);
  }
  return p;
}

/** 1 if any bit is set, otherwise 0. No branch: it would be mispredicted. */
function isSome(bits: number): number {
  return (bits | (0 - bits)) >>> 31;
}

/** Packs `count` values of up to 64 bits, each as two halves, the low one first. The buffer must have enough bytes. */
export function pack64(w: Writer, p: number, halves: Int32Array, count: number): number {
  const view = w.view();
  for (let from = 0; from < count; from += BLOCK) {
    const m = count - from < BLOCK ? count - from : BLOCK;
    for (let k = 0; k < m; k++) {
      lows[k] = halves[2 * (from + k)]!;
      highs[k] = halves[2 * (from + k) + 1]!;
    }
    p = packHalves(w, view, p, m);
  }
  return p;
}

/** Packs the block of the first `m` values in `lows` and `highs`. */
export function packHalves(w: Writer, view: DataView, p: number, m: number): number {
  const width = bestWidth(m, 64, count64(m));
  if (more === 0) {
    w.b[p] = width;
    return writeBits(view, p + 1, m, width);
  }
  w.b[p++] = width | 0x80;
  w.b[p++] = more;
  p = writeBits(view, p, m, width);
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

/** Counts the values of a block in two halves by leading zeros; returns the bits of the longest, at least 1. */
function count64(m: number): number {
  clear(64);
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
