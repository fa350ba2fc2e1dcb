import type { Converters } from "./tree.js";
import type { Numeric, Scalar } from "./type.js";

/** A place where a value stands. */
export interface Place {
  readonly plan: ResolutionPlan;
  /** Convert the value that was read to the reader's: the last one is called first. */
  readonly converters: Converters;
}

/**
 * How to read a writer's bytes into a reader's values (resolution, section 13). Kinds, slots and depth are the
 * writer's; names, native forms and defaults are the reader's.
 */
export type ResolutionPlan =
  | ScalarPlan
  | EnumPlan
  | OptionPlan
  | ListPlan
  | SetPlan
  | MapPlan
  | TuplePlan
  | StructPlan
  | UnionPlan
  | RefPlan;

export interface ScalarPlan {
  /** The type on the wire. */
  readonly kind: Scalar;
  /**
   * `bigint`: an integer widened to a `bigint`. `f64`, `f32`: an integer as a float that does not have all of its type,
   * exactly. `date`: a timestamp as a `Date`.
   */
  readonly as: "plain" | "bigint" | "f64" | "f32" | "date";
}
export interface EnumPlan {
  readonly kind: "enum";
  readonly name: string;
  /** The value for each of the writer's symbols in canonical order; undefined for one that the reader lacks. */
  readonly symbols: readonly (string | undefined)[];
}
export interface OptionPlan {
  readonly kind: "option";
  readonly of: ResolutionPlan;
  readonly converters: Converters;
  /** Returns the value for null, in a field that the reader requires; undefined: null. */
  readonly fallback?: (() => unknown) | undefined;
}
export interface ListPlan {
  readonly kind: "list";
  readonly of: ResolutionPlan;
  readonly converters: Converters;
  /** Cells that an element takes. */
  readonly cells: number;
  /** The element type of the reader's typed array; undefined for a plain array. */
  readonly typed: Numeric | undefined;
}
export interface SetPlan {
  readonly kind: "set";
  readonly of: ResolutionPlan;
  readonly converters: Converters;
  /** Cells that an element takes. */
  readonly cells: number;
}
export interface MapPlan {
  readonly kind: "map";
  readonly key: ResolutionPlan;
  readonly value: ResolutionPlan;
  readonly keyConverters: Converters;
  readonly valueConverters: Converters;
  /** Cells that an entry takes. */
  readonly cells: number;
}
export interface TuplePlan {
  readonly kind: "tuple";
  readonly of: readonly ResolutionPlan[];
  /** Those of each part. */
  readonly converters: readonly Converters[];
  /** Cells that it takes with its slots. */
  readonly cells: number;
}
export interface Slot extends Place {
  /** The writer's name of the field. */
  readonly name: string;
}
export interface FieldPlan {
  /** The reader's name of the field. */
  readonly name: string;
  /** The slot that it is read from; undefined if the writer has none. */
  readonly slot: number | undefined;
  /** Returns the value if the writer has no slot. */
  readonly fallback: () => unknown;
}
export interface StructPlan {
  readonly kind: "struct";
  readonly name: string;
  readonly recursive: boolean;
  /** Cells that it takes with its slots. */
  readonly cells: number;
  /** In the writer's order. */
  readonly slots: readonly Slot[];
  /** In the reader's order. */
  readonly fields: readonly FieldPlan[];
  readonly prototype: object | undefined;
  /** The property that holds the name of the union's member; undefined outside a union. */
  readonly discriminator: string | undefined;
}
export interface UnionPlan {
  readonly kind: "union";
  /** The writer's members in canonical order; the plan is undefined for one that the reader lacks. */
  readonly members: readonly { readonly name: string; readonly plan: StructPlan | undefined }[];
}
export interface RefPlan {
  readonly kind: "ref";
  readonly of: StructPlan;
  readonly converters: Converters;
  /**
   * `skipped`: the ref is in a field that the reader lacks, but a later ref may name its struct: the struct's position
   * is recorded. `wanted`: the ref may name a struct that was skipped, which is then read again from its position.
   * Otherwise `plain`.
   */
  readonly role: "plain" | "skipped" | "wanted";
}

/** How to read a message. */
export interface Resolution extends Place {
  /** Cells that the root takes where it stands. */
  readonly cells: number;
}
