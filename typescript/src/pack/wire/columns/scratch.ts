/** An array of numbers that columns are put into. */
type Scratch = Int32Array | Float64Array | BigInt64Array;

/** Arrays of more elements together are not kept for the next message. */
const KEPT = 1 << 18;
const SMALLEST = 256;

/**
 * Reusable arrays for the values of columns. A user saves `used` before it takes some, and restores it when done, also
 * after an error. Messages that a program's own code writes or reads meanwhile take the next ones.
 */
class Pool<T extends Scratch> {
  private arrays: T[] = [];
  private kept = 0;
  used = 0;

  constructor(private readonly make: (size: number) => T) {}

  /** An array of at least so many elements, of any values. */
  take(size: number): T {
    const array = this.arrays[this.used];
    if (array !== undefined && array.length >= size) {
      this.used++;
      return array;
    }
    return this.renewed(this.used++, size);
  }

  /** An array with the elements of one that was taken, and room for `size`. */
  grown(array: T, size: number): T {
    const longer = this.renewed(this.arrays.lastIndexOf(array, this.used - 1), Math.max(size, 2 * array.length));
    longer.set(array as never);
    return longer;
  }

  private renewed(at: number, size: number): T {
    const array = this.make(size < SMALLEST ? SMALLEST : size);
    this.kept += array.length - (this.arrays[at]?.length ?? 0);
    this.arrays[at] = array;
    return array;
  }

  /** Gives back all arrays but the first `used`. */
  release(used: number): void {
    this.used = used;
    if (used > 0 || this.kept <= KEPT) return;
    this.arrays = [];
    this.kept = 0;
  }
}

export const ints = new Pool((size) => new Int32Array(size));
export const doubles = new Pool((size) => new Float64Array(size));
export const longs = new Pool((size) => new BigInt64Array(size));

/** Runs a function that takes arrays, and gives them back. */
export function withScratch<T>(run: () => T): T {
  const [i, d, l] = [ints.used, doubles.used, longs.used];
  try {
    return run();
  } finally {
    ints.release(i);
    doubles.release(d);
    longs.release(l);
  }
}
