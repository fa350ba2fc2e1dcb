/** The functions of defaults that are one shared value, which may be read before they are needed. */
const shared = new WeakSet<() => unknown>();

/** A default as a function: that of the program, which makes a value for each use, or one that returns the value given. */
export function defaultOf<T>(given: T | (() => T)): () => T {
  if (typeof given === "function") return given as () => T;
  const fallback = (): T => given;
  shared.add(fallback);
  return fallback;
}

/** A default that is converted from another one each time; it counts as one shared value if that does. */
export function madeOf(given: () => unknown, make: (value: unknown) => unknown): () => unknown {
  const fallback = (): unknown => make(given());
  if (shared.has(given)) shared.add(fallback);
  return fallback;
}

/** Whether a default is one shared value. */
export function isShared(fallback: () => unknown): boolean {
  return shared.has(fallback);
}
