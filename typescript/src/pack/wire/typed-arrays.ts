import { isArrayOf } from "../../core/realm.js";
import type { Numeric } from "../schema/type.js";
import type { TypedArrays } from "../schema/value.js";

/** The typed array of each numeric type. */
export const ARRAYS = {
  i8: Int8Array,
  i16: Int16Array,
  i32: Int32Array,
  i64: BigInt64Array,
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  u64: BigUint64Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

/** Whether a value is the typed array of a type. */
export function isTyped(kind: Numeric, value: unknown): value is TypedArrays[Numeric] {
  return isArrayOf(ARRAYS[kind], value);
}

/** The typed array of these numbers. */
export function typedOf(kind: Numeric, values: readonly unknown[]): unknown {
  return (ARRAYS[kind] as unknown as { from(values: readonly unknown[]): unknown }).from(values);
}
