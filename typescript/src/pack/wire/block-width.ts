/** The zigzag form of an integer. */
export function zigzag(value: number | bigint): number | bigint {
  if (typeof value === "bigint") return value < 0n ? -2n * value - 1n : 2n * value;
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** The position of the highest bit that is set, counted from 1. */
export function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}

/** The width of a packed block (section 9): the smallest one of those that take the fewest bytes. */
export function bitWidth(values: readonly bigint[]): number {
  const lengths = values.map(bitLength);
  let best = 0;
  let least = Infinity;
  for (let width = 1; width <= 32; width++) {
    const above = lengths.filter((length) => length > width);
    const patches = above.length === 0 ? 0 : above.reduce((sum, length) => sum + 1 + Math.ceil((length - width) / 7), 1);
    const cost = Math.ceil((values.length * width) / 8) + patches;
    if (cost < least) [best, least] = [width, cost];
  }
  return best;
}
