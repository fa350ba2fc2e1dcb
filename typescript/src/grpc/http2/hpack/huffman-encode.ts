import { CODE_BITS, CODES } from "./huffman-code.js";

/** Bytes of the coded form of a text whose characters are bytes. */
export function huffmanLength(text: string): number {
  let bits = 0;
  for (let i = 0; i < text.length; i++) bits += CODE_BITS[text.charCodeAt(i) & 0xff]!;
  return (bits + 7) >> 3;
}

/**
 * Writes the coded form at `at`, padded with ones (RFC 7541 section 5.2). There must be room for `huffmanLength(text)`.
 *
 * @returns the offset after it
 */
export function huffmanEncode(text: string, out: Uint8Array, at: number): number {
  // `pending` keeps under 8 bits between symbols; a code has up to 30, so it goes in as two parts that 32 bits can
  // hold.
  let pending = 0;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const symbol = text.charCodeAt(i) & 0xff;
    let code = CODES[symbol]!;
    let bits = CODE_BITS[symbol]!;
    if (bits > 16) {
      bits -= 16;
      pending = (pending << bits) | (code >>> 16);
      count += bits;
      while (count >= 8) {
        count -= 8;
        out[at++] = pending >>> count;
      }
      code &= 0xffff;
      bits = 16;
    }
    pending = (pending << bits) | code;
    count += bits;
    while (count >= 8) {
      count -= 8;
      out[at++] = pending >>> count;
    }
    pending &= 0xff;
  }
  if (count > 0) out[at++] = (pending << (8 - count)) | (0xff >>> count);
  return at;
}
