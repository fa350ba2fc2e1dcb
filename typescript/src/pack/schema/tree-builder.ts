import { SamewireError } from "../../core/error.js";
import { NEST_FEWER } from "./canonical.js";
import { cyclic } from "./cycles.js";
import { byUnits, oneOf } from "./name.js";
import { isSame } from "./same-type.js";
import type { Converters, EnumNode, FieldNode, ScalarNode, SchemaNode, SchemaTree, StructNode, UnionNode } from "./tree.js";
import { Type, notType } from "./type.js";
import type { AdaptedDefinition, Definition, EnumDefinition, ScalarDefinition, StructDefinition, UnionDefinition } from "./type.js";

/** A struct being built: its own fields may refer to it. */
interface OpenStruct extends StructNode {
  fields: FieldNode[];
  recursive: boolean;
}

const KEYS: ReadonlySet<string> = new Set([
  "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bigint", "string", "uuid", "date", "time", "timestamp", "duration", "enum",
]);

const NONE: Converters = [];

/** The deepest nesting of types; schema text allows 64 brackets. */
const NESTING = 64;

class Builder {
  private dedupSlots = 0;
  private readonly named = new Map<string, { definition: Definition; node: EnumNode | OpenStruct }>();

  whole(type: Type): SchemaTree {
    const converters = convertersOf(type);
    const root = this.node(type, 0);
    refuseEmpty(root);
    this.refuseAliases();
    const structs = [...this.named.values()].map((entry) => entry.node).filter((node) => node.kind === "struct");
    for (const struct of cyclic(structs)) (struct as OpenStruct).recursive = true;
    return { root, converters, dedupSlots: this.dedupSlots };
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
    if (nesting > NESTING) {
      throw new SamewireError("limit_depth", `types are nested more than ${NESTING} deep${NEST_FEWER}`, { at: 0 });
    }
    const definition = known(type);
    switch (definition.kind) {
      case "enum":
        return this.enumeration(definition);
      case "option": {
        const of = this.part(definition.of, nesting);
        if (of.kind === "option" || of.kind === "any") fail(`an option cannot hold an ${of.kind}, which may be null already: use that alone`);
        return { kind: "option", of, converters: convertersOf(definition.of) };
      }
      case "list":
        return { kind: "list", of: this.part(definition.of, nesting), converters: convertersOf(definition.of), typed: definition.typed };
      case "set":
        return { kind: "set", of: this.key(definition.of, nesting), converters: convertersOf(definition.of) };
      case "map":
        return {
          kind: "map",
          key: this.key(definition.key, nesting),
          value: this.part(definition.value, nesting),
          keyConverters: convertersOf(definition.key),
          valueConverters: convertersOf(definition.value),
        };
      case "tuple":
        return { kind: "tuple", of: definition.of.map((part) => this.part(part, nesting)), converters: definition.of.map(convertersOf) };
      case "struct":
        return this.struct(definition, nesting);
      case "union":
        return this.union(definition, nesting);
      case "ref": {
        const of = this.part(definition.of, nesting);
        if (of.kind !== "struct") fail(`a ref holds a struct, not a ${of.kind}`);
        return { kind: "ref", of, converters: convertersOf(definition.of) };
      }
      case "adapted":
        convertersOf(type);
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
    if (!KEYS.has(node.kind)) fail(`${node.kind} cannot be a key of a map or an element of a set: those are ${[...KEYS].join(", ")}`);
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
    if (!isSame(entry.definition, definition)) fail(`two types are called ${definition.name}: rename one, or use one in both places`);
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
      node.fields.push({ name: part.name, node: inner, converters: convertersOf(part.type), fallback: part.fallback, defaulted, aliases: part.aliases });
    }
    return node;
  }

  private union(definition: UnionDefinition, nesting: number): UnionNode {
    const sorted = definition.members
      .map((member) => ({ member, name: structDefinition(member, definition).name }))
      .sort((left, right) => byUnits(left.name, right.name));
    const members = sorted.map(({ member }) => this.node(member, nesting + 1) as StructNode);
    return { kind: "union", members, discriminator: discriminator(definition), fallback: definition.fallback };
  }
}

/** The definition of a type, with `recursive` followed. */
function known(type: Type): Exclude<Definition, { kind: "recursive" }> {
  let definition = type.definition;
  for (let steps = 0; definition.kind === "recursive"; steps++) {
    if (steps > NESTING) fail("a recursive type is nothing but itself: put it into a list, an option or a struct");
    const of: unknown = definition.of();
    if (!(of instanceof Type)) fail(notType("the function of a recursive type returns one", of));
    definition = of.definition;
  }
  return definition;
}

/** The converters of a type, the outermost first. */
function convertersOf(type: Type): Converters {
  let found: AdaptedDefinition[] | undefined;
  for (let definition = known(type); definition.kind === "adapted"; definition = known(definition.of)) {
    if (found?.includes(definition) === true) fail("a recursive type is nothing but itself");
    (found ??= []).push(definition);
  }
  return found ?? NONE;
}

/** A member of a union. It is not made by `as`, since a value has the member's name in a property. */
function structDefinition(member: Type, union: UnionDefinition): StructDefinition {
  const definition = known(member);
  if (definition.kind === "struct") return definition;
  const name = shown(member);
  if (definition.kind !== "adapted") fail(`a member of a union is a struct, not ${name}: make it a field of one`);
  const names = oneOf(union.members.map(shown));
  return fail(`${name} is made by as() here, and a member of the union (${names}) is a struct itself: call as() on fields of ${name}, or on the union`);
}

/** A member of a union for the text of an error: the name, or else the kind, of what is written. */
function shown(member: Type): string {
  const made = convertersOf(member);
  const definition = known(made.at(-1)?.of ?? member);
  return "name" in definition ? definition.name : definition.kind;
}

function discriminator(definition: UnionDefinition): string {
  const taken = new Set(definition.members.flatMap((member) => structDefinition(member, definition).fields.map((part) => part.name)));
  if (definition.discriminator !== undefined) {
    if (taken.has(definition.discriminator)) fail(`a member of the union has a field called like the discriminator, ${definition.discriminator}: pass another discriminator`);
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
