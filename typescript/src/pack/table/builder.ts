import { SamewireError } from "../../core/error.js";
import { isFloat } from "../schema/numeric.js";
import type { Numeric } from "../schema/type.js";
import type { TypedArrays } from "../schema/value.js";
import { bailOut } from "../wire/bail-out.js";
import { bitsAt } from "../wire/columns/bits.js";
import { readDoubles } from "../wire/columns/doubles.js";
import { RAW, TEXTS } from "../wire/columns/form.js";
import { COUNTS, indices, integersOf, readExact, readInts, readLongs } from "../wire/columns/integers.js";
import { DATES, TIMES, total } from "../wire/columns/reader.js";
import { readTexts, textIndices } from "../wire/columns/texts.js";
import { readTyped, single } from "../wire/numeric-row-reader.js";
import type { Reader } from "../wire/reader.js";
import { ARRAYS } from "../wire/typed-arrays.js";
import { uuidOf } from "../wire/values.js";
import {
  BoolColumn, BytesColumn, DateColumn, DecimalColumn, EnumColumn, NumberColumn, TextColumn, TimeColumn, UuidColumn,
  ValueColumn,
} from "./column.js";
import type { Column } from "./column.js";
import { Ends, Growing, spreadValues } from "./growing.js";

/** Bits of a row or column, from an offset on. */
export function bitOf(b: Uint8Array, at: number, i: number): boolean {
  return ((b[at + (i >> 3)]! >> (i & 7)) & 1) === 1;
}

/** Passes by the flags of a row; returns where they begin. */
export function flagsAt(r: Reader, count: number): number {
  const at = r.p;
  if (count === 0) return at;
  const last = r.b[at + ((count - 1) >> 3)];
  if (last === undefined || ((count & 7) !== 0 && last >> (count & 7) !== 0)) bailOut();
  r.p = at + ((count + 7) >> 3);
  return at;
}

/** Returns the path of a column: only errors need it. */
export type Path = () => string;

/** Offsets are 32 bits, signed. */
const MOST_OFFSET = 0x7fff_ffff;

/** The error for a message that decode accepts, but that does not fit in columns. */
export function noRoom(r: Reader, path: Path, text: string): never {
  throw new SamewireError("limit_items", text, { at: Math.min(r.p, r.end), path: path() });
}

/** Throws unless a column's elements up to there have offsets. */
export function checkOffset(r: Reader, end: number, path: Path): void {
  if (end > MOST_OFFSET) noRoom(r, path, `a column has at most ${MOST_OFFSET} elements or bytes`);
}

/**
 * Collects the values of one column of a message. Like the reader, it bails out instead of finding errors, and it
 * accepts the same messages as `decode`. It does not allocate for a value before its bytes are known to be there.
 */
export abstract class ColumnBuilder {
  /** The number of columns, in which a null struct takes room. */
  readonly columns: number = 1;

  /** Appends the value of a slot. */
  abstract slot(r: Reader, depth: number): void;

  /** Appends the values of a column of the format (columns.md), at least one. */
  abstract column(r: Reader, depth: number, m: number): void;

  /** Appends a null. */
  abstract nothing(): void;

  /** Puts nulls between the last `present` values: these are those whose element of `set` is not 0. */
  abstract spread(set: Uint8Array, present: number): void;

  /** Returns the column. The builder is not used again. */
  abstract finish(validity?: Uint8Array): Column;

  /** Appends the values of a row of one type (pack.md section 8), as the elements of a list. */
  row(r: Reader, depth: number, count: number): void {
    for (let i = 0; i < count; i++) {
      this.slot(r, depth);
      // A byte past the end reads as a number: a false count would make that many values.
      if (r.p > r.end) bailOut();
    }
  }

  /** Appends the value of a slot that has a flag. */
  flagged(r: Reader, depth: number, _set: boolean): void {
    this.slot(r, depth);
  }

  /** A value that may be a key, as a `Set` has it. */
  key(_index: number): unknown {
    return bailOut();
  }
}

export class NumberBuilder<K extends Numeric> extends ColumnBuilder {
  /** The numbers of u64 modulo 2^64, as their columns are read. */
  private readonly numbers: Growing<TypedArrays[Numeric]>;
  private readonly nothingThere: number | bigint;

  constructor(private readonly kind: K) {
    super();
    const make: unknown = kind === "u64" ? BigInt64Array : ARRAYS[kind];
    this.numbers = new Growing(make as new (size: number) => TypedArrays[Numeric]);
    this.nothingThere = kind === "i64" || kind === "u64" ? 0n : isFloat(kind) ? NaN : 0;
  }

  slot(r: Reader): void {
    const kind: Numeric = this.kind;
    this.numbers.push(kind === "i64" || kind === "u64" ? r[kind]() : single(r, kind));
  }

  override row(r: Reader, _depth: number, count: number): void {
    const { kind } = this;
    const row = readTyped(r, kind, count) as TypedArrays[Numeric];
    this.append(row instanceof BigUint64Array ? new BigInt64Array(row.buffer, row.byteOffset, count) : row);
  }

  column(r: Reader, _depth: number, m: number): void {
    const { kind } = this;
    switch (kind) {
      case "f64":
        if (r.b[r.p] !== RAW) {
          this.append(readDoubles(r, m).subarray(0, m));
          return;
        }
        r.p++;
        this.raw(r, m, 8);
        return;
      case "f32":
        this.raw(r, m, 4);
        return;
      case "i64":
      case "u64":
        this.append(readLongs(r, kind, m).subarray(0, m));
        return;
      default:
        this.append(readInts(r, integersOf(kind), m).subarray(0, m));
    }
  }

  /** Appends floats by their bytes: a NaN keeps its bits. */
  private raw(r: Reader, m: number, width: number): void {
    const size = m * width;
    if (size > r.end - r.p) bailOut();
    const from = this.numbers.extend(m);
    const { buffer, byteOffset } = this.numbers.array;
    new Uint8Array(buffer, byteOffset + width * from, size).set(r.b.subarray(r.p, r.p + size));
    r.p += size;
  }

  private append(numbers: TypedArrays[Numeric]): void {
    this.numbers.append(numbers);
  }

  nothing(): void {
    this.numbers.push(this.nothingThere);
  }

  spread(set: Uint8Array, present: number): void {
    this.numbers.spread(set, present, this.nothingThere);
  }

  finish(validity?: Uint8Array): Column {
    const found = this.numbers.finish();
    const values = this.kind === "u64" ? new BigUint64Array(found.buffer, found.byteOffset, found.length) : found;
    return new NumberColumn(this.kind, values as TypedArrays[K], validity) as unknown as Column;
  }

  override key(index: number): unknown {
    const value = this.numbers.array[index]!;
    return this.kind === "u64" ? BigInt.asUintN(64, value as bigint) : value;
  }
}

export class BoolBuilder extends ColumnBuilder {
  private readonly values = new Growing(Uint8Array);

  slot(r: Reader): void {
    this.values.push(r.bool() ? 1 : 0);
  }

  override flagged(_r: Reader, _depth: number, set: boolean): void {
    this.values.push(set ? 1 : 0);
  }

  override row(r: Reader, _depth: number, count: number): void {
    this.bits(r, flagsAt(r, count), count);
  }

  column(r: Reader, _depth: number, m: number): void {
    this.bits(r, bitsAt(r, m), m);
  }

  private bits({ b }: Reader, at: number, m: number): void {
    const from = this.values.extend(m);
    const { array } = this.values;
    for (let i = 0; i < m; i++) array[from + i] = bitOf(b, at, i) ? 1 : 0;
  }

  nothing(): void {
    this.values.push(0);
  }

  spread(set: Uint8Array, present: number): void {
    this.values.spread(set, present, 0);
  }

  finish(validity?: Uint8Array): Column {
    return new BoolColumn(this.values.finish(), validity);
  }

  override key(index: number): unknown {
    return this.values.array[index];
  }
}

export class DateBuilder extends ColumnBuilder {
  private readonly days = new Growing(Int32Array);

  slot(r: Reader): void {
    this.days.push(r.date());
  }

  column(r: Reader, _depth: number, m: number): void {
    const days = readInts(r, DATES, m).subarray(0, m);
    this.days.append(days);
  }

  nothing(): void {
    this.days.push(0);
  }

  spread(set: Uint8Array, present: number): void {
    this.days.spread(set, present, 0);
  }

  finish(validity?: Uint8Array): Column {
    return new DateColumn(this.days.finish(), validity);
  }

  override key(index: number): unknown {
    return this.days.array[index];
  }
}

export class TimeBuilder extends ColumnBuilder {
  private readonly nanoseconds = new Growing(Float64Array);

  slot(r: Reader): void {
    this.nanoseconds.push(r.time());
  }

  column(r: Reader, _depth: number, m: number): void {
    const times = readExact(r, TIMES, m).subarray(0, m);
    this.nanoseconds.append(times);
  }

  nothing(): void {
    this.nanoseconds.push(0);
  }

  spread(set: Uint8Array, present: number): void {
    this.nanoseconds.spread(set, present, 0);
  }

  finish(validity?: Uint8Array): Column {
    return new TimeColumn(this.nanoseconds.finish(), validity);
  }

  override key(index: number): unknown {
    return this.nanoseconds.array[index];
  }
}

/** The index of a null. */
const NO_CODE = -1;

export class EnumBuilder extends ColumnBuilder {
  private readonly codes = new Growing(Int32Array);

  constructor(private readonly symbols: readonly string[]) {
    super();
  }

  slot(r: Reader): void {
    const index = r.count();
    this.codes.push(index < this.symbols.length ? index : bailOut());
  }

  column(r: Reader, _depth: number, m: number): void {
    const codes = readInts(r, indices(this.symbols.length), m).subarray(0, m);
    this.codes.append(codes);
  }

  nothing(): void {
    this.codes.push(NO_CODE);
  }

  spread(set: Uint8Array, present: number): void {
    this.codes.spread(set, present, NO_CODE);
  }

  finish(validity?: Uint8Array): Column {
    return new EnumColumn(this.symbols, this.codes.finish(), validity);
  }

  override key(index: number): unknown {
    return this.codes.array[index];
  }
}

export class TextBuilder extends ColumnBuilder {
  private values: string[] = [];
  /** Which text each value is, once one column was a dictionary. */
  private codes: Growing<Int32Array> | undefined;

  slot(r: Reader): void {
    const text = r.string();
    this.codes?.push(this.values.length);
    this.values.push(text);
  }

  column(r: Reader, _depth: number, m: number): void {
    const dictionary = r.b[r.p] === TEXTS;
    const texts = readTexts(r, m);
    const first = this.values.length;
    if (dictionary || this.codes !== undefined) {
      const codes = this.coded();
      const indexes = textIndices();
      const from = codes.extend(m);
      for (let i = 0; i < m; i++) codes.array[from + i] = first + indexes[i]!;
    }
    if (first === 0) this.values = texts;
    else for (const text of texts) this.values.push(text);
  }

  /** The codes, which are made of the texts so far. */
  private coded(): Growing<Int32Array> {
    if (this.codes === undefined) {
      this.codes = new Growing(Int32Array);
      this.codes.extend(this.values.length);
      for (let i = 0; i < this.values.length; i++) this.codes.array[i] = i;
    }
    return this.codes;
  }

  nothing(): void {
    if (this.codes === undefined) this.values.push("");
    else this.codes.push(NO_CODE);
  }

  spread(set: Uint8Array, present: number): void {
    if (this.codes === undefined) spreadValues(this.values, set, present, "");
    else this.codes.spread(set, present, NO_CODE);
  }

  finish(validity?: Uint8Array): Column {
    const codes = this.codes?.finish();
    // Those of nulls that came before the first dictionary.
    if (codes !== undefined) validity?.forEach((set, i) => { if (set === 0) codes[i] = NO_CODE; });
    return new TextColumn(this.values, codes, validity);
  }

  override key(index: number): unknown {
    return this.values[this.codes === undefined ? index : this.codes.array[index]!];
  }
}

export class BytesBuilder extends ColumnBuilder {
  private readonly ends = new Ends();
  private readonly data = new Growing(Uint8Array);

  constructor(private readonly path: Path) {
    super();
  }

  slot(r: Reader): void {
    this.take(r, r.count());
    this.ends.push(this.data.length);
  }

  column(r: Reader, _depth: number, m: number): void {
    const lengths = readInts(r, COUNTS, m);
    this.take(r, total(lengths, m));
    this.ends.pushCounts(lengths, m);
  }

  private take(r: Reader, size: number): void {
    if (size > r.end - r.p) bailOut();
    checkOffset(r, this.data.length + size, this.path);
    this.data.append(r.b.subarray(r.p, r.p + size));
    r.p += size;
  }

  nothing(): void {
    this.ends.push(this.data.length);
  }

  spread(set: Uint8Array, present: number): void {
    this.ends.spread(set, present);
  }

  finish(validity?: Uint8Array): Column {
    return new BytesColumn(this.ends.offsets(), this.data.finish(), validity);
  }
}

const UUID_BYTES = 16;

export class UuidBuilder extends ColumnBuilder {
  private readonly data = new Growing(Uint8Array);

  slot(r: Reader): void {
    this.take(r, 1);
  }

  column(r: Reader, _depth: number, m: number): void {
    this.take(r, m);
  }

  private take(r: Reader, m: number): void {
    const size = UUID_BYTES * m;
    if (size > r.end - r.p) bailOut();
    this.data.append(r.b.subarray(r.p, r.p + size));
    r.p += size;
  }

  nothing(): void {
    const from = this.data.extend(UUID_BYTES);
    this.data.array.fill(0, from, from + UUID_BYTES);
  }

  spread(set: Uint8Array, present: number): void {
    const from = this.data.length - UUID_BYTES * present;
    this.data.extend(UUID_BYTES * (set.length - present));
    const { array } = this.data;
    let next = from + UUID_BYTES * present;
    for (let i = set.length; i-- > 0; ) {
      const to = from + UUID_BYTES * i;
      if (set[i] === 0) array.fill(0, to, to + UUID_BYTES);
      else array.copyWithin(to, (next -= UUID_BYTES), next + UUID_BYTES);
    }
  }

  finish(validity?: Uint8Array): Column {
    return new UuidColumn(this.data.finish(), validity);
  }

  override key(index: number): unknown {
    return uuidOf(this.data.array.subarray(UUID_BYTES * index, UUID_BYTES * (index + 1)));
  }
}

/** Reads a slot of a type whose values are one by one. */
export type ReadSlot = (r: Reader, depth: number) => unknown;

/** Reads a column of slots. */
function eachSlot(r: Reader, m: number, read: () => void): void {
  if (m > r.end - r.p) bailOut();
  for (let i = 0; i < m; i++) {
    read();
    if (r.p > r.end) bailOut();
  }
}

export class DecimalBuilder extends ColumnBuilder {
  private readonly unscaled: bigint[] = [];
  private readonly scales = new Growing(Int32Array);

  slot(r: Reader): void {
    const scale = r.i32();
    this.push(r.bigint(), scale);
  }

  column(r: Reader, _depth: number, m: number): void {
    eachSlot(r, m, () => { this.slot(r); });
  }

  private push(unscaled: bigint, scale: number): void {
    this.unscaled.push(unscaled);
    this.scales.push(scale);
  }

  nothing(): void {
    this.push(0n, 0);
  }

  spread(set: Uint8Array, present: number): void {
    spreadValues(this.unscaled, set, present, 0n);
    this.scales.spread(set, present, 0);
  }

  finish(validity?: Uint8Array): Column {
    return new DecimalColumn(this.unscaled, this.scales.finish(), validity);
  }
}

export class ValueBuilder extends ColumnBuilder {
  private readonly values: unknown[] = [];

  constructor(
    private readonly kind: "bigint" | "any" | "union" | "ref" | "recursive",
    private readonly read: ReadSlot,
  ) {
    super();
  }

  slot(r: Reader, depth: number): void {
    this.values.push(this.read(r, depth));
  }

  column(r: Reader, depth: number, m: number): void {
    eachSlot(r, m, () => { this.slot(r, depth); });
  }

  nothing(): void {
    this.values.push(null);
  }

  spread(set: Uint8Array, present: number): void {
    spreadValues(this.values, set, present, null);
  }

  finish(validity?: Uint8Array): Column {
    return new ValueColumn(this.kind, this.values, validity);
  }

  override key(index: number): unknown {
    return this.values[index];
  }
}

