import { isBytes, isMap, isPlainObject } from "../../core/realm.js";
import { Decimal, Tagged } from "../schema/value.js";
import { ANY_LISTS, Tag } from "../wire/any-reader.js";
import { mapOf } from "../wire/any-writer.js";
import { writeNumbers } from "../wire/message-numbers.js";
import { isTyped } from "../wire/typed-arrays.js";
import type { ValueWriter } from "./value-writer.js";

/** Writes an `any` that has been checked. */
export function writeCheckedAny(writer: ValueWriter, value: unknown, dedupSlot: number): void {
  const { out } = writer;
  if (value === null) out.byte(Tag.NULL);
  else if (typeof value === "boolean") out.byte(value ? Tag.TRUE : Tag.FALSE);
  else if (typeof value === "bigint" && value >= 0n && value < 128n) out.byte(Tag.SMALL + Number(value));
  else if (typeof value === "bigint") tagged(writer, BigInt.asIntN(64, value) === value ? Tag.INTEGER : Tag.BIGINT, value, dedupSlot);
  else if (typeof value === "number") tagged(writer, Tag.F64, value, dedupSlot);
  else if (typeof value === "string") tagged(writer, Tag.STRING, value, dedupSlot);
  else if (value instanceof Decimal) tagged(writer, Tag.DECIMAL, value, dedupSlot);
  else if (value instanceof Tagged) tagged(writer, Tag.UUID + TAGGED.indexOf((value as Tagged).kind), (value as Tagged).value, dedupSlot);
  else if (isBytes(value)) tagged(writer, Tag.BYTES, value, dedupSlot);
  else if (Array.isArray(value)) {
    out.byte(Tag.LIST);
    out.varint(value.length);
    for (const item of value) writeCheckedAny(writer, item, dedupSlot);
  } else {
    const list = ANY_LISTS.findIndex((kind) => isTyped(kind, value));
    if (list >= 0) {
      out.byte(Tag.NUMBERS + list);
      out.varint((value as Float64Array).length);
      writeNumbers(out, ANY_LISTS[list]!, value as Float64Array);
      return;
    }
    const map: ReadonlyMap<unknown, unknown> = isMap(value) ? value : mapOf(isPlainObject(value as object) ? (value as Record<string, unknown>) : {});
    out.byte(Tag.MAP);
    out.varint(map.size);
    for (const key of map.keys()) writeCheckedAny(writer, key, dedupSlot);
    for (const item of map.values()) writeCheckedAny(writer, item, dedupSlot);
  }
}

/** A tag of an `any`, and a value in the form of a slot. */
function tagged(writer: ValueWriter, tag: number, value: unknown, dedupSlot: number): void {
  writer.out.byte(tag);
  writer.scalar({ kind: KINDS[tag - Tag.INTEGER]!, native: "plain", dedupSlot }, value);
}

const TAGGED: readonly string[] = ["uuid", "date", "time", "timestamp", "duration"];
/** The types of the values behind the tags from that of integers on; two of these are containers. */
const KINDS = ["i64", "bigint", "f64", "string", "bytes", "any", "any", "decimal", "uuid", "date", "time", "timestamp", "duration"] as const;
