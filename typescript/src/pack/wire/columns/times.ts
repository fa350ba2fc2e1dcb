import { bailOut } from "../bail-out.js";
import type { Reader } from "../reader.js";
import { MOST_DIGITS, rangeOfTimes, SPLIT, UNITS } from "./form.js";
import { NANOSECONDS, readExact, readInts, readLongs } from "./integers.js";
import { doubles, longs } from "./scratch.js";

const WORD = 0x1_0000_0000;
/** Below these upper halves numbers hold all of 64 bits, and instants in microseconds are within the years 1 to 9999. */
const MOST_HIGH = 0x20_0000;
/** Seconds whose nanoseconds have 64 bits. */
const MOST_SECONDS = 9_223_372_036;

/** Reads a column of times (columns.md section 4), in nanoseconds: a scratch array where 64 bits hold them all. */
export function readTimes(r: Reader, calendar: boolean, m: number): BigInt64Array | bigint[] {
  if (m === 0) return [];
  const unit = unitOf(r);
  const size = UNITS[unit]!;
  const times = readCounts(r, calendar, unit, m);
  const fractions = unit === SPLIT ? readInts(r, NANOSECONDS, m) : undefined;
  if (size === 1 && times instanceof BigInt64Array) return times;
  const nanoseconds = longs.take(m);
  if (times instanceof BigInt64Array || fractions !== undefined || !multiplied(times, size, nanoseconds, m)) {
    const all = new Array<bigint>(m);
    for (let i = 0; i < m; i++) all[i] = BigInt(times[i]!) * BigInt(size) + BigInt(fractions?.[i] ?? 0);
    return all;
  }
  return nanoseconds;
}

/** A column of times as it stands, in scratch arrays. */
export interface Instants {
  /** The index of the unit in {@link UNITS}. */
  readonly unit: number;
  readonly counts: BigInt64Array;
  /** Set for {@link SPLIT}: the nanoseconds of the second. */
  readonly nanoseconds: Int32Array | undefined;
}

/** Reads a column of times (columns.md section 4) in the unit that it has. */
export function readInstants(r: Reader, calendar: boolean, m: number): Instants {
  const unit = unitOf(r);
  const counts = readLongs(r, "i64", m);
  if (calendar && UNITS[unit] !== 1) {
    const { least, most } = rangeOfTimes(calendar, unit);
    checkCounts(counts, least, most, m);
  }
  return { unit, counts, nanoseconds: unit === SPLIT ? readInts(r, NANOSECONDS, m) : undefined };
}

/** Bails out unless all are in a range; bigints are made only of those that a number may not hold. */
function checkCounts(counts: BigInt64Array, least: bigint, most: bigint, m: number): void {
  const halves = new Int32Array(counts.buffer, 0, 2 * m);
  const [low, top] = [Number(least), Number(most)];
  for (let i = 0; i < m; i++) {
    const high = halves[2 * i + 1]!;
    if (high >= MOST_HIGH || high < -MOST_HIGH) {
      if (counts[i]! < least || counts[i]! > most) bailOut();
    } else {
      const count = high * WORD + (halves[2 * i]! >>> 0);
      if (count < low || count > top) bailOut();
    }
  }
}

/** Sets numbers of a unit of nanoseconds; returns whether 64 bits hold them all. */
function multiplied(times: Float64Array, size: number, nanoseconds: BigInt64Array, m: number): boolean {
  const halves = new Int32Array(nanoseconds.buffer, 0, 2 * m);
  const most = (MOST_SECONDS * 1e9) / size;
  for (let i = 0; i < m; i++) {
    const time = times[i]!;
    if (time > most || time < -most) return false;
    // Parts of which every product is exact: time = high × 2^32 + middle × 2^21 + lower.
    const upper = Math.floor(time / 0x20_0000);
    const high = Math.floor(upper / 0x800);
    const lower = (time - upper * 0x20_0000) * size;
    const carried = Math.floor(lower / 0x20_0000);
    const middle = (upper - high * 0x800) * size + carried;
    const carriedTwice = Math.floor(middle / 0x800);
    halves[2 * i] = (middle - carriedTwice * 0x800) * 0x20_0000 + (lower - carried * 0x20_0000);
    halves[2 * i + 1] = high * size + carriedTwice;
  }
  return true;
}

/**
 * Reads a column of timestamps in milliseconds, as a `Date` has them. Finer ones bail out, or are truncated by option.
 */
export function readMilliseconds(r: Reader, m: number): Float64Array | number[] {
  if (m === 0) return [];
  const unit = unitOf(r);
  const times = readCounts(r, true, unit, m);
  const fractions = unit === SPLIT ? readInts(r, NANOSECONDS, m) : undefined;
  if (unit <= 1 && times instanceof Float64Array) {
    if (unit === 0) for (let i = 0; i < m; i++) times[i]! *= 1_000;
    return times;
  }
  const milliseconds = new Array<number>(m);
  for (let i = 0; i < m; i++) {
    const nanoseconds = BigInt(times[i]!) * BigInt(UNITS[unit]!) + BigInt(fractions?.[i] ?? 0);
    const finer = ((nanoseconds % 1_000_000n) + 1_000_000n) % 1_000_000n;
    if (finer !== 0n && !r.options.truncateTimes) bailOut();
    milliseconds[i] = Number((nanoseconds - finer) / 1_000_000n);
  }
  return milliseconds;
}

function unitOf(r: Reader): number {
  const unit = r.b[r.p++]!;
  return unit <= SPLIT ? unit : bailOut();
}

/** Reads the times in their unit: numbers where these hold all of them, and scratch arrays of 64 bits for the others. */
function readCounts(r: Reader, calendar: boolean, unit: number, m: number): Float64Array | BigInt64Array {
  const { least, most } = rangeOfTimes(calendar, unit);
  if (most < MOST_DIGITS) return readExact(r, { type: "i64", least: Number(least), most: Number(most) }, m);
  const times = readLongs(r, "i64", m);
  if (UNITS[unit] === 1) return times;
  const halves = new Int32Array(times.buffer, 0, 2 * m);
  const numbers = doubles.take(m);
  for (let i = 0; i < m; i++) {
    const high = halves[2 * i + 1]!;
    if (high >= MOST_HIGH || high < -MOST_HIGH) return checked(times, least, most, m);
    numbers[i] = high * WORD + (halves[2 * i]! >>> 0);
  }
  return numbers;
}

function checked(times: BigInt64Array, least: bigint, most: bigint, m: number): BigInt64Array {
  for (let i = 0; i < m; i++) if (times[i]! < least || times[i]! > most) bailOut();
  return times;
}
