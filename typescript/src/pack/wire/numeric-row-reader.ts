import { BITS, isFloat, isSigned } from "../schema/numeric.js";
import type { Numeric } from "../schema/type.js";
import type { TypedArrays } from "../schema/value.js";
import { bailOut } from "./bail-out.js";
import type { Reader } from "./reader.js";
import { ALIGNED_RUN, BLOCK, FEW } from "./row-form.js";
import { ARRAYS } from "./typed-arrays.js";
import { asFloats, isExact } from "./widening.js";

/** The numeric types whose values are a `number`. */
export type NumberKind = Exclude<Numeric, "i64" | "u64">;

/** The low and high halves of the values of one packed block; only one block is read at a time. */
export const low = new Uint32Array(BLOCK);
export const high = new Uint32Array(BLOCK);

/**
 * Shorter runs are assembled in a scratch buffer: reading `buffer` of a small array moves it off the engine's heap, at
 * 150 bytes each.
 */
const SMALL = ALIGNED_RUN;
const scratch = new ArrayBuffer(2 * SMALL);
const scratchBytes = new Uint8Array(scratch);
const scratchWords = new Uint32Array(scratch);
const scratchArrays = Object.fromEntries(Object.entries(ARRAYS).map(([kind, make]) => [kind, new make(scratch)])) as unknown as TypedArrays;
/** The shared buffer of all empty arrays: a buffer of its own would be half of the memory of an empty array. */
let nothing = new ArrayBuffer(0);

/** A new typed array with the first `count` numbers of the scratch buffer. */
function fromScratch<K extends Numeric>(kind: K, count: number): TypedArrays[K] {
  return count === 0 ? empty(kind) : (scratchArrays[kind].slice(0, count) as TypedArrays[K]);
}

function empty<K extends Numeric>(kind: K): TypedArrays[K] {
  const make = ARRAYS[kind] as unknown as new (buffer: ArrayBuffer) => TypedArrays[K];
  try {
    return new make(nothing);
  } catch {
    // An empty array was transferred to a worker, and the shared buffer with it.
    return new make((nothing = new ArrayBuffer(0)));
  }
}

/** Returns the offset of a raw run of `size` bytes, after its padding; moves to its end. */
function run(r: Reader, size: number): number {
  if (size >= ALIGNED_RUN) {
    if (!r.aligned) bailOut();
    while (r.p % 8 !== 0) if (r.b[r.p++] !== 0) bailOut();
  }
  const start = r.p;
  r.p = start + size;
  return r.p > r.end ? bailOut() : start;
}

/** The numbers of a raw run as a typed array: a view if the option is set and the run is aligned, otherwise a copy. */
function rawTyped<K extends Numeric>(r: Reader, kind: K, count: number): TypedArrays[K] {
  const size = (BITS[kind] / 8) * count;
  const start = run(r, size);
  const offset = r.b.byteOffset + start;
  const make = ARRAYS[kind] as unknown as new (buffer: ArrayBufferLike, offset?: number, length?: number) => TypedArrays[K];
  if (r.options.views && offset % (BITS[kind] / 8) === 0) return new make(r.b.buffer, offset, count);
  if (size < SMALL) {
    for (let i = 0; i < size; i++) scratchBytes[i] = r.b[start + i]!;
    return fromScratch(kind, count);
  }
  const copy = new Uint8Array(size);
  copy.set(r.b.subarray(start, start + size));
  return new make(copy.buffer);
}

/**
 * Reads one block of `m` values of at most `bits` bits into `low` and, if these are more than 32, the high halves of
 * the exceptions into `high`.
 */
function block(r: Reader, m: number, bits: number): void {
  const head = r.b[r.p++]!;
  const width = head & 0x3f;
  if ((head & 0x40) !== 0 || width < 1 || width > 32) bailOut();
  let exceptions = 0;
  if (head > 0x7f) {
    exceptions = r.b[r.p++]!;
    if (exceptions < 1 || exceptions > m) bailOut();
  }
  const start = r.p;
  r.p = start + ((m * width + 7) >> 3);
  if (!(r.p + exceptions <= r.end)) bailOut();
  unpack(r, start, m, width);
  let all = 0;
  if (width > bits) for (let k = 0; k < m; k++) all |= low[k]!;
  if (exceptions > 0) {
    if (bits > 32) except64(r, exceptions, m, width);
    else all |= except32(r, exceptions, m, width);
  }
  if (bits < 32 && all >>> bits !== 0) bailOut();
}

/** Whether `high` may hold other values than 0. */
let highsSet = false;

/**
 * Reads one block of `m` values of up to 64 bits into `low` and `high`. Returns an upper bound of the values, infinite
 * if some may have more than 32 bits.
 */
export function readBlock(r: Reader, m: number): number {
  if (highsSet) high.fill(0);
  highsSet = false;
  const start = r.p + 1;
  const width = r.b[r.p]!;
  if (!(width <= 32)) {
    // Set before the block is read: an invalid block leaves values behind, too.
    highsSet = true;
    block(r, m, 64);
    let most = 0;
    for (let k = 0; k < m; k++) {
      if (high[k] !== 0) return Infinity;
      if (low[k]! > most) most = low[k]!;
    }
    return most;
  }
  r.p = start + ((m * width + 7) >> 3);
  if (width === 0 || r.p > r.end) bailOut();
  unpack(r, start, m, width);
  return ~(-2 << (width - 1)) >>> 0;
}

/** Unpacks `m` values of `width` bits at `start` into `low`. */
function unpack(r: Reader, start: number, m: number, width: number): void {
  const view = r.view();
  const mask = width === 32 ? -1 : (1 << width) - 1;
  // A four-byte load must not go past the end of the message: the last values are loaded byte by byte.
  const room = width > 25 ? 5 : 4;
  const safe = Math.min(m, Math.max(0, Math.floor(((r.end - start - room) * 8) / width) + 1));
  let bit = 0;
  let i = 0;
  // Four or two values for each load: at every bit offset, four bytes hold two values of up to 12 bits.
  if (width <= 6) {
    for (; i < safe - 3; i += 4) {
      const four = view.getInt32(start + (bit >> 3), true) >>> (bit & 7);
      low[i] = four & mask;
      low[i + 1] = (four >>> width) & mask;
      low[i + 2] = (four >>> (2 * width)) & mask;
      low[i + 3] = (four >>> (3 * width)) & mask;
      bit += 4 * width;
    }
  } else if (width <= 12) {
    for (; i < safe - 1; i += 2) {
      const two = view.getInt32(start + (bit >> 3), true) >>> (bit & 7);
      low[i] = two & mask;
      low[i + 1] = (two >>> width) & mask;
      bit += 2 * width;
    }
  }
  const { b } = r;
  if (width <= 25) {
    for (; i < safe; i++) {
      low[i] = (view.getInt32(start + (bit >> 3), true) >>> (bit & 7)) & mask;
      bit += width;
    }
  } else {
    for (; i < safe; i++) {
      const at = start + (bit >> 3);
      const shift = bit & 7;
      // Two shifts, since a shift by 32 shifts by 0.
      low[i] = ((view.getInt32(at, true) >>> shift) | ((b[at + 4]! << 1) << (31 - shift))) & mask;
      bit += width;
    }
  }
  for (; i < m; i++) {
    let at = start + (bit >> 3);
    let shift = -(bit & 7);
    let value = 0;
    for (; shift < width; shift += 8) {
      const byte = b[at++]!;
      value |= shift < 0 ? byte >> -shift : byte << shift;
    }
    low[i] = value & mask;
    bit += width;
  }
}

/** Adds the high bits of the exceptions of a row of up to 32 bits; returns the union of all bits of these values. */
function except32(r: Reader, count: number, m: number, width: number): number {
  const { b } = r;
  const positions = r.p;
  r.p = positions + count;
  // No value may have more than 32 bits; at a width of 32 every exception would.
  const most = width === 32 ? 0 : 0xffff_ffff >>> width;
  let all = 0;
  let previous = -1;
  for (let i = 0; i < count; i++) {
    const position = b[positions + i]!;
    let bits = b[r.p]!;
    if (bits < 0x80) r.p++;
    else bits = r.u32();
    if (position <= previous || position >= m || bits === 0 || !(bits <= most)) bailOut();
    previous = position;
    low[position] = low[position]! | (bits << width);
    all |= low[position];
  }
  return all;
}

/** Adds the high bits of the exceptions of a row of 64 bits. */
function except64(r: Reader, count: number, m: number, width: number): void {
  const { b } = r;
  const positions = r.p;
  r.p = positions + count;
  let previous = -1;
  for (let i = 0; i < count; i++) {
    const position = b[positions + i]!;
    if (position <= previous || position >= m) bailOut();
    previous = position;
    const bits = b[r.p]!;
    if (bits < 0x80) {
      r.p++;
      if (bits === 0) bailOut();
      if (width < 32) low[position] = low[position]! | (bits << width);
      high[position] = width === 32 ? bits : bits >>> (32 - width);
      continue;
    }
    r.varint64();
    if (r.low === 0 && r.high === 0) bailOut();
    if (r.high !== 0 && r.high >= 2 ** (32 - width)) bailOut();
    const beyond = width === 32 ? r.low : (r.high << width) | (r.low >>> (32 - width));
    if (width < 32) low[position] = low[position]! | (r.low << width);
    high[position] = beyond;
  }
}

/** The mode byte of a row of 16 integers or more. */
function mode(r: Reader, kind: Numeric): number {
  const byte = r.b[r.p++]!;
  return byte <= (isSigned(kind) ? 2 : 1) ? byte : bailOut();
}

/** The most bits of a packed value: in mode 1 values of a signed type have no sign bit. */
function room(kind: Numeric, zigzag: boolean): number {
  return BITS[kind] - (isSigned(kind) && !zigzag ? 1 : 0);
}

/** Reads a packed row of 64-bit integers, one block at a time, into `low` and `high`, in two's complement. */
function packed64(r: Reader, kind: "i64" | "u64", count: number, zigzag: boolean, take: (i: number, m: number) => void): void {
  for (let i = 0; i < count; i += BLOCK) {
    const m = count - i < BLOCK ? count - i : BLOCK;
    readBlock(r, m);
    highsSet = true;
    for (let k = 0; k < m; k++) {
      if (zigzag) {
        const sign = -(low[k]! & 1);
        low[k] = ((low[k]! >>> 1) | (high[k]! << 31)) ^ sign;
        high[k] = (high[k]! >>> 1) ^ sign;
      } else if (kind === "i64" && high[k]! > 0x7fff_ffff) bailOut();
    }
    take(i, m);
  }
}

/** One integer of at most 32 bits in a slot. */
export function single(r: Reader, kind: NumberKind): number {
  switch (kind) {
    case "u8":
      return r.byte();
    case "f32":
      return r.f32();
    case "f64":
      return r.f64();
    default:
      return r[kind]();
  }
}

/** A numeric row as an array of numbers. The caller must have checked the count. */
export function readNumbers(r: Reader, kind: NumberKind, count: number): number[] {
  if (kind === "f64" || kind === "f32") return readFloats(r, kind, count);
  const out = new Array<number>(count);
  if (BITS[kind] === 8) {
    const start = r.p;
    r.p = start + count;
    if (r.p > r.end) bailOut();
    if (kind === "u8") for (let i = 0; i < count; i++) out[i] = r.b[start + i]!;
    else for (let i = 0; i < count; i++) out[i] = (r.b[start + i]! << 24) >> 24;
    return out;
  }
  if (count < FEW) {
    for (let i = 0; i < count; i++) out[i] = single(r, kind);
    return out;
  }
  const how = mode(r, kind);
  if (how === 0) return copyIntegers(r, kind, count, out);
  const signed = isSigned(kind);
  const bits = room(kind, how === 2);
  for (let i = 0; i < count; i += BLOCK) {
    const m = count - i < BLOCK ? count - i : BLOCK;
    block(r, m, bits);
    if (how === 2) for (let k = 0; k < m; k++) out[i + k] = (low[k]! >>> 1) ^ -(low[k]! & 1);
    else if (signed) for (let k = 0; k < m; k++) out[i + k] = low[k]! | 0;
    else for (let k = 0; k < m; k++) out[i + k] = low[k]!;
  }
  return out;
}

/** Converts numbers to bigints. */
export function asBigints(numbers: readonly number[]): bigint[] {
  const out = new Array<bigint>(numbers.length);
  for (let i = 0; i < out.length; i++) out[i] = BigInt(numbers[i]!);
  return out;
}

/** Separate from the integers, so that the engine allocates arrays of doubles from the start. */
function readFloats(r: Reader, kind: "f32" | "f64", count: number): number[] {
  const out = new Array<number>(count);
  const start = run(r, kind === "f64" ? 8 * count : 4 * count);
  const view = r.view();
  if (kind === "f64") for (let i = 0; i < count; i++) out[i] = view.getFloat64(start + 8 * i, true);
  else for (let i = 0; i < count; i++) out[i] = view.getFloat32(start + 4 * i, true);
  return out;
}

function copyIntegers(r: Reader, kind: NumberKind, count: number, out: number[]): number[] {
  const start = run(r, (BITS[kind] / 8) * count);
  const view = r.view();
  if (kind === "i32") for (let i = 0; i < count; i++) out[i] = view.getInt32(start + 4 * i, true);
  else if (kind === "u32") for (let i = 0; i < count; i++) out[i] = view.getUint32(start + 4 * i, true);
  else if (kind === "i16") for (let i = 0; i < count; i++) out[i] = view.getInt16(start + 2 * i, true);
  else for (let i = 0; i < count; i++) out[i] = view.getUint16(start + 2 * i, true);
  return out;
}

/** A numeric row of 64-bit integers as an array of bigints. */
export function readBigints(r: Reader, kind: "i64" | "u64", count: number): bigint[] {
  const out = new Array<bigint>(count);
  if (count < FEW) {
    for (let i = 0; i < count; i++) out[i] = r[kind]();
    return out;
  }
  const row = readTyped(r, kind, count);
  for (let i = 0; i < count; i++) out[i] = row[i]!;
  return out;
}

/** A numeric row as a typed array of its own type. */
export function readTyped<K extends Numeric>(r: Reader, kind: K, count: number): TypedArrays[K];
export function readTyped(r: Reader, kind: Numeric, count: number): TypedArrays[Numeric] {
  if (BITS[kind] === 8) return rawTyped8(r, kind as "i8" | "u8", count);
  if (kind === "f32" || kind === "f64") return rawTyped(r, kind, count);
  if (kind === "i64" || kind === "u64") return read64(r, kind, count);
  const numbers = kind as "i16" | "i32" | "u16" | "u32";
  if (count < FEW) {
    const few = scratchArrays[numbers];
    for (let i = 0; i < count; i++) few[i] = single(r, numbers);
    return fromScratch(numbers, count);
  }
  const how = mode(r, kind);
  if (how === 0) return rawTyped(r, kind, count);
  const out = new ARRAYS[numbers](count);
  const bits = room(kind, how === 2);
  for (let i = 0; i < count; i += BLOCK) {
    const m = count - i < BLOCK ? count - i : BLOCK;
    block(r, m, bits);
    if (how === 2) for (let k = 0; k < m; k++) low[k] = (low[k]! >>> 1) ^ -(low[k]! & 1);
    out.set(m === BLOCK ? low : low.subarray(0, m), i);
  }
  return out;
}

/** A row of bytes of any length is raw, and never aligned. */
function rawTyped8(r: Reader, kind: "i8" | "u8", count: number): Int8Array | Uint8Array {
  const start = r.p;
  r.p = start + count;
  if (r.p > r.end) bailOut();
  const make = ARRAYS[kind] as unknown as new (buffer: ArrayBufferLike | number, offset?: number, length?: number) => Int8Array | Uint8Array;
  if (r.options.views) return new make(r.b.buffer, r.b.byteOffset + start, count);
  if (count === 0) return empty(kind);
  const copy = new make(count);
  copy.set(r.b.subarray(start, r.p));
  return copy;
}

function read64(r: Reader, kind: "i64" | "u64", count: number): BigInt64Array | BigUint64Array {
  const signed = kind === "i64";
  const how = count < FEW ? 1 : mode(r, kind);
  if (how === 0) return rawTyped(r, kind, count);
  if (count < FEW) {
    for (let i = 0; i < count; i++) {
      r.varint64();
      if (signed) r.unzigzag();
      scratchWords[2 * i] = r.low;
      scratchWords[2 * i + 1] = r.high;
    }
    return fromScratch(kind, count);
  }
  const words = new Uint32Array(2 * count);
  packed64(r, kind, count, how === 2, (i, m) => {
    for (let k = 0; k < m; k++) {
      words[2 * (i + k)] = low[k]!;
      words[2 * (i + k) + 1] = high[k]!;
    }
  });
  return signed ? new BigInt64Array(words.buffer) : new BigUint64Array(words.buffer);
}

/** A numeric row as a typed array of another type, which has its numbers. */
export function readWidened<K extends Numeric>(r: Reader, kind: Numeric, count: number, wanted: K): TypedArrays[K] {
  const read = readTyped(r, kind, count);
  if ((kind) === wanted) return read as TypedArrays[K];
  const make = ARRAYS[wanted];
  if (make === BigInt64Array || make === BigUint64Array) {
    const from = read instanceof BigInt64Array || read instanceof BigUint64Array ? read : Array.from(read as ArrayLike<number>, BigInt);
    return make.from(from as Iterable<bigint>) as TypedArrays[K];
  }
  const float: Numeric = wanted;
  const floats = isExact(float) && !isFloat(kind) ? asFloats(Array.from<number | bigint>(read), float) : (read as ArrayLike<number>);
  return (make as Float64ArrayConstructor).from(floats) as unknown as TypedArrays[K];
}

