/** A place in a header block. */
export interface Cursor {
  bytes: Uint8Array;
  at: number;
  end: number;
}

/**
 * The most continuation bytes of one integer: 28 bits, far above any valid size or index (RFC 7541 section 5.1 asks for
 * a limit).
 */
const MAX_CONTINUATION = 4;

/**
 * Reads an integer whose first byte, already at the cursor, keeps its low bits in `mask` (2^N - 1).
 *
 * @returns the number, or -1 if it is truncated or too long
 */
export function readInteger(cursor: Cursor, mask: number): number {
  const { bytes, end } = cursor;
  if (cursor.at >= end) return -1;
  const first = bytes[cursor.at++]! & mask;
  if (first < mask) return first;
  let value = first;
  for (let i = 0; i < MAX_CONTINUATION; i++) {
    if (cursor.at >= end) return -1;
    const byte = bytes[cursor.at++]!;
    value += (byte & 0x7f) << (7 * i);
    if (byte < 0x80) return value;
  }
  return -1;
}

/** Bytes that any integer below 2^28 needs at most. */
export const INTEGER_BYTES = 5;

/**
 * Writes an integer with its low bits in `mask` of the first byte and `pattern` in the bits above.
 *
 * @returns the offset after it
 */
export function writeInteger(value: number, mask: number, pattern: number, out: Uint8Array, at: number): number {
  if (value < mask) {
    out[at++] = pattern | value;
    return at;
  }
  out[at++] = pattern | mask;
  let rest = value - mask;
  while (rest >= 0x80) {
    out[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  out[at++] = rest;
  return at;
}
