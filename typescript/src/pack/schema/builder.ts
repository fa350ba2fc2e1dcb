import { described } from "../../core/described.js";
import { SamewireError } from "../../core/error.js";
import { isName } from "./name.js";
import { isNumeric } from "./numeric.js";
import { defaultOf } from "./shared-default.js";
import { fallbackName } from "./fallbacks.js";
import { Field, ScalarType, StructType, Type, notType } from "./type.js";
import type { FieldDefinition, Infer, Numeric, Scalar, StructClass } from "./type.js";
import type { AnyValue, Decimal, TypedArrays } from "./value.js";

/** `true` or `false`; one bit in a row. */
export const bool = /* @__PURE__ */ new ScalarType<"bool", boolean>("bool");
/** Integer from −2^7 to 2^7 − 1, as a `number`. */
export const i8 = /* @__PURE__ */ new ScalarType<"i8", number>("i8");
/** Integer from −2^15 to 2^15 − 1, as a `number`. */
export const i16 = /* @__PURE__ */ new ScalarType<"i16", number>("i16");
/** Integer from −2^31 to 2^31 − 1, as a `number`. */
export const i32 = /* @__PURE__ */ new ScalarType<"i32", number>("i32");
/** Integer from −2^63 to 2^63 − 1, as a `bigint`. */
export const i64 = /* @__PURE__ */ new ScalarType<"i64", bigint>("i64");
/** Integer from 0 to 2^8 − 1, as a `number`. */
export const u8 = /* @__PURE__ */ new ScalarType<"u8", number>("u8");
/** Integer from 0 to 2^16 − 1, as a `number`. */
export const u16 = /* @__PURE__ */ new ScalarType<"u16", number>("u16");
/** Integer from 0 to 2^32 − 1, as a `number`. */
export const u32 = /* @__PURE__ */ new ScalarType<"u32", number>("u32");
/** Integer from 0 to 2^64 − 1, as a `bigint`. */
export const u64 = /* @__PURE__ */ new ScalarType<"u64", bigint>("u64");
/** Integer of at most 4,096 bytes in two's complement. */
export const bigint = /* @__PURE__ */ new ScalarType<"bigint", bigint>("bigint");
/** IEEE 754 binary32; a `number` that is rounded to it when written. */
export const f32 = /* @__PURE__ */ new ScalarType<"f32", number>("f32");
/** IEEE 754 binary64. */
export const f64 = /* @__PURE__ */ new ScalarType<"f64", number>("f64");
/** unscaled × 10^−scale. */
export const decimal = /* @__PURE__ */ new ScalarType<"decimal", Decimal>("decimal");
/** Text without lone surrogates. */
export const string = /* @__PURE__ */ new ScalarType<"string", string>("string");
/** Bytes. Decoded ones are a copy, unless the codec hands out views. */
export const bytes = /* @__PURE__ */ new ScalarType<"bytes", Uint8Array>("bytes");
/** 128 bits in the text form of RFC 9562; decoded in lower case. */
export const uuid = /* @__PURE__ */ new ScalarType<"uuid", string>("uuid");
/** Days since 1970-01-01, from −719,162 to 2,932,896. */
export const date = /* @__PURE__ */ new ScalarType<"date", number>("date");
/** Nanoseconds since midnight, from 0 to 86,399,999,999,999. */
export const time = /* @__PURE__ */ new ScalarType<"time", number>("time");
/** Nanoseconds since 1970-01-01T00:00:00Z, in the years 1 to 9999. */
export const timestamp = /* @__PURE__ */ new ScalarType<"timestamp", bigint>("timestamp");
/** A `timestamp` as a JavaScript `Date`. Decoding anything finer than a millisecond is `type_mismatch`. */
export const jsDate = /* @__PURE__ */ new ScalarType<"timestamp", Date>("timestamp", "date");
/** Signed nanoseconds; whole seconds within 64 bits. */
export const duration = /* @__PURE__ */ new ScalarType<"duration", bigint>("duration");
/** A self-describing value. */
export const any = /* @__PURE__ */ new ScalarType<"any", AnyValue>("any");

/** An {@link i64} as a `number`. What a number does not hold exactly, beyond ±(2^53 − 1), is `type_mismatch` both ways. */
export const i64AsNumber: Type<number> = /* @__PURE__ */ i64.as(toInteger, toSafe);
/** A {@link u64} as a `number`, likewise. */
export const u64AsNumber: Type<number> = /* @__PURE__ */ u64.as(toInteger, toSafe);

function toInteger(value: number): bigint {
  if (!Number.isSafeInteger(value)) throw new SamewireError("type_mismatch", `expected a whole number within ±(2^53 − 1), got ${described(value)}: pack.i64 and pack.u64 are the types of bigints`);
  return BigInt(value);
}

function toSafe(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new SamewireError("type_mismatch", `${value} is not exact as a number: read it as a bigint, by i64 or u64`);
  return number;
}

/** What a name may be, for the text of an error. */
const NAME_RULE = "a name is text of 1 to 255 UTF-16 units without lone surrogates";

/** Fields of a struct: each is a type, or a type with a default or other names. */
export type Fields = Readonly<Record<string, Type | Field>>;

/** The object type of fields. {@link struct} spells it out: where its name stood, editors would show the fields' types. */
export type ObjectOf<F extends Fields> = { -readonly [K in keyof F]: Infer<F[K]> };

/** What a field or type is called in older schemas: one name, or several, of which the first that the writer has counts. */
export type Alias = string | readonly string[];

/** TypeScript's `NoInfer`, which releases before 5.4 do not have. */
type NotInferred<T> = [T][T extends unknown ? 0 : never];

/**
 * A field with a default, its value if the writer's schema lacks the field (section 13 of `spec/pack.md`), or with other
 * names that it has in writers' schemas.
 *
 * All values share one default, which is checked when a codec is made; give a function to make a new one each time, which is
 * not called before.
 */
export function field<T>(type: Type<T>, options: { default?: NotInferred<T> | (() => NotInferred<T>); alias?: Alias }): Field<T> {
  checkOptions(options, "a field", ["default", "alias"]);
  const given = options.default as T | (() => T);
  return new Field<T>(checkType(type, "a field is made of a type"), "default" in options ? defaultOf(given) : undefined, aliasesOf(options.alias, "a field"));
}

function aliasesOf(alias: Alias | undefined, of: string): readonly string[] {
  const aliases = alias === undefined ? [] : typeof alias === "object" ? [...alias] : [alias];
  for (const name of aliases) {
    if (!isName(name)) throw new SamewireError("misuse", `${of} cannot have the alias ${described(name)}: ${NAME_RULE}`);
  }
  return aliases;
}

function fieldDefinition(structName: string, name: string, declared: Type | Field): FieldDefinition {
  if (!isName(name)) throw new SamewireError("misuse", `${structName} cannot have a field called ${described(name)}: ${NAME_RULE}`);
  if (declared instanceof Field) {
    return { name, type: declared.type, fallback: declared.fallback, aliases: declared.aliases };
  }
  return { name, type: checkType(declared, `the field ${name} of ${structName} is made of a type`), fallback: undefined, aliases: [] };
}

function checkObject(value: unknown, what: string): void {
  if (typeof value !== "object" || value === null) throw new SamewireError("misuse", `${what} is an object, not ${described(value)}`);
}

/** Throws for unknown options, too: in JavaScript a misspelt one would do nothing. */
function checkOptions(options: object, of: string, known: readonly string[]): void {
  checkObject(options, `what holds the options of ${of}`);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new SamewireError("misuse", `there is no option ${unknown} of ${of}, only ${known.join(" and ")}`);
}

function checkSymbols(name: string, symbols: readonly unknown[]): void {
  if (!isArray(symbols)) throw new SamewireError("misuse", `the symbols of ${name} are an array of names, not ${described(symbols)}`);
  if (symbols.length === 0) throw new SamewireError("misuse", `${name} has at least one symbol, not an empty array`);
  for (const symbol of symbols) {
    if (!isName(symbol)) throw new SamewireError("misuse", `${name} cannot have the symbol ${described(symbol)}: ${NAME_RULE}`);
  }
  const repeated = firstRepeated(symbols);
  if (repeated !== undefined) throw new SamewireError("misuse", `the symbol ${described(repeated)} of ${name} is repeated: leave one out`);
}

/** In linear time: schema text is untrusted, and may name 65,535 symbols. */
function firstRepeated<T>(values: readonly T[]): T | undefined {
  const seen = new Set<T>();
  return values.find((value) => seen.has(value) || !seen.add(value));
}

function isArray(value: unknown): boolean {
  return Array.isArray(value);
}

function checkType<D extends Type>(value: D, where: string): D {
  if (!((value as unknown) instanceof Type)) throw new SamewireError("misuse", notType(where, value));
  return value;
}

/**
 * A struct: an object with these fields, in this order on the wire.
 *
 * With `class`, decoded values get the prototype of that class; its constructor is not called, the fields are assigned.
 * A field with the name of a property that every object inherits (`constructor`, `toString`) is read only if it is
 * the object's own.
 *
 * With `alias`, structs of these names in a writer's schema are read as this one.
 *
 * @throws SamewireError `misuse` for a name of the struct or of a field that schema text cannot hold, and for an alias
 *   that is another field's name or alias.
 */
export function struct<N extends string, F extends Fields>(name: N, fields: F, options?: { alias?: Alias }): StructType<N, { -readonly [K in keyof F]: Infer<F[K]> }>;
export function struct<N extends string, F extends Fields, T extends ObjectOf<F>>(
  name: N,
  fields: F,
  options: { class: StructClass<T>; alias?: Alias },
): StructType<N, T>;
export function struct(name: string, fields: Fields, options: { class?: StructClass; alias?: Alias } = {}): StructType<string, object> {
  if (!isName(name)) throw new SamewireError("misuse", `the name of a struct cannot be ${described(name)}: ${NAME_RULE}`);
  checkObject(fields, `what holds the fields of ${name}`);
  checkOptions(options, name, ["class", "alias"]);
  if (options.class !== undefined && typeof (options.class as unknown) !== "function") throw new SamewireError("misuse", `the class of ${name} is a class, not ${described(options.class)}`);
  const definitions = Object.entries(fields).map(([key, declared]) => fieldDefinition(name, key, declared));
  const taken = new Set(Object.keys(fields));
  for (const alias of definitions.flatMap((definition) => definition.aliases)) {
    if (taken.has(alias)) throw new SamewireError("misuse", `${alias} is a field's alias in ${name}, and another's name or alias: leave one out`);
    taken.add(alias);
  }
  const aliases = aliasesOf(options.alias, name);
  return new StructType(name, { kind: "struct", name, aliases, fields: definitions, prototype: options.class?.prototype });
}

/**
 * One of a named set of symbols, as a string. With `alias`, enums of these names in a writer's schema are read as this one.
 * With `fallback`, that symbol is read where a writer has one that this enum lacks, except in the keys of sets and maps: two
 * of them could become one.
 *
 * @throws SamewireError `misuse` for no symbols, repeated symbols, symbols that are not names, and a fallback that is
 * not
 *   one of the symbols.
 */
export function enumeration<S extends string>(
  name: string,
  // With "" in the type, an enum within another type has its symbols as literals: releases before 5.0 have no `const` for that.
  symbols: readonly (S | "")[],
  options: { alias?: Alias; fallback?: NotInferred<S> } = {},
): Type<S> {
  if (!isName(name)) throw new SamewireError("misuse", `the name of an enum cannot be ${described(name)}: ${NAME_RULE}`);
  checkSymbols(name, symbols);
  checkOptions(options, name, ["alias", "fallback"]);
  const { fallback } = options;
  if (fallback !== undefined && !symbols.includes(fallback)) {
    throw new SamewireError("misuse", `the fallback of ${name} is one of its symbols, not ${described(fallback)}`);
  }
  return new Type({ kind: "enum", name, aliases: aliasesOf(options.alias, name), symbols: [...symbols], fallback });
}

/** Null or a value; `undefined` and a missing field are written as null too. */
export function option<T>(of: Type<T>): Type<T | null> {
  return new Type({ kind: "option", of: checkType(of, "an option is made of a type") });
}

/** A sequence, as a JavaScript array. For numbers see {@link array} too. */
export function list<T>(of: Type<T>): Type<T[]> {
  return new Type({ kind: "list", of: checkType(of, "a list is made of a type"), typed: false });
}

/** A sequence of numbers as a typed array: the same schema and bytes as {@link list}, and many times faster. */
export function array<K extends Numeric>(of: ScalarType<K, number | bigint>): Type<TypedArrays[K]> {
  const { kind } = checkType(of, "an array is made of a type");
  if (!isNumeric(kind)) throw new SamewireError("misuse", `there are no typed arrays of ${String(kind)}: use pack.list`);
  return new Type({ kind: "list", of, typed: true });
}

/** Distinct keys, as a `Set`. Written in ascending order; decoded in the order of the bytes. */
export function set<T>(of: Type<T>): Type<Set<T>> {
  return new Type({ kind: "set", of: checkType(of, "a set is made of a type") });
}

/** Entries with distinct keys, in order, as a `Map`. */
export function map<K, V>(key: Type<K>, value: Type<V>): Type<Map<K, V>> {
  return new Type({ kind: "map", key: checkType(key, "the keys of a map are made of a type"), value: checkType(value, "the values of a map are made of a type") });
}

/**
 * One to 255 values, as an array of fixed length.
 *
 * @throws SamewireError `misuse` for another number of them.
 */
export function tuple<E extends readonly Type[]>(...of: E): Type<{ -readonly [I in keyof E]: Infer<E[I]> }> {
  if (of.length < 1 || of.length > 255) throw new SamewireError("misuse", `a tuple has 1 to 255 types, not ${of.length}`);
  return new Type({ kind: "tuple", of: of.map((part) => checkType(part, "a tuple is made of types")) });
}

type Member<S, D extends string> = S extends StructType<infer N, infer T> ? Tagging<{ [K in D]: N }, T> : never;

/**
 * One object type, which editors show as such. A class with private members is not the type of its properties, and
 * stays.
 */
type Tagging<D, T> = { [K in keyof T]: T[K] } extends T ? { [K in keyof (D & T)]: (D & T)[K] } : D & T;

/**
 * One of several structs. A value is the struct's object with one more property, the discriminator: it holds the
 * struct's name and is not a field. With `fallback`, a member without fields or with the one field `name: pack.string`, that
 * one is read where a writer has a member that this union lacks; `name` is then the lacking member's.
 *
 * @throws SamewireError `misuse` for no members, repeated names, and a fallback that is not such a member.
 */
export function union<S extends StructType<string, unknown>, D extends string = "type">(
  members: readonly S[],
  options: { discriminator?: D; fallback?: NotInferred<S> } = {},
): Type<Member<S, D>> {
  checkOptions(options, "a union", ["discriminator", "fallback"]);
  if (!isArray(members)) throw new SamewireError("misuse", `the members of a union are an array of struct types, not ${described(members)}`);
  const names = members.map((member) => checkType(member, "a union is made of struct types").structName as string | undefined);
  if (names.length === 0) throw new SamewireError("misuse", "a union has at least one member, not an empty array");
  const repeated = firstRepeated(names.filter((name) => name !== undefined));
  if (repeated !== undefined) throw new SamewireError("misuse", `two members of the union are called ${repeated}: rename one`);
  if (typeof (options.discriminator ?? "type") !== "string") throw new SamewireError("misuse", `the discriminator of a union is the name of a property, not ${described(options.discriminator)}`);
  return new Type({ kind: "union", members: [...members], discriminator: options.discriminator ?? "type", fallback: fallbackName(options.fallback, members) });
}

/** A struct shared by identity within the message: what was one object is one object again when decoded. */
export function ref<T>(of: Type<T>): Type<T> {
  return new Type({ kind: "ref", of: checkType(of, "a ref is made of a type") });
}

/**
 * A type that is defined later, for types that contain themselves:
 *
 * ```ts
 * interface Tree { name: string; kids: Tree[] }
 * const Tree: pack.Type<Tree> = pack.struct("Tree", { name: pack.string, kids: pack.list(pack.recursive(() => Tree)) });
 * ```
 */
export function recursive<T>(of: () => Type<T>): Type<T> {
  if (typeof (of as unknown) !== "function") throw new SamewireError("misuse", `a recursive type is given as a function that returns it, () => …, not as ${described(of)}`);
  return new Type({ kind: "recursive", of });
}

/** Every scalar type by its word in the schema text. */
export const SCALAR_TYPES: { readonly [K in Scalar]: ScalarType<K, unknown> } = {
  bool, i8, i16, i32, i64, u8, u16, u32, u64, bigint, f32, f64, decimal, string, bytes, uuid, date, time, timestamp, duration, any,
};
