import { parts } from "./tree.js";
import type { Shape, StructShape } from "./tree.js";

/** A struct on its way: `low` is the earliest struct that it is known to reach. */
interface Visit {
  readonly inside: readonly StructShape[];
  readonly order: number;
  next: number;
  low: number;
  open: boolean;
}

/**
 * The structs that can contain themselves, in time linear in the schema: a search from each struct alone would let a schema text of
 * 460 KB cost twenty seconds. Tarjan's strongly connected components, with a stack of its own.
 */
export function cyclic(structs: readonly StructShape[]): Set<StructShape> {
  const found = new Set<StructShape>();
  const visits = new Map<StructShape, Visit>();
  const stack: StructShape[] = [];
  const begin = (struct: StructShape): Visit => {
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
function structsIn(struct: StructShape): StructShape[] {
  const found: StructShape[] = [];
  const open: Shape[] = [...parts(struct)];
  for (let shape = open.pop(); shape !== undefined; shape = open.pop()) {
    if (shape.kind === "struct") found.push(shape);
    else open.push(...parts(shape));
  }
  return found;
}
