import type { Converters } from "../schema/tree.js";

/**
 * What is written in one message in the place of values of the program's own types. Of one object one is made for each type, so that
 * what is shared stays shared and a value is the same when it is checked and when it is written.
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
