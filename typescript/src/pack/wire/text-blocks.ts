import { isWellFormed } from "../schema/name.js";
import { bailOut } from "./bail-out.js";
import { primitives } from "./primitives.js";
import { Form } from "./text-form.js";
import { finished, hashedLast, hashedPair } from "./text-hash.js";

const BEYOND_LATIN1 = /[^\x00-\xff]/;
const SMALLEST = 1_024;
/** Pairs of units of a long text that are counted between two checks whether the count decides already. */
const COUNTED = 32;
/** Of a pair of units, the top bit of each; and what is added to the others so that they carry to it from 80, and from 800, on. */
const TOPS = 0x80008000;
const TWO_OFF = 0x7f807f80;
const THREE_OFF = 0x78007800;
/** A surrogate and this differ in no more than the lowest 11 bits. */
const SURROGATES = 0xd800d800;

/** The top bit of each unit of a pair that is not below what `off` stands for. */
function beyond(pair: number, off: number): number {
  return (((pair & 0x7fff7fff) + off) | pair) & TOPS;
}

/** The first units of UTF-16 that take two bytes of UTF-8, and three. */
const TWO_BYTES = 0x80;
const THREE_BYTES = 0x800;

/**
 * The three text blocks of a message that has texts beyond Latin-1. One loop copies a text to the Latin-1 block and hashes it:
 * the cost of a text is reading its characters. A second loop, for other texts, copies them to the wide block and
 * counts their bytes in UTF-8.
 */
export class TextBlocks {
  latin = new Uint8Array(0);
  latinLength = 0;
  /** The wide block, and the same memory in units and in pairs of units. */
  private bytes = new Uint8Array(0);
  private units = new Uint16Array(0);
  private pairs = new Int32Array(0);
  wideUnits = 0;
  private utf8Bytes = new Uint8Array(0);
  utf8Length = 0;
  /** The form of the text that was appended last, and how many characters, units or bytes it takes of its block. */
  form: Form = Form.LATIN;
  size = 0;

  /**
   * @param most the most bytes of a message
   * @param tooLong throws the error of a message of so many bytes or more
   */
  constructor(private readonly most: number, private readonly tooLong: (length: number) => never) {}

  /** Bytes of the wide block. */
  get wideLength(): number {
    return 2 * this.wideUnits;
  }

  /** Bytes of all blocks. */
  get length(): number {
    return this.latinLength + this.wideLength + this.utf8Length;
  }

  /** The wide block; a view. */
  get wide(): Uint8Array {
    return this.bytes.subarray(0, 2 * this.wideUnits);
  }

  /** The UTF-8 block; a view. */
  get utf8(): Uint8Array {
    return this.utf8Bytes.subarray(0, this.utf8Length);
  }

  /** Whether a text that is not Latin-1 has been appended. */
  get hasOthers(): boolean {
    return this.wideUnits + this.utf8Length > 0;
  }

  /**
   * Appends a text that may have a number; returns its {@link hashWhole}, and leaves its form in {@link form} and {@link size}.
   * Bails out on a lone surrogate.
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
    if (all > 0xff) {
      this.appendOther(text, length);
    } else {
      this.form = Form.LATIN;
      this.size = length;
      this.latinLength = at + length;
    }
    return finished(hash, seed);
  }

  private appendOther(text: string, length: number): void {
    const at = this.wideUnits;
    if (at + length > this.units.length) this.growWide(length);
    const { units } = this;
    let surrogates = 0;
    let more = 0;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      units[at + i] = unit;
      if (unit >= THREE_BYTES) {
        more += 2;
        if ((unit & 0xf800) === 0xd800) surrogates++;
      } else if (unit >= TWO_BYTES) {
        more++;
      }
    }
    if (surrogates > 0 && !isWellFormed(text)) bailOut();
    // A pair of surrogates takes four bytes, not six.
    this.choose(text, length, more - surrogates);
  }

  /** Ends a text whose units stand behind the wide block, and which takes so many bytes more in UTF-8 than it has units. */
  private choose(text: string, length: number, more: number): void {
    if (more >= length) {
      this.form = Form.WIDE;
      this.size = length;
      this.wideUnits += length;
      return;
    }
    const size = length + more;
    if (this.utf8Length + size > this.utf8Bytes.length) this.growUtf8(size);
    primitives.writeUtf8(this.utf8Bytes, text, this.utf8Length, size);
    this.form = Form.UTF8;
    this.size = size;
    this.utf8Length += size;
  }

  /** Drops the text that was appended last. */
  dropLast(): void {
    const { form, size } = this;
    if (form === Form.LATIN) this.latinLength -= size;
    else if (form === Form.WIDE) this.wideUnits -= size;
    else this.utf8Length -= size;
  }

  /**
   * Appends a text that is too long for a number, and leaves its form in {@link form} and {@link size}. Bails out on a lone
   * surrogate.
   */
  appendLong(text: string, length: number): void {
    // In no form does it take fewer bytes.
    this.check(length);
    if (!BEYOND_LATIN1.test(text)) {
      if (this.latinLength + length > this.latin.length) this.growLatin(length);
      primitives.writeLatin1(this.latin, text, this.latinLength);
      this.form = Form.LATIN;
      this.size = length;
      this.latinLength += length;
      return;
    }
    if (this.wideUnits + length > this.units.length) this.growWide(length);
    primitives.writeUtf16(this.bytes, text, 2 * this.wideUnits);
    this.choose(text, length, this.moreInUtf8(text, length));
    this.check(0);
  }

  /**
   * How many bytes more a text behind the wide block takes in UTF-8 than it has units; of many only that they are as many as its
   * units. Bails out on a lone surrogate.
   *
   * Two units at once: by a loop over units this would take as long as all the rest.
   */
  private moreInUtf8(text: string, length: number): number {
    const { units, pairs, wideUnits } = this;
    const end = wideUnits + length;
    let more = 0;
    // The bits of units that are surrogates.
    let surrogates = 0;
    const single = (unit: number): void => {
      const surrogate = (unit & 0xf800) === 0xd800;
      if (surrogate) surrogates = 1;
      more += surrogate ? 1 : unit >= THREE_BYTES ? 2 : unit >= TWO_BYTES ? 1 : 0;
    };
    if ((wideUnits & 1) !== 0) single(units[wideUnits]!);
    if ((end & 1) !== 0) single(units[end - 1]!);
    let at = (wideUnits + 1) >> 1;
    const last = end >> 1;
    while (at < last && more < length) {
      const to = Math.min(last, at + COUNTED);
      let sum = 0;
      for (; at < to; at++) {
        const pair = pairs[at]!;
        const lone = beyond(pair ^ SURROGATES, THREE_OFF);
        surrogates |= ~lone & TOPS;
        sum += (beyond(pair, TWO_OFF) >>> 15) + (beyond(pair, THREE_OFF) >>> 15) - ((~lone & TOPS) >>> 15);
      }
      more += (sum & 0xffff) + (sum >>> 16);
    }
    for (; at < last; at++) surrogates |= ~beyond(pairs[at]! ^ SURROGATES, THREE_OFF) & TOPS;
    if (surrogates !== 0 && !isWellFormed(text)) bailOut();
    return more;
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
    const larger = new Uint16Array(Math.max(SMALLEST, least + (least & 1), 2 * this.units.length));
    larger.set(this.units.subarray(0, this.wideUnits));
    this.units = larger;
    this.bytes = new Uint8Array(larger.buffer);
    this.pairs = new Int32Array(larger.buffer);
  }

  private growUtf8(more: number): void {
    this.check(0);
    const least = this.utf8Length + more;
    const larger = new Uint8Array(Math.max(SMALLEST, least, 2 * this.utf8Bytes.length));
    larger.set(this.utf8Bytes.subarray(0, this.utf8Length));
    this.utf8Bytes = larger;
  }

  /**
   * Throws if the blocks with `more` bytes are too long: a text that occurs again and again could make endless ones. A short
   * text is not counted before it is known to be new, and of which form.
   */
  private check(more: number): void {
    const length = this.length + more;
    if (length > this.most) this.tooLong(length);
  }

  /** Drops the texts. Keeps blocks of up to `kept` bytes for the next message. */
  clear(kept: number): void {
    this.latinLength = 0;
    this.wideUnits = 0;
    this.utf8Length = 0;
    if (this.latin.length > kept) this.latin = new Uint8Array(0);
    if (this.bytes.length > kept) {
      this.bytes = new Uint8Array(0);
      this.units = new Uint16Array(0);
      this.pairs = new Int32Array(0);
    }
    if (this.utf8Bytes.length > kept) this.utf8Bytes = new Uint8Array(0);
  }
}
