/**
 * Thrown by a fast path for anything that it does not handle: the walker, or the value walker, then finds the error.
 * Never leaves the library.
 */
export class Fallback extends Error {}

/** The only instance: throwing it takes no stack trace. */
const FALLBACK: Fallback = new Fallback("fallback");

/** Leaves a fast path. An expression, so that it can stand where a value is expected. */
export function bailOut(): never {
  throw FALLBACK;
}
