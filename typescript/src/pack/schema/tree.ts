import { cyclic } from "./cycles.js";
import { SamewireError } from "../../core/error.js";
import { byUnits } from "./name.js";
import { Type } from "./type.js";
import type { Definition, EnumDefinition, Scalar, ScalarDefinition, StructDefinition, UnionDefinition } from "./type.js";

/** A checked type as the codecs see it: recursion resolved, members and symbols sorted, sites numbered. */
export type Shape =
  | ScalarShape
  | EnumShape
  | OptionShape
  | ListShape
  | SetShape
  | MapShape
  | TupleShape
  | StructShape
  | UnionShape
  | RefShape;

export interface ScalarShape {
  readonly kind: Scalar;
  readonly native: "plain" | "date";
  /** The number of the site of a `string` or `any` in the order of the canonical text, else −1. */
  readonly site: number;
}
export interface EnumShape {
  readonly kind: "enum";
  readonly name: string;
  /** In canonical order. */
  readonly symbols: readonly string[];
}
export interface OptionShape {
  readonly kind: "option";
  readonly of: Shape;
}
export interface ListShape {
  readonly kind: "list";
  readonly of: Shape;
  readonly typed: boolean;
}
export interface SetShape {
  readonly kind: "set";
  readonly of: Shape;
}
export interface MapShape {
  readonly kind: "map";
  readonly key: Shape;
  readonly value: Shape;
}
export interface TupleShape {
  readonly kind: "tuple";
  readonly of: readonly Shape[];
}
export interface FieldShape {
  readonly name: string;
  readonly shape: Shape;
  readonly fallback: (() => unknown) | undefined;
}
export interface StructShape {
  readonly kind: "struct";
  readonly name: string;
  readonly fields: readonly FieldShape[];
  readonly prototype: object | undefined;
  /** Whether it has no fields, which only a member of a union may. */
  readonly empty: boolean;
  /** Whether it can contain itself, so that its depth is counted. */
  readonly recursive: boolean;
}
export interface UnionShape {
  readonly kind: "union";
  /** In canonical order. */
  readonly members: readonly StructShape[];
  readonly discriminator: string;
}
export interface RefShape {
  readonly kind: "ref";
  readonly of: StructShape;
}

/** A whole type: its root and how many sites of text it has. */
export interface Whole {
  readonly root: Shape;
  readonly sites: number;
}

/** A struct while it is being built: its fields are filled in after it may already have been named. */
interface OpenStruct extends StructShape {
  fields: FieldShape[];
  recursive: boolean;
}

const KEYS: ReadonlySet<string> = new Set([
  "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bigint", "string", "uuid", "date", "time", "timestamp", "duration", "enum",
]);

/** The most types nested in one another outside structs; the schema text allows 64 brackets. */
const NESTING = 64;

class Builder {
  private sites = 0;
  private readonly named = new Map<string, { definition: Definition; shape: EnumShape | OpenStruct }>();

  whole(type: Type): Whole {
    const root = this.shape(type, 0);
    refuseEmpty(root);
    const structs = [...this.named.values()].map((entry) => entry.shape).filter((shape) => shape.kind === "struct");
    for (const struct of cyclic(structs)) (struct as OpenStruct).recursive = true;
    return { root, sites: this.sites };
  }

  private shape(type: Type, nesting: number): Shape {
    if (nesting > NESTING) throw new SamewireError("limit_depth", `types are nested more than ${NESTING} deep`, { at: 0 });
    const definition = known(type);
    switch (definition.kind) {
      case "enum":
        return this.enumeration(definition);
      case "option": {
        const of = this.part(definition.of, nesting);
        if (of.kind === "option" || of.kind === "any") fail(`an option cannot hold an ${of.kind}`);
        return { kind: "option", of };
      }
      case "list":
        return { kind: "list", of: this.part(definition.of, nesting), typed: definition.typed };
      case "set":
        return { kind: "set", of: this.key(definition.of, nesting) };
      case "map":
        return { kind: "map", key: this.key(definition.key, nesting), value: this.part(definition.value, nesting) };
      case "tuple":
        return { kind: "tuple", of: definition.of.map((part) => this.part(part, nesting)) };
      case "struct":
        return this.struct(definition, nesting);
      case "union":
        return this.union(definition, nesting);
      case "ref": {
        const of = this.part(definition.of, nesting);
        if (of.kind !== "struct") fail(`a ref cannot hold a ${of.kind}`);
        return { kind: "ref", of };
      }
      default:
        return this.scalar(definition);
    }
  }

  private part(type: Type, nesting: number): Shape {
    const shape = this.shape(type, nesting + 1);
    refuseEmpty(shape);
    return shape;
  }

  private key(type: Type, nesting: number): Shape {
    const shape = this.part(type, nesting);
    if (!KEYS.has(shape.kind)) fail(`${shape.kind} is no key type`);
    if ("native" in shape && shape.native === "date") fail("a Date is no key, since a Map compares it by identity; use timestamp");
    return shape;
  }

  private scalar(definition: ScalarDefinition): ScalarShape {
    const { kind, native } = definition;
    return { kind, native, site: kind === "string" || kind === "any" ? this.sites++ : -1 };
  }

  private met(definition: EnumDefinition | StructDefinition): EnumShape | OpenStruct | undefined {
    const entry = this.named.get(definition.name);
    if (entry === undefined) return undefined;
    if (entry.definition !== definition) fail(`two types are called ${definition.name}`);
    return entry.shape;
  }

  private enumeration(definition: EnumDefinition): EnumShape {
    const met = this.met(definition);
    if (met?.kind === "enum") return met;
    const shape: EnumShape = { kind: "enum", name: definition.name, symbols: [...definition.symbols].sort(byUnits) };
    this.named.set(definition.name, { definition, shape });
    return shape;
  }

  private struct(definition: StructDefinition, nesting: number): StructShape {
    const met = this.met(definition);
    if (met?.kind === "struct") return met;
    const { name, prototype } = definition;
    const empty = definition.fields.length === 0;
    const shape: OpenStruct = { kind: "struct", name, fields: [], prototype, empty, recursive: false };
    this.named.set(name, { definition, shape });
    for (const part of definition.fields) {
      shape.fields.push({ name: part.name, shape: this.part(part.type, nesting), fallback: part.fallback });
    }
    return shape;
  }

  private union(definition: UnionDefinition, nesting: number): UnionShape {
    const sorted = definition.members
      .map((member) => ({ member, name: memberName(member) }))
      .sort((left, right) => byUnits(left.name, right.name));
    const members = sorted.map(({ member }) => this.shape(member, nesting + 1) as StructShape);
    return { kind: "union", members, discriminator: discriminator(definition) };
  }
}

function memberName(member: Type): string {
  return structDefinition(member).name;
}

/** What a type is made of, through `recursive`. */
function known(type: Type): Exclude<Definition, { kind: "recursive" }> {
  let definition = type.definition;
  for (let steps = 0; definition.kind === "recursive"; steps++) {
    if (steps > NESTING) fail("a recursive type is nothing but itself");
    const of: unknown = definition.of();
    if (!(of instanceof Type)) fail("a recursive type's function answers no type");
    definition = of.definition;
  }
  return definition;
}

function structDefinition(member: Type): StructDefinition {
  const definition = known(member);
  if (definition.kind !== "struct") fail(`a union holds structs, not a ${definition.kind}`);
  return definition;
}

function discriminator(definition: UnionDefinition): string {
  const taken = new Set(definition.members.flatMap((member) => structDefinition(member).fields.map((part) => part.name)));
  if (definition.discriminator !== undefined) {
    if (taken.has(definition.discriminator)) fail(`a member of the union has a field called like the discriminator, ${definition.discriminator}`);
    return definition.discriminator;
  }
  let name = "type";
  while (taken.has(name)) name = `$${name}`;
  return name;
}

function fail(text: string): never {
  throw new SamewireError("misuse", text);
}

function refuseEmpty(shape: Shape): void {
  if (shape.kind === "struct" && shape.empty) fail(`${shape.name} has no fields, so it can stand only in a union`);
}

/** The types that stand directly in a type. */
export function parts(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case "option":
    case "list":
    case "set":
    case "ref":
      return [shape.of];
    case "map":
      return [shape.key, shape.value];
    case "tuple":
      return shape.of;
    case "struct":
      return shape.fields.map((part) => part.shape);
    case "union":
      return shape.members;
    default:
      return [];
  }
}

/**
 * Checks a type and makes its shape.
 *
 * @throws SamewireError `misuse` where the type breaks the rules of `spec/pack.md` sections 1 and 2, `limit_depth` at 0 where
 *   types are nested more than 64 deep.
 */
export function shapeOf(type: Type): Whole {
  return new Builder().whole(type);
}
