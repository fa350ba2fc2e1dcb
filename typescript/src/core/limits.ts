import { SamewireError } from "./error.js";

/**
 * Bounds on one message (`spec/limits.md`). Every limit is a whole number of at least 1; there is no "unlimited". Writers
 * refuse what a reader with the same limits would refuse.
 *
 * The engine has limits of its own, however far these are raised: more than 2^24 keys of one map or set, and more than
 * 2^27 − 3 elements of one array, are `limit_items`; a text of more than 2^29 − 24 units is `limit_size`.
 */
export interface Limits {
  /** Recursive structs and lists or maps inside `any` that are open at once. Default 64. */
  readonly depth: number;
  /** Length of one message in bytes, read or written. Default 64 MiB. */
  readonly frameBytes: number;
  /** Bytes of both text blocks of one message together. Default 64 MiB. */
  readonly textBytes: number;
  /** Elements of all lists, sets and maps of one message, nested ones summed. Default 16,777,216. */
  readonly items: number;
  /**
   * Cells of memory that the values of one message take when they are read, fields as well as elements: at most 60 bytes
   * each. Default 16,777,216.
   */
  readonly cells: number;
  /** Bytes that a scanner buffers for an unfinished frame. Default `frameBytes` + 5. */
  readonly bufferedBytes: number;
}

/** The defaults of `spec/limits.md`. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  depth: 64,
  frameBytes: 67_108_864,
  textBytes: 67_108_864,
  items: 16_777_216,
  cells: 16_777_216,
  bufferedBytes: 67_108_869,
});

/** The longest length of a frame, as a varint of u32. */
const LENGTH_BYTES = 5;

/**
 * The defaults with some limits replaced.
 *
 * @throws SamewireError `misuse` for an unknown limit, and for one that is not a whole number from 1 to 2^53 − 1.
 */
export function limits(changes: Partial<Limits> = {}): Limits {
  const given: unknown = changes;
  if (typeof given !== "object" || given === null) throw new SamewireError("misuse", `limits are an object, not ${given === null ? "null" : typeof given}`);
  const unknown = Object.keys(changes).find((name) => !Object.hasOwn(DEFAULT_LIMITS, name));
  if (unknown !== undefined) throw new SamewireError("misuse", `there is no limit ${unknown}, only ${Object.keys(DEFAULT_LIMITS).join(", ")}`);
  const merged = { ...DEFAULT_LIMITS, ...changes };
  if (changes.bufferedBytes === undefined && changes.frameBytes !== undefined) {
    merged.bufferedBytes = changes.frameBytes + LENGTH_BYTES;
  }
  for (const name of Object.keys(DEFAULT_LIMITS) as (keyof Limits)[]) {
    const value = merged[name];
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new SamewireError("misuse", `the limit ${name} must be a whole number of at least 1, not ${String(value)}`);
    }
  }
  return Object.freeze(merged);
}
