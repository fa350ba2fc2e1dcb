import { SamewireError } from "../../core/error.js";
import { described } from "../../core/described.js";
import type { ErrorCode } from "../../core/error.js";
import type { Limits } from "../../core/limits.js";
import { pathField } from "../../core/path.js";
import { isBytes, isDate, isMap, isPlainObject, isSet } from "../../core/realm.js";
import { ANY_CELLS, OBJECT_CELLS, type Weights } from "../schema/cells.js";
import { isWellFormed, oneOf } from "../schema/name.js";
import { BITS, isFloat, isNumeric, isSigned, overflowsF32 } from "../schema/numeric.js";
import type { ScalarNode, SchemaNode, StructNode, UnionNode } from "../schema/tree.js";
import type { Numeric, Scalar } from "../schema/type.js";
import { Decimal, Tagged } from "../schema/value.js";
import { ANY_LISTS } from "../wire/any-reader.js";
import { mapOf } from "../wire/any-writer.js";
import { BIGINT_BYTES } from "../wire/bigint.js";
import { isTyped } from "../wire/numeric-row-writer.js";
import { DATE_MAX, DATE_MIN, SECONDS_MAX, SECONDS_MIN, TIME_MAX } from "../wire/time.js";
import { isEverywhere, own } from "./encode-rules.js";

/**
 * Checks a value in the order in which it is written, and throws the error that the specification prescribes: the
 * encoders only bail out.
 */
export class ValueWalker {
  private readonly steps: string[] = [];
  private depth = 0;
  private items = 0;
  private cells = 0;
  private readonly shared = new Map<object, Set<string>>();

  constructor(
    private readonly limits: Pick<Limits, "depth" | "items" | "cells">,
    private readonly weights: Weights,
  ) {}

  private fail(code: ErrorCode, text: string): never {
    throw new SamewireError(code, text, { path: `$${this.steps.join("")}` });
  }

  /** @param advice what to do about it; by default how a type may be null, if that is what came */
  private refuse(value: unknown, expected: string, advice = value === null || value === undefined ? "pack.option is the type of what may be absent" : ""): never {
    return this.fail("type_mismatch", `expected ${expected}, got ${described(value)}${advice === "" ? "" : `: ${advice}`}`);
  }

  private outOfRange(value: unknown, kind: Numeric | "timestamp" | "duration"): never {
    return this.fail("type_mismatch", `${described(value)} is out of range for ${kind}${rangeOf(kind)}`);
  }

  private inside(step: string, node: SchemaNode, value: unknown): void {
    this.steps.push(step);
    this.check(node, value);
    this.steps.pop();
  }

  private deeper(check: () => void): void {
    if (++this.depth > this.limits.depth) this.fail("limit_depth", `nested deeper than limits.depth, ${this.limits.depth}: the value contains itself, or the limit is too low for it`);
    check();
    this.depth--;
  }

  /** Counts the elements of a list or set, or the entries of a map, of so many cells each. */
  private count(count: number, cells: number): void {
    const { items } = this.limits;
    this.items += count;
    if (this.items > items) this.fail("limit_items", `expected at most ${items} elements of lists, sets and maps in one message (limits.items), the ${count} elements here make it ${this.items}${REMEDY}`);
    this.charge(OBJECT_CELLS + count * cells);
  }

  private charge(more: number): void {
    const { cells } = this.limits;
    this.cells += more;
    if (this.cells > cells) this.fail("limit_items", `expected values that take at most ${cells} cells of memory when they are read (limits.cells), with what is here they take ${this.cells}${REMEDY}`);
  }

  /** Returns if the value of a message fits. */
  root(node: SchemaNode, value: unknown): void {
    this.charge(this.weights.slot(node));
    this.check(node, value);
  }

  /** Checks what may not lie inline: a struct or tuple is charged when it is entered. */
  private entered(node: SchemaNode, value: unknown): void {
    this.charge(this.weights.present(node));
    this.check(node, value);
  }

  /** Returns if the value fits. */
  check(node: SchemaNode, value: unknown): void {
    switch (node.kind) {
      case "option":
        if (value !== null && value !== undefined) this.entered(node.of, value);
        break;
      case "enum":
        if (!node.symbols.includes(value as string)) this.refuse(value, `${oneOf(node.symbols.map(described))} for ${node.name}`);
        break;
      case "list":
        if (node.typed && isNumeric(node.of.kind)) {
          if (!isTyped(node.of.kind, value)) this.refuse(value, `a typed array of ${node.of.kind}`, Array.isArray(value) ? "pack.list is the type of arrays" : undefined);
          this.count(value.length, this.weights.element(node));
        } else {
          if (!Array.isArray(value)) this.refuse(value, "an array", ANY_LISTS.some((kind) => isTyped(kind, value)) ? "pack.array is the type of typed arrays" : undefined);
          this.count(value.length, this.weights.element(node));
          this.each(node.of, value, "");
        }
        break;
      case "set":
        if (!isSet(value)) this.refuse(value, "a Set", Array.isArray(value) ? "new Set(…) makes one" : undefined);
        this.count(value.size, this.weights.element(node));
        this.keys(node.of, [...value], "");
        break;
      case "map":
        if (!isMap(value)) this.refuse(value, "a Map", isObject(value) ? "new Map(Object.entries(…)) makes one" : undefined);
        this.count(value.size, this.weights.element(node));
        this.keys(node.key, [...value.keys()], ".key");
        this.each(node.value, [...value.values()], ".value");
        break;
      case "tuple":
        if (!Array.isArray(value) || value.length !== node.of.length) this.refuse(value, `an array of ${node.of.length}`);
        node.of.forEach((part, i) => { this.inside(`[${i}]`, part, value[i]); });
        break;
      case "struct":
        this.struct(node, this.object(value, node.name));
        break;
      case "union":
        this.union(node, value);
        break;
      case "ref": {
        const { name } = node.of;
        const object = this.object(value, name);
        if (this.shared.get(object)?.has(name) === true) break;
        this.entered(node.of, object);
        this.shared.set(object, (this.shared.get(object) ?? new Set()).add(name));
        break;
      }
      default:
        this.scalar(node, value);
    }
  }

  private object(value: unknown, of: string): object {
    return isObject(value) ? value : this.refuse(value, `an object for ${of}`);
  }

  private each(node: SchemaNode, values: readonly unknown[], after: string): void {
    for (let i = 0; i < values.length; i++) this.inside(`[${i}]${after}`, node, values[i]);
  }

  private keys(node: SchemaNode, keys: readonly unknown[], after: string): void {
    this.each(node, keys, after);
    if (node.kind !== "uuid") return;
    const seen = new Set<string>();
    for (const key of keys as readonly string[]) {
      if (seen.has(key.toLowerCase())) this.fail("type_mismatch", `expected every key once, got ${described(key)} in different case too: write UUIDs in lower case`);
      seen.add(key.toLowerCase());
    }
  }

  private struct(node: StructNode, value: object): void {
    const fields = (): void => {
      for (const field of node.fields) this.inside(pathField(field.name), field.node, isEverywhere(field.name) ? own(value, field.name) : (value as Record<string, unknown>)[field.name]);
    };
    if (!node.recursive) fields();
    else {
      this.deeper(() => {
        this.charge(this.weights.row(node));
        fields();
      });
    }
  }

  private union({ members, discriminator }: UnionNode, value: unknown): void {
    const names = oneOf(members.map((member) => member.name));
    if (typeof value !== "object" || value === null) this.refuse(value, `an object with the property ${discriminator}, which is ${names}`);
    const name = (value as Record<string, unknown>)[discriminator];
    const member = members.find((candidate) => candidate.name === name);
    if (member !== undefined) this.entered(member, value);
    else this.fail("type_mismatch", `expected the property ${discriminator} to be ${names}, got ${described(name)}: set it to the name of the struct that the object is`);
  }

  private scalar({ kind, native }: ScalarNode, value: unknown): void {
    if (native === "date") this.jsDate(value);
    else if (kind === "any") this.any(value);
    else if (isNumeric(kind)) this.number(kind, value);
    else this.plain(kind, value);
  }

  private number(kind: Numeric, value: unknown): void {
    const bits = BITS[kind];
    if (bits === 64 && kind !== "f64") {
      if (typeof value !== "bigint") this.refuse(value, `a bigint for ${kind}`, typeof value === "number" ? `BigInt(…) makes one, and pack.${kind}AsNumber is the type of numbers` : undefined);
      const fits = (isSigned(kind) ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value)) === value;
      if (!fits) this.outOfRange(value, kind);
    } else if (typeof value !== "number") {
      this.refuse(value, `a number for ${kind}`, typeof value === "bigint" ? "Number(…) makes one, and pack.i64 is the type of bigints" : undefined);
    } else if (kind === "f32") {
      if (overflowsF32(value)) this.outOfRange(value, kind);
    } else if (kind !== "f64") {
      const least = isSigned(kind) ? -(2 ** (bits - 1)) : 0;
      if (!Number.isInteger(value)) this.refuse(value, `a whole number for ${kind}`);
      if (value < least || value >= least + 2 ** bits) this.outOfRange(value, kind);
    }
  }

  private plain(kind: Exclude<Scalar, Numeric | "any">, value: unknown): void {
    switch (kind) {
      case "bool":
        if (typeof value !== "boolean") this.refuse(value, "a boolean");
        break;
      case "string":
        if (typeof value !== "string") this.refuse(value, "a string");
        if (!isWellFormed(value)) this.fail("bad_utf8", loneSurrogate(value));
        break;
      case "bytes":
        if (!isBytes(value)) this.refuse(value, "a Uint8Array", value instanceof ArrayBuffer ? "new Uint8Array(…) makes one" : undefined);
        break;
      case "uuid":
        if (typeof value !== "string" || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) this.refuse(value, "a UUID as 01234567-89ab-cdef-0123-456789abcdef");
        break;
      case "date":
        if (!(Number.isInteger(value) && (value as number) >= DATE_MIN && (value as number) <= DATE_MAX)) this.refuse(value, `a whole number of days since 1970-01-01 (${DATE_MIN} to ${DATE_MAX})`, isDate(value) ? "pack.jsDate is the type of Dates" : undefined);
        break;
      case "time":
        if (!(Number.isInteger(value) && (value as number) >= 0 && (value as number) <= TIME_MAX)) this.refuse(value, `a whole number of nanoseconds since midnight (0 to ${TIME_MAX})`);
        break;
      case "bigint":
        this.bigint(value);
        break;
      case "decimal":
        if (typeof value !== "object" || value === null) this.refuse(value, "a Decimal", typeof value === "number" || typeof value === "string" ? "Decimal.parse(…) makes one of text" : undefined);
        this.number("i32", (value as Decimal).scale);
        this.bigint((value as Decimal).unscaled);
        break;
      default:
        this.instant(kind, value);
    }
  }

  private bigint(value: unknown): void {
    if (typeof value !== "bigint") this.refuse(value, "a bigint", typeof value === "number" ? "BigInt(…) makes one" : undefined);
    if (BigInt.asIntN(8 * BIGINT_BYTES, value) !== value) this.fail("limit_size", `an integer of more than ${BIGINT_BYTES} bytes, the most that the format holds`);
  }

  private instant(kind: "timestamp" | "duration", value: unknown): void {
    if (typeof value !== "bigint") this.refuse(value, `a bigint of nanoseconds for ${kind}`, isDate(value) ? "pack.jsDate is the type of Dates" : undefined);
    const rest = ((value % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
    const seconds = (value - rest) / 1_000_000_000n;
    const fits = kind === "duration" ? BigInt.asIntN(64, seconds) === seconds : seconds >= SECONDS_MIN && seconds <= SECONDS_MAX;
    if (!fits) this.outOfRange(value, kind);
  }

  private jsDate(value: unknown): void {
    const milliseconds = isDate(value) ? value.getTime() : this.refuse(value, "a Date", typeof value === "string" || typeof value === "number" ? "new Date(…) makes one" : undefined);
    if (!(milliseconds >= SECONDS_MIN * 1_000 && milliseconds < (SECONDS_MAX + 1) * 1_000)) this.refuse(value, "a Date of the years 1 to 9999");
  }

  private any(value: unknown): void {
    if (typeof value === "string") this.plain("string", value);
    else if (typeof value === "bigint") this.bigint(value);
    else if (value instanceof Decimal) {
      this.charge(ANY_CELLS.decimal);
      this.plain("decimal", value);
    } else if (value instanceof Tagged) this.tagged(value as Tagged);
    else if (Array.isArray(value)) {
      this.deeper(() => {
        this.count(value.length, ANY_CELLS.list);
        this.anyRow(value, "");
      });
    } else if (isMap(value)) this.anyMap(value);
    else if (typeof value === "object" && value !== null && isPlainObject(value)) this.anyMap(mapOf(value));
    else if (isBytes(value)) this.charge(ANY_CELLS.bytes);
    else if (value !== null && typeof value !== "boolean" && typeof value !== "number") {
      if (!ANY_LISTS.some((kind) => isTyped(kind, value))) this.refuse(value, ANY_VALUE, value === undefined ? "null is the value of what is absent" : undefined);
      this.count((value as ArrayLike<unknown>).length, ANY_CELLS.numbers);
    }
  }

  private tagged({ kind, value }: Tagged): void {
    if (kind === "timestamp" || kind === "duration") this.instant(kind, value);
    else if ((kind as unknown) === "uuid" || (kind as unknown) === "date" || (kind as unknown) === "time") this.plain(kind, value);
    else this.refuse(kind, `${oneOf(["uuid", "date", "time", "timestamp", "duration"].map(described))} as the kind of a Tagged`);
  }

  private anyMap(map: ReadonlyMap<unknown, unknown>): void {
    this.deeper(() => {
      this.count(map.size, ANY_CELLS.map);
      this.anyKeys([...map.keys()]);
      this.anyRow([...map.values()], ".value");
    });
  }

  private anyKeys(keys: readonly unknown[]): void {
    for (const [i, key] of keys.entries()) {
      this.steps.push(`[${i}].key`);
      if (typeof key !== "string" && (typeof key !== "bigint" || BigInt.asIntN(64, key) !== key)) this.refuse(key, ANY_KEY);
      if (typeof key !== typeof keys[0]) this.refuse(key, ALIKE_KEY);
      if (typeof key === "string") this.plain("string", key);
      this.steps.pop();
    }
  }

  private anyRow(values: readonly unknown[], after: string): void {
    for (let i = 0; i < values.length; i++) {
      this.steps.push(`[${i}]${after}`);
      this.any(values[i]);
      this.steps.pop();
    }
  }
}

const REMEDY = ": no reader with these limits would read it; write several messages, or raise that limit for the writer and its readers";

/** What an `any` holds, for the text of an error. */
const ANY_VALUE = "what an any can hold (null, a boolean, number, bigint, text, Decimal, Tagged, array, typed array or Map; an object is a plain one)";

/** What a key of a map inside an `any` must be, for the text of an error. */
const ANY_KEY = "a string or a bigint of 64 bits as key inside an any (other keys need a type, as map(bool, any))";

/** The same for the keys of one map. */
const ALIKE_KEY = "keys that are all strings or all bigints in a map inside an any (write the integers as strings, or use two maps)";

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The range of a type, for the text of an error. */
function rangeOf(kind: Numeric | "timestamp" | "duration"): string {
  if (kind === "timestamp") return " (years 1 to 9999)";
  if (kind === "duration") return " (seconds within 64 bits)";
  if (isFloat(kind)) return " (-3.4028235e+38 to 3.4028235e+38)";
  const bits = BigInt(BITS[kind]);
  const most = isSigned(kind) ? 1n << (bits - 1n) : 1n << bits;
  return ` (${isSigned(kind) ? -most : 0n} to ${most - 1n})`;
}

function loneSurrogate(text: string): string {
  const index = text.search(/\p{Cs}/u);
  return `expected text without lone surrogates, got \\u${text.charCodeAt(index).toString(16)} at index ${index}: toWellFormed() replaces them`;
}
