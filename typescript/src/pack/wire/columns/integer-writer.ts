import { BITS, isSigned } from "../../schema/numeric.js";
import { pack32, pack64, packedRoom } from "../bit-packing.js";
import type { Writer } from "../writer.js";
import { FROM_LEAST, FROM_PREVIOUS, MOST_DIGITS, RAW } from "./form.js";
import type { Integer } from "./integers.js";
import { doubles, ints } from "./scratch.js";

/** The bytes of a mode and of the longest first or least value. */
const HEAD = 11;
const WORD = 0x1_0000_0000;
/** Differences of integers this close to each other have 32 bits in zigzag form. */
const NARROW = 0x8000_0000;
/** A double holds the zigzag form of differences of integers this close to each other. */
const EXACT = MOST_DIGITS / 2;
/** Below this upper half a double holds both halves. */
const EXACT_HIGH = 0x20_0000;

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
  if (most - least >= NARROW) {
    const numbers = doubles.take(m);
    for (let i = 0; i < m; i++) numbers[i] = turn === 0 ? values[i]! : values[i]! >>> 0;
    const end = writeMiddle(w, p, type, numbers, turn === 0 ? least : (least ^ turn) >>> 0, m);
    doubles.used--;
    return end;
  }
  least ^= turn;
  const offsets = ints.take(m);
  const steps = ints.take(m);
  let previous = values[0]!;
  // By how many bits the sum of the offsets is longer than that of the steps.
  let longer = 0;
  for (let i = 0; i < m; i++) {
    const value = values[i]!;
    const offset = (value - least) | 0;
    const step = (value - previous) | 0;
    const zigzag = (step << 1) ^ (step >> 31);
    offsets[i] = offset;
    if (i > 0) steps[i - 1] = zigzag;
    longer += Math.clz32(zigzag) - Math.clz32(offset);
    previous = value;
  }
  const base = longer > 0 ? values[0]! : least;
  const end = packed(w, p, type, base, isSigned(type) ? base >> 31 : 0, longer > 0 ? steps : offsets, longer > 0, false, m);
  ints.used -= 2;
  return end === 0 ? writeRaw(w, p, type, values, m) : end;
}

/** Writes a column of `m` integers that doubles hold exactly. May move the buffer. */
export function writeExact(w: Writer, p: number, type: "i64" | "u64", values: Float64Array, m: number): number {
  let least = values[0]!;
  let most = least;
  for (let i = 1; i < m; i++) {
    const value = values[i]!;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return writeWithin(w, p, type, values, least, most, m);
}

/** As {@link writeExact}, of integers whose least and greatest are known. */
export function writeWithin(w: Writer, p: number, type: "i64" | "u64", values: Float64Array, least: number, most: number, m: number): number {
  if (most - least >= EXACT) {
    const end = writeWide(w, p, type, halvesOf(values, m), m);
    ints.used--;
    return end;
  }
  if (most - least >= NARROW) return writeMiddle(w, p, type, values, least, m);
  const offsets = ints.take(m);
  const steps = ints.take(m);
  let previous = values[0]!;
  let longer = 0;
  for (let i = 0; i < m; i++) {
    const value = values[i]!;
    const offset = (value - least) | 0;
    const step = (value - previous) | 0;
    const zigzag = (step << 1) ^ (step >> 31);
    offsets[i] = offset;
    if (i > 0) steps[i - 1] = zigzag;
    longer += Math.clz32(zigzag) - Math.clz32(offset);
    previous = value;
  }
  const base = longer > 0 ? values[0]! : least;
  const end = packed(w, p, type, base | 0, Math.floor(base / WORD), longer > 0 ? steps : offsets, longer > 0, false, m);
  ints.used -= 2;
  return end === 0 ? writeRaw(w, p, type, values, m) : end;
}

/** Integers whose greatest and least value differ by less than 2^52: doubles hold all that is computed. */
function writeMiddle(w: Writer, p: number, type: Integer, values: Float64Array, least: number, m: number): number {
  const offsets = ints.take(2 * m);
  const steps = ints.take(2 * m);
  let previous = values[0]!;
  let longer = 0;
  for (let i = 0; i < m; i++) {
    const value = values[i]!;
    const offset = value - least;
    const step = value - previous;
    const zigzag = step < 0 ? -2 * step - 1 : 2 * step;
    const offsetHigh = (offset / WORD) | 0;
    const zigzagHigh = (zigzag / WORD) | 0;
    offsets[2 * i] = offset;
    offsets[2 * i + 1] = offsetHigh;
    if (i > 0) {
      steps[2 * i - 2] = zigzag;
      steps[2 * i - 1] = zigzagHigh;
    }
    longer += zeros(zigzag | 0, zigzagHigh) - zeros(offset | 0, offsetHigh);
    previous = value;
  }
  const base = longer > 0 ? values[0]! : least;
  const end = packed(w, p, type, base | 0, Math.floor(base / WORD), longer > 0 ? steps : offsets, longer > 0, true, m);
  ints.used -= 2;
  return end === 0 ? writeRaw(w, p, type, values, m) : end;
}

/** The zero bits above those of an integer of 64 bits. */
function zeros(low: number, high: number): number {
  return high === 0 ? 32 + Math.clz32(low) : Math.clz32(high);
}

/** Writes a column of `m` integers of 64 bits. May move the buffer. */
export function writeLongs(w: Writer, p: number, type: "i64" | "u64", values: BigInt64Array, m: number): number {
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * m);
  const numbers = doubles.take(m);
  const lowest = type === "i64" ? -EXACT_HIGH : 0;
  let least = Infinity;
  let most = -Infinity;
  let end = 0;
  for (let i = 0; i < m; i++) {
    const high = halves[2 * i + 1]!;
    if (high < lowest || high >= EXACT_HIGH) {
      end = writeWide(w, p, type, halves, m);
      break;
    }
    const value = high * WORD + (halves[2 * i]! >>> 0);
    if (value < least) least = value;
    if (value > most) most = value;
    numbers[i] = value;
  }
  if (end === 0) end = writeWithin(w, p, type, numbers, least, most, m);
  doubles.used--;
  return end;
}

/** Integers of any size in two halves, the lower one first. */
function writeWide(w: Writer, p: number, type: Integer, halves: Int32Array, m: number): number {
  const turn = isSigned(type) ? 0 : NARROW | 0;
  let least = 0;
  for (let i = 2; i < 2 * m; i += 2) {
    const upper = halves[i + 1]! ^ turn;
    const before = halves[least + 1]! ^ turn;
    if (upper < before || (upper === before && halves[i]! >>> 0 < halves[least]! >>> 0)) least = i;
  }
  const offsets = ints.take(2 * m);
  const steps = ints.take(2 * m);
  const stepping = differences(halves, m, 0, true, steps) > differences(halves, m, least, false, offsets);
  const base = stepping ? 0 : least;
  const end = packed(w, p, type, halves[base]!, halves[base + 1]!, stepping ? steps : offsets, stepping, true, m);
  ints.used -= 2;
  return end === 0 ? writeRawHalves(w, p, halves, m) : end;
}

/**
 * Sets the differences of all values from that at `base`; or, zigzag, of all but the first from those before them. Returns the
 * zero bits above them.
 */
function differences(halves: Int32Array, m: number, base: number, stepping: boolean, found: Int32Array): number {
  const from = stepping ? 2 : 0;
  let above = stepping ? 64 : 0;
  for (let i = from; i < 2 * m; i += 2) {
    const before = stepping ? i - 2 : base;
    const low = (halves[i]! - halves[before]!) | 0;
    const upper = (halves[i + 1]! - halves[before + 1]! - (halves[i]! >>> 0 < halves[before]! >>> 0 ? 1 : 0)) | 0;
    const sign = stepping ? upper >> 31 : 0;
    const codedLow = stepping ? (low << 1) ^ sign : low;
    const codedHigh = stepping ? ((upper << 1) | (low >>> 31)) ^ sign : upper;
    found[i - from] = codedLow;
    found[i - from + 1] = codedHigh;
    above += zeros(codedLow, codedHigh);
  }
  return above;
}

/** Doubles as two halves in a scratch array. */
function halvesOf(values: Float64Array, m: number): Int32Array {
  const halves = ints.take(2 * m);
  for (let i = 0; i < m; i++) {
    halves[2 * i] = values[i]!;
    halves[2 * i + 1] = Math.floor(values[i]! / WORD);
  }
  return halves;
}

/**
 * Writes mode 1 or 2: the least or first value by its halves, and the differences, each in one element or in two halves. Returns
 * 0 if that takes as many bytes as the values themselves.
 */
function packed(w: Writer, p: number, type: Integer, low: number, upper: number, coded: Int32Array, stepping: boolean, halved: boolean, m: number): number {
  const count = stepping ? m - 1 : m;
  w.ensure(p, HEAD + packedRoom(count, halved ? 64 : 32));
  w.b[p++] = stepping ? FROM_PREVIOUS : FROM_LEAST;
  const start = p;
  if (BITS[type] === 8) w.b[p++] = low;
  else p = isSigned(type) ? w.zigzag64(p, low, upper) : w.halves(p, low, upper);
  const end = halved ? pack64(w, p, coded, count) : pack32(w, p, coded, count, false);
  return end - start < (m * BITS[type]) / 8 ? end : 0;
}

/** Writes mode 0: integers in the width of their type. */
function writeRaw(w: Writer, p: number, type: Integer, values: Int32Array | Float64Array, m: number): number {
  const width = BITS[type] / 8;
  if (width === 8) {
    const end = writeRawHalves(w, p, halvesOf(values as Float64Array, m), m);
    ints.used--;
    return end;
  }
  w.ensureAll(p, 1 + m * width);
  w.b[p++] = RAW;
  const { b } = w;
  const view = w.view();
  if (width === 1) for (let i = 0; i < m; i++) b[p + i] = values[i]!;
  else if (width === 2) for (let i = 0; i < m; i++) view.setInt16(p + 2 * i, values[i]!, true);
  else for (let i = 0; i < m; i++) view.setInt32(p + 4 * i, values[i]!, true);
  return p + m * width;
}

function writeRawHalves(w: Writer, p: number, halves: Int32Array, m: number): number {
  w.ensureAll(p, 1 + 8 * m);
  w.b[p++] = RAW;
  const view = w.view();
  for (let i = 0; i < 2 * m; i++) view.setInt32(p + 4 * i, halves[i]!, true);
  return p + 8 * m;
}
