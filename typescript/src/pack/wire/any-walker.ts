import { ANY_CELLS } from "../schema/cells.js";
import { BITS, isFloat } from "../schema/numeric.js";
import type { ScalarPlan } from "../schema/resolution-plan.js";
import { Tagged } from "../schema/value.js";
import { ANY_LISTS, Tag } from "./any-reader.js";
import { MOST_ELEMENTS, MOST_KEYS, MOST_NUMBERS } from "./engine.js";
import { put } from "./property.js";
import { floatsOf } from "./strict-numbers.js";
import { typedOf } from "./typed-arrays.js";
import { entries } from "./values.js";
import type { Walker } from "./walker.js";

/** Reads an `any` (section 10). */
export function walkAny(walker: Walker): unknown {
  const at = walker.position;
  const tag = walker.byte();
  // Small integers, null and booleans are a tag alone.
  if (tag >= Tag.SMALL) return BigInt(tag - Tag.SMALL);
  // Null, false and true.
  if (tag <= Tag.TRUE) return tag === Tag.NULL ? null : tag === Tag.TRUE;
  if (tag >= Tag.EXTENSION && tag < Tag.EXTENSION + EXTENSIONS) walker.fail("unsupported", at, `the tag ${tag} is an extension of another part`);
  if (tag === Tag.LIST) {
    return walker.deeper(at, () => anyRow(walker, walker.elements(MOST_ELEMENTS, ANY_CELLS.list, ANY), ""));
  }
  if (tag === Tag.MAP) return walker.deeper(at, () => anyMap(walker));
  if (tag === Tag.BYTES) walker.charge(at, ANY_CELLS.bytes);
  if (tag === Tag.DECIMAL) walker.charge(at, ANY_CELLS.decimal);
  const plain = ANY_PLAIN.get(tag);
  if (plain !== undefined) {
    const value = walker.scalar({ kind: plain, as: "plain" });
    return tag >= Tag.UUID ? new Tagged(plain as "uuid", value as string) : value;
  }
  const kind = ANY_LISTS[tag - Tag.NUMBERS] ?? walker.fail("malformed", at, `no value has the tag ${tag}`);
  const count = walker.elements(MOST_NUMBERS, ANY_CELLS.numbers, { kind });
  const row = walker.position;
  const values: unknown[] | undefined = walker.makes && !isFloat(kind) ? [] : undefined;
  walker.numbers({ kind, as: "plain" }, count, values);
  walker.fits(row);
  if (!walker.makes) return undefined;
  return values === undefined ? floatsOf(kind, walker.bytes.subarray(walker.position - (count * BITS[kind]) / 8, walker.position)) : typedOf(kind, values);
}

function anyKey(walker: Walker, first: string | bigint | undefined): string | bigint {
  const at = walker.position;
  const tag = walker.byte();
  const text = tag === Tag.STRING;
  if (!text && tag !== Tag.INTEGER && tag < Tag.SMALL) walker.fail("malformed", at, `the tag ${tag} cannot be a key: keys are texts and integers of 64 bits`);
  if (first !== undefined && (typeof first === "string") !== text) walker.fail("malformed", at, "the keys of a map are all texts or all integers");
  if (text) return walker.text.read(walker);
  return tag === Tag.INTEGER ? walker.signed(64) : BigInt(tag - Tag.SMALL);
}

function anyMap(walker: Walker): unknown {
  const at = walker.position;
  const count = walker.elements(MOST_KEYS, ANY_CELLS.map, ANY, ANY);
  const keys: (string | bigint)[] = [];
  for (let i = 0; i < count; i++) keys.push(walker.inside(`[${i}].key`, () => anyKey(walker, keys[0])));
  walker.distinct(keys, at);
  const values = anyRow(walker, count, ".value");
  if (!walker.makes) return undefined;
  if (!walker.options.objects || typeof keys[0] === "bigint") return entries(keys, values);
  const object = {};
  keys.forEach((key, i) => { put(object, String(key), values[i]); });
  return object;
}

function anyRow(walker: Walker, count: number, after: string): unknown[] {
  const values: unknown[] = [];
  for (let i = 0; i < count; i++) {
    const value = walker.inside(`[${i}]${after}`, () => walkAny(walker));
    if (walker.makes) values.push(value);
  }
  return values;
}

const ANY = { kind: "any" };
/** The number of tags reserved for extensions. */
const EXTENSIONS = 16;

/** The tags of values with the same form inside an `any` as in a slot. */
const ANY_PLAIN: ReadonlyMap<number, ScalarPlan["kind"]> = new Map([
  [Tag.INTEGER, "i64"],
  [Tag.BIGINT, "bigint"],
  [Tag.F64, "f64"],
  [Tag.STRING, "string"],
  [Tag.BYTES, "bytes"],
  [Tag.DECIMAL, "decimal"],
  [Tag.UUID, "uuid"],
  [Tag.DATE, "date"],
  [Tag.TIME, "time"],
  [Tag.TIMESTAMP, "timestamp"],
  [Tag.DURATION, "duration"],
] as const);
