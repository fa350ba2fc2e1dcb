import { BITS, isSigned } from "../schema/numeric.js";
import type { Numeric } from "../schema/type.js";
import type { Cursor } from "./strict-reader.js";

/** Reads one integer in a slot. */
export function walkInteger(cursor: Cursor, kind: Numeric): bigint {
  const bits = BITS[kind];
  if (bits === 8) return isSigned(kind) ? BigInt.asIntN(8, BigInt(cursor.byte())) : BigInt(cursor.byte());
  return isSigned(kind) ? cursor.signed(bits) : cursor.varint(bits);
}

/** Reads one float in a slot. */
export function walkFloat(cursor: Cursor, kind: string): number {
  return floatsOf(kind, cursor.take(kind === "f32" ? 4 : 8))[0]!;
}

/** The floats whose bytes these are. */
export function floatsOf(kind: string, bytes: Uint8Array): Float32Array | Float64Array {
  // A copy of any kind of bytes: `slice` of a Buffer of Node is a view.
  const { buffer } = new Uint8Array(bytes);
  return kind === "f32" ? new Float32Array(buffer) : new Float64Array(buffer);
}

/** Reads padding until the offset is `remainder` modulo 8. */
export function walkPadding(cursor: Cursor, remainder: number): void {
  while (cursor.position % 8 !== remainder) {
    const at = cursor.position;
    if (cursor.byte() !== 0) cursor.fail("malformed", at, "padding that is not zero");
  }
}
