import { bailOut } from "./bail-out.js";

/**
 * Compares keys by the order of section 8: by value, texts by UTF-16 code units. Bails out on keys of different types.
 */
export function byOrder(left: unknown, right: unknown): number {
  if (typeof left !== typeof right) bailOut();
  return left! < right! ? -1 : left! > right! ? 1 : 0;
}

/** Bails out on a value that is not a key: comparing it could throw, or call a program's code. */
function checked(key: unknown): unknown {
  return typeof key === "symbol" || typeof key === "function" || typeof key === "object" ? bailOut() : key;
}

/** Returns a map whose entries are in ascending order of their keys, or of what `keyOf` makes of them. */
export function sortedMap<V>(map: ReadonlyMap<unknown, V>, keyOf: (key: unknown) => unknown = checked): Map<unknown, V> {
  return new Map(
    Array.from(map, (entry) => ({ entry, key: keyOf(entry[0]) }))
      .sort((left, right) => byOrder(left.key, right.key))
      .map(({ entry }) => entry),
  );
}
