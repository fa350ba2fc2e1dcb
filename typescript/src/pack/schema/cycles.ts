import { parts } from "./tree.js";
import type { SchemaNode, StructNode } from "./tree.js";

/** A struct being visited: `low` is the earliest struct that it is known to reach. */
interface Visit {
  readonly inside: readonly StructNode[];
  readonly order: number;
  next: number;
  low: number;
  open: boolean;
}

/**
 * Returns the structs that can contain themselves, in time linear in the schema: Tarjan's strongly connected
 * components, with an explicit stack. A search from each struct alone would take twenty seconds for a schema text of
 * 460 KB.
 */
export function cyclic(structs: readonly StructNode[]): Set<StructNode> {
  const found = new Set<StructNode>();
  const visits = new Map<StructNode, Visit>();
  const stack: StructNode[] = [];
  const begin = (struct: StructNode): Visit => {
    const visit = { inside: structsIn(struct), order: visits.size, next: 0, low: visits.size, open: true };
    visits.set(struct, visit);
    stack.push(struct);
    return visit;
  };
  for (const first of structs) {
    if (visits.has(first)) continue;
    const path = [{ struct: first, visit: begin(first) }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { struct, visit } = top;
      const child = visit.inside[visit.next++];
      if (child !== undefined) {
        const met = visits.get(child);
        if (met === undefined) path.push({ struct: child, visit: begin(child) });
        else if (met.open) visit.low = Math.min(visit.low, met.order);
        continue;
      }
      path.pop();
      const parent = path.at(-1)?.visit;
      if (parent !== undefined) parent.low = Math.min(parent.low, visit.low);
      if (visit.low < visit.order) continue;
      const component = stack.splice(stack.lastIndexOf(struct));
      for (const member of component) {
        const inner = visits.get(member)!;
        inner.open = false;
        if (component.length > 1 || inner.inside.includes(member)) found.add(member);
      }
    }
  }
  return found;
}

/** The structs that stand in a struct's fields, not those inside them. */
function structsIn(struct: StructNode): StructNode[] {
  const found: StructNode[] = [];
  const open: SchemaNode[] = [...parts(struct)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "struct") found.push(node);
    else open.push(...parts(node));
  }
  return found;
}
