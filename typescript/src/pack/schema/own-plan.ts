import type { Weights } from "./cells.js";
import type { FieldPlan, ResolutionPlan, Resolution, Slot, StructPlan } from "./resolution-plan.js";
import type { SchemaNode, SchemaTree, StructNode } from "./tree.js";

/** Makes the plan of a reader whose schema is the writer's: that of `resolve` for one schema twice, in a fraction of the code. */
class Plans {
  private readonly structs = new Map<string, StructPlan>();

  constructor(private readonly weights: Weights) {}

  of(node: SchemaNode): ResolutionPlan {
    const { weights } = this;
    switch (node.kind) {
      case "enum":
        return { kind: "enum", name: node.name, symbols: node.symbols };
      case "option":
        return { kind: "option", of: this.of(node.of), converters: node.converters };
      case "list":
        return { kind: "list", of: this.of(node.of), converters: node.converters, cells: weights.element(node), typed: node.typed ? (node.of.kind as "i32") : undefined };
      case "set":
        return { kind: "set", of: this.of(node.of), converters: node.converters, cells: weights.element(node) };
      case "map": {
        const { key, value, keyConverters, valueConverters } = node;
        return { kind: "map", key: this.of(key), value: this.of(value), keyConverters, valueConverters, cells: weights.element(node) };
      }
      case "tuple":
        return { kind: "tuple", of: node.of.map((part) => this.of(part)), converters: node.converters, cells: weights.row(node) };
      case "struct":
        return this.struct(node, undefined);
      case "union":
        return { kind: "union", members: node.members.map((member) => ({ name: member.name, plan: this.struct(member, node.discriminator) })) };
      case "ref":
        return { kind: "ref", of: this.struct(node.of, undefined), converters: node.converters, role: "plain" };
      default:
        return { kind: node.kind, as: node.native };
    }
  }

  private struct(node: StructNode, discriminator: string | undefined): StructPlan {
    const { name, recursive, prototype } = node;
    const label = JSON.stringify([name, discriminator]);
    const known = this.structs.get(label);
    if (known !== undefined) return known;
    const slots: Slot[] = [];
    const fields: FieldPlan[] = [];
    const plan: StructPlan = { kind: "struct", name, recursive, cells: this.weights.row(node), slots, fields, prototype, discriminator };
    this.structs.set(label, plan);
    for (const field of node.fields) {
      fields.push({ name: field.name, slot: fields.length, fallback: () => null });
      slots.push({ name: field.name, plan: this.of(field.node), converters: field.converters });
    }
    return plan;
  }
}

/** How messages of a type's own schema are read. */
export function ownPlan({ root, converters }: SchemaTree, weights: Weights): Resolution {
  return { plan: new Plans(weights).of(root), converters, cells: weights.slot(root) };
}
