import { SamewireError, textOf } from "../../core/error.js";
import { described } from "../../core/described.js";
import type { ErrorCode } from "../../core/error.js";
import type { Limits } from "../../core/limits.js";
import { pathField } from "../../core/path.js";
import { answers, isBytes, isDate, isMap, isSet } from "../../core/realm.js";
import { OBJECT_CELLS, type Weights } from "../schema/cells.js";
import { isWellFormed, oneOf } from "../schema/name.js";
import { BITS, isFloat, isNumeric, isSigned, overflowsF32 } from "../schema/numeric.js";
import type { Converters, ScalarNode, SchemaNode, StructNode, UnionNode } from "../schema/tree.js";
import type { Numeric, Scalar } from "../schema/type.js";
import type { Decimal } from "../schema/value.js";
import { ANY_LISTS } from "../wire/any-reader.js";
import { BIGINT_BYTES } from "../wire/bigint.js";
import { lost } from "../wire/lost-keys.js";
import { isTyped } from "../wire/typed-arrays.js";
import { DATE_MAX, DATE_MIN, SECONDS_MAX, SECONDS_MIN, TIME_MAX } from "../wire/time.js";
import { Conversions } from "./conversions.js";
import { fieldOf } from "./encode-rules.js";

/**
 * Checks a value in the order in which it is written, and throws the error that the specification prescribes: the
 * encoders only bail out.
 */
export class ValueWalker {
  readonly steps: string[] = [];
  private depth = 0;
  private items = 0;
  private cells = 0;
  private readonly shared = new Map<object, Set<string>>();

  constructor(
    private readonly limits: Pick<Limits, "depth" | "items" | "cells">,
    private readonly weights: Weights,
    /** Checks an `any`, where the type has one. */
    private readonly any: ((walker: ValueWalker, value: unknown) => void) | undefined,
    /** The conversions of the program's own values; the writer that follows uses them again. */
    private readonly conversions = new Conversions(),
  ) {}

  fail(code: ErrorCode, text: string): never {
    throw new SamewireError(code, text, { path: `$${this.steps.join("")}` });
  }

  /** @param advice what to do about it; by default how a type may be null, if that is what came */
  refuse(value: unknown, expected: string, advice = value === null || value === undefined ? "pack.option is the type of what may be absent" : ""): never {
    return this.fail("type_mismatch", `expected ${expected}, got ${described(value)}${advice === "" ? "" : `: ${advice}`}`);
  }

  private outOfRange(value: unknown, kind: Numeric | "timestamp" | "duration"): never {
    return this.fail("type_mismatch", `${described(value)} is out of range for ${kind}${rangeOf(kind)}`);
  }

  private inside(step: string, node: SchemaNode, value: unknown, converters: Converters = NONE): void {
    this.steps.push(step);
    this.check(node, this.converted(converters, value));
    this.steps.pop();
  }

  /** Converts a value of the program's own type. A SamewireError without a path gets that of the value. */
  private converted(converters: Converters, value: unknown): unknown {
    if (converters.length === 0) return value;
    try {
      return this.conversions.of(converters, value);
    } catch (error) {
      if (!(error instanceof SamewireError) || error.path !== undefined || error.at !== undefined) throw error;
      return this.fail(error.code, textOf(error));
    }
  }

  deeper(check: () => void): void {
    if (++this.depth > this.limits.depth) this.fail("limit_depth", `nested deeper than limits.depth, ${this.limits.depth}: the value contains itself, or the limit is too low for it`);
    check();
    this.depth--;
  }

  /** Counts the elements of a list or set, or the entries of a map, of so many cells each. */
  count(count: number, cells: number): void {
    const { items } = this.limits;
    this.items += count;
    if (this.items > items) this.fail("limit_items", `expected at most ${items} elements of lists, sets and maps in one message (limits.items), the ${count} elements here make it ${this.items}${REMEDY}`);
    this.charge(OBJECT_CELLS + count * cells);
  }

  charge(more: number): void {
    const { cells } = this.limits;
    this.cells += more;
    if (this.cells > cells) this.fail("limit_items", `expected values that take at most ${cells} cells of memory when they are read (limits.cells), with what is here they take ${this.cells}${REMEDY}`);
  }

  /** Returns if the value of a message fits. */
  root(node: SchemaNode, value: unknown, converters: Converters = NONE): void {
    this.charge(this.weights.slot(node));
    this.check(node, this.converted(converters, value));
  }

  /** Checks a value that may not lie inline: a struct or tuple is charged when it is entered. */
  private entered(node: SchemaNode, value: unknown): void {
    this.charge(this.weights.present(node));
    this.check(node, value);
  }

  /** Returns if the value fits. */
  check(node: SchemaNode, value: unknown): void {
    switch (node.kind) {
      case "option":
        if (value !== null && value !== undefined) this.entered(node.of, this.converted(node.converters, value));
        break;
      case "enum":
        if (!node.symbols.includes(value as string)) this.refuse(value, `${oneOf(node.symbols.map(described))} for ${node.name}`);
        break;
      case "list":
        if (node.typed && isNumeric(node.of.kind)) {
          if (!isTyped(node.of.kind, value) || !answers(() => value.length)) this.refuse(value, `a typed array of ${node.of.kind}`, Array.isArray(value) ? "pack.list is the type of arrays" : impostor(isTyped(node.of.kind, value)));
          this.count(value.length, this.weights.element(node));
        } else {
          if (!Array.isArray(value)) this.refuse(value, "an array", ANY_LISTS.some((kind) => isTyped(kind, value)) ? "pack.array is the type of typed arrays" : undefined);
          this.count(value.length, this.weights.element(node));
          this.each(node.of, value, "", node.converters);
        }
        break;
      case "set":
        if (!isSet(value) || !answers(() => value.size)) this.refuse(value, "a Set", Array.isArray(value) ? "new Set(…) makes one" : impostor(isSet(value)));
        this.count(value.size, this.weights.element(node));
        this.keys(node.of, this.own([...value], node.converters), "");
        break;
      case "map":
        if (!isMap(value) || !answers(() => value.size)) this.refuse(value, "a Map", isMap(value) || !isObject(value) ? impostor(isMap(value)) : "new Map(Object.entries(…)) makes one");
        this.count(value.size, this.weights.element(node));
        this.keys(node.key, this.own([...value.keys()], node.keyConverters), ".key");
        this.each(node.value, [...value.values()], ".value", node.valueConverters);
        break;
      case "tuple":
        if (!Array.isArray(value) || value.length !== node.of.length) this.refuse(value, `an array of ${node.of.length}`);
        node.of.forEach((part, i) => { this.inside(`[${i}]`, part, value[i], node.converters[i]); });
        break;
      case "struct":
        this.struct(node, this.object(value, node.name));
        break;
      case "union":
        this.union(node, value);
        break;
      case "ref": {
        const { name } = node.of;
        const object = this.object(this.converted(node.converters, value), name);
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

  private each(node: SchemaNode, values: readonly unknown[], after: string, converters: Converters = NONE): void {
    for (let i = 0; i < values.length; i++) this.inside(`[${i}]${after}`, node, values[i], converters);
  }

  /** Converts the program's keys to the keys that are written. */
  private own(keys: readonly unknown[], converters: Converters): readonly unknown[] {
    if (converters.length === 0) return keys;
    const made = new Set(keys.map((key) => this.converted(converters, key)));
    if (made.size < keys.length) lost(made.size, keys.length);
    return [...made];
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
      for (const field of node.fields) this.inside(pathField(field.name), field.node, fieldOf(value, field.name), field.converters);
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
    else if (kind === "any") this.any!(this, value);
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

  plain(kind: Exclude<Scalar, Numeric | "any">, value: unknown): void {
    switch (kind) {
      case "bool":
        if (typeof value !== "boolean") this.refuse(value, "a boolean");
        break;
      case "string":
        if (typeof value !== "string") this.refuse(value, "a string");
        if (!isWellFormed(value)) this.fail("bad_utf8", loneSurrogate(value));
        break;
      case "bytes":
        if (!isBytes(value) || !answers(() => value.length)) this.refuse(value, "a Uint8Array", value instanceof ArrayBuffer ? "new Uint8Array(…) makes one" : impostor(isBytes(value)));
        break;
      case "uuid":
        if (typeof value !== "string" || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) this.refuse(value, "a UUID as 01234567-89ab-cdef-0123-456789abcdef");
        break;
      case "date":
        if (!(Number.isInteger(value) && (value as number) >= DATE_MIN && (value as number) <= DATE_MAX)) this.refuse(value, `a whole number of days since 1970-01-01 (${DATE_MIN} to ${DATE_MAX})`, isDate(value) ? "Math.floor(date.getTime() / 86_400_000) is the day in UTC" : undefined);
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

  bigint(value: unknown): void {
    if (typeof value !== "bigint") this.refuse(value, "a bigint", typeof value === "number" ? "BigInt(…) makes one" : undefined);
    if (BigInt.asIntN(8 * BIGINT_BYTES, value) !== value) this.fail("limit_size", `an integer of more than ${BIGINT_BYTES} bytes, the most that the format holds`);
  }

  instant(kind: "timestamp" | "duration", value: unknown): void {
    if (typeof value !== "bigint") this.refuse(value, `a bigint of nanoseconds for ${kind}`, kind === "timestamp" && isDate(value) ? "pack.jsDate is the type of Dates" : undefined);
    const rest = ((value % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
    const seconds = (value - rest) / 1_000_000_000n;
    const fits = kind === "duration" ? BigInt.asIntN(64, seconds) === seconds : seconds >= SECONDS_MIN && seconds <= SECONDS_MAX;
    if (!fits) this.outOfRange(value, kind);
  }

  private jsDate(value: unknown): void {
    const milliseconds = isDate(value) && answers(() => value.getTime()) ? value.getTime() : this.refuse(value, "a Date", typeof value === "string" || typeof value === "number" ? "new Date(…) makes one" : impostor(isDate(value)));
    if (!(milliseconds >= SECONDS_MIN * 1_000 && milliseconds < (SECONDS_MAX + 1) * 1_000)) this.refuse(value, "a Date of the years 1 to 9999");
  }
}

const NONE: Converters = [];

const REMEDY = ": no reader with these limits would read it; write several messages, or raise that limit for the writer and its readers";

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The advice for a value that is an instance of the class, but whose methods refuse it. */
function impostor(instance: boolean): string | undefined {
  return instance ? "it is a Proxy, or inherits from the class alone: pass the object itself" : undefined;
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
