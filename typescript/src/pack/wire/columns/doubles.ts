import { bailOut } from "../bail-out.js";
import type { Reader } from "../reader.js";
import { DECIMAL, NUMBERS, RAW, TENS } from "./form.js";
import { DIGITS, indices, POSITIONS, readExact, readInts } from "./integers.js";
import { doubles } from "./scratch.js";

/** Reads a column of floats of 8 bytes (columns.md section 5) into a scratch array. */
export function readDoubles(r: Reader, m: number): Float64Array {
  if (m === 0) return doubles.take(0);
  switch (r.b[r.p++]) {
    case RAW:
      return readRaw(r, m);
    case DECIMAL:
      return readDecimals(r, m);
    case NUMBERS: {
      const size = dictionarySize(r, m);
      const numbers = readRaw(r, size);
      const indexes = readInts(r, indices(size), m);
      const values = doubles.take(m);
      for (let i = 0; i < m; i++) values[i] = numbers[indexes[i]!]!;
      return values;
    }
    default:
      return bailOut();
  }
}

/** Reads the size of a dictionary for `m` values. */
export function dictionarySize(r: Reader, m: number): number {
  const size = r.count();
  return size >= 1 && size <= m ? size : bailOut();
}

function readRaw(r: Reader, m: number): Float64Array {
  if (8 * m > r.end - r.p) bailOut();
  const view = r.view();
  const values = doubles.take(m);
  for (let i = 0; i < m; i++, r.p += 8) values[i] = view.getFloat64(r.p, true);
  return values;
}

function readDecimals(r: Reader, m: number): Float64Array {
  const ten = TENS[r.b[r.p++]!] ?? bailOut();
  const exceptions = r.count();
  if (exceptions > m) bailOut();
  const values = readExact(r, DIGITS, m);
  // A division is rounded once; a multiplication by a power of a tenth would be rounded twice.
  if (ten !== 1) for (let i = 0; i < m; i++) values[i] = values[i]! / ten;
  if (exceptions === 0) return values;
  const positions = readInts(r, POSITIONS, exceptions);
  const numbers = readRaw(r, exceptions);
  let previous = -1;
  for (let i = 0; i < exceptions; i++) {
    const position = positions[i]! >>> 0;
    if (position <= previous || position >= m) bailOut();
    values[position] = numbers[i]!;
    previous = position;
  }
  return values;
}

/** Reads a column of floats of 4 bytes into a scratch array. */
export function readSingles(r: Reader, m: number): Float64Array {
  if (4 * m > r.end - r.p) bailOut();
  const view = r.view();
  const values = doubles.take(m);
  for (let i = 0; i < m; i++, r.p += 4) values[i] = view.getFloat32(r.p, true);
  return values;
}
