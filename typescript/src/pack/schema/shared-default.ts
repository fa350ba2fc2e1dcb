/** The functions of defaults that are one value for all, which may be looked at before they are needed. */
const shared = new WeakSet<() => unknown>();

/** A default as a function: that of the program, which makes a value for each use, or one that returns the value given. */
export function defaultOf<T>(given: T | (() => T)): () => T {
  if (typeof given === "function") return given as () => T;
  const fallback = (): T => given;
  shared.add(fallback);
  return fallback;
}

/** A default that is made of another one each time, and is one value for all if that is. */
export function madeOf(given: () => unknown, make: (value: unknown) => unknown): () => unknown {
  const fallback = (): unknown => make(given());
  if (shared.has(given)) shared.add(fallback);
  return fallback;
}

/** Whether a default is one value for all. */
export function isShared(fallback: () => unknown): boolean {
  return shared.has(fallback);
}
