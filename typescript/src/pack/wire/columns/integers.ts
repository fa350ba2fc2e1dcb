import { BITS, isSigned } from "../../schema/numeric.js";
import type { Numeric } from "../../schema/type.js";
import { bailOut } from "../bail-out.js";
import { high as highs, low as lows, readBlock } from "../numeric-row-reader.js";
import { signed64, unsigned64, type Reader } from "../reader.js";
import { BLOCK } from "../row-form.js";
import { FROM_LEAST, FROM_PREVIOUS, MOST_DIGITS, RAW } from "./form.js";

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

/** Bails out unless a column of `m` values can be there: it takes at least a bit for each. */
export function mayHold(r: Reader, m: number): void {
  if (Math.ceil(m / 8) > r.end - r.p) bailOut();
}

/** Reads the mode byte of integers, and checks that `m` of them can be there. */
function mode(r: Reader, type: Integer, m: number): number {
  const byte = r.b[r.p++]!;
  if (!(byte <= FROM_PREVIOUS)) bailOut();
  if (byte === RAW) {
    if ((m * BITS[type]) / 8 > r.end - r.p) bailOut();
  } else {
    mayHold(r, m);
  }
  return byte;
}

/** Reads a column of `m` integers that a `number` holds (columns.md section 3). */
export function readIntegers(r: Reader, { type, least, most }: Integers, m: number): number[] {
  const how = mode(r, type, m);
  const values = new Array<number>(m);
  if (how === RAW) {
    for (let i = 0; i < m; i++) values[i] = within(raw(r, type), least, most);
    return values;
  }
  const base = within(single(r, type), least, most);
  // Within these, sums of doubles are exact.
  const [low, high] = [Math.max(least, 1 - MOST_DIGITS), Math.min(most, MOST_DIGITS - 1)];
  if (how === FROM_LEAST) {
    for (let i = 0; i < m; i += BLOCK) {
      const count = Math.min(BLOCK, m - i);
      readBlock(r, count);
      for (let k = 0; k < count; k++) {
        const value = base + lows[k]!;
        values[i + k] = highs[k] === 0 && value >= low && value <= high ? value : exact(base, k, how, type, least, most);
      }
    }
    return values;
  }
  let previous = base;
  values[0] = base;
  for (let i = 1; i < m; i += BLOCK) {
    const count = Math.min(BLOCK, m - i);
    readBlock(r, count);
    for (let k = 0; k < count; k++) {
      const u = lows[k]!;
      const value = previous + ((u >>> 1) ^ -(u & 1));
      previous = highs[k] === 0 && value >= low && value <= high ? value : exact(previous, k, how, type, least, most);
      values[i + k] = previous;
    }
  }
  return values;
}

function within(value: number, least: number, most: number): number {
  return value >= least && value <= most ? value : bailOut();
}

/** One value of a raw column. */
function raw(r: Reader, type: Integer): number {
  const view = r.view();
  const at = r.p;
  r.p += BITS[type] / 8;
  switch (type) {
    case "i8":
      return view.getInt8(at);
    case "u8":
      return view.getUint8(at);
    case "i16":
      return view.getInt16(at, true);
    case "u16":
      return view.getUint16(at, true);
    case "i32":
      return view.getInt32(at, true);
    case "u32":
      return view.getUint32(at, true);
    case "i64":
      return safe(view.getBigInt64(at, true));
    case "u64":
      return safe(view.getBigUint64(at, true));
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

/** The value that the block's number `k` makes of a base: modulo 2^64. */
function exact(base: number, k: number, how: number, type: Integer, least: number, most: number): number {
  const u = unsigned64(lows[k]!, highs[k]!);
  const more = how === FROM_LEAST ? u : (u & 1n) === 0n ? u >> 1n : -(u >> 1n) - 1n;
  const sum = BigInt(base) + more;
  const value = isSigned(type) ? BigInt.asIntN(64, sum) : BigInt.asUintN(64, sum);
  return value >= BigInt(least) && value <= BigInt(most) ? Number(value) : bailOut();
}

/** Reads a column of `m` integers of 64 bits. */
export function readBigints(r: Reader, type: "i64" | "u64", m: number): bigint[] {
  const how = mode(r, type, m);
  const make = type === "i64" ? signed64 : unsigned64;
  const values = new Array<bigint>(m);
  if (how === RAW) {
    const view = r.view();
    for (let i = 0; i < m; i++, r.p += 8) values[i] = type === "i64" ? view.getBigInt64(r.p, true) : view.getBigUint64(r.p, true);
    return values;
  }
  r.varint64();
  if (type === "i64") r.unzigzag();
  let baseLow = r.low >>> 0;
  let baseHigh = r.high | 0;
  let from = 0;
  if (how === FROM_PREVIOUS) values[from++] = make(baseLow, baseHigh);
  for (let i = from; i < m; i += BLOCK) {
    const count = Math.min(BLOCK, m - i);
    readBlock(r, count);
    for (let k = 0; k < count; k++) {
      let moreLow = lows[k]!;
      let moreHigh = highs[k]!;
      if (how === FROM_PREVIOUS) {
        const sign = -(moreLow & 1);
        moreLow = (((moreLow >>> 1) | (moreHigh << 31)) ^ sign) >>> 0;
        moreHigh = (moreHigh >>> 1) ^ sign;
      }
      const sumLow = baseLow + moreLow;
      const sumHigh = (baseHigh + moreHigh + (sumLow > 0xffff_ffff ? 1 : 0)) | 0;
      values[i + k] = make(sumLow >>> 0, sumHigh);
      if (how === FROM_PREVIOUS) {
        baseLow = sumLow >>> 0;
        baseHigh = sumHigh;
      }
    }
  }
  return values;
}
