import { BITS, isNumeric } from "../schema/numeric.js";
import type { ResolutionPlan, StructPlan } from "../schema/resolution-plan.js";
import { hasFlag } from "./flags.js";
import { FEW } from "./row-form.js";

const silent = new WeakMap<StructPlan, number>();
const MOST_SILENT = 2 ** 31;

/**
 * For types that decoders read past the end of a message without noticing, how many bytes they take at least; 0 for all others. Bytes
 * that are not there are `undefined`, of which small integers are made: where there may be many of such types it has to be looked
 * whether their bytes are there, or a count could make as many as it says.
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
      // One that holds itself runs into the limit on depth.
      if (plan.recursive) return 0;
      // Known once asked: a struct may hold another one often, and that a third.
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

/** R of section 12: the bytes that a row of `count` values takes at least. */
export function leastBytes(part: { readonly kind: string }, count: number): number {
  const { kind } = part;
  if (hasFlag(part)) return Math.ceil(count / 8);
  if (kind === "f32") return 4 * count;
  if (kind === "f64") return 8 * count;
  return isNumeric(kind) && BITS[kind] > 8 && count >= FEW ? 1 + Math.ceil(count / 8) : count;
}
