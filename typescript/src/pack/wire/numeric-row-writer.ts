import { BITS, isSigned, overflowsF32 } from "../schema/numeric.js";
import type { Numeric } from "../schema/type.js";
import type { TypedArrays } from "../schema/value.js";
import { leastBytes } from "./allocation-budget.js";
import { bailOut } from "./bail-out.js";
import { pack32, pack64, packedRoom } from "./bit-packing.js";
import { ALIGNED_RUN, FEW } from "./row-form.js";
import { ARRAYS } from "./typed-arrays.js";
import { TOKEN_BYTES, tooLong } from "./writer.js";
import type { Writer } from "./writer.js";

type Typed = TypedArrays[Numeric];

/** A longer scratch array is not kept for the next row. */
const KEPT = 1 << 16;

/** A scratch array of at least `count` elements: one for each element type, so that loops stay monomorphic. */
export function gather<K extends Numeric>(w: Writer, kind: K, count: number): TypedArrays[K] {
  let row = w.rows.get(kind) as TypedArrays[K] | undefined;
  if (row === undefined || row.length < count) {
    if (leastBytes({ kind }, count) > w.options.frameBytes) throw tooLong(leastBytes({ kind }, count), w.options.frameBytes);
    row = new ARRAYS[kind](Math.max(256, count)) as TypedArrays[K];
    if (count <= KEPT) w.rows.set(kind, row);
  }
  return row;
}

/** Copies the first `count` numbers, which must fit the type exactly; floats are rounded to it. */
export function gatherNumbers(w: Writer, kind: Exclude<Numeric, "i64" | "u64">, values: ArrayLike<unknown>, count: number): Typed {
  const row = gather(w, kind, count);
  const float = kind === "f32" || kind === "f64";
  for (let i = 0; i < count; i++) {
    const value = values[i];
    if (typeof value !== "number") bailOut();
    row[i] = value;
    if (float ? kind === "f32" && overflowsF32(value) : row[i] !== value) bailOut();
  }
  return row;
}

/** Copies the first `count` bigints, which must fit the type. */
export function gatherBigints(w: Writer, kind: "i64" | "u64", values: ArrayLike<unknown>, count: number): Typed {
  const row = gather(w, kind, count);
  for (let i = 0; i < count; i++) {
    const value = values[i];
    if (typeof value !== "bigint") bailOut();
    row[i] = value;
    if (row[i] !== value) bailOut();
  }
  return row;
}

/** Writes the first `count` elements of a typed array as a numeric row (section 9). May move the buffer. */
export function writeRow(w: Writer, p: number, kind: Numeric, row: Typed, count: number): number {
  const bits = BITS[kind];
  if (kind === "f32" || kind === "f64" || bits === 8) return writeRaw(w, p, kind, row, count);
  if (count < FEW) return writeFew(w, p, kind, row, count);
  if (w.options.fast) {
    w.ensure(p, 1);
    w.b[p] = 0;
    return writeRaw(w, p + 1, kind, row, count);
  }
  w.ensure(p, 1 + packedRoom(count, bits));
  const end = bits === 64 ? packLong(w, p, kind as "i64" | "u64", row, count) : packShort(w, p, kind as "i32", row as Int32Array, count);
  if (end - p - 1 < (count * bits) / 8) return end;
  w.b[p] = 0;
  return writeRaw(w, p + 1, kind, row, count);
}

function writeRaw(w: Writer, p: number, kind: Numeric, row: Typed, count: number): number {
  const size = (count * BITS[kind]) / 8;
  if (size >= ALIGNED_RUN && BITS[kind] > 8) p = w.align(p);
  w.ensureAll(p, size);
  if (size < ALIGNED_RUN && (kind === "f64" || kind === "f32")) return writeFewFloats(w, p, kind, row as Float32Array | Float64Array, count);
  w.b.set(new Uint8Array(row.buffer, row.byteOffset, size), p);
  return p + size;
}

/** Stores each number: for so few bytes, making a view to copy them at once takes longer. */
function writeFewFloats(w: Writer, p: number, kind: "f32" | "f64", row: Float32Array | Float64Array, count: number): number {
  const size = kind === "f64" ? 8 : 4;
  const view = w.view();
  for (let i = 0; i < count; i++) {
    const value = row[i]!;
    // A number that is a signalling NaN becomes a quiet one as it passes through a register: its bits are copied.
    if (value !== value) w.b.set(new Uint8Array(row.buffer, row.byteOffset + size * i, size), p + size * i);
    else if (size === 8) view.setFloat64(p + 8 * i, value, true);
    else view.setFloat32(p + 4 * i, value, true);
  }
  return p + size * count;
}

function writeFew(w: Writer, p: number, kind: Numeric, row: Typed, count: number): number {
  w.ensure(p, 2 * TOKEN_BYTES * count);
  if (kind === "i64" || kind === "u64") {
    for (let i = 0; i < count; i++) p = w[kind](p, row[i] as bigint);
  } else {
    for (let i = 0; i < count; i++) p = w[kind](p, row[i] as number);
  }
  return p;
}

function packShort(w: Writer, p: number, kind: "i16" | "i32" | "u16" | "u32", row: Int32Array, count: number): number {
  let ints = row;
  if (kind !== "i32") {
    // One class of array for the loops that follow.
    ints = gather(w, "i32", count);
    ints.set(count === row.length ? row : row.subarray(0, count));
  }
  let negative = 0;
  if (isSigned(kind)) for (let i = 0; i < count; i++) negative |= ints[i]!;
  w.b[p] = negative < 0 ? 2 : 1;
  return pack32(w, p + 1, ints, count, negative < 0);
}

function packLong(w: Writer, p: number, kind: "i64" | "u64", row: Typed, count: number): number {
  const coded = new Int32Array(2 * count);
  coded.set(new Int32Array(row.buffer, row.byteOffset, 2 * count));
  let negative = 0;
  if (isSigned(kind)) for (let i = 1; i < coded.length; i += 2) negative |= coded[i]!;
  if (negative < 0) {
    for (let i = 0; i < coded.length; i += 2) {
      const low = coded[i]!;
      const high = coded[i + 1]!;
      const sign = high >> 31;
      coded[i] = (low << 1) ^ sign;
      coded[i + 1] = ((high << 1) | (low >>> 31)) ^ sign;
    }
  }
  w.b[p] = negative < 0 ? 2 : 1;
  return pack64(w, p + 1, coded, count);
}
