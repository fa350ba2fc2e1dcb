import { described } from "../../core/described.js";
import { SamewireError } from "../../core/error.js";
import type { SCALARS } from "./name.js";
import type { TypedArrays } from "./value.js";

/** The types without parts. */
export type Scalar = (typeof SCALARS)[number];

/** The scalars whose runs are numeric rows (`spec/pack.md` section 9). */
export type Numeric = keyof TypedArrays;

declare const native: unique symbol;

/**
 * A declared type: its form on the wire and the TypeScript type of its values.
 *
 * Made by the functions of this package. Immutable.
 */
export class Type<T = unknown> {
  /** Exists for the compiler only; see {@link Infer}. */
  declare readonly [native]: T;

  constructor(
    /** What the type is made of. */
    readonly definition: Definition,
  ) {}

  /**
   * A type of the program's that is written as this one: the same schema and the same bytes.
   *
   * ```ts
   * const Link = pack.string.as((link: URL) => link.href, (text) => new URL(text));
   * ```
   *
   * Errors of the functions are passed on as they are; a `SamewireError` without a path gets that of the value.
   * `decode` may get any value that an untrusted message holds, before the message is known to be valid. Each function
   * is called once for a value, and again to find the path of an error, or at the first text beyond Latin-1: both
   * should depend on their argument alone.
   *
   * @param encode called with each value; returns what is written
   * @param decode called with what was read; returns the value
   */
  as<U>(encode: (value: U) => T, decode: (written: T) => U): Type<U> {
    if (typeof (encode as unknown) !== "function" || typeof (decode as unknown) !== "function") {
      throw new SamewireError("misuse", `as() takes two functions, encode and decode, not ${described(encode)} and ${described(decode)}`);
    }
    return new Type({ kind: "adapted", of: this, encode, decode } as AdaptedDefinition);
  }
}

/** The error text for an argument that must be a type. */
export function notType(expected: string, value: unknown): string {
  const advice =
    value === undefined
      ? "a type that is defined further down is pack.recursive(() => …)"
      : typeof value === "string"
        ? "types are made by this package, as pack.string"
        : typeof value === "function"
          ? "call it, if it returns one"
          : "types are made by this package, as pack.struct(…)";
  return `${expected}, not of ${described(value)}: ${advice}`;
}

/** The TypeScript type of a declared type's values (of a field's, too). */
export type Infer<D> = D extends { readonly [native]: infer T } ? T : never;

/** A scalar type. It carries its kind, so that {@link array} returns the right typed array. */
export class ScalarType<K extends Scalar, T> extends Type<T> {
  declare readonly definition: ScalarDefinition;
  constructor(
    /** Which scalar. */
    readonly kind: K,
    native: "plain" | "date" = "plain",
  ) {
    super({ kind, native });
  }
}

/** A struct type. It carries its name, so that {@link union} returns the right discriminator. */
export class StructType<N extends string, T> extends Type<T> {
  declare readonly definition: StructDefinition;
  constructor(
    /** The struct's name in the schema. */
    readonly structName: N,
    definition: StructDefinition,
  ) {
    super(definition);
  }
}

/** A field with a default or other names; see {@link field}. */
export class Field<T = unknown> {
  declare readonly [native]: T;
  constructor(
    /** The field's type. */
    readonly type: Type<T>,
    /** Returns the default; undefined if there is none. */
    readonly fallback: (() => T) | undefined,
    /** What else the field is known by. */
    readonly aliases: readonly string[],
  ) {}
}

/** A class whose prototype decoded structs get. Its constructor is not called. */
export interface StructClass<T = object> {
  /** The prototype of decoded values. */
  readonly prototype: T;
}

/** What a type is made of. */
export type Definition =
  | ScalarDefinition
  | EnumDefinition
  | { readonly kind: "option"; readonly of: Type }
  | { readonly kind: "list"; readonly of: Type; readonly typed: boolean }
  | { readonly kind: "set"; readonly of: Type }
  | { readonly kind: "map"; readonly key: Type; readonly value: Type }
  | { readonly kind: "tuple"; readonly of: readonly Type[] }
  | StructDefinition
  | UnionDefinition
  | { readonly kind: "ref"; readonly of: Type }
  | { readonly kind: "recursive"; readonly of: () => Type }
  | AdaptedDefinition;

/** A type of the program's that is written as another; see {@link Type.as}. */
export interface AdaptedDefinition {
  readonly kind: "adapted";
  readonly of: Type;
  readonly encode: (value: unknown) => unknown;
  readonly decode: (written: unknown) => unknown;
}

export interface ScalarDefinition {
  readonly kind: Scalar;
  /** `date`: a timestamp that is a JavaScript `Date`. */
  readonly native: "plain" | "date";
}

export interface EnumDefinition {
  readonly kind: "enum";
  readonly name: string;
  /** What else a reader knows it by. */
  readonly aliases: readonly string[];
  /** In any order; the schema tree sorts them. */
  readonly symbols: readonly string[];
  /** The symbol that stands for those that it lacks; undefined if there is none. */
  readonly fallback: string | undefined;
}

export interface FieldDefinition {
  readonly name: string;
  readonly type: Type;
  /** Returns the declared default; undefined if there is none. */
  readonly fallback: (() => unknown) | undefined;
  /** Whether schema text says that a reader's type has a default; the text does not hold its value. */
  readonly annotated?: boolean;
  /** What else a reader knows it by. */
  readonly aliases: readonly string[];
}

export interface StructDefinition {
  readonly kind: "struct";
  readonly name: string;
  /** What else a reader knows it by. */
  readonly aliases: readonly string[];
  readonly fields: readonly FieldDefinition[];
  readonly prototype: object | undefined;
}

export interface UnionDefinition {
  readonly kind: "union";
  /** In any order; the schema tree sorts them. */
  readonly members: readonly Type[];
  /** The property that holds the member's name. By default `type`, preceded by `$` until no member has such a field. */
  readonly discriminator: string | undefined;
  /** The name of the member that stands for those that it lacks; undefined if there is none. */
  readonly fallback: string | undefined;
}
