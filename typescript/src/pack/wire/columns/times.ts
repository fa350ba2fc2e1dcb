import { bailOut } from "../bail-out.js";
import type { Reader } from "../reader.js";
import { MOST_DIGITS, rangeOfTimes, SPLIT, UNITS } from "./form.js";
import { NANOSECONDS, readBigints, readIntegers } from "./integers.js";

/** Reads a column of times (columns.md section 4), in nanoseconds. */
export function readTimes(r: Reader, calendar: boolean, m: number): bigint[] {
  const unit = unitOf(r);
  const times = readCounts(r, calendar, unit, m);
  const size = BigInt(UNITS[unit]!);
  const nanoseconds = new Array<bigint>(m);
  for (let i = 0; i < m; i++) nanoseconds[i] = BigInt(times[i]!) * size;
  if (unit === SPLIT) {
    const fractions = readIntegers(r, NANOSECONDS, m);
    for (let i = 0; i < m; i++) nanoseconds[i]! += BigInt(fractions[i]!);
  }
  return nanoseconds;
}

/** Reads a column of timestamps as dates; those finer than a millisecond are none. */
export function readDates(r: Reader, m: number): Date[] {
  const unit = unitOf(r);
  const times = readCounts(r, true, unit, m);
  const fractions = unit === SPLIT ? readIntegers(r, NANOSECONDS, m) : undefined;
  const dates = new Array<Date>(m);
  for (let i = 0; i < m; i++) {
    const nanoseconds = BigInt(times[i]!) * BigInt(UNITS[unit]!) + BigInt(fractions?.[i] ?? 0);
    if (nanoseconds % 1_000_000n !== 0n) bailOut();
    dates[i] = new Date(Number(nanoseconds / 1_000_000n));
  }
  return dates;
}

function unitOf(r: Reader): number {
  const unit = r.b[r.p++]!;
  return unit <= SPLIT ? unit : bailOut();
}

/** Reads the times in their unit: numbers where these hold all that are in range. */
function readCounts(r: Reader, calendar: boolean, unit: number, m: number): number[] | bigint[] {
  const { least, most } = rangeOfTimes(calendar, unit);
  if (most < MOST_DIGITS) return readIntegers(r, { type: "i64", least: Number(least), most: Number(most) }, m);
  const times = readBigints(r, "i64", m);
  for (let i = 0; i < m; i++) if (times[i]! < least || times[i]! > most) bailOut();
  return times;
}
