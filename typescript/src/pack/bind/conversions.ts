import type { Converters } from "../schema/tree.js";

/**
 * The values written in one message for values of the program's own types. Each object is converted once for each type,
 * so that shared objects stay shared, and the check and the writer see the same value.
 */
export class Conversions {
  private readonly known = new Map<object, Map<unknown, unknown>>();

  of(converters: Converters, value: unknown): unknown {
    const [first] = converters;
    if (first === undefined) return value;
    const convert = (): unknown => converters.reduce((inner, { encode }) => encode(inner), value);
    if (typeof value !== "object" || value === null) return convert();
    let known = this.known.get(first);
    if (known === undefined) this.known.set(first, (known = new Map<unknown, unknown>()));
    if (!known.has(value)) known.set(value, convert());
    return known.get(value);
  }
}
