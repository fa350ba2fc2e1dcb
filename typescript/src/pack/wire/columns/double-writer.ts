import type { Writer } from "../writer.js";
import { DECIMAL, MOST_DECIMALS, MOST_DIGITS, NEW_AT_FIRST, NUMBERS, RAW, SAMPLE, TENS } from "./form.js";
import { writeIndices, writeInts, writeWithin } from "./integer-writer.js";
import { doubles, ints } from "./scratch.js";

/** Bytes of a mode, an exponent and a varint. */
const HEAD = 8;
/** The upper half of −0. */
const MINUS_ZERO = 0x8000_0000 | 0;

/** Writes a column of `m` floats of 8 bytes (columns.md section 5). May move the buffer. */
export function writeDoubles(w: Writer, p: number, values: Float64Array, m: number): number {
  const [i, d] = [ints.used, doubles.used];
  const exponent = commonExponent(values, m);
  let end = exponent === undefined ? 0 : writeDecimals(w, p, values, m, exponent);
  if (end === 0) end = writeNumbers(w, p, values, m);
  ints.release(i);
  doubles.release(d);
  return end;
}

/** Whether `digits` ÷ `ten` is the number to the bit. No decimal number is −0. */
function isExact(value: number, digits: number, ten: number): boolean {
  return digits / ten === value && digits <= MOST_DIGITS && digits >= -MOST_DIGITS && (digits !== 0 || 1 / value > 0);
}

const sample = new Float64Array(SAMPLE);

/** The least exponent with which seven of eight numbers of a sample are decimal. */
function commonExponent(values: Float64Array, m: number): number | undefined {
  const size = m < SAMPLE ? m : SAMPLE;
  const apart = m / size;
  for (let i = 0; i < size; i++) sample[i] = values[(i * apart) | 0]!;
  for (let exponent = 0; exponent <= MOST_DECIMALS; exponent++) {
    const ten = TENS[exponent]!;
    let others = size >> 3;
    for (let i = 0; i < size && others >= 0; i++) {
      const value = sample[i]!;
      if (!isExact(value, Math.floor(value * ten + 0.5), ten)) others--;
    }
    if (others >= 0) return exponent;
  }
  return undefined;
}

/** Returns 0 if too many numbers are not decimal. */
function writeDecimals(w: Writer, p: number, values: Float64Array, m: number, exponent: number): number {
  const ten = TENS[exponent]!;
  const digits = doubles.take(m);
  const lower = ints.take(m);
  const positions = ints.take(m >> 3);
  const bearable = m >> 3;
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * m);
  let exceptions = 0;
  let least = Infinity;
  let most = -Infinity;
  let before = 0;
  for (let i = 0; i < m; i++) {
    const value = values[i]!;
    let found = Math.floor(value * ten + 0.5);
    // As isExact: of numbers whose digits are 0, those with an upper half of only the sign are −0, or differ from 0.
    if (found / ten !== value || halves[2 * i + 1] === MINUS_ZERO || found > MOST_DIGITS || found < -MOST_DIGITS) {
      if (exceptions === bearable) return 0;
      positions[exceptions++] = i;
      found = before;
    }
    if (found < least) least = found;
    if (found > most) most = found;
    digits[i] = before = found;
    lower[i] = found;
  }
  w.ensure(p, HEAD);
  w.b[p++] = DECIMAL;
  w.b[p++] = exponent;
  p = writeWithin(w, w.varint(p, exceptions), "i64", digits, lower, least, most, m);
  if (exceptions === 0) return p;
  p = writeInts(w, p, "u32", positions, exceptions);
  return writeSome(w, p, values, positions, exceptions);
}

/** As a dictionary if enough numbers repeat, else raw. */
function writeNumbers(w: Writer, p: number, values: Float64Array, m: number): number {
  const indexes = ints.take(m);
  const firsts = ints.take(m);
  const found = lookUp(values, m, indexes, firsts);
  w.ensure(p, HEAD);
  if (found === 0) {
    w.b[p] = RAW;
    return writeAll(w, p + 1, values, m);
  }
  w.b[p] = NUMBERS;
  p = w.varint(p + 1, found);
  p = writeSome(w, p, values, firsts, found);
  return writeIndices(w, p, indexes, m);
}

/** So that an attacker cannot choose numbers of one hash. */
const seed = (Math.random() * 0x1_0000_0000) | 1;

/**
 * Finds the distinct numbers, by their bits: the first position of each, and each number's index among them. Returns
 * their count, or 0 if they are too many.
 */
function lookUp(values: Float64Array, m: number, indexes: Int32Array, firsts: Int32Array): number {
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * m);
  const most = m >> 1;
  // At most half full.
  const mask = (1 << (33 - Math.clz32(Math.min(m, NEW_AT_FIRST + most)))) - 1;
  const slots = ints.take(mask + 1);
  slots.fill(0, 0, mask + 1);
  let found = 0;
  for (let i = 0; i < m; i++) {
    const low = halves[2 * i]!;
    const high = halves[2 * i + 1]!;
    const hash = Math.imul((low ^ seed) + Math.imul(high ^ (high >>> 15), 0x9e3779b1), 0x85ebca6b);
    let at = (hash ^ (hash >>> 15)) & mask;
    let slot = slots[at]!;
    while (slot !== 0) {
      const first = firsts[slot - 1]!;
      if (halves[2 * first] === low && halves[2 * first + 1] === high) break;
      at = (at + 1) & mask;
      slot = slots[at]!;
    }
    if (slot === 0) {
      firsts[found++] = i;
      slots[at] = slot = found;
      if (found > NEW_AT_FIRST + ((i + 1) >> 1)) return 0;
    }
    indexes[i] = slot - 1;
  }
  return found <= most ? found : 0;
}

function writeAll(w: Writer, p: number, values: Float64Array, m: number): number {
  w.ensureAll(p, 8 * m);
  w.b.set(new Uint8Array(values.buffer, values.byteOffset, 8 * m), p);
  return p + 8 * m;
}

/** The numbers at `count` positions. */
function writeSome(w: Writer, p: number, values: Float64Array, positions: Int32Array, count: number): number {
  w.ensureAll(p, 8 * count);
  const view = w.view();
  for (let i = 0; i < count; i++, p += 8) view.setFloat64(p, values[positions[i]!]!, true);
  return p;
}

/** Writes a column of `m` floats of 4 bytes. May move the buffer. */
export function writeSingles(w: Writer, p: number, values: Float64Array, m: number): number {
  w.ensureAll(p, 4 * m);
  const view = w.view();
  for (let i = 0; i < m; i++, p += 4) view.setFloat32(p, values[i]!, true);
  return p;
}
