import { isWellFormed } from "../schema/name.js";
import { bailOut } from "./bail-out.js";
import { primitives } from "./primitives.js";
import { Form, SHORT_LATIN } from "./text-form.js";

const BEYOND_LATIN1 = /[^\x00-\xff]/;
const SMALLEST = 1_024;
/** The most bytes of UTF-8 for a unit. */
const MOST_UTF8 = 3;
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

/** The text blocks of a message: texts beyond Latin-1, and Latin-1 text that is written already. */
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
  private form: Form = Form.LATIN;
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
   * Appends a text unless it is Latin-1; returns its form, and leaves in {@link size} how much it takes of its block.
   * Bails out on a lone surrogate.
   *
   * One loop writes it to both blocks: a branch at the end of each of several loops would be mispredicted.
   */
  append(text: string, length: number): Form {
    if (length > SHORT_LATIN) return this.appendLong(text, length);
    const { wideUnits, utf8Length } = this;
    if (wideUnits + length > this.units.length) this.growWide(length);
    if (utf8Length + MOST_UTF8 * length > this.utf8Bytes.length) this.growUtf8(MOST_UTF8 * length);
    const { units, utf8Bytes } = this;
    let all = 0;
    let at = utf8Length;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      all |= unit;
      units[wideUnits + i] = unit;
      if (unit < TWO_BYTES) {
        utf8Bytes[at++] = unit;
      } else if (unit < THREE_BYTES) {
        utf8Bytes[at++] = 0xc0 | (unit >> 6);
        utf8Bytes[at++] = 0x80 | (unit & 63);
      } else if ((unit & 0xf800) !== 0xd800) {
        utf8Bytes[at++] = 0xe0 | (unit >> 12);
        utf8Bytes[at++] = 0x80 | ((unit >> 6) & 63);
        utf8Bytes[at++] = 0x80 | (unit & 63);
      } else {
        // Not a number at the end of the text, which is no low surrogate either.
        const low = text.charCodeAt(++i);
        if (unit > 0xdbff || (low & 0xfc00) !== 0xdc00) bailOut();
        units[wideUnits + i] = low;
        const point = 0x1_0000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
        utf8Bytes[at++] = 0xf0 | (point >> 18);
        utf8Bytes[at++] = 0x80 | ((point >> 12) & 63);
        utf8Bytes[at++] = 0x80 | ((point >> 6) & 63);
        utf8Bytes[at++] = 0x80 | (point & 63);
      }
    }
    if (all <= 0xff) return this.ended(Form.LATIN, length);
    const size = at - utf8Length;
    return size < 2 * length ? this.ended(Form.UTF8, size) : this.ended(Form.WIDE, length);
  }

  /** Ends a text that stands in its block, but for Latin-1, and takes so much of it. */
  private ended(form: Form, size: number): Form {
    this.form = form;
    this.size = size;
    if (form === Form.WIDE) this.wideUnits += size;
    else if (form === Form.UTF8) this.utf8Length += size;
    return form;
  }

  /** Appends text that is Latin-1. */
  appendLatin(text: string): void {
    const { length } = text;
    if (this.latinLength + length > this.latin.length) this.growLatin(length);
    primitives.writeLatin1(this.latin, text, this.latinLength);
    this.latinLength += length;
  }

  /** Drops the text that was appended last. */
  dropLast(): void {
    const { form, size } = this;
    if (form === Form.WIDE) this.wideUnits -= size;
    else if (form === Form.UTF8) this.utf8Length -= size;
  }

  /** As {@link append}, of a text that is too long for a number, by calls of the engine. */
  private appendLong(text: string, length: number): Form {
    if (!BEYOND_LATIN1.test(text)) return this.ended(Form.LATIN, length);
    // In no form does it take fewer bytes.
    this.check(length);
    if (this.wideUnits + length > this.units.length) this.growWide(length);
    primitives.writeUtf16(this.bytes, text, 2 * this.wideUnits);
    const more = this.moreInUtf8(text, length);
    if (more >= length) {
      this.ended(Form.WIDE, length);
    } else {
      const size = length + more;
      if (this.utf8Length + size > this.utf8Bytes.length) this.growUtf8(size);
      primitives.writeUtf8(this.utf8Bytes, text, this.utf8Length, size);
      this.ended(Form.UTF8, size);
    }
    this.check(0);
    return this.form;
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
