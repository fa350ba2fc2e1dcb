import type { ScalarPlan } from "../schema/resolution-plan.js";
import type { Numeric } from "../schema/type.js";
import { bailOut } from "./bail-out.js";

/** How integers are read as floats that do not have all of them: as doubles, or as singles. */
export type Exact = "f64" | "f32";

/** Whether the plan reads integers as floats that do not have all of them. */
export function isExact(as: ScalarPlan["as"] | Numeric): as is Exact {
  return as === "f64" || as === "f32";
}

/** Whether the float type has this integer. */
export function hasExactly(as: Exact, value: bigint): boolean {
  const float = as === "f64" ? Number(value) : Math.fround(Number(value));
  return BigInt(float) === value;
}

/** The double of exactly this integer; bails out if there is none. */
function exactDouble(value: number | bigint): number {
  const float = Number(value);
  return typeof value === "number" || BigInt(float) === value ? float : bailOut();
}

/** The single of exactly this integer; bails out if there is none. */
function exactSingle(value: number | bigint): number {
  const float = Math.fround(Number(value));
  return typeof value === "number" ? (float === value ? float : bailOut()) : BigInt(float) === value ? float : bailOut();
}

/** The conversion of one integer to exactly its float. */
export const EXACT: { readonly [K in Exact]: (value: number | bigint) => number } = { f64: exactDouble, f32: exactSingle };

/** Converts integers to floats; bails out if a float cannot hold one of them exactly. */
export function asFloats(numbers: readonly (number | bigint)[], as: Exact): number[] {
  const convert = EXACT[as];
  const floats = new Array<number>(numbers.length);
  for (let i = 0; i < floats.length; i++) floats[i] = convert(numbers[i]!);
  return floats;
}
