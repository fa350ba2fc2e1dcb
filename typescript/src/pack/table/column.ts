import { described } from "../../core/described.js";
import { SamewireError } from "../../core/error.js";
import type { Numeric } from "../schema/type.js";
import { Decimal } from "../schema/value.js";
import type { TypedArrays } from "../schema/value.js";
import { put } from "../wire/property.js";
import { uuidOf } from "../wire/values.js";

/** The kinds of columns, and what each is. */
export type ColumnKinds = {
  /** Numbers, as in the typed array of their type. */
  [K in Numeric]: NumberColumn<K>;
} & {
  bool: BoolColumn;
  string: TextColumn;
  bytes: BytesColumn;
  uuid: UuidColumn;
  date: DateColumn;
  time: TimeColumn;
  timestamp: InstantColumn<"timestamp">;
  duration: InstantColumn<"duration">;
  jsDate: JsDateColumn;
  decimal: DecimalColumn;
  enum: EnumColumn;
  list: ListColumn;
  set: SetColumn;
  map: MapColumn;
  struct: StructColumn;
  tuple: TupleColumn;
  bigint: ValueColumn<"bigint">;
  any: ValueColumn<"any">;
  union: ValueColumn<"union">;
  ref: ValueColumn<"ref">;
  recursive: ValueColumn<"recursive">;
};

/** A column; `kind` tells which one. */
export type Column = ColumnKinds[keyof ColumnKinds];

/** What all columns have: the values of one field, or of one part of it, of all rows. */
export abstract class BaseColumn<V> {
  /** The type of its values, which discriminates {@link Column}. */
  abstract readonly kind: keyof ColumnKinds;

  constructor(
    /** How many values it has, null ones as well. */
    readonly length: number,
    /** For an option: 1 for each value that is present, 0 for null. Undefined for other types. */
    readonly validity: Uint8Array | undefined,
  ) {}

  /**
   * Returns one value, as `decode` returns it (without the functions of `as`); null where it is absent.
   *
   * @throws SamewireError `misuse` unless the index is a whole number from 0 to `length` − 1.
   */
  get(index: number): V | null {
    if (!(Number.isInteger(index) && index >= 0 && index < this.length)) {
      throw new SamewireError("misuse", `there is no value ${described(index)} in a column of ${this.length}`);
    }
    return this.validity?.[index] === 0 ? null : this.at(index);
  }

  /** Returns all values: {@link get} of each. */
  toArray(): (V | null)[] {
    const { validity } = this;
    return Array.from({ length: this.length }, (_, i) => (validity?.[i] === 0 ? null : this.at(i)));
  }

  /** A value that is present. */
  protected abstract at(index: number): V;
}

/** Numbers. Where one is null stands 0, or NaN in a column of floats. */
export class NumberColumn<K extends Numeric = Numeric> extends BaseColumn<TypedArrays[K][number]> {
  constructor(
    readonly kind: K,
    /** The numbers. */
    readonly values: TypedArrays[K],
    validity: Uint8Array | undefined,
  ) {
    super(values.length, validity);
  }

  protected at(index: number): TypedArrays[K][number] {
    return this.values[index]!;
  }
}

/** Booleans. */
export class BoolColumn extends BaseColumn<boolean> {
  readonly kind = "bool";

  constructor(
    /** 1 for true, 0 for false and null. */
    readonly values: Uint8Array,
    validity: Uint8Array | undefined,
  ) {
    super(values.length, validity);
  }

  protected at(index: number): boolean {
    return this.values[index] === 1;
  }
}

/**
 * Texts. Where the message has them as a dictionary, `values` are its distinct texts, and `codes` says which one each
 * row has. Otherwise `codes` is undefined, and `values` are the texts themselves.
 */
export class TextColumn extends BaseColumn<string> {
  readonly kind = "string";

  constructor(
    /** The texts of the dictionary, or of all rows. */
    readonly values: readonly string[],
    /** The index in `values` of each row's text; −1 for null. */
    readonly codes: Int32Array | undefined,
    validity: Uint8Array | undefined,
  ) {
    super(codes?.length ?? values.length, validity);
  }

  protected at(index: number): string {
    return this.values[this.codes?.[index] ?? index]!;
  }
}

/** Symbols of an enum. */
export class EnumColumn extends BaseColumn<string> {
  readonly kind = "enum";

  constructor(
    /** All symbols of the enum, in the schema's order. */
    readonly symbols: readonly string[],
    /** The index in `symbols` of each row's symbol; −1 for null. */
    readonly codes: Int32Array,
    validity: Uint8Array | undefined,
  ) {
    super(codes.length, validity);
  }

  protected at(index: number): string {
    return this.symbols[this.codes[index]!]!;
  }
}

/** Byte strings. */
export class BytesColumn extends BaseColumn<Uint8Array> {
  readonly kind = "bytes";

  constructor(
    /** Value i is `data` from `offsets[i]` to `offsets[i + 1]`; one more than there are values. */
    readonly offsets: Int32Array,
    /** The bytes of all values. */
    readonly data: Uint8Array,
    validity: Uint8Array | undefined,
  ) {
    super(offsets.length - 1, validity);
  }

  protected at(index: number): Uint8Array {
    return this.data.slice(this.offsets[index], this.offsets[index + 1]);
  }
}

/** UUIDs, of 16 bytes each. */
export class UuidColumn extends BaseColumn<string> {
  readonly kind = "uuid";

  constructor(
    /** The bytes of all values; 0 where one is null. */
    readonly data: Uint8Array,
    validity: Uint8Array | undefined,
  ) {
    super(data.length / 16, validity);
  }

  protected at(index: number): string {
    return uuidOf(this.data.subarray(16 * index, 16 * index + 16));
  }
}

/** Dates. */
export class DateColumn extends BaseColumn<number> {
  readonly kind = "date";
  /** Days since 1970-01-01. */
  readonly unit = "d";

  constructor(
    /** The days; 0 where one is null. */
    readonly values: Int32Array,
    validity: Uint8Array | undefined,
  ) {
    super(values.length, validity);
  }

  protected at(index: number): number {
    return this.values[index]!;
  }
}

/** Times of day. */
export class TimeColumn extends BaseColumn<number> {
  readonly kind = "time";
  /** Nanoseconds since midnight. */
  readonly unit = "ns";

  constructor(
    /** The nanoseconds, whole numbers; 0 where one is null. */
    readonly values: Float64Array,
    validity: Uint8Array | undefined,
  ) {
    super(values.length, validity);
  }

  protected at(index: number): number {
    return this.values[index]!;
  }
}

/** The units of a column of instants or durations: seconds, milliseconds, microseconds, nanoseconds. */
export type TimeUnit = "s" | "ms" | "us" | "ns";

/** The nanoseconds of each unit. */
export const UNIT_SIZES: Readonly<Record<TimeUnit, bigint>> = { s: 1_000_000_000n, ms: 1_000_000n, us: 1_000n, ns: 1n };

/**
 * Timestamps, since 1970-01-01T00:00:00Z, or durations: as whole numbers of one unit, the one that the message has them
 * in. Messages in rows have the coarsest unit that is exact for all.
 */
export class InstantColumn<K extends "timestamp" | "duration"> extends BaseColumn<bigint> {
  constructor(
    readonly kind: K,
    /** The unit of `values`. */
    readonly unit: TimeUnit,
    /** The times in that unit, rounded down where `nanoseconds` holds the rest; 0 where one is null. */
    readonly values: BigInt64Array,
    /**
     * The nanoseconds to add to the seconds, 0 to 999,999,999: only if no unit is exact and within 64 bits for all
     * times, so that `unit` is `"s"`. Otherwise undefined.
     */
    readonly nanoseconds: Uint32Array | undefined,
    validity: Uint8Array | undefined,
  ) {
    super(values.length, validity);
  }

  /** Returns the times in milliseconds, rounded to doubles, as axes of time take them; NaN where one is null. */
  toMilliseconds(): Float64Array {
    const { values, nanoseconds, validity, unit } = this;
    const milliseconds = new Float64Array(this.length);
    const times = unit === "s" ? 1e3 : 1;
    const parts = unit === "us" ? 1e3 : unit === "ns" ? 1e6 : 1;
    for (let i = 0; i < this.length; i++) {
      if (validity?.[i] === 0) milliseconds[i] = NaN;
      else milliseconds[i] = nanoseconds === undefined ? (Number(values[i]) * times) / parts : Number(this.at(i)) / 1e6;
    }
    return milliseconds;
  }

  protected at(index: number): bigint {
    return this.values[index]! * UNIT_SIZES[this.unit] + BigInt(this.nanoseconds?.[index] ?? 0);
  }
}

/** Timestamps of `pack.jsDate`. */
export class JsDateColumn extends BaseColumn<Date> {
  readonly kind = "jsDate";
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly unit = "ms";

  constructor(
    /** The milliseconds, whole numbers; NaN where one is null. */
    readonly values: Float64Array,
    validity: Uint8Array | undefined,
  ) {
    super(values.length, validity);
  }

  protected at(index: number): Date {
    return new Date(this.values[index]!);
  }
}

/** Decimals: unscaled × 10^−scale. */
export class DecimalColumn extends BaseColumn<Decimal> {
  readonly kind = "decimal";

  constructor(
    /** The unscaled numbers; 0 where one is null. */
    readonly unscaled: readonly bigint[],
    /** The scale of each. */
    readonly scales: Int32Array,
    validity: Uint8Array | undefined,
  ) {
    super(scales.length, validity);
  }

  protected at(index: number): Decimal {
    return new Decimal(this.unscaled[index]!, this.scales[index]!);
  }
}

/**
 * Values that are a JavaScript value each: `bigint`, `any`, unions, refs, and structs that contain themselves
 * (`recursive`).
 */
export class ValueColumn<K extends "bigint" | "any" | "union" | "ref" | "recursive"> extends BaseColumn<unknown> {
  constructor(
    readonly kind: K,
    /** The values, as `decode` returns them (without the functions of `as`). */
    readonly values: readonly unknown[],
    validity: Uint8Array | undefined,
  ) {
    super(values.length, validity);
  }

  protected at(index: number): unknown {
    return this.values[index];
  }
}

/** Lists. */
export class ListColumn extends BaseColumn<unknown> {
  readonly kind = "list";

  constructor(
    /**
     * List i is `child` from `offsets[i]` to `offsets[i + 1]`; one more than there are lists. An absent list is empty.
     */
    readonly offsets: Int32Array,
    /** The elements of all lists. */
    readonly child: Column,
    /** The values of `get` are typed arrays: the type is `pack.array`. */
    private readonly typed: boolean,
    validity: Uint8Array | undefined,
  ) {
    super(offsets.length - 1, validity);
  }

  protected at(index: number): unknown {
    const [from, to] = [this.offsets[index]!, this.offsets[index + 1]!];
    return this.typed ? (this.child as NumberColumn).values.slice(from, to) : part(this.child, from, to);
  }
}

/** Sets. */
export class SetColumn extends BaseColumn<Set<unknown>> {
  readonly kind = "set";

  constructor(
    /** Set i is `child` from `offsets[i]` to `offsets[i + 1]`; one more than there are sets. An absent set is empty. */
    readonly offsets: Int32Array,
    /** The keys of all sets. */
    readonly child: Column,
    validity: Uint8Array | undefined,
  ) {
    super(offsets.length - 1, validity);
  }

  protected at(index: number): Set<unknown> {
    return new Set(part(this.child, this.offsets[index]!, this.offsets[index + 1]!));
  }
}

/** Maps. */
export class MapColumn extends BaseColumn<Map<unknown, unknown>> {
  readonly kind = "map";

  constructor(
    /**
     * Map i has the entries from `offsets[i]` to `offsets[i + 1]`; one more than there are maps. An absent map is
     * empty.
     */
    readonly offsets: Int32Array,
    /** The keys of all entries. */
    readonly keys: Column,
    /** The values of all entries. */
    readonly values: Column,
    validity: Uint8Array | undefined,
  ) {
    super(offsets.length - 1, validity);
  }

  protected at(index: number): Map<unknown, unknown> {
    const map = new Map<unknown, unknown>();
    for (let i = this.offsets[index]!; i < this.offsets[index + 1]!; i++) map.set(this.keys.get(i), this.values.get(i));
    return map;
  }
}

/** Structs: a column for each field. A table is one. */
export class StructColumn<N extends string = string> extends BaseColumn<Record<N, unknown>> {
  readonly kind = "struct";

  constructor(
    length: number,
    /** The columns by the names of their fields, in the schema's order. */
    readonly columns: ReadonlyMap<string, Column>,
    validity: Uint8Array | undefined,
  ) {
    super(length, validity);
  }

  /**
   * Returns the column of a field.
   *
   * ```ts
   * orders.column("price", "f64").values; // Float64Array
   * ```
   *
   * @throws SamewireError `misuse` if there is no such field, or if its column is of another kind.
   */
  column(name: N): Column;
  /** @param kind the kind that the column must have; with it the compiler knows its arrays */
  column<K extends keyof ColumnKinds>(name: N, kind: K): ColumnKinds[K];
  column(name: string, kind?: keyof ColumnKinds): Column {
    const column = this.columns.get(name);
    if (column === undefined) {
      const names = [...this.columns.keys()].join(", ");
      throw new SamewireError("misuse", `there is no field ${described(name)}, only ${names}`);
    }
    if (kind === undefined || column.kind === kind) return column;
    const text = `the column of ${described(name)} is of kind "${column.kind}", not ${described(kind)}`;
    throw new SamewireError("misuse", text);
  }

  protected at(index: number): Record<N, unknown> {
    const row = {} as Record<N, unknown>;
    for (const [name, column] of this.columns) put(row, name, column.get(index));
    return row;
  }
}

/** Tuples: a column for each part. */
export class TupleColumn extends BaseColumn<unknown[]> {
  readonly kind = "tuple";

  constructor(
    length: number,
    /** The columns of the parts. */
    readonly columns: readonly Column[],
    validity: Uint8Array | undefined,
  ) {
    super(length, validity);
  }

  protected at(index: number): unknown[] {
    return this.columns.map((column) => column.get(index));
  }
}

function part(column: Column, from: number, to: number): unknown[] {
  return Array.from({ length: to - from }, (_, i) => column.get(from + i));
}
