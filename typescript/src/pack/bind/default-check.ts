import { described } from "../../core/described.js";
import { SamewireError, textOf } from "../../core/error.js";
import { pathField } from "../../core/path.js";
import { Weights } from "../schema/cells.js";
import { isShared } from "../schema/shared-default.js";
import { parts } from "../schema/tree.js";
import type { SchemaNode } from "../schema/tree.js";
import { checkAny } from "./any-check.js";
import { ValueWalker } from "./value-walker.js";

/** Deeper defaults are checked when they are written, and so are the limits of the message around them. */
const LIMITS = { depth: 64, items: Infinity, cells: Infinity };

/**
 * Checks every default of a type that is one shared value, as it is written: functions of `as` are called with it.
 *
 * @throws SamewireError `misuse` for one that is not a value of its field: a message that lacks the field would be read as
 *   something that the type excludes.
 */
export function checkDefaults(root: SchemaNode): void {
  // Without recursion: types may be deeper than the stack. A set also yields what is added during the loop.
  const met = new Set([root]);
  const weights = new Weights(root);
  for (const node of met) {
    for (const part of parts(node)) met.add(part);
    if (node.kind !== "struct") continue;
    for (const { name, node: type, fallback } of node.fields) {
      // A function of the program is not called: it may have effects, or throw because its field must not be missing.
      if (fallback === undefined || !isShared(fallback)) continue;
      try {
        new ValueWalker(LIMITS, weights, checkAny).check(type, fallback());
      } catch (error) {
        const [path, text] = refusal(error);
        throw new SamewireError("misuse", `the default of ${node.name}${pathField(name)}${path} does not fit its type: ${text}`);
      }
    }
  }
}

/** The path within a default, and what is wrong there. */
function refusal(error: unknown): [string, string] {
  if (!(error instanceof SamewireError)) return ["", `writing it throws ${error instanceof Error ? String(error) : described(error)}`];
  return [error.path?.slice(1) ?? "", textOf(error)];
}
