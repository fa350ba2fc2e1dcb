import { BITS, isNumeric } from "../schema/numeric.js";
import type { ResolutionPlan, StructPlan } from "../schema/resolution-plan.js";
import { hasFlag } from "./flags.js";
import { FEW } from "./row-form.js";

const silent = new WeakMap<StructPlan, number>();
const MOST_SILENT = 2 ** 31;

/**
 * For types that decoders read past the end of a message without an error: the fewest bytes that a value takes. 0 for
 * all others.
 *
 * A byte past the end is `undefined`, which becomes a small integer. Before many such values are read, their bytes must
 * be known to be present, or a false count would make as many values as it says.
 */
export function silentBytes(plan: ResolutionPlan): number {
  switch (plan.kind) {
    case "i8":
    case "i16":
    case "i32":
    case "u8":
    case "u16":
    case "u32":
      return 1;
    case "tuple":
      return together(plan.of);
    case "struct": {
      // The limit on depth bounds one that contains itself.
      if (plan.recursive) return 0;
      // Computed once: structs that each contain the next one twice would take exponential time.
      const known = silent.get(plan) ?? together(plan.slots.map((slot) => slot.plan));
      silent.set(plan, known);
      return known;
    }
    default:
      return 0;
  }
}

function together(parts: readonly ResolutionPlan[]): number {
  let sum = 0;
  for (const part of parts) {
    const bytes = silentBytes(part);
    if (bytes === 0) return 0;
    sum += bytes;
  }
  return Math.min(sum, MOST_SILENT);
}

/** R of section 12: the fewest bytes that a row of `count` values takes. */
export function leastBytes(part: { readonly kind: string }, count: number): number {
  const { kind } = part;
  if (hasFlag(part)) return Math.ceil(count / 8);
  if (kind === "f32") return 4 * count;
  if (kind === "f64") return 8 * count;
  return isNumeric(kind) && BITS[kind] > 8 && count >= FEW ? 1 + Math.ceil(count / 8) : count;
}
