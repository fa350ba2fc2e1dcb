const CHUNK = 4_096;

/** The text whose characters are these bytes (Latin-1). */
export function latin1(bytes: Uint8Array, from: number, to: number): string {
  if (to - from <= CHUNK) return String.fromCharCode.apply(null, bytes.subarray(from, to) as unknown as number[]);
  let text = "";
  for (let at = from; at < to; at += CHUNK) text += latin1(bytes, at, Math.min(at + CHUNK, to));
  return text;
}

/** Returns a 32-bit hash of `bytes[from, to)`. Collisions cost time only: callers compare the bytes. */
export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Returns whether `bytes[from, ...)` begins with `wanted`. The caller has compared the lengths. */
export function sameBytes(wanted: Uint8Array, bytes: Uint8Array, from: number): boolean {
  for (let i = 0; i < wanted.length; i++) if (wanted[i] !== bytes[from + i]) return false;
  return true;
}
