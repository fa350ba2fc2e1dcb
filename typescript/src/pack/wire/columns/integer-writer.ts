import { BITS, isSigned } from "../../schema/numeric.js";
import { pack32, pack64, packedRoom } from "../bit-packing.js";
import type { Writer } from "../writer.js";
import { FROM_LEAST, FROM_PREVIOUS, RAW } from "./form.js";
import type { Integer } from "./integers.js";
import { ints } from "./scratch.js";

/** The bytes of a mode and of the longest first or least value. */
const HEAD = 11;
const WORD = 0x1_0000_0000;
/** Differences of integers this close to each other have 32 bits in zigzag form. */
const NARROW = 0x8000_0000;

/** The bits of an unsigned integer of 32 bits. */
function bits(u: number): number {
  return 32 - Math.clz32(u);
}

/**
 * Writes a column of `m` integers of up to 32 bits (columns.md section 3); those of `u32` stand in the array modulo 2^32. May
 * move the buffer.
 */
export function writeInts(w: Writer, p: number, type: Integer, values: Int32Array, m: number): number {
  let least = values[0]!;
  let most = least;
  if (type === "u32") {
    least = most = least >>> 0;
    for (let i = 1; i < m; i++) {
      const value = values[i]! >>> 0;
      if (value < least) least = value;
      else if (value > most) most = value;
    }
  } else {
    for (let i = 1; i < m; i++) {
      const value = values[i]!;
      if (value < least) least = value;
      else if (value > most) most = value;
    }
  }
  if (most - least < NARROW) return narrow(w, p, type, values, high(type, values[0]!), least | 0, high(type, least | 0), m);
  const halves = new Int32Array(2 * m);
  for (let i = 0; i < m; i++) {
    halves[2 * i] = values[i]!;
    halves[2 * i + 1] = high(type, values[i]!);
  }
  return wide(w, p, type, halves, m);
}

/** The upper half of a value of up to 32 bits. */
function high(type: Integer, low: number): number {
  return isSigned(type) ? low >> 31 : 0;
}

/** Writes a column of `m` integers that doubles hold exactly. May move the buffer. */
export function writeExact(w: Writer, p: number, type: "i64" | "u64", values: Float64Array, m: number): number {
  let least = values[0]!;
  let most = least;
  for (let i = 1; i < m; i++) {
    const value = values[i]!;
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  if (most - least < NARROW) {
    const lows = ints.take(m);
    for (let i = 0; i < m; i++) lows[i] = values[i]!;
    p = narrow(w, p, type, lows, Math.floor(values[0]! / WORD), least | 0, Math.floor(least / WORD), m);
    ints.used--;
    return p;
  }
  const halves = new Int32Array(2 * m);
  for (let i = 0; i < m; i++) {
    halves[2 * i] = values[i]!;
    halves[2 * i + 1] = Math.floor(values[i]! / WORD);
  }
  return wide(w, p, type, halves, m);
}

/** Writes a column of `m` integers of 64 bits. May move the buffer. */
export function writeLongs(w: Writer, p: number, type: "i64" | "u64", values: BigInt64Array, m: number): number {
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * m);
  const flip = type === "u64" ? NARROW | 0 : 0;
  let leastLow = halves[0]! >>> 0;
  let leastHigh = halves[1]! ^ flip;
  let mostLow = leastLow;
  let mostHigh = leastHigh;
  for (let i = 2; i < 2 * m; i += 2) {
    const low = halves[i]! >>> 0;
    const upper = halves[i + 1]! ^ flip;
    if (upper < leastHigh || (upper === leastHigh && low < leastLow)) {
      leastHigh = upper;
      leastLow = low;
    } else if (upper > mostHigh || (upper === mostHigh && low > mostLow)) {
      mostHigh = upper;
      mostLow = low;
    }
  }
  if ((mostHigh - leastHigh) * WORD + (mostLow - leastLow) >= NARROW) return wide(w, p, type, halves, m);
  const lows = ints.take(m);
  for (let i = 0; i < m; i++) lows[i] = halves[2 * i]!;
  p = narrow(w, p, type, lows, halves[1]!, leastLow | 0, leastHigh ^ flip, m);
  ints.used--;
  return p;
}

/** Integers whose greatest and least value differ by less than 2^31, by their lower halves. */
function narrow(w: Writer, p: number, type: Integer, lows: Int32Array, firstHigh: number, leastLow: number, leastHigh: number, m: number): number {
  let fromLeast = 0;
  let fromPrevious = 0;
  let previous = lows[0]!;
  for (let i = 0; i < m; i++) {
    const low = lows[i]!;
    const step = (low - previous) | 0;
    fromLeast += 32 - Math.clz32(low - leastLow);
    fromPrevious += 32 - Math.clz32((step << 1) ^ (step >> 31));
    previous = low;
  }
  const coded = ints.take(m);
  const stepping = fromPrevious < fromLeast;
  const count = stepping ? m - 1 : m;
  if (stepping) for (let i = 0; i < count; i++) coded[i] = lows[i + 1]! - lows[i]!;
  else for (let i = 0; i < count; i++) coded[i] = lows[i]! - leastLow;
  w.ensure(p, HEAD + packedRoom(count, 32));
  const start = p;
  w.b[p++] = stepping ? FROM_PREVIOUS : FROM_LEAST;
  p = stepping ? single(w, p, type, lows[0]!, firstHigh) : single(w, p, type, leastLow, leastHigh);
  const end = pack32(w, p, coded, count, stepping);
  ints.used--;
  const size = (m * BITS[type]) / 8;
  if (end - start - 1 < size) return end;
  if (BITS[type] < 64) return writeRaw(w, start, type, lows, 1, m);
  // Of all upper halves that there are, those of the least value and the one above it.
  const halves = new Int32Array(2 * m);
  for (let i = 0; i < m; i++) {
    halves[2 * i] = lows[i]!;
    halves[2 * i + 1] = leastHigh + (lows[i]! >>> 0 < leastLow >>> 0 ? 1 : 0);
  }
  return writeRaw(w, start, type, halves, 2, m);
}

/** Integers in two halves, the lower one first. */
function wide(w: Writer, p: number, type: Integer, halves: Int32Array, m: number): number {
  const flip = isSigned(type) ? 0 : NARROW | 0;
  let least = 0;
  for (let i = 2; i < 2 * m; i += 2) {
    const upper = halves[i + 1]! ^ flip;
    const before = halves[least + 1]! ^ flip;
    if (upper < before || (upper === before && halves[i]! >>> 0 < halves[least]! >>> 0)) least = i;
  }
  const offsets = differences(halves, m, least, false);
  const steps = differences(halves, m, 0, true);
  const stepping = sum(steps) < sum(offsets);
  const count = stepping ? m - 1 : m;
  w.ensure(p, HEAD + packedRoom(count, 64));
  const start = p;
  w.b[p++] = stepping ? FROM_PREVIOUS : FROM_LEAST;
  const base = stepping ? 0 : least;
  p = single(w, p, type, halves[base]!, halves[base + 1]!);
  const end = pack64(w, p, stepping ? steps : offsets, count);
  if (end - start - 1 < (m * BITS[type]) / 8) return end;
  return writeRaw(w, start, type, halves, 2, m);
}

/** The differences of all values from that at `base`; or, zigzag, of all but the first from those before them. */
function differences(halves: Int32Array, m: number, base: number, stepping: boolean): Uint32Array {
  const from = stepping ? 2 : 0;
  const found = new Uint32Array(2 * m - from);
  for (let i = from; i < 2 * m; i += 2) {
    const before = stepping ? i - 2 : base;
    const low = (halves[i]! - halves[before]!) | 0;
    const upper = (halves[i + 1]! - halves[before + 1]! - (halves[i]! >>> 0 < halves[before]! >>> 0 ? 1 : 0)) | 0;
    const sign = stepping ? upper >> 31 : 0;
    found[i - from] = stepping ? (low << 1) ^ sign : low;
    found[i - from + 1] = stepping ? ((upper << 1) | (low >>> 31)) ^ sign : upper;
  }
  return found;
}

/** The bits of all values together. */
function sum(halves: Uint32Array): number {
  let all = 0;
  for (let i = 0; i < halves.length; i += 2) all += halves[i + 1] === 0 ? bits(halves[i]!) : 32 + bits(halves[i + 1]!);
  return all;
}

/** One value as it stands in a slot. */
function single(w: Writer, p: number, type: Integer, low: number, upper: number): number {
  if (BITS[type] === 8) {
    w.b[p] = low;
    return p + 1;
  }
  return isSigned(type) ? w.zigzag64(p, low, upper) : w.halves(p, low, upper);
}

/** Integers in the width of their type, of which each stands in `step` elements. */
function writeRaw(w: Writer, p: number, type: Integer, values: Int32Array, step: number, m: number): number {
  const width = BITS[type] / 8;
  w.ensureAll(p, 1 + m * width);
  w.b[p++] = RAW;
  const { b } = w;
  const view = w.view();
  if (width === 1) for (let i = 0; i < m; i++) b[p + i] = values[step * i]!;
  else if (width === 2) for (let i = 0; i < m; i++) view.setInt16(p + 2 * i, values[step * i]!, true);
  else if (width === 4) for (let i = 0; i < m; i++) view.setInt32(p + 4 * i, values[step * i]!, true);
  else for (let i = 0; i < 2 * m; i++) view.setInt32(p + 4 * i, values[i]!, true);
  return p + m * width;
}
