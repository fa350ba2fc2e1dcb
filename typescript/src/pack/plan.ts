import type { Numeric, Scalar } from "./type.js";

/**
 * How to read a writer's bytes into a reader's values. Where both have the same schema the plan is the type itself; else it
 * is what resolution (section 13) made of the pair. Bytes, counts and depth are always the writer's.
 */
export type Plan =
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
  readonly of: Plan;
}
export interface ListPlan {
  readonly kind: "list";
  readonly of: Plan;
  /** The element type of the typed array that the reader wants; undefined: a plain array. */
  readonly typed: Numeric | undefined;
}
export interface SetPlan {
  readonly kind: "set";
  readonly of: Plan;
}
export interface MapPlan {
  readonly kind: "map";
  readonly key: Plan;
  readonly value: Plan;
}
export interface TuplePlan {
  readonly kind: "tuple";
  readonly of: readonly Plan[];
}
export interface Slot {
  /** The writer's name of the field. */
  readonly name: string;
  readonly plan: Plan;
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

/** The bits of each numeric type, as far as rows and varints differ by it. */
export const BITS: { readonly [K in Numeric]: 8 | 16 | 32 | 64 } = {
  i8: 8, i16: 16, i32: 32, i64: 64, u8: 8, u16: 16, u32: 32, u64: 64, f32: 32, f64: 64,
};

/** Whether runs of the type are numeric rows. */
export function isNumeric(kind: string): kind is Numeric {
  return kind in BITS;
}

/** Whether a finite number is infinite once it is rounded to `f32`. */
export function overflowsF32(value: number): boolean {
  return Number.isFinite(value) && !Number.isFinite(Math.fround(value));
}

/** Whether the type is `f32` or `f64`. */
export function isFloat(kind: string): boolean {
  return kind === "f32" || kind === "f64";
}

/** Whether the type is one of the signed integers. */
export function isSigned(kind: string): boolean {
  return kind.startsWith("i");
}

/** Whether a slot of the type has a flag in its row. */
export function hasFlag(part: { readonly kind: string }): boolean {
  return part.kind === "bool" || part.kind === "option";
}

const silent = new WeakMap<StructPlan, number>();
const MOST_SILENT = 2 ** 31;

/**
 * For types that decoders read past the end of a message without noticing, how many bytes they take at least; 0 for all others. Bytes
 * that are not there are `undefined`, of which small integers are made: where there may be many of such types it has to be looked
 * whether their bytes are there, or a count could make as many as it says.
 */
export function silentBytes(plan: Plan): number {
  switch (plan.kind) {
    case "i8":
    case "i16":
    case "i32":
    case "u8":
    case "u16":
    case "u32":
      return 1;
    case "tuple":
      return together(plan.of);
    case "struct": {
      // One that holds itself runs into the limit on depth.
      if (plan.recursive) return 0;
      // Known once asked: a struct may hold another one often, and that a third.
      const known = silent.get(plan) ?? together(plan.slots.map((slot) => slot.plan));
      silent.set(plan, known);
      return known;
    }
    default:
      return 0;
  }
}

function together(parts: readonly Plan[]): number {
  let sum = 0;
  for (const part of parts) {
    const bytes = silentBytes(part);
    if (bytes === 0) return 0;
    sum += bytes;
  }
  return Math.min(sum, MOST_SILENT);
}

/** R of section 12: the bytes that a row of `count` values takes at least. */
export function leastBytes(part: { readonly kind: string }, count: number): number {
  const { kind } = part;
  if (hasFlag(part)) return Math.ceil(count / 8);
  if (kind === "f32") return 4 * count;
  if (kind === "f64") return 8 * count;
  return isNumeric(kind) && BITS[kind] > 8 && count >= FEW ? 1 + Math.ceil(count / 8) : count;
}

/** Rows of fewer integers than this have no mode byte. */
export const FEW = 16;
/** Raw runs of this many bytes and more are aligned. */
export const ALIGNED_RUN = 64;
/** Values in a packed block. */
export const BLOCK = 128;
/** Longest `bigint`, in bytes of two's complement. */
export const BIGINT_BYTES = 4_096;
/** Straight misses after which a site is closed. */
export const SITE_MISSES = 128;
/** Days from 0001-01-01 to 9999-12-31. */
export const DATE_MIN = -719_162;
export const DATE_MAX = 2_932_896;
/** Nanoseconds of a day, less one. */
export const TIME_MAX = 86_399_999_999_999;
/** Whole seconds of the first and the last instant. */
export const SECONDS_MIN = DATE_MIN * 86_400;
export const SECONDS_MAX = DATE_MAX * 86_400 + 86_399;

/** Bits of the header byte (section 5). */
export const Header = { TEXT: 1, WIDE: 2, REFS: 4, ALIGNED: 8, DIGEST: 16, FAST: 32, VERSION: 64, VERSION_MASK: 0xc0 } as const;
