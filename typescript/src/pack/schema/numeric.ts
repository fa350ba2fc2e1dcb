import type { Numeric } from "./type.js";

/** The size of each numeric type in bits. */
export const BITS: { readonly [K in Numeric]: 8 | 16 | 32 | 64 } = {
  i8: 8, i16: 16, i32: 32, i64: 64, u8: 8, u16: 16, u32: 32, u64: 64, f32: 32, f64: 64,
};

/** Whether a list of the type is a numeric row. */
export function isNumeric(kind: string): kind is Numeric {
  return kind in BITS;
}

/** Whether a finite number is infinite once it is rounded to `f32`. */
export function overflowsF32(value: number): boolean {
  return Number.isFinite(value) && !Number.isFinite(Math.fround(value));
}

/** Whether the type is `f32` or `f64`. */
export function isFloat(kind: string): boolean {
  return kind === "f32" || kind === "f64";
}

/** Whether the type is one of the signed integers. */
export function isSigned(kind: string): boolean {
  return kind.startsWith("i");
}
