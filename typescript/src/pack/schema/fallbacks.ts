import { SamewireError } from "../../core/error.js";
import type { StructNode, UnionNode } from "./tree.js";
import type { StructDefinition, Type } from "./type.js";

/** Whether a struct may stand for members that a union lacks: it has no fields, or the name of the member. */
export function canStandIn({ fields }: StructDefinition): boolean {
  return fields.length === 0 || (fields.length === 1 && fields[0]!.name === "name" && fields[0]!.type.definition.kind === "string");
}

/** The name of the struct that is declared as a union's fallback. */
export function fallbackName(fallback: Type | undefined, members: readonly Type[]): string | undefined {
  if (fallback === undefined) return undefined;
  const definition = members.includes(fallback) ? fallback.definition : undefined;
  if (definition?.kind === "struct" && canStandIn(definition)) return definition.name;
  throw new SamewireError("misuse", "the fallback of a union is one of its members, which has no fields or only name: pack.string");
}

/** The member that stands for those that the union lacks. */
export function standIn({ members, fallback }: UnionNode): StructNode | undefined {
  return members.find((member) => member.name === fallback);
}

/** The cells of a fallback beside the row of the writer's member: 16 characters of a name fit in one. */
export function standInCells(fallback: StructNode, member: string): number {
  return 3 + fallback.fields.length * (2 + Math.ceil(member.length / 16));
}
