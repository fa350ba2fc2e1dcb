import type { AdaptedDefinition, Scalar } from "./type.js";

/**
 * A node of the schema tree: a checked type with recursion resolved, members and symbols sorted, dedup slots numbered.
 */
export type SchemaNode =
  | ScalarNode
  | EnumNode
  | OptionNode
  | ListNode
  | SetNode
  | MapNode
  | TupleNode
  | StructNode
  | UnionNode
  | RefNode;

/** Convert the values of a place to those that are written, the outermost first; see `Type.as`. Mostly empty. */
export type Converters = readonly AdaptedDefinition[];

export interface ScalarNode {
  readonly kind: Scalar;
  readonly native: "plain" | "date";
  /** The dedup slot of a `string` or `any`, numbered in the order of the canonical text; otherwise −1. */
  readonly dedupSlot: number;
}
export interface EnumNode {
  readonly kind: "enum";
  readonly name: string;
  /** What else a reader knows it by: the annotation `@alias`. */
  readonly aliases: readonly string[];
  /** In canonical order. */
  readonly symbols: readonly string[];
  /** The symbol that a reader puts for those that it lacks: the annotation `@fallback`. */
  readonly fallback: string | undefined;
}
export interface OptionNode {
  readonly kind: "option";
  readonly of: SchemaNode;
  readonly converters: Converters;
}
export interface ListNode {
  readonly kind: "list";
  readonly of: SchemaNode;
  readonly converters: Converters;
  readonly typed: boolean;
}
export interface SetNode {
  readonly kind: "set";
  readonly of: SchemaNode;
  readonly converters: Converters;
}
export interface MapNode {
  readonly kind: "map";
  readonly key: SchemaNode;
  readonly value: SchemaNode;
  readonly keyConverters: Converters;
  readonly valueConverters: Converters;
}
export interface TupleNode {
  readonly kind: "tuple";
  readonly of: readonly SchemaNode[];
  /** Those of each part. */
  readonly converters: readonly Converters[];
}
export interface FieldNode {
  readonly name: string;
  readonly node: SchemaNode;
  readonly converters: Converters;
  readonly fallback: (() => unknown) | undefined;
  /** Whether the schema text with annotations says `@default`. */
  readonly defaulted: boolean;
  /** What else a reader knows it by: the annotation `@alias`. */
  readonly aliases: readonly string[];
}
export interface StructNode {
  readonly kind: "struct";
  readonly name: string;
  /** What else a reader knows it by: the annotation `@alias`. */
  readonly aliases: readonly string[];
  readonly fields: readonly FieldNode[];
  readonly prototype: object | undefined;
  /** Whether it has no fields, which only a member of a union may. */
  readonly empty: boolean;
  /** Whether it can contain itself, so that its depth is counted. */
  readonly recursive: boolean;
}
export interface UnionNode {
  readonly kind: "union";
  /** In canonical order. */
  readonly members: readonly StructNode[];
  readonly discriminator: string;
  /** The name of the member that a reader puts for those that it lacks: the annotation `@fallback`. */
  readonly fallback: string | undefined;
}
export interface RefNode {
  readonly kind: "ref";
  readonly of: StructNode;
  readonly converters: Converters;
}

/** A type: its root and how many dedup slots it has. */
export interface SchemaTree {
  readonly root: SchemaNode;
  /** Those of the root. */
  readonly converters: Converters;
  readonly dedupSlots: number;
}

/** The direct parts of a type. */
export function parts(node: SchemaNode): readonly SchemaNode[] {
  switch (node.kind) {
    case "option":
    case "list":
    case "set":
    case "ref":
      return [node.of];
    case "map":
      return [node.key, node.value];
    case "tuple":
      return node.of;
    case "struct":
      return node.fields.map((part) => part.node);
    case "union":
      return node.members;
    default:
      return [];
  }
}
