import { BITS, isFloat, isSigned } from "../schema/numeric.js";
import type { Numeric } from "../schema/type.js";
import { ALIGNED_RUN, BLOCK, FEW } from "./row-form.js";
import { floatsOf, walkInteger, walkPadding } from "./strict-numbers.js";
import type { Cursor } from "./strict-reader.js";

/** Receives the numbers of a row: integers as bigints. */
type Kept = { push(value: bigint | number): unknown } | undefined;

/** Reads a numeric row (section 9), and passes its numbers to `keep`, if given. */
export function walkNumbers(cursor: Cursor, kind: Numeric, count: number, aligned: boolean, keep?: Kept): void {
  if (isFloat(kind)) {
    walkRun(cursor, kind, count, aligned, keep);
  } else if (BITS[kind] === 8 && keep === undefined) {
    cursor.take(count);
  } else if (BITS[kind] === 8 || count < FEW) {
    for (let i = 0; i < count; i++) {
      const value = walkInteger(cursor, kind);
      keep?.push(value);
    }
  } else {
    const at = cursor.position;
    const mode = cursor.byte();
    if (mode > (isSigned(kind) ? 2 : 1)) cursor.fail("malformed", at, `rows of ${kind} have no mode ${mode}`);
    if (mode === 0) walkRun(cursor, kind, count, aligned, keep);
    else for (let i = 0; i < count; i += BLOCK) walkBlock(cursor, kind, Math.min(BLOCK, count - i), mode === 2, keep);
  }
}

function walkRun(cursor: Cursor, kind: Numeric, count: number, aligned: boolean, keep: Kept): void {
  const width = BITS[kind] / 8;
  if (count * width >= ALIGNED_RUN) {
    if (!aligned) cursor.fail("malformed", 0, "a run of 64 bytes or more in a message without ALIGNED");
    walkPadding(cursor, 0);
  }
  const raw = cursor.take(count * width);
  if (keep === undefined) return;
  if (isFloat(kind)) for (const value of floatsOf(kind, raw)) keep.push(value);
  else for (let i = 0; i < count; i++) {
    let value = 0n;
    for (let k = width; k-- > 0; ) value = (value << 8n) | BigInt(raw[i * width + k]!);
    keep.push(isSigned(kind) ? BigInt.asIntN(8 * width, value) : value);
  }
}

/** Reads one block of `size` values, and adds them to `keep`, if given. */
export function walkBlock(cursor: Cursor, kind: Numeric, size: number, zigzag: boolean, keep: Kept): void {
  const at = cursor.position;
  const head = cursor.byte();
  const width = head & 0x3f;
  if ((head & 0x40) !== 0 || width < 1 || width > 32) cursor.fail("malformed", at, `a block cannot begin with the byte ${head}`);
  let count = 0;
  if (head > 0x7f) {
    count = cursor.byte();
    if (count < 1 || count > size) cursor.fail("malformed", at, `${count} exceptions in a block of ${size} values`);
  }
  const packed = cursor.take(Math.ceil((size * width) / 8));
  const block = Array.from({ length: size }, (_, i) => bitsAt(packed, i * width, width));
  const positions = cursor.take(count);
  if (positions.some((position, i) => position >= size || (i > 0 && position <= positions[i - 1]!))) {
    cursor.fail("malformed", at, "the positions of exceptions are out of order or range");
  }
  for (const position of positions) {
    const rest = cursor.varint(64);
    if (rest === 0n) cursor.fail("malformed", at, "an exception without high bits");
    block[position] = block[position]! | (rest << BigInt(width));
    if (block[position] >> 64n !== 0n) cursor.fail("bad_number", at, "a value of more than 64 bits");
  }
  const bits = BITS[kind];
  for (const u of block) {
    const value = !zigzag ? u : (u & 1n) === 0n ? u >> 1n : -((u + 1n) >> 1n);
    const fits = (isSigned(kind) ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) === value;
    if (!fits) cursor.fail("bad_number", at, `${value.toString()} does not fit ${kind}`);
    keep?.push(value);
  }
}

function bitsAt(bytes: Uint8Array, bit: number, width: number): bigint {
  let value = 0n;
  const last = (bit + width - 1) >> 3;
  for (let i = last; i >= bit >> 3; i--) value = (value << 8n) | BigInt(bytes[i]!);
  return BigInt.asUintN(width, value >> BigInt(bit & 7));
}
