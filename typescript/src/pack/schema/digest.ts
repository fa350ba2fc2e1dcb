/**
 * The digest of a schema (section 3): FNV-1a over 64 bits, as 16 hexadecimal digits.
 *
 * Works on two halves of 32 bits: the prime is 2^40 + 435, so a step is a multiplication by 435 and a shift.
 */
export function fnv1a(bytes: Uint8Array): string {
  let low = 0x84222325;
  let high = 0xcbf29ce4;
  for (const byte of bytes) {
    low = (low ^ byte) >>> 0;
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 0x1_0000_0000) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}

/** The 8 bytes of a digest in text form. */
export function digestBytes(digest: string): Uint8Array {
  return Uint8Array.from({ length: 8 }, (_, i) => Number.parseInt(digest.slice(2 * i, 2 * i + 2), 16));
}
