import { BITS, isSigned } from "../../schema/numeric.js";
import { highs, lows, pack64, packAbove, packedRoom, packHalves, packSteps } from "../bit-packing.js";
import { BLOCK } from "../row-form.js";
import type { Writer } from "../writer.js";
import { FROM_LEAST, FROM_PREVIOUS, MOST_DIGITS, RAW, SAMPLE } from "./form.js";
import type { Integer } from "./integers.js";
import { doubles, ints } from "./scratch.js";

/** The bytes of a mode and of the longest first or least value. */
const HEAD = 11;
const WORD = 0x1_0000_0000;
/** Differences of integers this close to each other have 32 bits in zigzag form. */
const NARROW = 0x8000_0000;
/** A double holds the zigzag form of differences of integers this close to each other, and a half more. */
const EXACT = MOST_DIGITS / 4;
/** Below this upper half a double holds both halves. */
const EXACT_HIGH = 0x20_0000;
const pair = new Float64Array(2);
/** The exponents of the pair are in the elements 1 and 3. */
const upperHalves = new Int32Array(pair.buffer);

/**
 * Writes a column of `m` integers of up to 32 bits (columns.md section 3); those of `u32` stand in the array modulo 2^32. May
 * move the buffer.
 */
export function writeInts(w: Writer, p: number, type: Integer, values: Int32Array, m: number): number {
  // Turning the highest bit gives unsigned integers the order of signed ones.
  const turn = type === "u32" ? NARROW | 0 : 0;
  let least = values[0]! ^ turn;
  let most = least;
  for (let i = 1; i < m; i++) {
    const value = values[i]! ^ turn;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const shift = type === "u32" ? NARROW : 0;
  return writeBetween(w, p, type, values, least + shift, most + shift, m);
}

/** As {@link writeInts}, of integers whose least and greatest are known. */
export function writeBetween(w: Writer, p: number, type: Integer, values: Int32Array, least: number, most: number, m: number): number {
  if (most - least < NARROW) {
    return narrow(w, p, type, values, high(type, values[0]!), least | 0, high(type, least | 0), m) || writeRaw(w, p, type, values, m);
  }
  const numbers = doubles.take(m);
  for (let i = 0; i < m; i++) numbers[i] = type === "u32" ? values[i]! >>> 0 : values[i]!;
  const end = middle(w, p, type, numbers, least, m) || writeRaw(w, p, type, values, m);
  doubles.used--;
  return end;
}

/** The upper half of a value of up to 32 bits. */
function high(type: Integer, low: number): number {
  return isSigned(type) ? low >> 31 : 0;
}

/** Writes a column of `m` indices of a dictionary of so many texts or numbers: the first is 0. May move the buffer. */
export function writeIndices(w: Writer, p: number, indexes: Int32Array, m: number): number {
  return narrow(w, p, "u32", indexes, 0, 0, 0, m) || writeRaw(w, p, "u32", indexes, m);
}

/** Writes a column of `m` integers that doubles hold exactly. May move the buffer. */
export function writeExact(w: Writer, p: number, type: "i64" | "u64", values: Float64Array, m: number): number {
  const halves = ints.take(m);
  let least = values[0]!;
  let most = least;
  for (let i = 0; i < m; i++) {
    const value = values[i]!;
    if (value < least) least = value;
    if (value > most) most = value;
    halves[i] = value;
  }
  const end = writeWithin(w, p, type, values, halves, least, most, m);
  ints.used--;
  return end;
}

/** As {@link writeExact}, of integers whose lower halves, least and greatest are known. */
export function writeWithin(w: Writer, p: number, type: "i64" | "u64", values: Float64Array, halves: Int32Array, least: number, most: number, m: number): number {
  let end = 0;
  if (most - least < NARROW) end = narrow(w, p, type, halves, Math.floor(values[0]! / WORD), least | 0, Math.floor(least / WORD), m);
  else if (most - least < EXACT) end = middle(w, p, type, values, least, m);
  if (end > 0) return end;
  const both = ints.take(2 * m);
  for (let i = 0; i < m; i++) {
    both[2 * i] = halves[i]!;
    both[2 * i + 1] = Math.floor(values[i]! / WORD);
  }
  end = wide(w, p, type, both, m);
  ints.used--;
  return end;
}

/** Writes a column of `m` integers of 64 bits. May move the buffer. */
export function writeLongs(w: Writer, p: number, type: "i64" | "u64", values: BigInt64Array, m: number): number {
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * m);
  const numbers = doubles.take(m);
  const lower = ints.take(m);
  const lowest = type === "i64" ? -EXACT_HIGH : 0;
  let least = Infinity;
  let most = -Infinity;
  let end = 0;
  for (let i = 0; i < m; i++) {
    const upper = halves[2 * i + 1]!;
    if (upper < lowest || upper >= EXACT_HIGH) {
      end = wide(w, p, type, halves, m);
      break;
    }
    const value = upper * WORD + (halves[2 * i]! >>> 0);
    if (value < least) least = value;
    if (value > most) most = value;
    numbers[i] = value;
    lower[i] = halves[2 * i]!;
  }
  if (end === 0) end = writeWithin(w, p, type, numbers, lower, least, most, m);
  ints.used--;
  doubles.used--;
  return end;
}

/**
 * Integers whose greatest and least value differ by less than 2^31, by their lower halves; of the first and the least also the
 * upper ones. Returns 0 if they take as many bytes as raw.
 */
function narrow(w: Writer, p: number, type: Integer, values: Int32Array, firstHigh: number, least: number, leastHigh: number, m: number): number {
  const stepping = isLongerAbove(values, least, m);
  w.ensure(p, HEAD + packedRoom(m, 32));
  const start = p;
  p = stepping ? head(w, p, FROM_PREVIOUS, type, values[0]!, firstHigh) : head(w, p, FROM_LEAST, type, least, leastHigh);
  const view = w.view();
  for (let from = stepping ? 1 : 0; from < m; from += BLOCK) {
    const size = m - from < BLOCK ? m - from : BLOCK;
    p = stepping ? packSteps(w, view, p, values, from, size) : packAbove(w, view, p, values, from, size, least);
  }
  return p - start - 1 < (m * BITS[type]) / 8 ? p : 0;
}

const above = new Int32Array(SAMPLE);

/** Whether the values of a sample have more bits above the least of them than in steps. */
function isLongerAbove(values: Int32Array, least: number, m: number): boolean {
  const size = m < SAMPLE ? m : SAMPLE;
  // Exact: m, or a multiple of a 128th.
  const apart = m / size;
  let lowest = (values[0]! - least) | 0;
  above[0] = lowest;
  let longer = 32;
  for (let i = 1; i < size; i++) {
    const at = (i * apart) | 0;
    const value = values[at]!;
    const step = (value - values[at - 1]!) | 0;
    longer += Math.clz32((step << 1) ^ (step >> 31));
    const offset = (value - least) | 0;
    above[i] = offset;
    if (offset < lowest) lowest = offset;
  }
  for (let i = 0; i < size; i++) longer -= Math.clz32(above[i]! - lowest);
  return longer > 0;
}

/** Writes integers whose greatest and least value differ by less than 2^51: doubles hold all that is computed. */
function middle(w: Writer, p: number, type: Integer, values: Float64Array, least: number, m: number): number {
  const sample = m < SAMPLE ? m : SAMPLE;
  let lowest = values[0]!;
  for (let i = 1; i < sample; i++) {
    const value = values[sampled(i, m, sample)]!;
    if (value < lowest) lowest = value;
  }
  // The exponent of a whole number and a half counts its bits; that of twice a step and a half, those of its zigzag form.
  let longer = 0;
  for (let i = 0; i < sample; i++) {
    const at = sampled(i, m, sample);
    const value = values[at]!;
    pair[0] = value - lowest + 0.5;
    pair[1] = at === 0 ? 0.5 : Math.abs(2 * (value - values[at - 1]!) + 0.5);
    longer += (upperHalves[1]! >>> 20) - (upperHalves[3]! >>> 20);
  }
  const stepping = longer > 0;
  const count = stepping ? m - 1 : m;
  const base = stepping ? values[0]! : least;
  w.ensure(p, HEAD + packedRoom(count, 64));
  const start = p;
  const view = w.view();
  p = head(w, p, stepping ? FROM_PREVIOUS : FROM_LEAST, type, base | 0, Math.floor(base / WORD));
  for (let from = 0; from < count; from += BLOCK) {
    const size = count - from < BLOCK ? count - from : BLOCK;
    for (let k = 0; k < size; k++) {
      const i = from + k;
      const coded = stepping ? zigzag(values[i + 1]! - values[i]!) : values[i]! - least;
      lows[k] = coded;
      highs[k] = coded / WORD;
    }
    p = packHalves(w, view, p, size);
  }
  return p - start - 1 < (m * BITS[type]) / 8 ? p : 0;
}

/** The position in the column of value `i` of a sample. */
function sampled(i: number, m: number, size: number): number {
  return ((i * m) / size) | 0;
}

/** No branch: signs are mispredicted. */
function zigzag(step: number): number {
  return Math.abs(2 * step + 0.5) - 0.5;
}

/** Integers of any size in two halves, the lower one first. */
function wide(w: Writer, p: number, type: Integer, halves: Int32Array, m: number): number {
  const turn = isSigned(type) ? 0 : NARROW | 0;
  const sample = m < SAMPLE ? m : SAMPLE;
  let lowest = 0;
  for (let i = 1; i < sample; i++) {
    const at = 2 * sampled(i, m, sample);
    if (isLess(halves, at, lowest, turn)) lowest = at;
  }
  const coded = ints.take(2 * m);
  let longer = 0;
  for (let i = 0; i < sample; i++) {
    const at = 2 * sampled(i, m, sample);
    if (at > 0) longer += setDifference(halves, at, at - 2, true, coded, 0);
    else longer += 64;
    longer -= setDifference(halves, at, lowest, false, coded, 0);
  }
  const stepping = longer > 0;
  const count = stepping ? m - 1 : m;
  let base = 0;
  if (stepping) for (let i = 2; i < 2 * m; i += 2) setDifference(halves, i, i - 2, true, coded, i - 2);
  else {
    for (let i = 2; i < 2 * m; i += 2) if (isLess(halves, i, base, turn)) base = i;
    for (let i = 0; i < 2 * m; i += 2) setDifference(halves, i, base, false, coded, i);
  }
  w.ensure(p, HEAD + packedRoom(count, 64));
  const start = p;
  p = head(w, p, stepping ? FROM_PREVIOUS : FROM_LEAST, type, halves[base]!, halves[base + 1]!);
  p = pack64(w, p, coded, count);
  ints.used--;
  if (p - start - 1 < 8 * m) return p;
  p = start;
  w.ensureAll(p, 1 + 8 * m);
  w.b[p++] = RAW;
  const view = w.view();
  for (let i = 0; i < 2 * m; i++) view.setInt32(p + 4 * i, halves[i]!, true);
  return p + 8 * m;
}

/** Whether one value in halves is less than another. */
function isLess(halves: Int32Array, i: number, other: number, turn: number): boolean {
  const upper = halves[i + 1]! ^ turn;
  const before = halves[other + 1]! ^ turn;
  return upper < before || (upper === before && halves[i]! >>> 0 < halves[other]! >>> 0);
}

/** Sets the difference of the value at `i` from another one, or its zigzag form. Returns the zero bits above it. */
function setDifference(halves: Int32Array, i: number, other: number, stepping: boolean, coded: Int32Array, to: number): number {
  const low = (halves[i]! - halves[other]!) | 0;
  const upper = (halves[i + 1]! - halves[other + 1]! - (halves[i]! >>> 0 < halves[other]! >>> 0 ? 1 : 0)) | 0;
  const sign = stepping ? upper >> 31 : 0;
  const codedLow = stepping ? (low << 1) ^ sign : low;
  const codedHigh = stepping ? ((upper << 1) | (low >>> 31)) ^ sign : upper;
  coded[to] = codedLow;
  coded[to + 1] = codedHigh;
  return codedHigh === 0 ? 32 + Math.clz32(codedLow) : Math.clz32(codedHigh);
}

/** Writes a mode and a value as it stands in a slot. */
function head(w: Writer, p: number, mode: number, type: Integer, low: number, upper: number): number {
  w.b[p++] = mode;
  if (BITS[type] === 8) {
    w.b[p] = low;
    return p + 1;
  }
  return isSigned(type) ? w.zigzag64(p, low, upper) : w.halves(p, low, upper);
}

/** Writes mode 0: integers of up to 32 bits in the width of their type. */
function writeRaw(w: Writer, p: number, type: Integer, values: Int32Array, m: number): number {
  const width = BITS[type] / 8;
  w.ensureAll(p, 1 + m * width);
  w.b[p++] = RAW;
  const { b } = w;
  const view = w.view();
  if (width === 1) for (let i = 0; i < m; i++) b[p + i] = values[i]!;
  else if (width === 2) for (let i = 0; i < m; i++) view.setInt16(p + 2 * i, values[i]!, true);
  else for (let i = 0; i < m; i++) view.setInt32(p + 4 * i, values[i]!, true);
  return p + m * width;
}
