import { SamewireError } from "../../core/error.js";
import { pathField } from "../../core/path.js";
import { adopt, hasAliases } from "./aliases.js";
import { Weights } from "./cells.js";
import { BITS, isFloat, isNumeric, isSigned } from "./numeric.js";
import type { EnumPlan, FieldPlan, ListPlan, MapPlan, Place, ResolutionPlan, RefPlan, Resolution, ScalarPlan, Slot, StructPlan, TuplePlan, UnionPlan } from "./resolution-plan.js";
import { standIn, standInCells } from "./fallbacks.js";
import type { Converters, EnumNode, FieldNode, ListNode, MapNode, RefNode, ScalarNode, SchemaNode, SchemaTree, StructNode, TupleNode, UnionNode } from "./tree.js";
import type { Numeric } from "./type.js";

interface OpenStructPlan extends StructPlan {
  slots: Slot[];
  fields: FieldPlan[];
}

interface OpenRefPlan extends RefPlan {
  role: RefPlan["role"];
}

const NONE: Converters = [];

/** The widenings of section 13 besides the same type. */
function widens(writer: string, reader: string): boolean {
  if (writer === "f32") return reader === "f64";
  if (!isNumeric(writer) || writer === "f64") return false;
  if (reader === "bigint") return true;
  if (!isNumeric(reader)) return false;
  if (isFloat(reader)) return true;
  return BITS[reader] > BITS[writer] && (isSigned(reader) || !isSigned(writer));
}

/** Makes one plan. Remembers pairs of structs, so that recursion ends and each pair is compared once. */
class Resolver {
  private readonly structs = new Map<string, OpenStructPlan>();
  private readonly keptRefs: OpenRefPlan[] = [];
  /** Refs in fields that the reader lacks. */
  private readonly skippedRefs: OpenRefPlan[] = [];
  private skipping = false;

  constructor(private readonly weights: Weights) {}

  whole(writer: SchemaNode, reader: SchemaNode, converters: Converters): Resolution {
    const place = this.place(writer, reader, converters, "$");
    // The first occurrence of a shared struct may be in a skipped field, and a later ref to it in a field that is read.
    for (const skipped of this.skippedRefs) {
      for (const kept of this.keptRefs) {
        if (kept.of.name !== skipped.of.name) continue;
        skipped.role = "skipped";
        kept.role = "wanted";
      }
    }
    return { ...place, cells: this.weights.slot(writer) };
  }

  /** A reader's option where the writer has none: its inner conversions apply to each value. */
  private place(writer: SchemaNode, reader: SchemaNode, converters: Converters, path: string): Place {
    if (reader.kind !== "option" || writer.kind === "option") return { plan: this.pair(writer, reader, path), converters };
    return this.place(writer, reader.of, reader.converters.length === 0 ? converters : [...converters, ...reader.converters], path);
  }

  private pair(writer: SchemaNode, reader: SchemaNode, path: string): ResolutionPlan {
    if (reader.kind === "option") {
      if (writer.kind !== "option") return this.pair(writer, reader.of, path);
      const { plan, converters } = this.place(writer.of, reader.of, reader.converters, path);
      return { kind: "option", of: plan, converters };
    }
    switch (writer.kind) {
      case "option":
        return mismatch(writer, reader, path);
      case "list":
        return reader.kind === "list" ? this.list(writer, reader, path) : mismatch(writer, reader, path);
      case "set":
        if (reader.kind !== "set") return mismatch(writer, reader, path);
        return { kind: "set", of: this.key(writer.of, reader.of, `${path}[]`), converters: reader.converters, cells: this.weights.key(writer.of) };
      case "map":
        return reader.kind === "map" ? this.map(writer, reader, path) : mismatch(writer, reader, path);
      case "tuple":
        return reader.kind === "tuple" && reader.of.length === writer.of.length ? this.tuple(writer, reader, path) : mismatch(writer, reader, path);
      case "struct":
        return reader.kind === "struct" ? this.struct(writer, reader, path, undefined) : mismatch(writer, reader, path);
      case "union":
        return reader.kind === "union" ? this.union(writer, reader, path) : mismatch(writer, reader, path);
      case "ref":
        return reader.kind === "ref" ? this.ref(writer, reader, path) : mismatch(writer, reader, path);
      case "enum":
        return reader.kind === "enum" ? enumPlan(writer, reader, path) : mismatch(writer, reader, path);
      default:
        return isScalar(reader) ? scalarPlan(writer, reader, path) : mismatch(writer, reader, path);
    }
  }

  /** A key does not fall back: two of them could become one. */
  private key(writer: SchemaNode, reader: SchemaNode, path: string): ResolutionPlan {
    return this.pair(writer, reader.kind === "enum" ? { ...reader, fallback: undefined } : reader, path);
  }

  private list(writer: ListNode, reader: ListNode, path: string): ListPlan {
    const { plan, converters } = this.place(writer.of, reader.of, reader.converters, `${path}[]`);
    const typed = reader.typed && isNumeric(reader.of.kind) ? reader.of.kind : undefined;
    return { kind: "list", of: plan, converters, cells: this.weights.slot(writer.of), typed };
  }

  private map(writer: MapNode, reader: MapNode, path: string): MapPlan {
    const key = this.key(writer.key, reader.key, `${path}[].key`);
    const { plan, converters } = this.place(writer.value, reader.value, reader.valueConverters, `${path}[].value`);
    const cells = this.weights.key(writer.key) + this.weights.slot(writer.value);
    return { kind: "map", key, value: plan, keyConverters: reader.keyConverters, valueConverters: converters, cells };
  }

  private tuple(writer: TupleNode, reader: TupleNode, path: string): TuplePlan {
    const places = writer.of.map((part, i) => this.place(part, reader.of[i]!, reader.converters[i]!, `${path}[${i}]`));
    return { kind: "tuple", of: places.map(({ plan }) => plan), converters: places.map(({ converters }) => converters), cells: this.weights.row(writer) };
  }

  private struct(writer: StructNode, reader: StructNode, path: string, discriminator: string | undefined): StructPlan {
    if (writer.name !== reader.name) return mismatch(writer, reader, path);
    const { name, recursive } = writer;
    const key = JSON.stringify([name, this.skipping]);
    const labelled = JSON.stringify([name, this.skipping, discriminator]);
    const met = this.structs.get(labelled);
    if (met !== undefined) return met;
    // A member of a union shares slots and fields with the struct's other plan, which may be unfinished.
    const compared = this.structs.get(key);
    const { slots, fields }: Pick<OpenStructPlan, "slots" | "fields"> = compared ?? { slots: [], fields: [] };
    const cells = this.weights.row(writer);
    const plan: OpenStructPlan = { kind: "struct", name, recursive, cells, slots, fields, prototype: reader.prototype, discriminator };
    this.structs.set(labelled, plan);
    if (compared !== undefined) return plan;
    this.structs.set(key, plan);
    const read = new Map<string, Place>();
    const places = new Map(writer.fields.map((field, i) => [field.name, i]));
    for (const field of reader.fields) {
      const there = path + pathField(field.name);
      const slot = places.get(field.name);
      if (slot !== undefined) read.set(field.name, this.field(writer.fields[slot]!.node, field, there));
      else if (field.fallback === undefined && field.node.kind !== "option") {
        const text = "the writer has no such field: give it a default by pack.field, make it an option or, if it was renamed, give it the option alias";
        throw new SamewireError("schema_mismatch", text, { path: there });
      }
      fields.push({ name: field.name, slot, fallback: field.fallback ?? (() => null) });
    }
    for (const field of writer.fields) slots.push({ name: field.name, ...(read.get(field.name) ?? this.skip(field.node)) });
    return plan;
  }

  /** A field that both have. Null, where the reader has no option, takes the default. */
  private field(writer: SchemaNode, reader: FieldNode, path: string): Place {
    const { node, converters, fallback } = reader;
    if (writer.kind !== "option" || node.kind === "option" || fallback === undefined) return this.place(writer, node, converters, path);
    return { plan: { kind: "option", of: this.pair(writer.of, node, path), converters, fallback }, converters: NONE };
  }

  private union(writer: UnionNode, reader: UnionNode, path: string): UnionPlan {
    const found = new Map<string, StructPlan>();
    const members = new Map(writer.members.map((member) => [member.name, member]));
    for (const ours of reader.members) {
      const theirs = members.get(ours.name);
      if (theirs !== undefined) found.set(ours.name, this.struct(theirs, ours, path, reader.discriminator));
    }
    const fallback = standIn(reader);
    const plans = writer.members.map((member) => {
      const plan = found.get(member.name) ?? (fallback && this.standIn(member, fallback, reader.discriminator));
      return { name: member.name, plan };
    });
    return { kind: "union", members: plans };
  }

  /** A member that the reader lacks: its fields are skipped, and the fallback is made with its name. */
  private standIn(writer: StructNode, fallback: StructNode, discriminator: string): StructPlan {
    return {
      kind: "struct",
      name: fallback.name,
      recursive: writer.recursive,
      cells: this.weights.row(writer) + standInCells(fallback, writer.name),
      slots: writer.fields.map((field) => ({ name: field.name, ...this.skip(field.node) })),
      fields: fallback.fields.map(({ name }) => ({ name, slot: undefined, fallback: () => writer.name })),
      prototype: fallback.prototype,
      discriminator,
    };
  }

  private ref(writer: RefNode, reader: RefNode, path: string): RefPlan {
    const plan: OpenRefPlan = { kind: "ref", of: this.struct(writer.of, reader.of, path, undefined), converters: reader.converters, role: "plain" };
    (this.skipping ? this.skippedRefs : this.keptRefs).push(plan);
    return plan;
  }

  /** A field that only the writer has: it is read by the writer's own type and dropped. */
  private skip(node: SchemaNode): Place {
    const outer = this.skipping;
    this.skipping = true;
    const plan = this.pair(node, node, "$");
    this.skipping = outer;
    return { plan, converters: NONE };
  }
}

function isScalar(node: SchemaNode): node is ScalarNode {
  return "dedupSlot" in node;
}

function scalarPlan(writer: ScalarNode, reader: ScalarNode, path: string): ScalarPlan {
  const { kind } = writer;
  if (kind !== reader.kind && !widens(kind, reader.kind)) return mismatch(writer, reader, path);
  if (reader.native === "date") return { kind, as: "date" };
  if (isFloat(reader.kind) && isNumeric(kind) && !isFloat(kind)) return { kind, as: floatOf(kind, reader.kind as "f32" | "f64") };
  const wantsBigint = reader.kind === "i64" || reader.kind === "u64" || reader.kind === "bigint";
  return { kind, as: wantsBigint && kind !== reader.kind && isNumeric(kind) && BITS[kind] < 64 ? "bigint" : "plain" };
}

/** How integers become floats: those of up to 32 bits are read as doubles. */
function floatOf(kind: Numeric, float: "f32" | "f64"): ScalarPlan["as"] {
  return BITS[kind] > (float === "f64" ? 32 : 16) ? float : "plain";
}

function enumPlan(writer: EnumNode, reader: EnumNode, path: string): EnumPlan {
  if (writer.name !== reader.name) return mismatch(writer, reader, path);
  const known = new Set(reader.symbols);
  return { kind: "enum", name: writer.name, symbols: writer.symbols.map((symbol) => (known.has(symbol) ? symbol : reader.fallback)) };
}

function described(node: SchemaNode): string {
  return "name" in node ? `${node.kind} ${node.name}` : node.kind;
}

function advice(writer: SchemaNode, reader: SchemaNode): string {
  const renamed = writer.kind === reader.kind && "name" in writer && "name" in reader && writer.name !== reader.name;
  if (renamed) return `if it is the same, give the reader's the option { alias: ${JSON.stringify(writer.name)} }`;
  return "no rule leads from one to the other: declare the writer's type, or give a field of another type another name";
}

function mismatch(writer: SchemaNode, reader: SchemaNode, path: string): never {
  throw new SamewireError("schema_mismatch", `the writer has ${described(writer)}, the reader ${described(reader)}: ${advice(writer, reader)}`, { path });
}

/**
 * Returns how to read the writer's messages as the reader's values. The writer's nodes take the reader's names where that has
 * aliases.
 *
 * @throws SamewireError `schema_mismatch` with the path of the first difference that resolution does not allow.
 */
export function resolve(writer: SchemaNode, { root: reader, converters }: SchemaTree): Resolution {
  if (hasAliases(reader)) adopt(writer, reader);
  return new Resolver(new Weights(reader)).whole(writer, reader, converters);
}
