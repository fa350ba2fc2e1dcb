import type { Converters } from "../schema/tree.js";
import { bailOut } from "./bail-out.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

/** The converters of a place as one function. */
type Convert = (value: unknown) => unknown;

/** The decoders of a place as one function. */
type Decode = (r: Reader, value: unknown) => unknown;

/** Returns the conversion of a program's value to the written one; undefined for none. */
export function encoderOf(converters: Converters): Convert | undefined {
  const [first, ...rest] = converters;
  if (first === undefined) return undefined;
  const { encode } = first;
  const inner = encoderOf(rest);
  return inner === undefined ? encode : (value) => inner(encode(value));
}

/**
 * Returns the conversion of a value that was read, whose bytes are known to be there, to the program's; undefined for
 * none.
 */
export function decoderOf(converters: Converters): Decode | undefined {
  const [first, ...rest] = converters;
  if (first === undefined) return undefined;
  const { decode } = first;
  const inner = decoderOf(rest);
  if (inner === undefined) {
    return (r, value) => {
      r.convert();
      return decode(value);
    };
  }
  return (r, value) => {
    const made = inner(r, value);
    r.convert();
    return decode(made);
  };
}

/**
 * As {@link encoderOf}, for the struct of a ref: each of the program's objects is converted once, so that shared
 * objects stay shared.
 */
export function sharedEncoderOf(converters: Converters): ((w: Writer, value: unknown) => unknown) | undefined {
  const encode = encoderOf(converters);
  if (encode === undefined) return undefined;
  const outermost = converters[0]!;
  return (w, value) => {
    const known = knownOf(w.converted, outermost);
    if (known.has(value)) return known.get(value);
    const made = encode(value);
    known.set(value, made);
    return made;
  };
}

/** Returns a decoder as {@link decoderOf} does, which converts each shared value once. */
export function sharedDecoderOf(converters: Converters): Decode | undefined {
  const decode = decoderOf(converters);
  if (decode === undefined) return undefined;
  const outermost = converters[0]!;
  return (r, value) => {
    const known = knownOf(r.converted, outermost);
    if (known.has(value)) return known.get(value);
    const made = decode(r, value);
    known.set(value, made);
    return made;
  };
}

/** The conversions of shared objects in one message by a type made by `as`, which stands for the types below it. */
function knownOf(converted: Map<object, Map<unknown, unknown>>, by: object): Map<unknown, unknown> {
  let known = converted.get(by);
  if (known === undefined) converted.set(by, (known = new Map<unknown, unknown>()));
  return known;
}

/**
 * The program's set of the keys that were read. Those are distinct, but their conversions may be equal: then it bails
 * out.
 */
export function madeSet(r: Reader, decode: Decode, keys: ReadonlySet<unknown>): Set<unknown> {
  const made = new Set<unknown>();
  for (const key of keys) made.add(decode(r, key));
  return made.size === keys.size ? made : bailOut();
}

/** The program's map of the keys that were read, which are distinct. Bails out if two become one. */
export function madeKeys(r: Reader, decode: Decode, map: ReadonlyMap<unknown, unknown>): Map<unknown, unknown> {
  const made = new Map<unknown, unknown>();
  for (const [key, value] of map) made.set(decode(r, key), value);
  return made.size === map.size ? made : bailOut();
}

/** Converts the first elements of an array, each read once, to the written ones. */
export function convertedList(encode: Convert, values: readonly unknown[], count: number): unknown[] {
  const made = new Array<unknown>(count);
  for (let i = 0; i < count; i++) made[i] = encode(values[i]);
  return made;
}

/** The keys that are written of a set. Bails out if two become one. */
export function convertedSet(encode: Convert, keys: ReadonlySet<unknown>): Set<unknown> {
  const made = new Set<unknown>();
  for (const key of keys) made.add(encode(key));
  return made.size === keys.size ? made : bailOut();
}

/** A map with the keys that are written. Bails out if two become one. */
export function convertedKeys(encode: Convert, map: ReadonlyMap<unknown, unknown>): Map<unknown, unknown> {
  const made = new Map<unknown, unknown>();
  for (const [key, value] of map) made.set(encode(key), value);
  return made.size === map.size ? made : bailOut();
}
