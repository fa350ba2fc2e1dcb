import { parts } from "./tree.js";
import type { EnumNode, FieldNode, SchemaNode, StructNode } from "./tree.js";

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Named = EnumNode | StructNode;

/** Whether a reader knows types or fields by aliases. */
export function hasAliases(reader: SchemaNode): boolean {
  return [...named(reader).values()].some((node) => node.aliases.length > 0 || (node.kind === "struct" && node.fields.some((field) => field.aliases.length > 0)));
}

/** Gives a writer's types and fields the reader's names where they have an alias of them. The nodes are changed. */
export function adopt(writer: SchemaNode, reader: SchemaNode): void {
  const theirs = named(writer);
  for (const ours of named(reader).values()) {
    const found = theirs.get(known(ours.name, ours.aliases, theirs));
    if (found === undefined) continue;
    (found as Writable<Named>).name = ours.name;
    if (found.kind === "struct" && ours.kind === "struct") adoptFields(found, ours);
  }
}

function adoptFields(writer: StructNode, reader: StructNode): void {
  const theirs = new Map(writer.fields.map((field) => [field.name, field]));
  for (const { name, aliases } of reader.fields) {
    const found: Writable<FieldNode> | undefined = theirs.get(known(name, aliases, theirs));
    if (found !== undefined) found.name = name;
  }
}

/** What the writer calls this: the name itself, or else the first alias that it has. */
function known(name: string, aliases: readonly string[], writers: ReadonlyMap<string, unknown>): string {
  return [name, ...aliases].find((each) => writers.has(each)) ?? name;
}

/** The structs and enums of a type by their names. */
function named(root: SchemaNode): Map<string, Named> {
  const found = new Map<string, Named>();
  const met = new Set<SchemaNode>([root]);
  // A set also yields what is added during the loop.
  for (const node of met) {
    if (node.kind === "struct" || node.kind === "enum") found.set(node.name, node);
    for (const part of parts(node)) met.add(part);
  }
  return found;
}
