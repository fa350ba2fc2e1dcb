import { isWellFormed } from "../schema/name.js";
import { bailOut } from "./bail-out.js";
import { primitives } from "./primitives.js";
import { finished, hashedLast, hashedPair } from "./text-hash.js";

const BEYOND_LATIN1 = /[^\x00-\xff]/;
const SMALLEST = 1_024;

/**
 * The two text blocks of a message that has wide texts. One loop decides which block a text belongs to, copies it there and
 * hashes it: reading characters of strings is what texts cost.
 */
export class TextBlocks {
  latin = new Uint8Array(0);
  latinLength = 0;
  /** The wide block, and the same memory in units. */
  private bytes = new Uint8Array(0);
  private units = new Uint16Array(0);
  private wideUnits = 0;
  /** Whether the text that was appended last is wide. */
  isWide = false;

  /**
   * @param most the most bytes of a message
   * @param tooLong throws the error of a message of so many bytes or more
   */
  constructor(private readonly most: number, private readonly tooLong: (length: number) => never) {}

  /** Bytes of the wide block. */
  get wideLength(): number {
    return 2 * this.wideUnits;
  }

  /** The wide block; a view. */
  get wide(): Uint8Array {
    return this.bytes.subarray(0, 2 * this.wideUnits);
  }

  /**
   * Appends a text that may have a number; returns its {@link hashWhole}, and leaves its kind in {@link isWide}. Bails out on a
   * lone surrogate.
   */
  append(text: string, length: number, seed: number): number {
    const at = this.latinLength;
    if (at + length > this.latin.length) this.growLatin(length);
    const { latin } = this;
    const even = length & ~1;
    let all = 0;
    let hash = seed ^ length;
    for (let i = 0; i < even; i += 2) {
      const first = text.charCodeAt(i);
      const second = text.charCodeAt(i + 1);
      all |= first | second;
      hash = hashedPair(hash, first, second);
      latin[at + i] = first;
      latin[at + i + 1] = second;
    }
    if (even < length) {
      const unit = text.charCodeAt(even);
      all |= unit;
      hash = hashedLast(hash, unit);
      latin[at + even] = unit;
    }
    this.isWide = all > 0xff;
    if (this.isWide) this.appendWide(text, length);
    else this.latinLength = at + length;
    return finished(hash, seed);
  }

  private appendWide(text: string, length: number): void {
    const at = this.wideUnits;
    if (at + length > this.units.length) this.growWide(length);
    const { units } = this;
    let surrogates = false;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if ((unit & 0xf800) === 0xd800) surrogates = true;
      units[at + i] = unit;
    }
    if (surrogates && !isWellFormed(text)) bailOut();
    this.wideUnits = at + length;
  }

  /** Drops the text that was appended last. */
  dropLast(length: number): void {
    if (this.isWide) this.wideUnits -= length;
    else this.latinLength -= length;
  }

  /** Appends a text that is too long for a number, and leaves its kind in {@link isWide}. Bails out on a lone surrogate. */
  appendLong(text: string, length: number): void {
    this.isWide = BEYOND_LATIN1.test(text);
    this.check(this.isWide ? 2 * length : length);
    if (!this.isWide) {
      if (this.latinLength + length > this.latin.length) this.growLatin(length);
      primitives.writeLatin1(this.latin, text, this.latinLength);
      this.latinLength += length;
      return;
    }
    if (!isWellFormed(text)) bailOut();
    if (this.wideUnits + length > this.units.length) this.growWide(length);
    primitives.writeUtf16(this.bytes, text, 2 * this.wideUnits);
    this.wideUnits += length;
  }

  private growLatin(more: number): void {
    this.check(0);
    const least = this.latinLength + more;
    const larger = new Uint8Array(Math.max(SMALLEST, least, 2 * this.latin.length));
    larger.set(this.latin.subarray(0, this.latinLength));
    this.latin = larger;
  }

  private growWide(more: number): void {
    this.check(0);
    const least = this.wideUnits + more;
    const larger = new Uint16Array(Math.max(SMALLEST, least, 2 * this.units.length));
    larger.set(this.units.subarray(0, this.wideUnits));
    this.units = larger;
    this.bytes = new Uint8Array(larger.buffer);
  }

  /**
   * Throws if the blocks with `more` bytes are too long: a text that occurs again and again could make endless ones. A short
   * text is not counted before it is known to be new, and of which kind.
   */
  private check(more: number): void {
    const length = this.latinLength + this.wideLength + more;
    if (length > this.most) this.tooLong(length);
  }

  /** Drops the texts. Keeps blocks of up to `kept` bytes for the next message. */
  clear(kept: number): void {
    this.latinLength = 0;
    this.wideUnits = 0;
    if (this.latin.length > kept) this.latin = new Uint8Array(0);
    if (this.bytes.length > kept) {
      this.bytes = new Uint8Array(0);
      this.units = new Uint16Array(0);
    }
  }
}
