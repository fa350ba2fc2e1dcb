import type { FieldNode, SchemaNode } from "../schema/tree.js";
import { encoderOf } from "../wire/converters.js";
import { bailOut } from "../wire/bail-out.js";
import { byOrder, sortedMap } from "../wire/key-order.js";
import { TOKEN_BYTES } from "../wire/writer.js";
import type { Writer } from "../wire/writer.js";

/**
 * Writes the root value at `p`; returns the position after it. `depth` counts the open recursive structs, and lists or
 * maps in `any`.
 */
export type Encode = (w: Writer, value: unknown, p: number, depth: number) => number;

/**
 * The most bytes of a slot, without the flags of its row; undefined if there is no bound or the slot reserves its own
 * bytes.
 */
export function fixedBytes(node: SchemaNode): number | undefined {
  switch (node.kind) {
    case "bool":
      return 0;
    case "option":
      return node.of.kind === "bool" ? 1 : fixedBytes(node.of);
    case "i8":
    case "u8":
      return 1;
    case "f32":
      return 4;
    case "f64":
      return 8;
    case "i16":
    case "u16":
    case "i32":
    case "u32":
    case "date":
    case "enum":
    case "string":
      return TOKEN_BYTES;
    case "i64":
    case "u64":
    case "time":
      return 10;
    case "uuid":
      return 16;
    case "timestamp":
    case "duration":
      return 15;
    default:
      return undefined;
  }
}

/** UUIDs are the same in upper and lower case. */
function lower(key: unknown): string {
  return typeof key === "string" ? key.toLowerCase() : bailOut();
}

function lowerCase(keys: Iterable<unknown>): string[] {
  return Array.from(keys, lower);
}

/** Returns a function that returns the keys of a set in ascending order. It bails out if two are equal on the wire. */
export function sortedKeys(node: SchemaNode): (keys: ReadonlySet<unknown>) => unknown[] {
  if (node.kind !== "uuid") return (keys) => [...keys].sort(byOrder);
  return (keys) => {
    const sorted = lowerCase(keys).sort(byOrder);
    return new Set(sorted).size === sorted.length ? sorted : bailOut();
  };
}

/** Returns a function that sorts the entries of a map in the key order of sets. It bails out on keys of other types. */
export function mapSorter(key: SchemaNode): (map: ReadonlyMap<unknown, unknown>) => ReadonlyMap<unknown, unknown> {
  return key.kind === "uuid" ? (map) => sortedMap(map, lower) : (map) => sortedMap(map);
}

/** Returns a function that returns the keys of a map in order. It bails out if two are equal on the wire. */
export function distinctKeys(node: SchemaNode): (map: ReadonlyMap<unknown, unknown>) => unknown[] {
  if (node.kind !== "uuid") return (map) => [...map.keys()];
  return (map) => {
    const keys = lowerCase(map.keys());
    return new Set(keys).size === keys.length ? keys : bailOut();
  };
}

/**
 * Whether every object inherits a property of that name, as `constructor`. A field of such a name is read only if it is
 * the object's own.
 */
export function isEverywhere(name: string): boolean {
  return name in Object.prototype;
}

/** An object's own property; undefined if it only inherits one. */
export function own(value: object, name: string): unknown {
  return Object.prototype.hasOwnProperty.call(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** The value of a field. */
export function fieldOf(value: object, name: string): unknown {
  return isEverywhere(name) ? own(value, name) : (value as Record<string, unknown>)[name];
}

/** Returns a function that reads a field and converts its value. */
export function getter({ name, converters }: FieldNode): (value: object) => unknown {
  const get = isEverywhere(name) ? (value: object) => own(value, name) : (value: object) => (value as Record<string, unknown>)[name];
  const encode = encoderOf(converters);
  return encode === undefined ? get : (value) => encode(get(value));
}
