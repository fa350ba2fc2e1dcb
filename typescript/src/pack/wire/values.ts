import { BITS } from "../schema/numeric.js";
import type { Numeric } from "../schema/type.js";

// Conversions of values that are read one by one. The fast paths have their own.

/** A number in the form of values: a bigint for 64 bits, else a number. */
export function numberOf(kind: Numeric, value: number | bigint): number | bigint {
  return BITS[kind] === 64 ? value : Number(value);
}

/** The millisecond that an instant lies in. */
export function dateOf(nanoseconds: bigint): Date {
  return new Date(Number((nanoseconds - (((nanoseconds % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n));
}

/** The text form of 16 bytes. */
export function uuidOf(bytes: Uint8Array): string {
  return hexOf(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Two digits for each byte. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The map of these keys and values. */
export function entries(keys: readonly unknown[], values: readonly unknown[]): Map<unknown, unknown> {
  return new Map(keys.map((key, i) => [key, values[i]]));
}
