import { isBytes, isMap, isPlainObject } from "../../core/realm.js";
import { ANY_CELLS } from "../schema/cells.js";
import type { Numeric } from "../schema/type.js";
import { Decimal, Tagged } from "../schema/value.js";
import type { AnyValue, TypedArrays } from "../schema/value.js";
import { ANY_LISTS, Tag } from "./any-reader.js";
import { bailOut } from "./bail-out.js";
import { sortedMap } from "./key-order.js";
import { writeRow } from "./numeric-row-writer.js";
import { ARRAYS, isTyped } from "./typed-arrays.js";
import { TOKEN_BYTES } from "./writer.js";
import type { Writer } from "./writer.js";

/** Most bytes of a tag and a value that does not reserve its own. */
const ROOM = 17 + TOKEN_BYTES;

/**
 * Writes an `any` (section 10). May move the buffer.
 *
 * @param dedupSlot the dedup slot of the `any`
 * @param depth how many recursive structs and lists or maps inside `any` are open
 */
export function writeAny(w: Writer, p: number, value: AnyValue, dedupSlot: number, depth: number): number {
  w.ensure(p, ROOM);
  const { b } = w;
  switch (typeof value) {
    case "string":
      b[p] = Tag.STRING;
      return w.text(p + 1, value, dedupSlot);
    case "number":
      b[p] = Tag.F64;
      return w.f64(p + 1, value);
    case "bigint":
      return writeInteger(w, p, value);
    case "boolean":
      b[p] = value ? Tag.TRUE : Tag.FALSE;
      return p + 1;
    case "object":
      return value === null ? writeNull(w, p) : writeObject(w, p, value, dedupSlot, depth);
    default:
      return bailOut();
  }
}

function writeNull(w: Writer, p: number): number {
  w.b[p] = Tag.NULL;
  return p + 1;
}

function writeInteger(w: Writer, p: number, value: bigint): number {
  if (value >= 0n && value < 128n) {
    w.b[p] = Tag.SMALL + Number(value);
    return p + 1;
  }
  const long = BigInt.asIntN(64, value) === value;
  w.b[p] = long ? Tag.INTEGER : Tag.BIGINT;
  return long ? w.i64(p + 1, value) : w.bigint(p + 1, value);
}

function writeObject(w: Writer, p: number, value: Extract<AnyValue, object>, dedupSlot: number, depth: number): number {
  if (Array.isArray(value)) {
    w.b[p] = Tag.LIST;
    if (depth >= w.maxDepth) bailOut();
    // By index: an iterator of the array's own is not used, and an accessor that changes the length changes nothing
    // here.
    const { length } = value;
    w.claim(length, ANY_CELLS.list);
    p = w.varint(p + 1, length);
    for (let i = 0; i < length; i++) p = writeAny(w, p, value[i]!, dedupSlot, depth + 1);
    return p;
  }
  if (value instanceof Map) return writeMap(w, p, value, dedupSlot, depth + 1);
  if (value instanceof Uint8Array) return writeBytes(w, p, value);
  if (value instanceof Decimal) {
    w.b[p] = Tag.DECIMAL;
    w.charge(ANY_CELLS.decimal);
    return w.decimal(p + 1, value);
  }
  if (value instanceof Tagged) return writeTagged(w, p, value);
  for (const [i, kind] of ANY_LISTS.entries()) if (value instanceof ARRAYS[kind]) return writeNumbers(w, p, value, i);
  // A class of another realm, or not an any.
  if (isMap(value)) return writeMap(w, p, value as Map<unknown, AnyValue>, dedupSlot, depth + 1);
  for (const [i, kind] of ANY_LISTS.entries()) if (isTyped(kind, value)) return writeNumbers(w, p, value, i);
  if (isBytes(value)) return writeBytes(w, p, value);
  return isPlainObject(value) ? writeMap(w, p, mapOf(value), dedupSlot, depth + 1) : bailOut();
}

function writeNumbers(w: Writer, p: number, value: TypedArrays[Numeric], list: number): number {
  w.b[p] = Tag.NUMBERS + list;
  w.claim(value.length, ANY_CELLS.numbers);
  return writeRow(w, w.varint(p + 1, value.length), ANY_LISTS[list]!, value, value.length);
}

function writeBytes(w: Writer, p: number, value: Uint8Array): number {
  w.b[p] = Tag.BYTES;
  w.charge(ANY_CELLS.bytes);
  return w.bytes(p + 1, value);
}

function writeMap(w: Writer, p: number, given: Map<unknown, AnyValue>, dedupSlot: number, depth: number): number {
  w.b[p] = Tag.MAP;
  if (depth > w.maxDepth) bailOut();
  const value = w.options.sortKeys ? sortedMap(given) : given;
  const { size } = value;
  w.claim(size, ANY_CELLS.map);
  p = w.varint(p + 1, size);
  const texts = typeof value.keys().next().value === "string";
  let keys = 0;
  for (const key of value.keys()) {
    keys++;
    if ((typeof key === "string") !== texts) bailOut();
    if (typeof key !== "string" && (typeof key !== "bigint" || BigInt.asIntN(64, key) !== key)) bailOut();
    p = writeAny(w, p, key, dedupSlot, depth);
  }
  // The map may change while its values are written.
  let values = 0;
  for (const item of value.values()) {
    if (++values > size) bailOut();
    p = writeAny(w, p, item, dedupSlot, depth);
  }
  return keys === size && values === size ? p : bailOut();
}

/** The properties of a plain object, those that are undefined left out, as in JSON. */
export function mapOf(value: Readonly<Record<string, unknown>>): Map<string, AnyValue> {
  const map = new Map<string, AnyValue>();
  for (const key of Object.keys(value)) {
    const item = value[key] as AnyValue | undefined;
    if (item !== undefined) map.set(key, item);
  }
  return map;
}

function writeTagged(w: Writer, p: number, { kind, value }: Tagged): number {
  switch (kind) {
    case "uuid":
      w.b[p] = Tag.UUID;
      return w.uuid(p + 1, value as string);
    case "date":
      w.b[p] = Tag.DATE;
      return w.date(p + 1, value as number);
    case "time":
      w.b[p] = Tag.TIME;
      return w.time(p + 1, value as number);
    case "timestamp":
      w.b[p] = Tag.TIMESTAMP;
      return w.timestamp(p + 1, value as bigint);
    case "duration":
      w.b[p] = Tag.DURATION;
      return w.duration(p + 1, value as bigint);
    default:
      return bailOut();
  }
}
