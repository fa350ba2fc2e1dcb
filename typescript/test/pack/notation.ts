import type { SchemaNode, StructNode } from "../../src/pack/schema/tree.js";
import { Decimal, Tagged } from "../../src/pack/schema/value.js";
import type { AnyValue } from "../../src/pack/schema/value.js";
import { ARRAYS } from "../../src/pack/wire/typed-arrays.js";
import type { Numeric } from "../../src/pack/schema/type.js";

/** A value as the vectors write it (`spec/vectors/README.md`). */
export type Notation = null | boolean | string | Notation[] | { [key: string]: Notation };

type Fields = Record<string, Notation>;
const float = new DataView(new ArrayBuffer(8));

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function toHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += HEX[byte]!;
  return hex;
}

export function fromHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

function bitsOf(kind: "f32" | "f64", value: number): string {
  if (Number.isNaN(value)) return kind === "f32" ? "7fc00000" : "7ff8000000000000";
  if (kind === "f32") float.setFloat32(0, value);
  else float.setFloat64(0, value);
  return toHex(new Uint8Array(float.buffer, 0, kind === "f32" ? 4 : 8));
}

function ofBits(kind: "f32" | "f64", bits: string): number {
  new Uint8Array(float.buffer).set(fromHex(bits));
  return kind === "f32" ? float.getFloat32(0) : float.getFloat64(0);
}

function decimalOf(text: string): Decimal {
  const [unscaled, scale] = text.split("/");
  return new Decimal(BigInt(unscaled!), Number(scale));
}

const ANY_LISTS: readonly Numeric[] = ["i8", "i16", "i32", "i64", "u16", "u32", "u64", "f32", "f64"];

function scalarFrom(kind: string, text: string): unknown {
  switch (kind) {
    case "i64":
    case "u64":
    case "bigint":
    case "timestamp":
    case "duration":
      return BigInt(text);
    case "f32":
    case "f64":
      return ofBits(kind, text);
    case "decimal":
      return decimalOf(text);
    case "bytes":
      return fromHex(text);
    case "string":
    case "uuid":
      return text;
    default:
      return Number(text);
  }
}

function scalarTo(kind: string, value: unknown): string {
  switch (kind) {
    case "f32":
    case "f64":
      return bitsOf(kind, value as number);
    case "decimal":
      return `${(value as Decimal).unscaled.toString()}/${(value as Decimal).scale}`;
    case "bytes":
      return toHex(value as Uint8Array);
    default:
      return String(value);
  }
}

function typedArray(kind: Numeric, values: readonly unknown[]): unknown {
  return kind === "i64" || kind === "u64" ? ARRAYS[kind].from(values as bigint[]) : ARRAYS[kind].from(values as number[]);
}

function anyFrom(notation: Notation): AnyValue {
  if (notation === null || typeof notation === "boolean") return notation;
  const [kind, inner] = Object.entries(notation as Fields)[0]!;
  switch (kind) {
    case "int":
    case "bigint":
      return BigInt(inner as string);
    case "list":
      return (inner as Notation[]).map(anyFrom);
    case "map":
      return new Map((inner as Notation[][]).map(([key, value]) => [anyFrom(key!) as string, anyFrom(value!)]));
    case "uuid":
    case "date":
    case "time":
    case "timestamp":
    case "duration":
      return new Tagged(kind, scalarFrom(kind, inner as string) as string);
    case "f64":
    case "string":
    case "bytes":
    case "decimal":
      return scalarFrom(kind, inner as string) as AnyValue;
    default: {
      const numeric = kind.slice(0, -1) as Numeric;
      return typedArray(numeric, (inner as string[]).map((text) => scalarFrom(numeric, text))) as AnyValue;
    }
  }
}

function anyTo(value: AnyValue): Notation {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return { string: value };
  if (typeof value === "number") return { f64: bitsOf("f64", value) };
  if (typeof value === "bigint") return { [BigInt.asIntN(64, value) === value ? "int" : "bigint"]: value.toString() };
  if (value instanceof Uint8Array) return { bytes: toHex(value) };
  if (value instanceof Decimal) return { decimal: scalarTo("decimal", value) };
  if (value instanceof Tagged) return { [value.kind]: scalarTo(value.kind, value.value) };
  if (Array.isArray(value)) return { list: value.map(anyTo) };
  if (value instanceof Map) return { map: Array.from<[bigint | string, AnyValue], Notation>(value, ([key, inner]) => [anyTo(key), anyTo(inner)]) };
  const kind = ANY_LISTS.find((numeric) => value instanceof ARRAYS[numeric])!;
  return { [`${kind}s`]: Array.from(value as Iterable<unknown>, (item) => scalarTo(kind, item)) };
}

/** Native values from the notation. */
export function fromNotation(root: SchemaNode, notation: Notation): unknown {
  const shared: object[] = [];
  const struct = (node: StructNode, fields: Fields, value: Record<string, unknown> = {}): object => {
    for (const field of node.fields) {
      const inner = make(field.node, fields[field.name]!);
      Object.defineProperty(value, field.name, { value: inner, enumerable: true, writable: true, configurable: true });
    }
    return value;
  };
  const make = (node: SchemaNode, part: Notation): unknown => {
    switch (node.kind) {
      case "option":
        return part === null ? null : make(node.of, part);
      case "enum":
      case "bool":
        return part;
      case "list": {
        const values = (part as Notation[]).map((item) => make(node.of, item));
        return node.typed ? typedArray(node.of.kind as Numeric, values) : values;
      }
      case "set":
        return new Set((part as Notation[]).map((item) => make(node.of, item)));
      case "map":
        return new Map((part as Notation[][]).map(([key, value]) => [make(node.key, key!), make(node.value, value!)]));
      case "tuple":
        return node.of.map((item, i) => make(item, (part as Notation[])[i]!));
      case "struct":
        return struct(node, part as Fields);
      case "union": {
        const [name, fields] = Object.entries(part as Fields)[0]!;
        const member = node.members.find((candidate) => candidate.name === name)!;
        return struct(member, fields as Fields, { [node.discriminator]: name });
      }
      case "ref": {
        const { ref, value } = part as { ref: number & Notation; value?: Notation };
        return value === undefined ? shared[ref] : (shared[ref] = make(node.of, value) as object);
      }
      case "any":
        return anyFrom(part);
      default:
        return scalarFrom(node.kind, part as string);
    }
  };
  return make(root, notation);
}

/** The notation of native values. */
export function toNotation(root: SchemaNode, native: unknown): Notation {
  const shared = new Map<object, number>();
  const struct = (node: StructNode, value: object): Notation => {
    const fields: Fields = {};
    for (const field of node.fields) {
      const inner = make(field.node, Object.getOwnPropertyDescriptor(value, field.name)?.value);
      Object.defineProperty(fields, field.name, { value: inner, enumerable: true, writable: true, configurable: true });
    }
    return fields;
  };
  const make = (node: SchemaNode, value: unknown): Notation => {
    switch (node.kind) {
      case "option":
        return value === null ? null : make(node.of, value);
      case "enum":
      case "bool":
        return value as Notation;
      case "list":
        return Array.from(value as Iterable<unknown>, (item) => make(node.of, item));
      case "set": {
        const keys = [...(value as Set<unknown>)].sort((a, b) => (a! < b! ? -1 : 1));
        return keys.map((item) => make(node.of, item));
      }
      case "map":
        return Array.from(value as Map<unknown, unknown>, ([key, item]) => [make(node.key, key), make(node.value, item)]);
      case "tuple":
        return node.of.map((item, i) => make(item, (value as unknown[])[i]));
      case "struct":
        return struct(node, value as object);
      case "union": {
        const name = (value as Record<string, string>)[node.discriminator]!;
        return { [name]: struct(node.members.find((member) => member.name === name)!, value as object) };
      }
      case "ref": {
        const known = shared.get(value as object);
        if (known !== undefined) return { ref: known as unknown as Notation };
        const inner = struct(node.of, value as object);
        const ref = shared.size;
        shared.set(value as object, ref);
        return { ref: ref as unknown as Notation, value: inner };
      }
      case "any":
        return anyTo(value as AnyValue);
      default:
        return scalarTo(node.kind, value);
    }
  };
  return make(root, native);
}
