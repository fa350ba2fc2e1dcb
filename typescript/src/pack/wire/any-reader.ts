import { ANY_CELLS } from "../schema/cells.js";
import type { Numeric } from "../schema/type.js";
import { Tagged } from "../schema/value.js";
import type { AnyValue } from "../schema/value.js";
import { leastBytes } from "./allocation-budget.js";
import { bailOut } from "./bail-out.js";
import { MOST_ELEMENTS, MOST_KEYS, MOST_NUMBERS } from "./engine.js";
import { put } from "./property.js";
import { readTyped } from "./numeric-row-reader.js";
import type { Reader } from "./reader.js";

/** Tags of section 10. */
export const Tag = {
  NULL: 0x00,
  FALSE: 0x01,
  TRUE: 0x02,
  INTEGER: 0x03,
  BIGINT: 0x04,
  F64: 0x05,
  STRING: 0x06,
  BYTES: 0x07,
  LIST: 0x08,
  MAP: 0x09,
  DECIMAL: 0x0a,
  UUID: 0x0b,
  DATE: 0x0c,
  TIME: 0x0d,
  TIMESTAMP: 0x0e,
  DURATION: 0x0f,
  /** The first of the numeric lists. */
  NUMBERS: 0x10,
  /** The first of the tags that are reserved for extensions by other parts. */
  EXTENSION: 0x30,
  /** The first of the integers 0 to 127. */
  SMALL: 0x80,
} as const;

/** The element types of the numeric lists, in the order of their tags. */
export const ANY_LISTS = ["i8", "i16", "i32", "i64", "u16", "u32", "u64", "f32", "f64"] as const satisfies readonly Numeric[];

/** A key of a map inside an `any`: an integer of 64 bits or a text. */
type Key = bigint | string;

/**
 * Reads an `any`.
 *
 * @param depth how many recursive structs and lists or maps inside `any` are open
 */
export function readAny(r: Reader, depth: number): AnyValue {
  const tag = r.b[r.p++]!;
  if (tag >= Tag.SMALL) return BigInt(tag - Tag.SMALL);
  switch (tag) {
    case Tag.NULL:
      return null;
    case Tag.FALSE:
      return false;
    case Tag.TRUE:
      return true;
    case Tag.INTEGER:
      return r.i64();
    case Tag.BIGINT:
      return r.bigint();
    case Tag.F64:
      return r.f64();
    case Tag.STRING:
      return r.string();
    case Tag.BYTES:
      r.charge(ANY_CELLS.bytes);
      return r.bytes();
    case Tag.LIST:
      return readList(r, depth + 1);
    case Tag.MAP:
      return readMap(r, depth + 1);
    case Tag.DECIMAL:
      r.charge(ANY_CELLS.decimal);
      return r.decimal();
    case Tag.UUID:
      return new Tagged("uuid", r.uuid());
    case Tag.DATE:
      return new Tagged("date", r.date());
    case Tag.TIME:
      return new Tagged("time", r.time());
    case Tag.TIMESTAMP:
      return new Tagged("timestamp", r.timestamp());
    case Tag.DURATION:
      return new Tagged("duration", r.duration());
    default:
      return readNumeric(r, tag);
  }
}

function readNumeric(r: Reader, tag: number): AnyValue {
  const kind = ANY_LISTS[tag - Tag.NUMBERS];
  if (kind === undefined) return bailOut();
  const count = r.u32();
  r.elements(count, leastBytes({ kind }, count), MOST_NUMBERS, ANY_CELLS.numbers);
  return readTyped(r, kind, count);
}

function readList(r: Reader, depth: number): AnyValue[] {
  if (depth > r.maxDepth) bailOut();
  const count = r.u32();
  r.elements(count, count, MOST_ELEMENTS, ANY_CELLS.list);
  // For length 0 the engine would allocate four elements.
  const out = count === 0 ? [] : new Array<AnyValue>(count);
  for (let i = 0; i < count; i++) out[i] = readAny(r, depth);
  return out;
}

/** A map; all its keys are of one kind. */
function readMap(r: Reader, depth: number): AnyValue {
  if (depth > r.maxDepth) bailOut();
  const count = r.u32();
  r.elements(count, 2 * count, MOST_KEYS, ANY_CELLS.map);
  const out = new Map<Key, AnyValue>();
  if (count === 0) return r.options.objects ? {} : (out as AnyValue);
  const keys = new Array<Key>(count);
  const texts = r.b[r.p] === Tag.STRING;
  for (let i = 0; i < count; i++) keys[i] = readKey(r, texts);
  if (texts && r.options.objects) return readObject(r, depth, keys as string[]);
  for (const key of keys) out.set(key, readAny(r, depth));
  return r.distinct(out, count) as AnyValue;
}

/** The values of these keys, as properties. */
function readObject(r: Reader, depth: number, keys: readonly string[]): AnyValue {
  r.distinct(new Set(keys), keys.length);
  const out: Record<string, AnyValue> = {};
  for (const key of keys) put(out, key, readAny(r, depth));
  return out;
}

/** A key of a map whose keys are all `texts`, or all integers. */
function readKey(r: Reader, texts: boolean): Key {
  const tag = r.b[r.p++]!;
  if ((tag === Tag.STRING) !== texts) bailOut();
  if (texts) return r.string();
  if (tag >= Tag.SMALL) return BigInt(tag - Tag.SMALL);
  return tag === Tag.INTEGER ? r.i64() : bailOut();
}
