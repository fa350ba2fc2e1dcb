import { SamewireError } from "../../core/error.js";

/**
 * The most that one object of the engine can hold under any limits: V8's bounds, the lowest of the engines in
 * use. If limits are raised beyond them, the reader and the walker refuse a message before the engine does, so that the
 * error has an offset and a path.
 */

/** Keys of a `Map` or a `Set`: 2^24. */
export const MOST_KEYS = 16_777_216;
/** Elements of an array: 2^27 − 3. */
export const MOST_ELEMENTS = 134_217_725;
/** UTF-16 units of a string: 2^29 − 24. */
export const MOST_UNITS = 536_870_888;
/** The greatest count: only memory bounds the elements of a typed array. */
export const MOST_NUMBERS = 0x7fff_ffff;

/** Whether the engine ran out of stack: only with a limit on depth far above the default. */
export function isOverflow(error: unknown): boolean {
  return error instanceof Error && (error.name === "InternalError" || (error instanceof RangeError && error.message.includes("stack")));
}

/** Whether a string, array or map became larger than the engine allows or has memory for. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof RangeError && /string length|typed array length|array length|allocation|maximum size/i.test(error.message);
}

/** The error of {@link isOverflow}. */
export function overflow(): SamewireError {
  return new SamewireError("limit_depth", "nested deeper than the engine's stack allows: lower limits.depth", { path: "$" });
}
