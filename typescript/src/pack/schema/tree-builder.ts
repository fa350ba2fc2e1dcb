import { SamewireError } from "../../core/error.js";
import { cyclic } from "./cycles.js";
import { byUnits } from "./name.js";
import type { EnumNode, FieldNode, ScalarNode, SchemaNode, SchemaTree, StructNode, UnionNode } from "./tree.js";
import { Type } from "./type.js";
import type { Definition, EnumDefinition, ScalarDefinition, StructDefinition, UnionDefinition } from "./type.js";

/** A struct being built: its own fields may refer to it. */
interface OpenStruct extends StructNode {
  fields: FieldNode[];
  recursive: boolean;
}

const KEYS: ReadonlySet<string> = new Set([
  "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bigint", "string", "uuid", "date", "time", "timestamp", "duration", "enum",
]);

/** The deepest nesting of types; schema text allows 64 brackets. */
const NESTING = 64;

class Builder {
  private dedupSlots = 0;
  private readonly named = new Map<string, { definition: Definition; node: EnumNode | OpenStruct }>();

  whole(type: Type): SchemaTree {
    const root = this.node(type, 0);
    refuseEmpty(root);
    this.refuseAliases();
    const structs = [...this.named.values()].map((entry) => entry.node).filter((node) => node.kind === "struct");
    for (const struct of cyclic(structs)) (struct as OpenStruct).recursive = true;
    return { root, dedupSlots: this.dedupSlots };
  }

  /** An alias of a type is neither another type's name nor its alias. */
  private refuseAliases(): void {
    const taken = new Set(this.named.keys());
    for (const alias of [...this.named.values()].flatMap(({ node }) => node.aliases)) {
      if (taken.has(alias)) fail(`${alias} is a type's alias, and another's name or alias`);
      taken.add(alias);
    }
  }

  private node(type: Type, nesting: number): SchemaNode {
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
      case "adapted":
        return this.node(definition.of, nesting);
      default:
        return this.scalar(definition);
    }
  }

  private part(type: Type, nesting: number): SchemaNode {
    const node = this.node(type, nesting + 1);
    refuseEmpty(node);
    return node;
  }

  private key(type: Type, nesting: number): SchemaNode {
    const node = this.part(type, nesting);
    if (!KEYS.has(node.kind)) fail(`${node.kind} cannot be a key`);
    if ("native" in node && node.native === "date") fail("a Date cannot be a key, since a Map compares it by identity; use timestamp");
    return node;
  }

  private scalar(definition: ScalarDefinition): ScalarNode {
    const { kind, native } = definition;
    return { kind, native, dedupSlot: kind === "string" || kind === "any" ? this.dedupSlots++ : -1 };
  }

  private met(definition: EnumDefinition | StructDefinition): EnumNode | OpenStruct | undefined {
    const entry = this.named.get(definition.name);
    if (entry === undefined) return undefined;
    if (entry.definition !== definition) fail(`two types are called ${definition.name}`);
    return entry.node;
  }

  private enumeration(definition: EnumDefinition): EnumNode {
    const met = this.met(definition);
    if (met?.kind === "enum") return met;
    const { name, aliases, fallback } = definition;
    const node: EnumNode = { kind: "enum", name, aliases, symbols: [...definition.symbols].sort(byUnits), fallback };
    this.named.set(definition.name, { definition, node });
    return node;
  }

  private struct(definition: StructDefinition, nesting: number): StructNode {
    const met = this.met(definition);
    if (met?.kind === "struct") return met;
    const { name, aliases, prototype } = definition;
    const empty = definition.fields.length === 0;
    const node: OpenStruct = { kind: "struct", name, aliases, fields: [], prototype, empty, recursive: false };
    this.named.set(name, { definition, node });
    for (const part of definition.fields) {
      const inner = this.part(part.type, nesting);
      const defaulted = inner.kind !== "option" && (part.fallback !== undefined || part.annotated === true);
      node.fields.push({ name: part.name, node: inner, fallback: part.fallback, defaulted, aliases: part.aliases });
    }
    return node;
  }

  private union(definition: UnionDefinition, nesting: number): UnionNode {
    const sorted = definition.members
      .map((member) => ({ member, name: memberName(member) }))
      .sort((left, right) => byUnits(left.name, right.name));
    const members = sorted.map(({ member }) => this.node(member, nesting + 1) as StructNode);
    return { kind: "union", members, discriminator: discriminator(definition), fallback: definition.fallback };
  }
}

function memberName(member: Type): string {
  return structDefinition(member).name;
}

/** The definition of a type, with `recursive` followed. */
function known(type: Type): Exclude<Definition, { kind: "recursive" }> {
  let definition = type.definition;
  for (let steps = 0; definition.kind === "recursive"; steps++) {
    if (steps > NESTING) fail("a recursive type is nothing but itself");
    const of: unknown = definition.of();
    if (!(of instanceof Type)) fail("the function of a recursive type does not return a type");
    definition = of.definition;
  }
  return definition;
}

function structDefinition(member: Type): StructDefinition {
  const definition = known(member);
  if (definition.kind === "adapted") fail("a union holds structs, which are written as what they are, not by as()");
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

function refuseEmpty(node: SchemaNode): void {
  if (node.kind === "struct" && node.empty) fail(`${node.name} has no fields, so it can stand only in a union`);
}

/**
 * Checks a type and returns its schema tree.
 *
 * @throws SamewireError `misuse` where the type breaks the rules of `spec/pack.md` sections 1 and 2, `limit_depth` at 0
 *   where types are nested more than 64 deep.
 */
export function schemaTree(type: Type): SchemaTree {
  return new Builder().whole(type);
}
