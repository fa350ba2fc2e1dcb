import { array as plainArray, list as plainList, map as plainMap, set as plainSet } from "../schema/builder.js";
import { ScalarType } from "../schema/type.js";
import type { Numeric, Type } from "../schema/type.js";
import type { AnyValue, TypedArrays } from "../schema/value.js";
import { walkAny } from "../wire/any-walker.js";
import { ColumnWalker } from "../wire/columns/strict.js";
import { writeNumbers } from "../wire/message-numbers.js";
import { walkNumbers } from "../wire/strict-rows.js";
import type { WalkerParts } from "../wire/walker.js";
import { checkAny } from "./any-check.js";
import { writeCheckedAny } from "./any-value-writer.js";
import { writeColumn } from "./column-value-writer.js";
import { parts } from "./parts.js";

// The types whose values take much code to read and write. Only a call of these functions reaches that code, so that bundles of
// programs without such types do not hold it.

function withLists<T>(type: T): T {
  Object.assign(parts.reading, { columns: (walk) => new ColumnWalker(walk), numbers: walkNumbers } satisfies WalkerParts);
  Object.assign(parts.writing, { column: writeColumn, numbers: writeNumbers });
  return type;
}

function anyType(): ScalarType<"any", AnyValue> {
  parts.check = checkAny;
  Object.assign(parts.reading, { any: walkAny, numbers: walkNumbers } satisfies WalkerParts);
  Object.assign(parts.writing, { any: writeCheckedAny });
  return new ScalarType<"any", AnyValue>("any");
}

/** A self-describing value. */
export const any = /* @__PURE__ */ anyType();

/** A sequence, as a JavaScript array. For numbers see {@link array} too. */
export function list<T>(of: Type<T>): Type<T[]> {
  return withLists(plainList(of));
}

/** A sequence of numbers as a typed array: the same schema and bytes as {@link list}. */
export function array<K extends Numeric>(of: ScalarType<K, number | bigint>): Type<TypedArrays[K]> {
  return withLists(plainArray(of));
}

/** Distinct keys, as a `Set`. Written in ascending order; decoded in the order of the bytes. */
export function set<T>(of: Type<T>): Type<Set<T>> {
  return withLists(plainSet(of));
}

/** Entries with distinct keys, in order, as a `Map`. */
export function map<K, V>(key: Type<K>, value: Type<V>): Type<Map<K, V>> {
  return withLists(plainMap(key, value));
}
