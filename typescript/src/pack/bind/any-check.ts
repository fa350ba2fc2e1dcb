import { described } from "../../core/described.js";
import { answers, isBytes, isMap, isPlainObject } from "../../core/realm.js";
import { ANY_CELLS } from "../schema/cells.js";
import { oneOf } from "../schema/name.js";
import { Decimal, Tagged } from "../schema/value.js";
import { ANY_LISTS } from "../wire/any-reader.js";
import { mapOf } from "../wire/any-writer.js";
import { isTyped } from "../wire/typed-arrays.js";
import type { ValueWalker } from "./value-walker.js";

/** Checks a value for an `any`. */
export function checkAny(walker: ValueWalker, value: unknown): void {
  if (typeof value === "string") walker.plain("string", value);
  else if (typeof value === "bigint") walker.bigint(value);
  else if (value instanceof Decimal) {
    walker.charge(ANY_CELLS.decimal);
    walker.plain("decimal", value);
  } else if (value instanceof Tagged) tagged(walker, value as Tagged);
  else if (Array.isArray(value)) {
    walker.deeper(() => {
      walker.count(value.length, ANY_CELLS.list);
      anyRow(walker, value, "");
    });
  } else if (isMap(value) && answers(() => value.size)) anyMap(walker, value);
  else if (typeof value === "object" && value !== null && isPlainObject(value)) anyMap(walker, mapOf(value));
  else if (isBytes(value) && answers(() => value.length)) walker.charge(ANY_CELLS.bytes);
  else if (value !== null && typeof value !== "boolean" && typeof value !== "number") {
    if (!ANY_LISTS.some((kind) => isTyped(kind, value)) || !answers(() => (value as Float64Array).length)) walker.refuse(value, ANY_VALUE, value === undefined ? "null is the value of what is absent" : undefined);
    walker.count((value as ArrayLike<unknown>).length, ANY_CELLS.numbers);
  }
}

function tagged(walker: ValueWalker, { kind, value }: Tagged): void {
  if (kind === "timestamp" || kind === "duration") walker.instant(kind, value);
  else if ((kind as unknown) === "uuid" || (kind as unknown) === "date" || (kind as unknown) === "time") walker.plain(kind, value);
  else walker.refuse(kind, `${oneOf(["uuid", "date", "time", "timestamp", "duration"].map(described))} as the kind of a Tagged`);
}

function anyMap(walker: ValueWalker, map: ReadonlyMap<unknown, unknown>): void {
  walker.deeper(() => {
    walker.count(map.size, ANY_CELLS.map);
    anyKeys(walker, [...map.keys()]);
    anyRow(walker, [...map.values()], ".value");
  });
}

function anyKeys(walker: ValueWalker, keys: readonly unknown[]): void {
  for (const [i, key] of keys.entries()) {
    walker.steps.push(`[${i}].key`);
    if (typeof key !== "string" && (typeof key !== "bigint" || BigInt.asIntN(64, key) !== key)) walker.refuse(key, ANY_KEY);
    if (typeof key !== typeof keys[0]) walker.refuse(key, ALIKE_KEY);
    if (typeof key === "string") walker.plain("string", key);
    walker.steps.pop();
  }
}

function anyRow(walker: ValueWalker, values: readonly unknown[], after: string): void {
  for (let i = 0; i < values.length; i++) {
    walker.steps.push(`[${i}]${after}`);
    checkAny(walker, values[i]);
    walker.steps.pop();
  }
}

/** What an `any` holds, for the text of an error. */
const ANY_VALUE = "what an any can hold (null, a boolean, number, bigint, text, Decimal, Tagged, array, typed array or Map; an object is a plain one)";

/** What a key of a map inside an `any` must be, for the text of an error. */
const ANY_KEY = "a string or a bigint of 64 bits as key inside an any (other keys need a type, as map(bool, any))";

/** What the keys of one map inside an `any` must be, for the text of an error. */
const ALIKE_KEY = "keys that are all strings or all bigints in a map inside an any (write the integers as strings, or use two maps)";
