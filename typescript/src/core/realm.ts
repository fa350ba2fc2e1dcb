/**
 * Tells the builtin class of a value of any realm: an `iframe`, a `vm` context and the sandboxes of some test runners
 * have classes of their own, for which `instanceof` is false. `instanceof` is tried first, since it is fast; then a
 * method that only the class's own objects accept.
 */

/** Whether a getter or method of a builtin's prototype accepts the value as its receiver. */
function accepts(method: (this: never) => unknown, value: unknown): boolean {
  try {
    method.call(value as never);
    return true;
  } catch {
    return false;
  }
}

function getter(prototype: object, name: string | symbol): (this: never) => unknown {
  return (Object.getOwnPropertyDescriptor(prototype, name) as { readonly get: (this: never) => unknown }).get;
}

const nameOfTyped = getter(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag) as (this: unknown) => unknown;
const sizeOfMap = getter(Map.prototype, "size");
const sizeOfSet = getter(Set.prototype, "size");
const timeOfDate = Object.getOwnPropertyDescriptor(Date.prototype, "getTime")!.value as (this: never) => unknown;

/** Whether it is a typed array of that class, or of the same class of another realm. */
export function isArrayOf(made: { readonly name: string; readonly prototype: object }, value: unknown): boolean {
  return value instanceof (made as never) || nameOfTyped.call(value) === made.name;
}

/**
 * Whether a method of an object's class accepts the object. A proxy of a builtin, and an object that only inherits from
 * a builtin's prototype, are instances of its class, but its methods throw a TypeError for them. The proxies of
 * libraries for reactive values pass their target on, and are accepted.
 */
export function answers(call: () => unknown): boolean {
  try {
    call();
    return true;
  } catch {
    return false;
  }
}

/** Whether it is a typed array of that class itself, of any realm. */
export function isArrayItself(made: { readonly name: string }, value: object): boolean {
  return nameOfTyped.call(value) === made.name;
}

/** Whether it is a date itself, of any realm. */
export function isDateItself(value: unknown): boolean {
  return accepts(timeOfDate, value);
}

/** Whether it is bytes. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || nameOfTyped.call(value) === "Uint8Array";
}

/** Whether it is a map. */
export function isMap(value: unknown): value is Map<unknown, unknown> {
  return value instanceof Map || accepts(sizeOfMap, value);
}

/** Whether it is an object as literals and `JSON.parse` make them, or one without a prototype, of any realm. */
export function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || (Object.getPrototypeOf(prototype) === null && Object.prototype.toString.call(value) === "[object Object]");
}

/** Whether it is a set. */
export function isSet(value: unknown): value is Set<unknown> {
  return value instanceof Set || accepts(sizeOfSet, value);
}

/** Whether it is a date. */
export function isDate(value: unknown): value is Date {
  return value instanceof Date || accepts(timeOfDate, value);
}
