import type { ResolutionPlan, StructPlan, TuplePlan } from "../../schema/resolution-plan.js";
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
