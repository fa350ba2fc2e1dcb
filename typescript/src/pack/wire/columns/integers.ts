import { BITS, isSigned } from "../../schema/numeric.js";
import type { Numeric } from "../../schema/type.js";
import { bailOut } from "../bail-out.js";
import { high as highs, low as lows, readBlock } from "../numeric-row-reader.js";
import { unsigned64, type Reader } from "../reader.js";
import { BLOCK } from "../row-form.js";
import { FROM_LEAST, FROM_PREVIOUS, MOST_DIGITS, RAW } from "./form.js";
import { doubles, ints, longs } from "./scratch.js";

const WORD = 0x1_0000_0000;
/** Below this upper half a number holds both halves. */
const EXACT_HIGH = 0x20_0000;

export type Integer = Exclude<Numeric, "f32" | "f64">;

/** Integers of a column that a `number` holds: how one is written alone, and their range. */
export interface Integers {
  readonly type: Integer;
  readonly least: number;
  readonly most: number;
}

export const COUNTS: Integers = { type: "u32", least: 0, most: 0x7fff_ffff };
export const POSITIONS: Integers = { type: "u32", least: 0, most: 0xffff_ffff };
export const NANOSECONDS: Integers = { type: "u32", least: 0, most: 999_999_999 };
export const DIGITS: Integers = { type: "i64", least: -MOST_DIGITS, most: MOST_DIGITS };

/** The integers of a type of up to 32 bits. */
export function integersOf(type: Exclude<Integer, "i64" | "u64">): Integers {
  const bits = BITS[type];
  return isSigned(type) ? { type, least: -(2 ** (bits - 1)), most: 2 ** (bits - 1) - 1 } : { type, least: 0, most: 2 ** bits - 1 };
}

export function indices(count: number): Integers {
  return { type: "u32", least: 0, most: count - 1 };
}

/** Bails out, before anything is allocated, unless a column of `m` values can be there. */
function mayHold(r: Reader, m: number): void {
  if ((m + 7) >>> 3 > r.end - r.p) bailOut();
}

/** Reads the mode byte of integers, and checks that `m` of them can be there: packed, they take at least a bit each. */
function mode(r: Reader, type: Integer, m: number): number {
  const byte = r.b[r.p++]!;
  if (!(byte <= FROM_PREVIOUS)) bailOut();
  if ((byte === RAW ? (m * BITS[type]) / 8 : (m + 7) >>> 3) > r.end - r.p) bailOut();
  return byte;
}

/**
 * Reads a column of `m` integers of up to 32 bits (columns.md section 3) into a scratch array; those of `u32` stand in it modulo
 * 2^32.
 */
export function readInts(r: Reader, kind: Integers, m: number): Int32Array {
  mayHold(r, m);
  const values = ints.take(m);
  if (m > 0) fill(r, kind, m, values);
  return values;
}

/** Reads a column of `m` integers that a `number` holds into a scratch array. */
export function readExact(r: Reader, kind: Integers, m: number): Float64Array {
  mayHold(r, m);
  const values = doubles.take(m);
  if (m > 0) fillExact(r, kind, m, values);
  return values;
}

function fill(r: Reader, { type, least, most }: Integers, m: number, values: Int32Array): void {
  const how = mode(r, type, m);
  if (how === RAW) {
    fillRaw(r, type, least, most, m, values);
    return;
  }
  const base = within(single(r, type), least, most);
  if (how === FROM_LEAST) {
    // Sums of 32 bits.
    const base32 = base | 0;
    for (let i = 0; i < m; i += BLOCK) {
      const count = m - i < BLOCK ? m - i : BLOCK;
      const all = readBlock(r, count);
      if (base + all <= most) for (let k = 0; k < count; k++) values[i + k] = base32 + lows[k]!;
      else if (all <= 0xffff_ffff) for (let k = 0; k < count; k++) values[i + k] = within(base + lows[k]!, least, most);
      else for (let k = 0; k < count; k++) values[i + k] = sum(base, k, how, type, least, most);
    }
    return;
  }
  values[0] = base;
  let previous = base;
  for (let i = 1; i < m; i += BLOCK) {
    const count = m - i < BLOCK ? m - i : BLOCK;
    if (readBlock(r, count) <= 0xffff_ffff) {
      for (let k = 0; k < count; k++) {
        const u = lows[k]!;
        previous += (u >>> 1) ^ -(u & 1);
        if (previous < least || previous > most) bailOut();
        values[i + k] = previous;
      }
    } else {
      for (let k = 0; k < count; k++) values[i + k] = previous = sum(previous, k, how, type, least, most);
    }
  }
}

/** Reads integers as doubles: loops of their own, so that the engine specializes them. */
function fillExact(r: Reader, { type, least, most }: Integers, m: number, values: Float64Array): void {
  const how = mode(r, type, m);
  if (how === RAW) {
    const view = r.view();
    for (let i = 0; i < m; i++, r.p += 8) {
      values[i] = within(safe(type === "i64" ? view.getBigInt64(r.p, true) : view.getBigUint64(r.p, true)), least, most);
    }
    return;
  }
  const base = within(single(r, type), least, most);
  // Within these, sums of doubles are exact.
  const low = least < 1 - MOST_DIGITS ? 1 - MOST_DIGITS : least;
  const top = most > MOST_DIGITS - 1 ? MOST_DIGITS - 1 : most;
  if (how === FROM_LEAST) {
    for (let i = 0; i < m; i += BLOCK) {
      const count = m - i < BLOCK ? m - i : BLOCK;
      const all = readBlock(r, count);
      if (base + all <= top) {
        for (let k = 0; k < count; k++) values[i + k] = base + lows[k]!;
      } else {
        for (let k = 0; k < count; k++) {
          const value = base + (highs[k]! * WORD + lows[k]!);
          values[i + k] = highs[k]! < EXACT_HIGH && value <= top ? value : sum(base, k, how, type, least, most);
        }
      }
    }
    return;
  }
  values[0] = base;
  let previous = base;
  for (let i = 1; i < m; i += BLOCK) {
    const count = m - i < BLOCK ? m - i : BLOCK;
    if (readBlock(r, count) <= 0xffff_ffff) {
      for (let k = 0; k < count; k++) {
        const u = lows[k]!;
        const value = previous + ((u >>> 1) ^ -(u & 1));
        previous = value >= low && value <= top ? value : sum(previous, k, how, type, least, most);
        values[i + k] = previous;
      }
    } else {
      for (let k = 0; k < count; k++) {
        const u = lows[k]!;
        // No branch on the sign, which would be mispredicted.
        const odd = u & 1;
        const value = previous + Math.floor((highs[k]! * WORD + u) / 2) * (1 - 2 * odd) - odd;
        previous = value >= low && value <= top && highs[k]! < EXACT_HIGH ? value : sum(previous, k, how, type, least, most);
        values[i + k] = previous;
      }
    }
  }
}

function within(value: number, least: number, most: number): number {
  return value >= least && value <= most ? value : bailOut();
}

function fillRaw(r: Reader, type: Integer, least: number, most: number, m: number, values: Int32Array): void {
  const { b, p } = r;
  const view = r.view();
  r.p = p + (m * BITS[type]) / 8;
  switch (type) {
    case "i8":
      for (let i = 0; i < m; i++) values[i] = (b[p + i]! << 24) >> 24;
      return;
    case "u8":
      for (let i = 0; i < m; i++) values[i] = b[p + i]!;
      return;
    case "i16":
      for (let i = 0; i < m; i++) values[i] = view.getInt16(p + 2 * i, true);
      return;
    case "u16":
      for (let i = 0; i < m; i++) values[i] = view.getUint16(p + 2 * i, true);
      return;
    case "i32":
      for (let i = 0; i < m; i++) values[i] = within(view.getInt32(p + 4 * i, true), least, most);
      return;
    default:
      for (let i = 0; i < m; i++) values[i] = within(view.getUint32(p + 4 * i, true), least, most);
  }
}

/** One value as it stands in a slot. */
function single(r: Reader, type: Integer): number {
  const value = type === "u8" ? r.byte() : type === "i64" || type === "u64" ? safe(r[type]()) : r[type]();
  return r.p > r.end ? bailOut() : value;
}

function safe(value: bigint): number {
  const number = Number(value);
  return BigInt(number) === value ? number : bailOut();
}

/** The sum of a base and the block's number `k`, modulo 2^64. */
function sum(base: number, k: number, how: number, type: Integer, least: number, most: number): number {
  const u = unsigned64(lows[k]!, highs[k]!);
  const more = how === FROM_LEAST ? u : (u & 1n) === 0n ? u >> 1n : -(u >> 1n) - 1n;
  const exact = BigInt(base) + more;
  const value = isSigned(type) ? BigInt.asIntN(64, exact) : BigInt.asUintN(64, exact);
  return value >= BigInt(least) && value <= BigInt(most) ? Number(value) : bailOut();
}

/** Reads a column of `m` integers of 64 bits into a scratch array; those of `u64` stand in it modulo 2^64. */
export function readLongs(r: Reader, type: "i64" | "u64", m: number): BigInt64Array {
  mayHold(r, m);
  const values = longs.take(m);
  if (m === 0) return values;
  const halves = new Int32Array(values.buffer, 0, 2 * m);
  const how = mode(r, type, m);
  if (how === RAW) {
    new Uint8Array(values.buffer).set(r.b.subarray(r.p, r.p + 8 * m));
    r.p += 8 * m;
    return values;
  }
  r.varint64();
  if (type === "i64") r.unzigzag();
  let baseLow = r.low >>> 0;
  let baseHigh = r.high | 0;
  let at = 0;
  if (how === FROM_PREVIOUS) {
    halves[at++] = baseLow;
    halves[at++] = baseHigh;
  }
  for (let i = at >> 1; i < m; i += BLOCK) {
    const count = m - i < BLOCK ? m - i : BLOCK;
    readBlock(r, count);
    for (let k = 0; k < count; k++) {
      let moreLow = lows[k]!;
      let moreHigh = highs[k]! | 0;
      if (how === FROM_PREVIOUS) {
        const sign = -(moreLow & 1);
        moreLow = (((moreLow >>> 1) | (moreHigh << 31)) ^ sign) >>> 0;
        moreHigh = (moreHigh >>> 1) ^ sign;
      }
      const sumLow = baseLow + moreLow;
      const sumHigh = (baseHigh + moreHigh + (sumLow > 0xffff_ffff ? 1 : 0)) | 0;
      halves[at++] = sumLow;
      halves[at++] = sumHigh;
      if (how === FROM_PREVIOUS) {
        baseLow = sumLow >>> 0;
        baseHigh = sumHigh;
      }
    }
  }
  return values;
}
