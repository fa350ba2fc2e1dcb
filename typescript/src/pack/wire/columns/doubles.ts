import { bailOut } from "../bail-out.js";
import type { Reader } from "../reader.js";
import { DECIMAL, NUMBERS, RAW, TENS } from "./form.js";
import { DIGITS, indices, POSITIONS, readIntegers } from "./integers.js";

/** Reads a column of floats of 8 bytes (columns.md section 5). */
export function readDoubles(r: Reader, m: number): number[] {
  switch (r.b[r.p++]) {
    case RAW:
      return readRaw(r, m);
    case DECIMAL:
      return readDecimals(r, m);
    case NUMBERS: {
      const size = dictionarySize(r, m);
      const numbers = readRaw(r, size);
      return lookedUp(numbers, readIntegers(r, indices(size), m));
    }
    default:
      return bailOut();
  }
}

/** The values of a dictionary that the indices name. */
export function lookedUp<T>(values: readonly T[], indexes: readonly number[]): T[] {
  const found = new Array<T>(indexes.length);
  for (let i = 0; i < indexes.length; i++) found[i] = values[indexes[i]!]!;
  return found;
}

/** Reads the size of a dictionary for `m` values. */
export function dictionarySize(r: Reader, m: number): number {
  const size = r.count();
  return size >= 1 && size <= m ? size : bailOut();
}

function readRaw(r: Reader, m: number): number[] {
  if (8 * m > r.end - r.p) bailOut();
  const view = r.view();
  const values = new Array<number>(m);
  for (let i = 0; i < m; i++, r.p += 8) values[i] = view.getFloat64(r.p, true);
  return values;
}

function readDecimals(r: Reader, m: number): number[] {
  const ten = TENS[r.b[r.p++]!] ?? bailOut();
  const exceptions = r.count();
  if (exceptions > m) bailOut();
  const digits = readIntegers(r, DIGITS, m);
  const values = ten === 1 ? digits : new Array<number>(m);
  if (ten !== 1) for (let i = 0; i < m; i++) values[i] = digits[i]! / ten;
  if (exceptions === 0) return values;
  const positions = readIntegers(r, POSITIONS, exceptions);
  const numbers = readRaw(r, exceptions);
  let previous = -1;
  for (let i = 0; i < exceptions; i++) {
    const position = positions[i]!;
    if (position <= previous || position >= m) bailOut();
    values[position] = numbers[i]!;
    previous = position;
  }
  return values;
}

/** Reads a column of floats of 4 bytes. */
export function readSingles(r: Reader, m: number): number[] {
  if (4 * m > r.end - r.p) bailOut();
  const view = r.view();
  const values = new Array<number>(m);
  for (let i = 0; i < m; i++, r.p += 4) values[i] = view.getFloat32(r.p, true);
  return values;
}
