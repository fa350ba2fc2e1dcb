/**
 * Bytes before each message: a flag and the length as a big-endian u32 (gRPC over HTTP/2, "Length-Prefixed-Message").
 */
export const PREFIX = 5;

/** The longest message the prefix can announce. */
export const LONGEST = 0xffff_ffff;

/** Writes the prefix of a message of `length` bytes at `at`. */
export function writePrefix(out: Uint8Array, at: number, compressed: boolean, length: number): void {
  out[at] = compressed ? 1 : 0;
  out[at + 1] = length >>> 24;
  out[at + 2] = length >>> 16;
  out[at + 3] = length >>> 8;
  out[at + 4] = length;
}

/** Returns a message with its prefix, in new bytes. */
export function frameMessage(message: Uint8Array, compressed: boolean): Buffer {
  const out = Buffer.allocUnsafe(PREFIX + message.length);
  writePrefix(out, 0, compressed, message.length);
  out.set(message, PREFIX);
  return out;
}

/** Up to this many bytes a loop copies faster than `set`. */
const SHORT = 96;

/** Returns a copy of `bytes[from, to)`, for a message whose bytes are valid during a call only. */
export function copyMessage(bytes: Uint8Array, from: number, to: number): Buffer {
  const length = to - from;
  const copy = Buffer.allocUnsafe(length);
  if (length > SHORT) copy.set(bytes.subarray(from, to));
  else for (let at = 0; at < length; at += 1) copy[at] = bytes[from + at]!;
  return copy;
}
