import { BITS, isFloat } from "../schema/numeric.js";
import type { Numeric } from "../schema/type.js";
import { bitLength, bitWidth, zigzag } from "./block-width.js";
import type { MessageBytes } from "./message-bytes.js";
import { ALIGNED_RUN, BLOCK, FEW } from "./row-form.js";

/** Writes a numeric row (section 9). */
export function writeNumbers(out: MessageBytes, kind: Numeric, values: ArrayLike<number | bigint>): void {
  const { length } = values;
  if (isFloat(kind) || BITS[kind] === 8) writeRun(out, kind, values);
  else if (length < FEW) for (let i = 0; i < length; i++) out.number(kind, values[i]!);
  else if (out.options.fast) writeRaw(out, kind, values);
  else {
    const start = out.length;
    const all = Array.from(values, (value) => BigInt(value));
    const signed = all.some((value) => value < 0n);
    out.byte(signed ? 2 : 1);
    writeBlocks(out, signed ? (all.map(zigzag) as bigint[]) : all);
    if (out.length - start - 1 < (length * BITS[kind]) / 8) return;
    out.cut(start);
    writeRaw(out, kind, values);
  }
}

function writeRaw(out: MessageBytes, kind: Numeric, values: ArrayLike<number | bigint>): void {
  out.byte(0);
  writeRun(out, kind, values);
}

/** A raw run, aligned if it is long. */
function writeRun(out: MessageBytes, kind: Numeric, values: ArrayLike<number | bigint>): void {
  if (BITS[kind] > 8 && (values.length * BITS[kind]) / 8 >= ALIGNED_RUN) out.align();
  out.raw(kind, values);
}

/** Packed blocks (section 9). */
export function writeBlocks(out: MessageBytes, values: readonly bigint[]): void {
  for (let i = 0; i < values.length; i += BLOCK) writeBlock(out, values.slice(i, i + BLOCK));
}

function writeBlock(out: MessageBytes, values: readonly bigint[]): void {
  const width = bitWidth(values);
  const exceptions = values.flatMap((value, i) => (bitLength(value) > width ? [i] : []));
  out.byte(width | (exceptions.length > 0 ? 0x80 : 0));
  if (exceptions.length > 0) out.byte(exceptions.length);
  let word = 0;
  let filled = 0;
  for (const value of values) {
    word += Number(BigInt.asUintN(width, value)) * 2 ** filled;
    for (filled += width; filled >= 8; filled -= 8) {
      out.byte(word % 256);
      word = Math.floor(word / 256);
    }
  }
  if (filled > 0) out.byte(word);
  for (const i of exceptions) out.byte(i);
  for (const i of exceptions) out.varint(values[i]! >> BigInt(width));
}
