import { described } from "../../core/described.js";
import { SamewireError } from "../../core/error.js";

/** Digits of the largest unscaled value of 4,096 bytes. */
const MOST_DIGITS = 9_864;

/** unscaled × 10^−scale. 1.0 and 1.00 are different values, as in the format. */
export class Decimal {
  /**
   * @param unscaled at most 4,096 bytes in two's complement
   * @param scale a 32-bit signed integer
   */
  constructor(
    readonly unscaled: bigint,
    readonly scale: number,
  ) {}

  /**
   * Reads plain or scientific notation: `-12.50`, `1e-7`.
   *
   * @throws SamewireError `type_mismatch` for any other text, `limit_size` for more than 9,864 digits, which no message
   *   can hold.
   */
  static parse(text: string): Decimal {
    const parts = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,10}))?$/.exec(text);
    if (parts === null) throw new SamewireError("type_mismatch", `${described(text)} is not a decimal number, as 5.95 or 1e-7`);
    const fraction = parts[3] ?? "";
    const digits = (parts[2]! + fraction).replace(/^0+(?=\d)/, "");
    if (digits.length > MOST_DIGITS) throw new SamewireError("limit_size", `a decimal of ${digits.length} digits; the longest has ${MOST_DIGITS}`);
    const magnitude = BigInt(digits);
    const scale = fraction.length - Number(parts[4] ?? "0");
    if ((scale | 0) !== scale) throw new SamewireError("type_mismatch", `the scale of ${text} does not fit 32 bits`);
    return new Decimal(parts[1] === "-" ? -magnitude : magnitude, scale);
  }

  /** Plain notation for scales of 0 to 40, else `unscaled` and an exponent. */
  toString(): string {
    if (this.scale === 0) return this.unscaled.toString();
    if (this.scale < 0 || this.scale > 40) return `${this.unscaled.toString()}e${-this.scale}`;
    const sign = this.unscaled < 0n ? "-" : "";
    const digits = (this.unscaled < 0n ? -this.unscaled : this.unscaled).toString().padStart(this.scale + 1, "0");
    return `${sign}${digits.slice(0, -this.scale)}.${digits.slice(-this.scale)}`;
  }

  /** Same unscaled value and same scale. */
  equals(other: Decimal): boolean {
    return this.unscaled === other.unscaled && this.scale === other.scale;
  }
}

/** The kinds of value that JavaScript has no class for and that an `any` must tell apart. */
export interface TaggedValues {
  /** Lower-case text form. */
  uuid: string;
  /** Days since 1970-01-01. */
  date: number;
  /** Nanoseconds since midnight. */
  time: number;
  /** Nanoseconds since 1970-01-01T00:00:00Z. */
  timestamp: bigint;
  /** Signed nanoseconds. */
  duration: bigint;
}

/** A value inside an `any` with its kind. Made by {@link tagged}. */
export class Tagged<K extends keyof TaggedValues = keyof TaggedValues> {
  constructor(
    /** The kind of the value. */
    readonly kind: K,
    /** The value, in the form that a field of that type has. */
    readonly value: TaggedValues[K],
  ) {}
}

/** Returns a number, bigint or string for an `any` with its kind: `tagged("date", 19_000)`. */
export function tagged<K extends keyof TaggedValues>(kind: K, value: TaggedValues[K]): Tagged<K> {
  return new Tagged(kind, value);
}

/** Native arrays of numbers, each a numeric row in the format. */
export interface TypedArrays {
  i8: Int8Array;
  i16: Int16Array;
  i32: Int32Array;
  i64: BigInt64Array;
  u8: Uint8Array;
  u16: Uint16Array;
  u32: Uint32Array;
  u64: BigUint64Array;
  f32: Float32Array;
  f64: Float64Array;
}

/**
 * What an `any` may hold: integers are `bigint`, every `number` is an f64, a `Uint8Array` is bytes. Keys of one `Map`
 * are all strings or all integers of 64 bits. A plain object is written as a `Map` of its properties, and read as a
 * `Map` unless the codec has the option `objects`; properties that are undefined are left out.
 */
export type AnyValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Decimal
  | Tagged
  | AnyValue[]
  | Map<string, AnyValue>
  | Map<bigint, AnyValue>
  | { readonly [key: string]: AnyValue | undefined }
  | TypedArrays[Exclude<keyof TypedArrays, "u8">];
