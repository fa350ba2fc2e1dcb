import type { Limits } from "../../core/limits.js";
import { CONVERSION_CELLS, FREE_CELLS, OBJECT_CELLS } from "../schema/cells.js";
import { Decimal } from "../schema/value.js";
import { bailOut } from "./bail-out.js";
import { BIGINT_BYTES } from "./bigint.js";
import { MOST_UNITS } from "./engine.js";
import { CHECK_BYTES, Header } from "./header.js";
import { primitives } from "./primitives.js";
import { Form, SHORT_LATIN, SHORT_UTF8, SHORT_WIDE, Token, UTF8_TOKENS, WIDE_TOKENS, isNumbered } from "./text-form.js";
import { MOST_LOOPED, decodeBlock } from "./utf8-block.js";
import { DATE_MAX, DATE_MIN, SECONDS_MAX, SECONDS_MIN, TIME_MAX } from "./time.js";

/** What a reader needs besides the plan. */
export interface ReaderOptions {
  readonly limits: Limits;
  /** Cells that are charged for the root before it is read; at most the limit. */
  readonly rootCells: number;
  /** The digest that a message may carry, or the check at its start. */
  readonly digest: Uint8Array;
  /** Copy texts instead of slicing the block, see {@link CodecOptions.detach}. */
  readonly detach: boolean;
  /** Return views of the message where they are aligned. */
  readonly views: boolean;
  /** Truncate an instant to the milliseconds of a `Date`, instead of refusing it. */
  readonly truncateTimes: boolean;
  /** Read maps of texts inside an `any` as plain objects. */
  readonly objects: boolean;
}

const EMPTY = new Uint8Array(0);
const NONE_GIVEN: string[] = [];
const MOST_EXPECTED = 1_024;
/** One array of numbered texts is used for so many messages. */
const SERVED = 64;
const NO_UNITS = new Uint16Array(0);
const NO_VIEW = new DataView(EMPTY.buffer);
/**
 * Longer Latin-1 blocks are decoded in pieces. V8 allocates a string of over 128 KiB in a mapping of its own: for one
 * of 165 KB that takes a third of the time of decoding 10,000 texts.
 */
const LARGE = 100_000;
/** Characters of a piece; a longer text makes a longer piece. */
const PIECE = 1 << 15;
/** From so many bytes on, characters are counted four bytes at a time. */
const FOUR_AT_ONCE = 48;
/** V8 makes slices of this length and more without copying. */
const CUT = 13;

const float64 = new Float64Array(1);
const float32 = new Float32Array(1);
/** What is left of a message that is read without a view, in bytes. */
const FEW_BYTES = 256;
const bits8 = new Uint8Array(float64.buffer);
const bits8single = new Uint8Array(float32.buffer);
const int64 = new BigInt64Array(1);
const uint64 = new BigUint64Array(int64.buffer);
const halves = new Uint32Array(int64.buffer);

/** The bigint of two halves, signed. */
export function signed64(low: number, high: number): bigint {
  halves[0] = low;
  halves[1] = high;
  return int64[0]!;
}

/** The bigint of two halves, unsigned. */
export function unsigned64(low: number, high: number): bigint {
  halves[0] = low;
  halves[1] = high;
  return uint64[0]!;
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
/** The two digits of each byte, the first one in the lower half. */
const DIGITS = Uint16Array.from(HEX, (digits) => digits.charCodeAt(0) | (digits.charCodeAt(1) << 8));
const UUID_UNITS = 36;
/** Where the digits of each byte of a UUID stand in its text. */
const DIGITS_AT = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
/** A UUID is assembled here: concatenated parts would stay alive, 700 bytes for 36 characters. */
const uuidText = new Uint8Array(UUID_UNITS).fill(0x2d);

/** The position of a shared struct that was skipped, in case a later ref names it. */
class Skipped {
  constructor(
    readonly p: number,
    readonly text: string,
    readonly textAt: number,
    readonly tp: number,
    readonly wp: number,
    readonly up: number,
    readonly utf8At: number,
    /** How many structs had been shared before it. */
    readonly before: number,
  ) {}
}

/**
 * The state of one decode, and what generated code and closures do not do inline.
 *
 * The reader does not find errors, it only bails out ({@link bailOut}); the walker then finds the exact error. Past the
 * end it reads `undefined`, and a position past the end is checked when the message ends. Invariants: it accepts
 * nothing that the walker refuses, and a false count makes it neither allocate nor loop for more values than the
 * remaining bytes can hold.
 */
export class Reader {
  /** The message. */
  b: Uint8Array = EMPTY;
  /** A view of the same bytes, made on first use. */
  private seen: DataView = NO_VIEW;
  /** The next byte. */
  p = 0;
  end = 0;
  /** The Latin-1 block, or its current piece, and the next character in it. */
  text = "";
  tp = 0;
  /** The wide block and the next unit in it. */
  wide = "";
  wp = 0;
  /** The text of the UTF-8 block, the next unit in it, and the offset in the message of the byte where that begins. */
  private utf8 = "";
  private up = 0;
  private utf8At = 0;
  /** The offsets where the block begins and ends; both are 0 in a message without one. */
  private utf8Start = 0;
  private utf8End = 0;
  /** How many units stand before each character of a block that {@link decodeBlock} has decoded, by its offset in it. */
  private unitsBefore = NO_UNITS;
  /** Whether back references occur; only then texts are numbered. */
  refs = false;
  aligned = false;
  /** The texts numbered so far, if `refs`. */
  given: string[] = NONE_GIVEN;
  /** How many they are. */
  n = 0;
  /** How many there were in the last message: the capacity of the next array. */
  private expected = 0;
  /** For how many more messages `given` is used. */
  private turns = 0;
  /** The structs shared so far, and the name of each. */
  readonly shared: unknown[] = [];
  readonly sharedNames: string[] = [];
  /** How many they are; fewer than the names while a struct is read again. */
  private sharedCount = 0;
  /** The program's own objects that were made of shared structs, for each of its types. */
  readonly converted = new Map<object, Map<unknown, unknown>>();
  /** Elements that may still come. */
  items = 0;
  /** Cells of memory that values may still take. */
  cells = 0;
  /**
   * Cells that the program's own types may take beside {@link cells}. They are counted separately: a reader that only
   * checks bytes makes none.
   */
  free = 0;
  /**
   * Bytes that no row has claimed yet. The fewest bytes that a row takes (section 12) belong to no other row around it,
   * inside it or beside it. So the rows of a valid message claim at most all bytes, and false counts inside one another
   * do not add up.
   */
  unclaimed = 0;
  readonly maxDepth: number;
  private readonly maxBytes: number;
  private readonly maxItems: number;
  private readonly maxCells: number;
  /**
   * Generated code slices texts below this length from the block: 96, or {@link CUT} to detach longer ones, or 0 for a
   * block in pieces.
   */
  cut: number;
  busy = false;
  /**
   * The offsets in the message where `text` begins and where the Latin-1 block ends. Both are 0 in a message without
   * text.
   */
  private textAt = 0;
  private textEnd = 0;

  constructor(readonly options: ReaderOptions) {
    this.maxDepth = options.limits.depth;
    this.maxBytes = options.limits.frameBytes;
    this.maxItems = options.limits.items;
    this.maxCells = options.limits.cells - options.rootCells;
    this.cut = this.longestCut();
  }

  /** Reads everything before the values. */
  open(bytes: Uint8Array): void {
    const { length } = bytes;
    this.b = bytes;
    this.end = length;
    if (length > this.maxBytes) bailOut();
    this.p = 1;
    this.items = this.maxItems;
    this.cells = this.maxCells;
    this.free = FREE_CELLS;
    this.unclaimed = length;
    const header = bytes[0]!;
    this.refs = false;
    this.aligned = false;
    if (header !== Header.VERSION) this.openMore(header);
  }

  /** Reads what follows a header with any flag. */
  private openMore(header: number): void {
    const { b } = this;
    if ((header & Header.VERSION) === 0) bailOut();
    this.refs = (header & Header.REFS) !== 0;
    // A young array: each store into an old one takes a write barrier. But not one for each message: it would be a
    // seventh of what a small message allocates.
    if (this.refs && this.turns-- === 0) {
      this.given = new Array<string>(this.expected);
      this.turns = SERVED;
    }
    this.aligned = (header & Header.ALIGNED) !== 0;
    const carried = header & (Header.DIGEST | Header.CHECK);
    if (carried !== 0) {
      const { digest } = this.options;
      const size = carried === Header.CHECK ? CHECK_BYTES : carried === Header.DIGEST ? digest.length : bailOut();
      for (let i = 0; i < size; i++) if (b[1 + i] !== digest[i]) bailOut();
      this.p = 1 + size;
    }
    if ((header & (Header.TEXT | Header.WIDE | Header.UTF8)) !== 0) this.blocks(header);
    if (this.aligned) while (this.p % 8 !== 1) if (b[this.p++] !== 0) bailOut();
  }

  private blocks(header: number): void {
    const latin = (header & Header.TEXT) === 0 ? 0 : this.count() || bailOut();
    const wide = (header & Header.WIDE) === 0 ? 0 : this.count() || bailOut();
    const utf8 = (header & Header.UTF8) === 0 ? 0 : this.count() || bailOut();
    const size = latin + 2 * wide + utf8;
    if (size > this.options.limits.textBytes || size > this.end - this.p) bailOut();
    this.latin(latin);
    if (wide > MOST_UNITS || utf8 > MOST_UNITS) bailOut();
    if (wide > 0) this.wide = primitives.utf16(this.b, this.p, (this.p += 2 * wide)) ?? bailOut();
    if (utf8 > 0) {
      this.utf8Start = this.utf8At = this.p;
      this.utf8End = this.p += utf8;
      this.utf8 = this.decodedUtf8(utf8) ?? bailOut();
    }
  }

  private decodedUtf8(size: number): string | undefined {
    if (size > MOST_LOOPED) return primitives.utf8(this.b, this.utf8Start, this.utf8End);
    if (size > this.unitsBefore.length) this.unitsBefore = new Uint16Array(Math.min(2 * size, MOST_LOOPED));
    return decodeBlock(this.b, this.utf8Start, this.utf8End, this.unitsBefore);
  }

  private longestCut(): number {
    return this.options.detach ? CUT : 96;
  }

  /** Begins a Latin-1 block of `length` characters. */
  private latin(length: number): void {
    const whole = length <= LARGE;
    this.textAt = this.p;
    this.p += length;
    this.textEnd = this.p;
    this.cut = whole ? this.longestCut() : 0;
    this.text = length === 0 ? "" : primitives.latin1(this.b, this.textAt, whole ? this.p : this.textAt + PIECE);
  }

  /** Decodes the next piece, of at least `length` characters. */
  private nextPiece(length: number): void {
    const left = this.textEnd - this.textAt - this.tp;
    // Before any state changes: in a message without text, `close` sees by `tp` that text was read.
    if (length > left || length > MOST_UNITS) bailOut();
    this.textAt += this.tp;
    this.tp = 0;
    this.text = primitives.latin1(this.b, this.textAt, this.textAt + Math.min(left, Math.max(PIECE, length)));
  }

  /** Bails out unless all bytes and all text were read, and no more. */
  finish(): void {
    if (this.p !== this.end || this.textAt + this.tp !== this.textEnd || this.wp !== this.wide.length || this.utf8At !== this.utf8End) bailOut();
    // Charges the objects that were made before other cells were charged.
    if (this.free < 0 && this.free + this.cells < 0) bailOut();
  }

  /** Drops all references to the message. */
  close(): void {
    this.b = EMPTY;
    if (this.seen !== NO_VIEW) this.seen = NO_VIEW;
    if (this.textEnd > 0 || this.tp > 0 || this.wp > 0) this.forgetBlocks();
    if (this.n > 0) this.forgetTexts();
    if (this.shared.length > 0) {
      this.sharedCount = 0;
      this.shared.length = 0;
      this.sharedNames.length = 0;
      this.converted.clear();
    }
    this.busy = false;
  }

  private forgetBlocks(): void {
    this.text = "";
    this.tp = 0;
    this.textAt = 0;
    this.textEnd = 0;
    this.wide = "";
    this.wp = 0;
    if (this.utf8End > 0) {
      this.utf8 = "";
      this.up = 0;
      this.utf8At = 0;
      this.utf8Start = 0;
      this.utf8End = 0;
    }
  }

  private forgetTexts(): void {
    const { given, n } = this;
    this.n = 0;
    this.expected = n < MOST_EXPECTED ? n : MOST_EXPECTED;
    if (n <= MOST_EXPECTED) {
      for (let i = 0; i < n; i++) given[i] = "";
    } else {
      this.given = NONE_GIVEN;
      this.turns = 0;
    }
  }

  view(): DataView {
    if (this.seen === NO_VIEW) this.seen = new DataView(this.b.buffer, this.b.byteOffset, this.b.byteLength);
    return this.seen;
  }

  byte(): number {
    return this.b[this.p++]!;
  }

  /** A varint of u32. */
  u32(): number {
    const { b } = this;
    let byte = b[this.p++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; shift < 28; shift += 7) {
      byte = b[this.p++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return byte === 0 ? bailOut() : value;
    }
    byte = b[this.p++]!;
    if (!(byte > 0 && byte < 0x10)) bailOut();
    return (value | (byte << 28)) >>> 0;
  }

  i32(): number {
    const u = this.u32();
    return (u >>> 1) ^ -(u & 1);
  }

  u16(): number {
    const u = this.u32();
    return u > 0xffff ? bailOut() : u;
  }

  i16(): number {
    const u = this.u16();
    return (u >>> 1) ^ -(u & 1);
  }

  i8(): number {
    return (this.b[this.p++]! << 24) >> 24;
  }

  /** A count, length or index. */
  count(): number {
    const u = this.u32();
    return u < 0x8000_0000 ? u : bailOut();
  }

  /**
   * Checks a count of elements of so many cells, at most `most`, whose row takes at least `least` bytes, and claims
   * these.
   */
  elements(count: number, least: number, most: number, cells: number): number {
    if (!(count <= most && least <= this.end - this.p) || (this.items -= count) < 0 || (this.unclaimed -= least) < 0) bailOut();
    this.charge(OBJECT_CELLS + count * cells);
    return count;
  }

  /**
   * Called before a value is converted to the program's own: checks that it was not read past the end, and charges it.
   */
  convert(): void {
    if (this.p > this.end || ((this.free -= CONVERSION_CELLS) < 0 && this.free + this.cells < 0)) bailOut();
  }

  /** Charges the cells of a value that is about to be made. */
  charge(cells: number): void {
    if ((this.cells -= cells) < 0) bailOut();
  }

  /** The halves of the last varint of u64. */
  low = 0;
  high = 0;

  /** A varint of u64, into `low` and `high`. */
  varint64(): void {
    const { b } = this;
    let low = 0;
    let byte = 0x80;
    let shift = 0;
    for (; shift < 28; shift += 7) {
      byte = b[this.p++]!;
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (byte === 0 && shift > 0) bailOut();
        this.low = low;
        this.high = 0;
        return;
      }
    }
    byte = b[this.p++]!;
    this.low = (low | ((byte & 0x0f) << 28)) >>> 0;
    let high = (byte & 0x7f) >>> 4;
    for (shift = 3; byte >= 0x80; shift += 7) {
      byte = b[this.p++]!;
      if (shift === 31 && byte > 1) bailOut();
      high |= (byte & 0x7f) << shift;
    }
    if (!(byte > 0)) bailOut();
    this.high = high >>> 0;
  }

  /** Decodes the zigzag form in `low` and `high`. */
  unzigzag(): void {
    const sign = -(this.low & 1);
    const low = ((this.low >>> 1) | (this.high << 31)) ^ sign;
    this.high = (this.high >>> 1) ^ sign;
    this.low = low;
  }

  u64(): bigint {
    this.varint64();
    return unsigned64(this.low, this.high);
  }

  i64(): bigint {
    this.varint64();
    this.unzigzag();
    return signed64(this.low, this.high);
  }

  f64(): number {
    const { b } = this;
    const p = this.p;
    this.p = p + 8;
    if (this.p > this.end) bailOut();
    if (this.isLong()) return this.view().getFloat64(p, true);
    for (let i = 0; i < 8; i++) bits8[i] = b[p + i]!;
    return float64[0]!;
  }

  f32(): number {
    const { b } = this;
    const p = this.p;
    this.p = p + 4;
    if (this.p > this.end) bailOut();
    if (this.isLong()) return this.view().getFloat32(p, true);
    for (let i = 0; i < 4; i++) bits8single[i] = b[p + i]!;
    return float32[0]!;
  }

  /** Whether a view exists or is worth making: making one takes as long as reading ten numbers byte by byte. */
  private isLong(): boolean {
    return this.seen !== NO_VIEW || this.end - this.p > FEW_BYTES;
  }

  bigint(): bigint {
    const length = this.count();
    if (length > BIGINT_BYTES || length > this.end - this.p) bailOut();
    const { b, p } = this;
    this.p = p + length;
    if (length === 0) return 0n;
    const first = b[p]!;
    const shorter = length === 1 ? first === 0 : (first === 0 && b[p + 1]! < 0x80) || (first === 0xff && b[p + 1]! >= 0x80);
    if (shorter) bailOut();
    if (length <= 8) {
      let low = (first << 24) >> 24;
      let high = low >> 31;
      for (let i = 1; i < length; i++) {
        high = (high << 8) | (low >>> 24);
        low = (low << 8) | b[p + i]!;
      }
      return signed64(low, high);
    }
    let hex = "0x";
    for (let i = 0; i < length; i++) hex += HEX[b[p + i]!]!;
    return BigInt.asIntN(8 * length, BigInt(hex));
  }

  decimal(): Decimal {
    const scale = this.i32();
    return new Decimal(this.bigint(), scale);
  }

  bytes(): Uint8Array {
    return this.bytesOf(this.count());
  }

  /** The next bytes. */
  bytesOf(length: number): Uint8Array {
    if (length > this.end - this.p) bailOut();
    const start = this.p;
    this.p = start + length;
    if (this.options.views) return new Uint8Array(this.b.buffer, this.b.byteOffset + start, length);
    const copy = new Uint8Array(length);
    if (length < 32) for (let i = 0; i < length; i++) copy[i] = this.b[start + i]!;
    else copy.set(this.b.subarray(start, start + length));
    return copy;
  }

  uuid(): string {
    const { b, p } = this;
    this.p = p + 16;
    if (this.p > this.end) bailOut();
    // The array holds the hyphens already.
    for (let i = 0; i < 16; i++) {
      const digits = DIGITS[b[p + i]!]!;
      const at = DIGITS_AT[i]!;
      uuidText[at] = digits;
      uuidText[at + 1] = digits >> 8;
    }
    return primitives.latin1(uuidText, 0, UUID_UNITS);
  }

  date(): number {
    const days = this.i32();
    return days < DATE_MIN || days > DATE_MAX ? bailOut() : days;
  }

  time(): number {
    this.varint64();
    const nanoseconds = (this.high >>> 0) * 0x1_0000_0000 + (this.low >>> 0);
    return nanoseconds > TIME_MAX ? bailOut() : nanoseconds;
  }

  /** Reads the fraction of a second, in nanoseconds. */
  fraction(): number {
    const raw = this.u32();
    if (raw === 0) return 0;
    const unit = raw & 3;
    const nanoseconds = (raw >>> 2) * (unit === 0 ? 1 : unit === 1 ? 1_000 : 1_000_000);
    return unit === 3 || nanoseconds === 0 || nanoseconds >= 1_000_000_000 ? bailOut() : nanoseconds;
  }

  duration(): bigint {
    const seconds = this.i64();
    return seconds * 1_000_000_000n + BigInt(this.fraction());
  }

  /** The whole seconds of a timestamp. */
  seconds(): number {
    this.varint64();
    this.unzigzag();
    const seconds = (this.high | 0) * 0x1_0000_0000 + (this.low >>> 0);
    return seconds < SECONDS_MIN || seconds > SECONDS_MAX ? bailOut() : seconds;
  }

  timestamp(): bigint {
    const seconds = this.seconds();
    return BigInt(seconds) * 1_000_000_000n + BigInt(this.fraction());
  }

  jsDate(): Date {
    return new Date(this.milliseconds());
  }

  /** A timestamp in milliseconds, as a `Date` has it. */
  milliseconds(): number {
    const seconds = this.seconds();
    const fraction = this.fraction();
    if (fraction % 1_000_000 !== 0 && !this.options.truncateTimes) bailOut();
    return seconds * 1_000 + Math.floor(fraction / 1_000_000);
  }

  /** One byte, 0 or 1: an `option<bool>` that is present. */
  bool(): boolean {
    const byte = this.b[this.p++]!;
    return byte === 1 || (byte === 0 ? false : bailOut());
  }

  string(): string {
    return this.token(this.b[this.p++]!);
  }

  /** The text of a token whose first byte has been read. */
  token(token: number): string {
    if (token < Token.LONG_LATIN) return this.newLatin(token);
    if (token >= Token.NEAR) {
      const number = token < Token.REFERENCE ? token - Token.NEAR : 96 + (token - Token.REFERENCE) * 256 + this.b[this.p++]!;
      return this.earlier(number);
    }
    if (token >= Token.WIDE && token < Token.LONG_UTF8) return token < Token.UTF8 ? this.newWide(token - WIDE_TOKENS) : this.newUtf8(token - UTF8_TOKENS);
    const varint = this.count();
    if (token === Token.LONG_LATIN) return this.newLatin(SHORT_LATIN + 1 + varint);
    if (token === Token.LONG_WIDE) return this.newWide(SHORT_WIDE + 1 + varint);
    if (token === Token.LONG_UTF8) return this.newUtf8(SHORT_UTF8 + 1 + varint);
    return token === Token.FAR ? this.earlier(8_288 + varint) : bailOut();
  }

  private newLatin(length: number): string {
    if (this.tp + length > this.text.length) this.nextPiece(length);
    const start = this.tp;
    this.tp = start + length;
    const text =
      length < CUT || !this.options.detach
        ? this.text.substring(start, this.tp)
        : primitives.latin1(this.b, this.textAt + start, this.textAt + this.tp);
    if (this.refs && isNumbered(Form.LATIN, length)) this.given[this.n++] = text;
    return text;
  }

  private newWide(length: number): string {
    const start = this.wp;
    this.wp = start + length;
    if (this.wp > this.wide.length) bailOut();
    // The block is well-formed, so only a slice through a surrogate pair is wrong.
    const last = this.wide.charCodeAt(this.wp - 1);
    if ((this.wide.charCodeAt(start) & 0xfc00) === 0xdc00 || (last & 0xfc00) === 0xd800) bailOut();
    const wideAt = this.textEnd;
    const text =
      length < CUT || !this.options.detach
        ? this.wide.slice(start, this.wp)
        : (primitives.utf16(this.b, wideAt + 2 * start, wideAt + 2 * this.wp) ?? bailOut());
    if (this.refs && isNumbered(Form.WIDE, length)) this.given[this.n++] = text;
    return text;
  }

  private newUtf8(length: number): string {
    const { b, utf8At, up, utf8Start, utf8End } = this;
    const end = utf8At + length;
    if (end > utf8End) bailOut();
    let units = 0;
    if (end === utf8End) {
      units = this.utf8.length - up;
    } else {
      // The block is well-formed, so only a text that ends within a character is wrong.
      if (isContinuation(b[end]!)) bailOut();
      units = utf8End - utf8Start > MOST_LOOPED ? this.unitsOf(utf8At, end) : this.unitsBefore[end - utf8Start]! - up;
    }
    this.utf8At = end;
    this.up = up + units;
    const text = units < CUT || !this.options.detach ? this.utf8.slice(up, this.up) : (primitives.utf8(b, utf8At, end) ?? bailOut());
    if (this.refs && isNumbered(Form.UTF8, length)) this.given[this.n++] = text;
    return text;
  }

  /** The units of UTF-16 of whole characters in UTF-8: one for the first byte of each, and one more if it has four bytes. */
  private unitsOf(start: number, end: number): number {
    const { b } = this;
    let units = end - start;
    let i = start;
    if (units >= FOUR_AT_ONCE) {
      const view = this.view();
      for (; i <= end - 4; i += 4) {
        const four = view.getInt32(i, true);
        if ((four & 0x80808080) === 0) continue;
        const later = (four >>> 7) & ~(four >>> 6) & 0x01010101;
        const long = ((four & (four << 1) & (four << 2) & (four << 3)) >>> 7) & 0x01010101;
        units += (Math.imul(long, 0x01010101) >>> 24) - (Math.imul(later, 0x01010101) >>> 24);
      }
    }
    for (; i < end; i++) {
      const byte = b[i]!;
      units += (byte > 0xef ? 1 : 0) - (isContinuation(byte) ? 1 : 0);
    }
    return units;
  }

  private earlier(number: number): string {
    return number < this.n ? this.given[number]! : bailOut();
  }

  /** The struct of a reference other than 0. */
  referred(reference: number, name: string): unknown {
    if (this.sharedNames[reference - 1] !== name) bailOut();
    return this.shared[reference - 1];
  }

  /**
   * Numbers a struct that has just been read, and returns it. If it was read again, returns the one that has the number
   * already.
   */
  share(value: unknown, name: string): unknown {
    const number = this.sharedCount++;
    if (number < this.shared.length) {
      if (!(this.shared[number] instanceof Skipped)) return this.shared[number];
    } else {
      this.sharedNames.push(name);
    }
    this.shared[number] = value;
    return value;
  }

  /** Records the position of a struct that is skipped. */
  skipped(): Skipped {
    return new Skipped(this.p, this.text, this.textAt, this.tp, this.wp, this.up, this.utf8At, this.sharedCount);
  }

  /**
   * As {@link referred}, for a struct that may have been skipped: it is then read from its recorded position, at the
   * depth of the reference. Each struct is read again at most once for each struct around it. Items and cells are not
   * charged again.
   */
  wanted(reference: number, name: string, read: (r: Reader, depth: number) => unknown, depth: number): unknown {
    const value = this.referred(reference, name);
    if (!(value instanceof Skipped)) return value;
    const { p, text, textAt, tp, wp, up, utf8At, refs, items, cells, unclaimed, sharedCount } = this;
    this.p = value.p;
    this.text = value.text;
    this.textAt = value.textAt;
    this.tp = value.tp;
    this.wp = value.wp;
    this.up = value.up;
    this.utf8At = value.utf8At;
    this.sharedCount = value.before;
    // Its texts are numbered already, and its counts have been checked.
    this.refs = false;
    this.items = this.options.limits.items;
    this.cells = this.options.limits.cells;
    this.unclaimed = this.end;
    const again = this.share(read(this, depth), name);
    this.p = p;
    this.text = text;
    this.textAt = textAt;
    this.tp = tp;
    this.wp = wp;
    this.up = up;
    this.utf8At = utf8At;
    this.refs = refs;
    this.items = items;
    this.cells = cells;
    this.unclaimed = unclaimed;
    this.sharedCount = sharedCount;
    return again;
  }

  /** Bails out unless all keys of a set or map are distinct. */
  distinct<T extends { readonly size: number }>(keys: T, count: number): T {
    return keys.size === count ? keys : bailOut();
  }
}

/** Whether a byte of UTF-8 is not the first one of its character. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
