import { SamewireError } from "../../core/error.js";
import { grown } from "../../core/output.js";
import { BITS, isFloat, isSigned } from "../schema/numeric.js";
import type { Numeric } from "../schema/type.js";
import { zigzag } from "./block-width.js";
import { DEDUP_MISSES } from "./dedup-table.js";
import { CHECK_BYTES, Header } from "./header.js";
import { Form, SHORT_LATIN, SHORT_UTF8, SHORT_WIDE, Token, UTF8_TOKENS, WIDE_TOKENS, isNumbered } from "./text-form.js";
import { ARRAYS, isTyped } from "./typed-arrays.js";
import type { WriterOptions } from "./writer.js";

/** Numbers from here on are written as bigints: a double no longer holds twice as many. */
const LARGE = 2n ** 52n;
const BILLION = 1_000_000_000n;

/**
 * The bytes of one message, written simply: for the small codec, whose values are known to fit. `Writer` writes the
 * same bytes many times faster.
 */
export class MessageBytes {
  private b: Uint8Array = new Uint8Array(256);
  private p = 0;
  private latin = "";
  private wide = "";
  private utf8 = "";
  private aligned = false;
  private refs = false;
  /** The number of the next numbered text, and those of the texts that are looked up. */
  private nextText = 0;
  private readonly texts = new Map<string, number>();
  private readonly misses: number[] = [];

  constructor(readonly options: Pick<WriterOptions, "fast" | "digest" | "frameBytes">) {}

  /** How many bytes of values there are. */
  get length(): number {
    return this.p;
  }

  /** Drops what was written after so many bytes of values. */
  cut(length: number): void {
    this.p = length;
  }

  private ensure(more: number): void {
    if (this.p + more > this.options.frameBytes) throw tooLong(this.p + more, this.options.frameBytes);
    if (this.p + more > this.b.length) this.b = grown(this.b, this.p, this.p + more);
  }

  byte(value: number): void {
    this.ensure(1);
    this.b[this.p++] = value;
  }

  bytes(bytes: Uint8Array): void {
    this.ensure(bytes.length);
    this.b.set(bytes, this.p);
    this.p += bytes.length;
  }

  /** Bits, the first one lowest in the first byte. */
  bits(bits: readonly boolean[]): void {
    for (let i = 0; i < bits.length; i += 8) this.byte(bits.slice(i, i + 8).reduce((byte, bit, k) => byte | (Number(bit) << k), 0));
  }

  varint(value: number | bigint): void {
    let rest = value;
    if (typeof rest === "bigint") {
      for (; rest >= LARGE; rest >>= 7n) this.byte(Number(rest & 127n) | 128);
      rest = Number(rest);
    }
    for (; rest > 127; rest = Math.floor(rest / 128)) this.byte((rest % 128) | 128);
    this.byte(rest);
  }

  /** A number in a slot. */
  number(kind: Numeric, value: number | bigint): void {
    // NaNs in a slot are all written as one.
    if (isFloat(kind)) this.raw(kind, [value !== value ? NaN : value] as number[]);
    else if (BITS[kind] === 8) this.byte(Number(value) & 255);
    else this.varint(isSigned(kind) ? zigzag(value) : value);
  }

  /** Writes padding until the offset in the message is a multiple of 8. */
  align(): void {
    this.aligned = true;
    // Values begin at 1 modulo 8.
    while (this.p % 8 !== 7) this.byte(0);
  }

  /** Numbers in the width of their type. */
  raw(kind: Numeric, values: ArrayLike<number | bigint>): void {
    this.ensure((values.length * BITS[kind]) / 8);
    // Of typed arrays the bits of NaNs stay.
    const array = isTyped(kind, values) ? values : (ARRAYS[kind] as unknown as { from(values: ArrayLike<number | bigint>): Float64Array }).from(values);
    this.bytes(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  }

  bigint(value: bigint): void {
    // Half a byte more than the digits, for the sign.
    const negative = value < 0n;
    let hex = (negative ? -value - 1n : value).toString(16);
    if (hex.length % 2 === 1) hex = `0${hex}`;
    else if (hex > "8") hex = `00${hex}`;
    const length = value === 0n ? 0 : hex.length / 2;
    this.varint(length);
    for (let i = 0; i < length; i++) this.byte(Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16) ^ (negative ? 255 : 0));
  }

  uuid(text: string): void {
    for (const byte of text.match(/[0-9a-f]{2}/gi) ?? []) this.byte(Number.parseInt(byte, 16));
  }

  /** A timestamp or duration of so many nanoseconds. */
  instant(nanoseconds: bigint): void {
    const rest = ((nanoseconds % BILLION) + BILLION) % BILLION;
    this.number("i64", (nanoseconds - rest) / BILLION);
    const fraction = Number(rest);
    const unit = fraction % 1_000 !== 0 ? 0 : fraction % 1_000_000 !== 0 ? 1 : 2;
    this.varint(fraction === 0 ? 0 : (fraction / 1_000 ** unit) * 4 + unit);
  }

  /** A token, and the characters of a text that is new (section 6). */
  text(text: string, dedupSlot: number): void {
    const utf8 = /[^\x00-\xff]/.test(text) ? new TextEncoder().encode(text).length : 0;
    const form = utf8 === 0 ? Form.LATIN : utf8 < 2 * text.length ? Form.UTF8 : Form.WIDE;
    const size = form === Form.UTF8 ? utf8 : text.length;
    if (isNumbered(form, size)) {
      const misses = this.misses[dedupSlot] ?? 0;
      if (!this.options.fast && misses < DEDUP_MISSES) {
        const found = this.texts.get(text);
        this.misses[dedupSlot] = found === undefined ? misses + 1 : 0;
        if (found !== undefined) {
          this.reference(found);
          return;
        }
        this.texts.set(text, this.nextText);
      }
      this.nextText++;
    }
    if (form === Form.LATIN) {
      this.latin += text;
      this.token(0, size, SHORT_LATIN, Token.LONG_LATIN);
    } else if (form === Form.WIDE) {
      this.wide += text;
      this.token(WIDE_TOKENS, size, SHORT_WIDE, Token.LONG_WIDE);
    } else {
      this.utf8 += text;
      this.token(UTF8_TOKENS, size, SHORT_UTF8, Token.LONG_UTF8);
    }
  }

  private token(first: number, size: number, short: number, long: number): void {
    this.byte(size > short ? long : first + size);
    if (size > short) this.varint(size - short - 1);
  }

  private reference(number: number): void {
    this.refs = true;
    if (number < 96) this.byte(Token.NEAR + number);
    else if (number < 8_288) {
      this.byte(Token.REFERENCE + ((number - 96) >> 8));
      this.byte((number - 96) & 255);
    } else {
      this.byte(Token.FAR);
      this.varint(number - 8_288);
    }
  }

  /** The whole message. */
  message(): Uint8Array {
    const values = this.b.subarray(0, this.p);
    const { latin, wide, utf8, options } = this;
    const blocks = [Uint8Array.from(latin, (character) => character.charCodeAt(0)), unitsOf(wide), new TextEncoder().encode(utf8)];
    const head = new MessageBytes(options);
    head.byte(
      Header.VERSION |
        (latin === "" ? 0 : Header.TEXT) |
        (wide === "" ? 0 : Header.WIDE) |
        (utf8 === "" ? 0 : Header.UTF8) |
        (this.refs ? Header.REFS : 0) |
        (this.aligned ? Header.ALIGNED : 0) |
        (options.digest.length === 0 ? 0 : options.digest.length === CHECK_BYTES ? Header.CHECK : Header.DIGEST),
    );
    head.bytes(options.digest);
    for (const length of [latin.length, wide.length, blocks[2]!.length]) if (length > 0) head.varint(length);
    for (const block of blocks) head.bytes(block);
    while (this.aligned && head.p % 8 !== 1) head.byte(0);
    head.bytes(values);
    return head.b.slice(0, head.p);
  }
}

/** The error of a message of so many bytes or more. */
function tooLong(length: number, most: number): SamewireError {
  return new SamewireError("limit_size", `the message takes ${length} bytes or more, limits.frameBytes is ${most}: write a record file, or raise it on both sides`, { path: "$" });
}

/** UTF-16LE. */
function unitsOf(text: string): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[2 * i] = text.charCodeAt(i);
    bytes[2 * i + 1] = text.charCodeAt(i) >> 8;
  }
  return bytes;
}
