import { SamewireError } from "../../core/error.js";
import { grown } from "../../core/output.js";
import { isBytes, isDate } from "../../core/realm.js";
import { OBJECT_CELLS } from "../schema/cells.js";
import { overflowsF32 } from "../schema/numeric.js";
import type { Numeric } from "../schema/type.js";
import type { Decimal, TypedArrays } from "../schema/value.js";
import { bailOut } from "./bail-out.js";
import { BIGINT_BYTES } from "./bigint.js";
import { DEDUP_MISSES, TextTable } from "./dedup-table.js";
import { CHECK_BYTES, Header } from "./header.js";
import { primitives } from "./primitives.js";
import { TextBlocks } from "./text-blocks.js";
import { Form, SHORT_LATIN, SHORT_UTF8, SHORT_WIDE, Token, UTF8_TOKENS, WIDE_TOKENS, isNumbered } from "./text-form.js";
import { DATE_MAX, DATE_MIN, SECONDS_MAX, SECONDS_MIN, TIME_MAX } from "./time.js";

/**
 * How messages are written: `compact` looks texts up, packs integers and writes long lists of structs as columns; `fast`
 * does none of these. One decoder reads both.
 */
export type Profile = "compact" | "fast";

/** What a writer needs besides the type. */
export interface WriterOptions {
  readonly fast: boolean;
  /** The bytes behind the header: the 8 of the digest, the 2 of the check, or none. */
  readonly digest: Uint8Array;
  readonly depth: number;
  /** Longest message, in bytes. */
  readonly frameBytes: number;
  readonly items: number;
  /** Without those of the root. */
  readonly cells: number;
  readonly dedupSlots: number;
  /** Whether maps inside an `any` are sorted by their keys. */
  readonly sortKeys: boolean;
}

/** The error of a message of so many bytes or more. */
export function tooLong(length: number, most: number): SamewireError {
  return new SamewireError("limit_size", `the message takes ${length} bytes or more, limits.frameBytes is ${most}: write a record file, or raise it on both sides`, { path: "$" });
}

/** A larger scratch buffer is not kept for the next message. */
const KEPT_BYTES = 4 << 20;
/** Texts of 2 to so many units have a number in each form. */
const SURELY_NUMBERED = 47;
/** The most bytes of a token or of a varint of u32. */
export const TOKEN_BYTES = 6;

/** Text of more characters is moved to the Latin-1 block: a string of more parts than caches hold is slow to write. */
export const PIECE = 1 << 15;
/** Thrown where text was assumed to be Latin-1, and is not. */
export const NOT_LATIN1 = new Error("text beyond Latin-1");

const BEYOND_LATIN1 = /[^\x00-\xff]/;

const NO_BYTES = new Uint8Array(0);
const NO_VIEW = new DataView(NO_BYTES.buffer);
const int64 = new BigInt64Array(1);
const uint64 = new BigUint64Array(int64.buffer);
const halves = new Int32Array(int64.buffer);

/**
 * The state of one encode, and what generated code and closures do not do inline.
 *
 * Values are written at their offset in a message without text. Text is appended to a string: writing the string once
 * is several times faster than writing text by text. The text of a dedup slot is assumed to be Latin-1 until the message
 * ends. If one was not, the message is written again, and each text is checked (`max` is then 0). In the next messages
 * only those of dedup slots that had others are.
 *
 * Methods take the position and return the new one. If a method may move the buffer, its comment says so, and callers
 * must reload `b`.
 */
export class Writer {
  /** The writer's own buffer, kept between messages. */
  scratch: Uint8Array = new Uint8Array(1_024);
  /** The buffer being written to. */
  b: Uint8Array = this.scratch;
  /** The offsets in it of the message and of its values. */
  start = 0;
  values = 0;
  /** The text so far that is, or is assumed to be, Latin-1, behind that in {@link blocks}. */
  t = "";
  /** The text beyond Latin-1, and Latin-1 text that was moved there. */
  readonly blocks: TextBlocks;
  /** The position after a struct: its function in generated code returns the text instead. */
  p = 0;
  /** Of each dedup slot, the length below which texts are assumed to be Latin-1 and written inline: 96, or 0. */
  readonly max: Uint8Array;
  /** The dedup slots that had texts beyond Latin-1, since the last message that had none. */
  private readonly others: Uint8Array;
  /** Whether any dedup slot has a {@link max} of 0. */
  private checking = false;
  /**
   * Elements and cells left of the limits. Charged as by a reader, so that every message written can be read.
   * Generated code counts elements only where a reader's does.
   */
  items = 0;
  cells = 0;
  aligned = false;
  refs = false;
  /** The number of the next numbered text. */
  number = 0;
  /** The consecutive misses of each dedup slot. */
  readonly misses: Uint8Array;
  /**
   * Scratch arrays for numeric rows, one for each element type. An accessor that encodes uses another writer, with its
   * own.
   */
  readonly rows = new Map<Numeric, TypedArrays[Numeric]>();
  private readonly table = new TextTable();
  /** The numbers of shared structs, for each type that is shared. */
  private readonly shared = new Map<string, Map<object, number>>();
  private sharedCount = 0;
  /** The conversions of shared objects of the program's own types, for each such type. */
  readonly converted = new Map<object, Map<unknown, unknown>>();
  readonly maxDepth: number;
  /** The header of a message without text, and how many bytes it takes with the digest or check. */
  private readonly header: number;
  private readonly headBytes: number;
  busy = false;

  constructor(readonly options: WriterOptions) {
    this.misses = new Uint8Array(options.dedupSlots);
    this.others = new Uint8Array(options.dedupSlots);
    this.max = new Uint8Array(options.dedupSlots).fill(SHORT_LATIN + 1);
    this.maxDepth = options.depth;
    const { digest } = options;
    this.blocks = new TextBlocks(options.frameBytes, (length) => {
      throw tooLong(length, options.frameBytes);
    });
    this.header = Header.VERSION | (digest.length === 0 ? 0 : digest.length === CHECK_BYTES ? Header.CHECK : Header.DIGEST);
    this.headBytes = 1 + digest.length;
  }

  /** Begins a message at an offset of a buffer; returns the position of its values. */
  begin(buffer: Uint8Array, start: number): number {
    const { headBytes } = this;
    this.b = buffer;
    this.start = start;
    this.values = start + headBytes;
    this.items = this.options.items;
    this.cells = this.options.cells;
    this.ensure(start, headBytes);
    return this.values;
  }

  /** Drops what was written, with its numbers and misses. */
  forget(): void {
    this.t = "";
    this.blocks.clear(KEPT_BYTES);
    this.aligned = false;
    this.refs = false;
    if (this.number > 0) this.forgetTexts();
    if (this.sharedCount > 0) {
      this.shared.clear();
      this.sharedCount = 0;
    }
    if (this.converted.size > 0) this.converted.clear();
  }

  private forgetTexts(): void {
    const { misses } = this;
    this.number = 0;
    this.table.clear();
    if (misses.length < 32) for (let dedupSlot = 0; dedupSlot < misses.length; dedupSlot++) misses[dedupSlot] = 0;
    else misses.fill(0);
  }

  /** Charges a list, set or map of `count` elements of so many cells. */
  claim(count: number, cells: number): void {
    if ((this.items -= count) < 0 || (this.cells -= OBJECT_CELLS + count * cells) < 0) bailOut();
  }

  /** Charges so many cells. */
  charge(cells: number): void {
    if ((this.cells -= cells) < 0) bailOut();
  }

  /** As {@link ensure}, for bytes that will all be written: throws before it allocates more than a message may have. */
  ensureAll(p: number, size: number): void {
    const length = p - this.start + size;
    if (length > this.options.frameBytes) throw tooLong(length, this.options.frameBytes);
    this.ensure(p, size);
  }

  /** Ensures that the buffer has `more` bytes after `p`. May move the buffer. */
  ensure(p: number, more: number): void {
    if (p + more > this.b.length) this.grow(p, more);
  }

  /**
   * Throws if the message is too long already: a value whose parts occur again and again could make an endless message.
   */
  private grow(p: number, more: number): void {
    const length = p - this.start + this.t.length + this.blocks.length;
    if (length > this.options.frameBytes) throw tooLong(length, this.options.frameBytes);
    this.b = grown(this.b, p, p + more);
  }

  /**
   * Ends a message, complete or not.
   *
   * @param own whether the buffer is the writer's own, which is kept for the next message unless it is large
   */
  end(own: boolean): void {
    if (this.b.length > KEPT_BYTES) {
      this.b = this.scratch;
      this.seen = NO_BYTES;
      this.seenView = NO_VIEW;
    } else if (own) {
      this.scratch = this.b;
    }
    this.forget();
    this.busy = false;
  }

  /**
   * The buffer that was last seen as a view, and the view. Comparing the offsets of both takes longer than storing a
   * number.
   */
  private seen = this.b;
  private seenLength = this.b.length;
  private seenView = new DataView(this.b.buffer);

  /** The buffer as a view. */
  view(): DataView {
    const { b } = this;
    // The length of an array over a resizable buffer changes.
    if (this.seen !== b || this.seenLength !== b.length) {
      this.seen = b;
      this.seenLength = b.length;
      this.seenView = new DataView(b.buffer, b.byteOffset, b.byteLength);
    }
    return this.seenView;
  }

  varint(p: number, value: number): number {
    return writeVarint(this.b, p, value);
  }

  u8(p: number, value: number): number {
    if ((value & 0xff) !== value) bailOut();
    this.b[p] = value;
    return p + 1;
  }

  i8(p: number, value: number): number {
    if ((value << 24) >> 24 !== value) bailOut();
    this.b[p] = value;
    return p + 1;
  }

  u16(p: number, value: number): number {
    return (value & 0xffff) === value ? this.varint(p, value) : bailOut();
  }

  u32(p: number, value: number): number {
    return value >>> 0 === value ? this.varint(p, value) : bailOut();
  }

  i16(p: number, value: number): number {
    return (value << 16) >> 16 === value ? this.varint(p, ((value << 1) ^ (value >> 31)) >>> 0) : bailOut();
  }

  i32(p: number, value: number): number {
    return (value | 0) === value ? this.varint(p, ((value << 1) ^ (value >> 31)) >>> 0) : bailOut();
  }

  u64(p: number, value: bigint): number {
    if (typeof value !== "bigint") bailOut();
    uint64[0] = value;
    if (uint64[0] !== value) bailOut();
    return this.halves(p, halves[0]!, halves[1]!);
  }

  i64(p: number, value: bigint): number {
    if (typeof value !== "bigint") bailOut();
    int64[0] = value;
    if (int64[0] !== value) bailOut();
    return this.zigzag64(p, halves[0]!, halves[1]!);
  }

  /** A varint of the zigzag form of two halves. */
  zigzag64(p: number, low: number, high: number): number {
    const sign = high >> 31;
    return this.halves(p, (low << 1) ^ sign, ((high << 1) | (low >>> 31)) ^ sign);
  }

  /** A varint of two halves. */
  halves(p: number, low: number, high: number): number {
    if (high === 0) return this.varint(p, low >>> 0);
    const { b } = this;
    while (high !== 0) {
      b[p++] = (low & 127) | 128;
      low = (low >>> 7) | (high << 25);
      high >>>= 7;
    }
    return this.varint(p, low >>> 0);
  }

  f64(p: number, value: number): number {
    if (typeof value !== "number") bailOut();
    this.view().setFloat64(p, value, true);
    if (value !== value) this.b.set(NAN64, p);
    return p + 8;
  }

  f32(p: number, value: number): number {
    if (typeof value !== "number" || overflowsF32(value)) bailOut();
    this.view().setFloat32(p, value, true);
    if (value !== value) this.b.set(NAN32, p);
    return p + 4;
  }

  /** May move the buffer. */
  bigint(p: number, value: bigint): number {
    if (typeof value !== "bigint") bailOut();
    int64[0] = value;
    if (int64[0] === value) return this.smallBigint(p, halves[0]!, halves[1]!);
    const negative = value < 0n;
    let hex = (negative ? -value - 1n : value).toString(16);
    if (hex.length % 2 !== 0) hex = `0${hex}`;
    if (hex.charCodeAt(0) > 0x37) hex = `00${hex}`;
    const length = hex.length / 2;
    if (length > BIGINT_BYTES) bailOut();
    this.ensure(p, length + TOKEN_BYTES);
    p = this.varint(p, length);
    const flip = negative ? 0xff : 0;
    for (let i = 0; i < length; i++) this.b[p++] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16) ^ flip;
    return p;
  }

  /** A bigint of 64 bits in two halves. */
  private smallBigint(p: number, low: number, high: number): number {
    this.ensure(p, 9);
    const { b } = this;
    const narrow = high === low >> 31;
    // The bits above the sign that differ from it.
    const bits = narrow ? 33 - Math.clz32(low ^ high) : 65 - Math.clz32(high ^ (high >> 31));
    let length = (low | high) === 0 ? 0 : (bits + 7) >> 3;
    b[p++] = length;
    for (; length > 4; length--) b[p++] = high >> (8 * (length - 5));
    while (length > 0) b[p++] = low >> (8 * --length);
    return p;
  }

  /** May move the buffer. */
  decimal(p: number, value: Decimal): number {
    if (typeof value !== "object" || (value as Decimal | null) === null) bailOut();
    const { unscaled, scale } = value;
    this.ensure(p, TOKEN_BYTES);
    return this.bigint(this.i32(p, scale), unscaled);
  }

  /** May move the buffer. */
  bytes(p: number, value: Uint8Array): number {
    if (!isBytes(value)) bailOut();
    const { length } = value;
    this.ensureAll(p, length);
    this.ensure(p, length + TOKEN_BYTES);
    p = this.varint(p, length);
    if (length < 32) for (let i = 0; i < length; i++) this.b[p + i] = value[i]!;
    else this.b.set(value, p);
    return p + length;
  }

  uuid(p: number, value: string): number {
    if (typeof value !== "string" || value.length !== 36) bailOut();
    const { b } = this;
    // No branch on digit or letter: it would be mispredicted every other time.
    let all = 0;
    let units = 0;
    for (let i = 0; i < 36; i += 2) {
      if (i === 8 || i === 13 || i === 18 || i === 23) if (value.charCodeAt(i++) !== 0x2d) bailOut();
      const first = value.charCodeAt(i);
      const second = value.charCodeAt(i + 1);
      const byte = (NIBBLES[first & 0xff]! << 4) | NIBBLES[second & 0xff]!;
      units |= first | second;
      all |= byte;
      b[p++] = byte;
    }
    if (all > 0xff || units > 0xff) bailOut();
    return p;
  }

  date(p: number, value: number): number {
    return value >= DATE_MIN && value <= DATE_MAX ? this.i32(p, value) : bailOut();
  }

  time(p: number, value: number): number {
    if (!(Number.isInteger(value) && value >= 0 && value <= TIME_MAX)) bailOut();
    return this.halves(p, value >>> 0, Math.floor(value / 0x1_0000_0000));
  }

  timestamp(p: number, value: bigint): number {
    if (typeof value !== "bigint") bailOut();
    let seconds = value / BILLION;
    let fraction = Number(value % BILLION);
    if (fraction < 0) {
      fraction += 1e9;
      seconds -= 1n;
    }
    return this.instant(p, Number(seconds), fraction);
  }

  jsDate(p: number, value: Date): number {
    if (!isDate(value)) bailOut();
    const milliseconds = value.getTime();
    const seconds = Math.floor(milliseconds / 1_000);
    return this.instant(p, seconds, (milliseconds - 1_000 * seconds) * 1_000_000);
  }

  /** Seconds within the years 1 to 9999 and nanoseconds. */
  private instant(p: number, seconds: number, fraction: number): number {
    if (!(seconds >= SECONDS_MIN && seconds <= SECONDS_MAX)) bailOut();
    return this.fraction(this.zigzag64(p, seconds | 0, Math.floor(seconds / 0x1_0000_0000)), fraction);
  }

  duration(p: number, value: bigint): number {
    if (typeof value !== "bigint") bailOut();
    let seconds = value / BILLION;
    let fraction = Number(value % BILLION);
    if (fraction < 0) {
      fraction += 1e9;
      seconds -= 1n;
    }
    return this.fraction(this.i64(p, seconds), fraction);
  }

  /** Nanoseconds of a second in the coarsest exact unit. */
  private fraction(p: number, nanoseconds: number): number {
    if (nanoseconds === 0) return this.varint(p, 0);
    if (nanoseconds % 1_000 !== 0) return this.varint(p, (nanoseconds << 2) >>> 0);
    if (nanoseconds % 1_000_000 !== 0) return this.varint(p, ((nanoseconds / 1_000) << 2) | 1);
    return this.varint(p, ((nanoseconds / 1_000_000) << 2) | 2);
  }

  bool(p: number, value: boolean): number {
    if (typeof value !== "boolean") bailOut();
    this.b[p] = value ? 1 : 0;
    return p + 1;
  }

  /**
   * For an enabled dedup slot: returns the number of an equal earlier text, or −1 if the text must be written as new.
   * The text has at least 2 characters and a token of one byte.
   */
  find(text: string, length: number, dedupSlot: number): number {
    return this.numbered(this.table.find(text, length, this.number), dedupSlot);
  }

  /** Counts the hit or the miss; returns `found`. */
  private numbered(found: number, dedupSlot: number): number {
    if (found < 0) {
      this.misses[dedupSlot]!++;
      this.number++;
    } else {
      this.misses[dedupSlot] = 0;
      this.refs = true;
    }
    return found;
  }

  /** A back reference. */
  reference(p: number, number: number): number {
    const { b } = this;
    if (number < 96) {
      b[p] = 0x80 + number;
      return p + 1;
    }
    if (number < 8_288) {
      b[p] = 0xe0 + ((number - 96) >> 8);
      b[p + 1] = number - 96;
      return p + 2;
    }
    b[p] = Token.FAR;
    return this.varint(p + 1, number - 8_288);
  }

  /** Writes a text: its token, and its characters if it is new. In `fast`, `dedupSlot` is ignored. */
  text(p: number, text: string, dedupSlot: number): number {
    if (typeof text !== "string") bailOut();
    const { length } = text;
    if (this.max[dedupSlot] === 0) {
      const end = this.checked(p, text, length, dedupSlot);
      return end < 0 ? this.newLatin(p, text, length) : end;
    }
    const short = length <= SHORT_LATIN;
    if (short && length > 1 && !this.options.fast) {
      const enabled = this.misses[dedupSlot]! < DEDUP_MISSES;
      const number = enabled ? this.find(text, length, dedupSlot) : -1;
      if (number >= 0) return this.reference(p, number);
      if (!enabled) this.number++;
    }
    return this.newLatin(p, text, length);
  }

  private newLatin(p: number, text: string, length: number): number {
    this.t += text;
    if (this.t.length > PIECE) this.t = this.moveText(this.t);
    return this.latinToken(p, length);
  }

  /** The token of a new Latin-1 text. */
  latinToken(p: number, length: number): number {
    if (length <= SHORT_LATIN) {
      this.b[p] = length;
      return p + 1;
    }
    this.b[p] = Token.LONG_LATIN;
    return this.varint(p + 1, length - (SHORT_LATIN + 1));
  }

  /**
   * Writes a text of a dedup slot that may have some beyond Latin-1, unless it is new and Latin-1: then it returns −1, and
   * the caller adds it to the text.
   */
  checked(p: number, text: string, length: number, dedupSlot: number): number {
    const { blocks } = this;
    const looked = !this.options.fast && this.misses[dedupSlot]! < DEDUP_MISSES;
    // Of these lengths every text has a number, whatever its form: one that is found need not be read.
    const early = looked && length > 1 && length <= SURELY_NUMBERED;
    if (early) {
      const number = this.find(text, length, dedupSlot);
      if (number >= 0) return this.reference(p, number);
    }
    const form = blocks.append(text, length);
    const { size } = blocks;
    if (!early && !this.options.fast && isNumbered(form, size)) {
      if (looked) {
        const number = this.find(text, length, dedupSlot);
        if (number >= 0) {
          blocks.dropLast();
          return this.reference(p, number);
        }
      } else {
        this.number++;
      }
    }
    if (form === Form.LATIN) return -1;
    this.others[dedupSlot] = 1;
    return this.newOther(p, form, size);
  }

  /** The token of a new text beyond Latin-1, of so many units or bytes. */
  private newOther(p: number, form: Form, size: number): number {
    const { b } = this;
    if (form === Form.WIDE) {
      if (size > SHORT_WIDE) {
        b[p] = Token.LONG_WIDE;
        return this.varint(p + 1, size - SHORT_WIDE - 1);
      }
      b[p] = WIDE_TOKENS + size;
    } else {
      if (size > SHORT_UTF8) {
        b[p] = Token.LONG_UTF8;
        return this.varint(p + 1, size - SHORT_UTF8 - 1);
      }
      b[p] = UTF8_TOKENS + size;
    }
    return p + 1;
  }

  /** Writes padding until the offset in the message is a multiple of 8, and sets ALIGNED. May move the buffer. */
  align(p: number): number {
    this.aligned = true;
    this.ensure(p, 8);
    while (((p - this.values + 1) & 7) !== 0) this.b[p++] = 0;
    return p;
  }

  /** Returns the number of a shared struct plus one, or 0 if it has not been written. */
  referTo(value: object, name: string): number {
    const number = this.shared.get(name)?.get(value);
    return number === undefined ? 0 : number + 1;
  }

  /** Numbers a struct that has just been written. */
  share(value: object, name: string): void {
    let numbers = this.shared.get(name);
    if (numbers === undefined) this.shared.set(name, (numbers = new Map<object, number>()));
    numbers.set(value, this.sharedCount++);
  }

  /** Moves text that is assumed to be Latin-1 to its block; returns the text that is left: none. */
  moveText(t: string): string {
    if (!isLatin1(t)) throw NOT_LATIN1;
    this.blocks.appendLatin(t);
    return "";
  }

  /** Whether all text was Latin-1 that was assumed to be. */
  wasLatin1(): boolean {
    return this.t === "" || isLatin1(this.t);
  }

  /** From now on each text is checked. */
  checkAll(): void {
    this.checking = true;
    this.max.fill(0);
  }

  /** Ends a message that was written: the next ones are checked in the dedup slots that had texts beyond Latin-1. */
  learn(): void {
    if (!this.checking) return;
    const { max, others } = this;
    this.checking = this.blocks.hasOthers;
    if (!this.checking) others.fill(0);
    for (let dedupSlot = 0; dedupSlot < max.length; dedupSlot++) max[dedupSlot] = others[dedupSlot] === 1 ? 0 : SHORT_LATIN + 1;
  }

  /** The offset of the values in the message. */
  valuesAt(): number {
    let at = this.headBytes;
    const latin = this.latinLength();
    const { wideUnits, utf8Length } = this.blocks;
    if (latin > 0) at += varintBytes(latin) + latin;
    if (wideUnits > 0) at += varintBytes(wideUnits) + 2 * wideUnits;
    if (utf8Length > 0) at += varintBytes(utf8Length) + utf8Length;
    return this.aligned ? at + ((1 - at) & 7) : at;
  }

  private latinLength(): number {
    return this.t.length + this.blocks.latinLength;
  }

  /** Writes header, digest or check, and lengths at `p`; returns the position after them. */
  head(buffer: Uint8Array, p: number): number {
    const latin = this.latinLength();
    const { wideUnits, utf8Length } = this.blocks;
    buffer[p++] =
      this.header |
      (latin === 0 ? 0 : Header.TEXT) |
      (wideUnits === 0 ? 0 : Header.WIDE) |
      (utf8Length === 0 ? 0 : Header.UTF8) |
      (this.refs ? Header.REFS : 0) |
      (this.aligned ? Header.ALIGNED : 0);
    const { digest } = this.options;
    for (let i = 0; i < digest.length; i++) buffer[p++] = digest[i]!;
    if (latin > 0) p = writeVarint(buffer, p, latin);
    if (wideUnits > 0) p = writeVarint(buffer, p, wideUnits);
    if (utf8Length > 0) p = writeVarint(buffer, p, utf8Length);
    return p;
  }

  /** Writes the `at` bytes before the values, at `start`. */
  front(buffer: Uint8Array, start: number, at: number): void {
    const { t, blocks } = this;
    let p = this.head(buffer, start);
    if (blocks.latinLength > 0) {
      buffer.set(blocks.latin.subarray(0, blocks.latinLength), p);
      p += blocks.latinLength;
    }
    if (t !== "") {
      primitives.writeLatin1(buffer, t, p);
      p += t.length;
    }
    if (blocks.wideUnits > 0) {
      buffer.set(blocks.wide, p);
      p += blocks.wideLength;
    }
    if (blocks.utf8Length > 0) {
      buffer.set(blocks.utf8, p);
      p += blocks.utf8Length;
    }
    while (p < start + at) buffer[p++] = 0;
  }
}

/** Reading a character flattens the string. The pattern would do so too, but slower. */
function isLatin1(text: string): boolean {
  return text.charCodeAt(0) < 0x100 && !BEYOND_LATIN1.test(text);
}

const BILLION = 1_000_000_000n;
const NAN64 = Uint8Array.of(0, 0, 0, 0, 0, 0, 0xf8, 0x7f);
const NAN32 = Uint8Array.of(0, 0, 0xc0, 0x7f);

function writeVarint(b: Uint8Array, p: number, value: number): number {
  while (value > 127) {
    b[p++] = (value & 127) | 128;
    value >>>= 7;
  }
  b[p++] = value;
  return p;
}

function varintBytes(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
}

/** The values of hexadecimal digits by their characters; of others more than a byte holds, wherever it stands in one. */
const NIBBLES = new Uint16Array(256).fill(0x100);
for (let digit = 0; digit < 16; digit++) {
  const text = digit.toString(16);
  NIBBLES[text.charCodeAt(0)] = digit;
  NIBBLES[text.toUpperCase().charCodeAt(0)] = digit;
}
