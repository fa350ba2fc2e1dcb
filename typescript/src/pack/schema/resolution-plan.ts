import type { Numeric, Scalar } from "./type.js";

/**
 * How to read a writer's bytes into a reader's values. Where both have the same schema the plan is the type itself; else it
 * is what resolution (section 13) made of the pair. Bytes, counts and depth are always the writer's.
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
  /** What stands on the wire. */
  readonly kind: Scalar;
  /** `bigint`: a number that the reader wants as one. `date`: a timestamp as a `Date`. */
  readonly as: "plain" | "bigint" | "date";
}
export interface EnumPlan {
  readonly kind: "enum";
  readonly name: string;
  /** The writer's symbols in its canonical order; undefined: the reader lacks it. */
  readonly symbols: readonly (string | undefined)[];
}
export interface OptionPlan {
  readonly kind: "option";
  readonly of: ResolutionPlan;
}
export interface ListPlan {
  readonly kind: "list";
  readonly of: ResolutionPlan;
  /** Cells that an element takes. */
  readonly cells: number;
  /** The element type of the typed array that the reader wants; undefined: a plain array. */
  readonly typed: Numeric | undefined;
}
export interface SetPlan {
  readonly kind: "set";
  readonly of: ResolutionPlan;
  /** Cells that an element takes. */
  readonly cells: number;
}
export interface MapPlan {
  readonly kind: "map";
  readonly key: ResolutionPlan;
  readonly value: ResolutionPlan;
  /** Cells that an entry takes. */
  readonly cells: number;
}
export interface TuplePlan {
  readonly kind: "tuple";
  readonly of: readonly ResolutionPlan[];
  /** Cells that it takes with its slots. */
  readonly cells: number;
}
export interface Slot {
  /** The writer's name of the field. */
  readonly name: string;
  readonly plan: ResolutionPlan;
}
export interface FieldPlan {
  /** The reader's name of the field. */
  readonly name: string;
  /** The slot that it is read from; undefined where the writer has none. */
  readonly slot: number | undefined;
  /** The value where the writer has no slot. */
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
  /** The property that says which member of a union this is. */
  readonly discriminator: string | undefined;
}
export interface UnionPlan {
  readonly kind: "union";
  /** The writer's members in its canonical order; undefined: the reader lacks it. */
  readonly members: readonly { readonly name: string; readonly plan: StructPlan | undefined }[];
}
export interface RefPlan {
  readonly kind: "ref";
  readonly of: StructPlan;
  /**
   * `skipped`: it stands in a field that the reader lacks, but its struct may be wanted later, so where it begins is remembered.
   * `wanted`: its struct may first have stood in such a field, and is then read again from there. Else `plain`.
   */
  readonly role: "plain" | "skipped" | "wanted";
}

/** How to read a whole message. */
export interface Resolution {
  readonly plan: ResolutionPlan;
  /** Cells that the root takes where it stands. */
  readonly cells: number;
}
