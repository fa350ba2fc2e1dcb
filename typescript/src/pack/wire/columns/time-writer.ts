import { bailOut } from "../bail-out.js";
import type { Writer } from "../writer.js";
import { rangeOfTimes, SPLIT, UNITS } from "./form.js";
import { writeExact, writeInts, writeLongs } from "./integer-writer.js";
import { doubles, ints, longs } from "./scratch.js";

const BILLION = 1_000_000_000n;
const WORD = 0x1_0000_0000;
/** The nanoseconds of the units, the coarsest first. */
const SIZES = UNITS.slice(0, SPLIT).map(BigInt);
const [SECONDS, MILLISECONDS, MICROSECONDS, NANOSECONDS] = [0, 1, 2, 3] as const;
/** Beyond, a number does not hold the microseconds. */
const MOST_HIGH = 0x7c00_0000;

/** Writes a column of `m` times in nanoseconds (columns.md section 4). Bails out on one out of range. May move the buffer. */
export function writeTimes(w: Writer, p: number, values: readonly bigint[], calendar: boolean, m: number): number {
  const [l, d] = [longs.used, doubles.used];
  const nanoseconds = longs.take(m);
  const microseconds = doubles.take(m);
  let fit = true;
  for (let i = 0; i < m; i++) {
    const value = values[i]!;
    fit &&= BigInt.asIntN(64, value) === value;
    nanoseconds[i] = value;
  }
  const whole = fit ? divided(nanoseconds, microseconds, m) : undefined;
  if (whole === undefined) p = writeFar(w, p, values, nanoseconds, calendar, m);
  else if (whole) p = writeCoarsest(w, p, microseconds, MICROSECONDS, m);
  else p = writeLongs(w, unit(w, p, NANOSECONDS), "i64", nanoseconds, m);
  longs.release(l);
  doubles.release(d);
  return p;
}

/** Writes a column of `m` instants in milliseconds. May move the buffer. */
export function writeMilliseconds(w: Writer, p: number, milliseconds: Float64Array, m: number): number {
  return writeCoarsest(w, p, milliseconds, MILLISECONDS, m);
}

function unit(w: Writer, p: number, byte: number): number {
  w.ensure(p, 1);
  w.b[p] = byte;
  return p + 1;
}

/** Sets the microseconds of times; returns whether all of them are whole, or undefined if numbers may not hold them. */
function divided(nanoseconds: BigInt64Array, microseconds: Float64Array, m: number): boolean | undefined {
  const halves = new Int32Array(nanoseconds.buffer, nanoseconds.byteOffset, 2 * m);
  let whole = true;
  for (let i = 0; i < m; i++) {
    const high = halves[2 * i + 1]!;
    if (high >= MOST_HIGH || high < -MOST_HIGH) return undefined;
    if (!whole) continue;
    // Long division, in which every number is exact.
    const upper = Math.floor(high / 1_000);
    const rest = (high - upper * 1_000) * WORD + (halves[2 * i]! >>> 0);
    const lower = Math.floor(rest / 1_000);
    whole = lower * 1_000 === rest;
    microseconds[i] = upper * WORD + lower;
  }
  return whole;
}

/** Writes whole numbers of a unit, in a coarser one if all are whole there. */
function writeCoarsest(w: Writer, p: number, values: Float64Array, from: number, m: number): number {
  let byte = from;
  let whole = values;
  const coarser = [doubles.take(m), doubles.take(m)] as const;
  while (byte > SECONDS) {
    const next = coarser[byte & 1]!;
    if (!dividedExactly(whole, next, m)) break;
    whole = next;
    byte--;
  }
  p = writeExact(w, unit(w, p, byte), "i64", whole, m);
  doubles.used -= 2;
  return p;
}

/** Sets the thousandths of all numbers, up to the first that is not a multiple of 1000. Not by a remainder, which is a call. */
function dividedExactly(values: Float64Array, thousandths: Float64Array, m: number): boolean {
  for (let i = 0; i < m; i++) {
    const value = values[i]!;
    const thousandth = value / 1_000;
    if (Math.floor(thousandth) * 1_000 !== value) return false;
    thousandths[i] = thousandth;
  }
  return true;
}

/** Times of any size. */
function writeFar(w: Writer, p: number, values: readonly bigint[], counts: BigInt64Array, calendar: boolean, m: number): number {
  const { least, most } = rangeOfTimes(calendar, SECONDS);
  const byte = SIZES.findIndex((size) => values.every((value) => value % size === 0n));
  const size = SIZES[byte]!;
  const fractions = ints.take(m);
  let fit = true;
  for (let i = 0; i < m; i++) {
    const value = values[i]!;
    const fraction = ((value % BILLION) + BILLION) % BILLION;
    const seconds = (value - fraction) / BILLION;
    if (seconds < least || seconds > most) bailOut();
    fit &&= BigInt.asIntN(64, value / size) === value / size;
    fractions[i] = Number(fraction);
    counts[i] = seconds;
  }
  if (fit) {
    for (let i = 0; i < m; i++) counts[i] = values[i]! / size;
    return writeLongs(w, unit(w, p, byte), "i64", counts, m);
  }
  p = writeLongs(w, unit(w, p, SPLIT), "i64", counts, m);
  return writeInts(w, p, "u32", fractions, m);
}
