import { primitives } from "./primitives.js";

/** Longer blocks are decoded by the engine: their units would take too much room. */
export const MOST_LOOPED = 8_192;

let units = new Uint16Array(0);
let bytes = new Uint8Array(0);

/**
 * Returns the text of a block of UTF-8, the bytes from `start` to `end`, at most {@link MOST_LOOPED}; undefined if it is not
 * well-formed. Stores in `before`, at the offset of each character in the block, how many units stand before it.
 *
 * Why not `TextDecoder`: for short blocks this loop is twice as fast in Node, for longer ones from as fast to twice as fast, and
 * what `before` holds would have to be counted again for each text.
 */
export function decodeBlock(b: Uint8Array, start: number, end: number, before: Uint16Array): string | undefined {
  if (units.length === 0) {
    units = new Uint16Array(MOST_LOOPED);
    bytes = new Uint8Array(units.buffer);
  }
  let count = 0;
  let i = start;
  while (i < end) {
    before[i - start] = count;
    const first = b[i++]!;
    if (first < 0x80) {
      units[count++] = first;
      continue;
    }
    // C0 and C1 would begin overlong forms.
    if (first < 0xc2) return undefined;
    // Behind the block's end other bytes of the message may stand.
    const second = i < end ? b[i++]! : 0;
    if ((second & 0xc0) !== 0x80) return undefined;
    if (first < 0xe0) {
      units[count++] = ((first & 31) << 6) | (second & 63);
      continue;
    }
    const third = i < end ? b[i++]! : 0;
    if ((third & 0xc0) !== 0x80) return undefined;
    if (first < 0xf0) {
      const unit = ((first & 15) << 12) | ((second & 63) << 6) | (third & 63);
      if (unit < 0x800 || (unit & 0xf800) === 0xd800) return undefined;
      units[count++] = unit;
      continue;
    }
    const fourth = i < end ? b[i++]! : 0;
    if ((fourth & 0xc0) !== 0x80) return undefined;
    const point = ((first & 15) << 18) | ((second & 63) << 12) | ((third & 63) << 6) | (fourth & 63);
    if (point < 0x1_0000 || point > 0x10_ffff) return undefined;
    units[count++] = 0xd7c0 + (point >> 10);
    units[count++] = 0xdc00 | (point & 0x3ff);
  }
  return primitives.wellFormed(bytes, 2 * count);
}
