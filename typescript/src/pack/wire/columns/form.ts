import type { ResolutionPlan, StructPlan, TuplePlan } from "../../schema/resolution-plan.js";
import { parts } from "../../schema/tree.js";
import type { ListNode, MapNode, SchemaNode, StructNode } from "../../schema/tree.js";
import type { Profile } from "../writer.js";
import { SECONDS_MAX, SECONDS_MIN } from "../time.js";

/** Added to the count of a columnar list or map (columns.md section 1). */
export const MARK = 0x8000_0000;
/** Modes of columns of integers, floats and texts. */
export const RAW = 0;
export const FROM_LEAST = 1;
export const FROM_PREVIOUS = 2;
export const DECIMAL = 1;
export const NUMBERS = 2;
export const TEXTS = 1;
/** The unit of times in two columns, and the nanoseconds of the units below it. */
export const SPLIT = 4;
export const UNITS: readonly number[] = [1_000_000_000, 1_000_000, 1_000, 1, 1_000_000_000];
export const MOST_DECIMALS = 15;
/** Powers of ten that a double holds exactly. */
export const TENS: readonly number[] = Array.from({ length: MOST_DECIMALS + 1 }, (_, exponent) => Number(`1e${exponent}`));
/** Writers look at so many values of a column, if it has more, to choose a mode or the decimals. */
export const SAMPLE = 128;
/** A column with more new values than this and half of the values so far does not become a dictionary. */
export const NEW_AT_FIRST = 64;
/** The digits of decimal numbers: what a double holds exactly. */
export const MOST_DIGITS = 2 ** 53;

/** Whether elements of the type are written as the columns of their parts. */
export function isFlat(plan: ResolutionPlan): plan is StructPlan | TuplePlan {
  return plan.kind === "tuple" || (plan.kind === "struct" && !plan.recursive);
}

/** The range of a column of times in a unit: every instant is within the years 1 to 9999, every duration within i64. */
export function rangeOfTimes(calendar: boolean, unit: number): { least: bigint; most: bigint } {
  const most = (1n << 63n) - 1n;
  if (!calendar) return { least: -most - 1n, most };
  const size = BigInt(UNITS[unit]!);
  const first = (BigInt(SECONDS_MIN) * 1_000_000_000n) / size;
  const last = ((BigInt(SECONDS_MAX) + 1n) * 1_000_000_000n - 1n) / size;
  return { least: first < -most - 1n ? -most - 1n : first, most: last > most ? most : last };
}

/** Writers make no shorter list columnar, and none with fewer elements for each column. */
const LEAST_ELEMENTS = 64;
const ELEMENTS_FOR_COLUMN = 4;
const widths = new WeakMap<StructNode, number>();

/** How many columns the values of a type need (columns.md section 1). */
export function width(node: SchemaNode): number {
  switch (node.kind) {
    case "option":
    case "list":
    case "set":
    case "map":
      return 1 + sumOfWidths(node);
    case "tuple":
      return sumOfWidths(node);
    case "struct": {
      if (node.recursive) return 1;
      // Computed once: structs that each contain the next one twice would take exponential time.
      const known = widths.get(node) ?? sumOfWidths(node);
      widths.set(node, known);
      return known;
    }
    default:
      return 1;
  }
}

function sumOfWidths(node: SchemaNode): number {
  return parts(node).reduce((sum, part) => sum + width(part), 0);
}

/** From how many elements on a profile makes a list or map columnar; infinite if it never does. */
export function leastColumnar(node: ListNode | MapNode, profile: Profile): number {
  if (profile === "fast") return Infinity;
  const of = node.kind === "list" ? node.of : node.value;
  if (of.kind !== "tuple" && (of.kind !== "struct" || of.recursive)) return Infinity;
  return Math.max(LEAST_ELEMENTS, ELEMENTS_FOR_COLUMN * sumOfWidths(node));
}
