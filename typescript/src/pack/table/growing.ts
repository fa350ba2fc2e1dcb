import type { TypedArrays } from "../schema/value.js";

export type TypedArray = TypedArrays[keyof TypedArrays];

/** The first array that grows by single elements. */
const SMALLEST = 16;

/** A typed array that grows. */
export class Growing<A extends TypedArray> {
  /** Its elements from `length` on are not in use. */
  array: A;
  length = 0;

  constructor(private readonly make: new (size: number) => A) {
    this.array = new make(0);
  }

  /** Makes room for `count` more elements, with undefined contents; returns where they begin. */
  extend(count: number): number {
    const from = this.length;
    const to = from + count;
    if (to > this.array.length) {
      const longer = new this.make(Math.max(to, 2 * this.array.length, count === 1 ? SMALLEST : 0));
      longer.set(this.array.subarray(0, from) as never);
      this.array = longer;
    }
    this.length = to;
    return from;
  }

  /**
   * Moves the last `present` elements, of a column of those that are present, to where they belong among `set.length`;
   * the others become `nothing`.
   */
  spread(set: Uint8Array, present: number, nothing: number | bigint): void {
    const from = this.length - present;
    this.extend(set.length - present);
    const array = this.array as unknown as (number | bigint)[];
    let next = from + present;
    // From the end, so that no element overwrites one that has not moved.
    for (let i = set.length; i-- > 0; ) array[from + i] = set[i] === 0 ? nothing : array[--next]!;
  }

  /** Appends one element. */
  push(element: number | bigint): void {
    const at = this.extend(1);
    (this.array as unknown as (number | bigint)[])[at] = element;
  }

  /** Appends all elements of an array. */
  append(elements: ArrayLike<number> | ArrayLike<bigint>): void {
    const from = this.extend(elements.length);
    this.array.set(elements as never, from);
  }

  /** Its elements in an array of exactly their number. */
  finish(): A {
    return this.array.length === this.length ? this.array : (this.array.slice(0, this.length) as A);
  }
}

/** {@link Growing.spread} of an array. */
export function spreadValues<T>(values: T[], set: Uint8Array, present: number, nothing: T): void {
  let next = values.length;
  const from = next - present;
  // The array grows by elements: a longer length would leave holes.
  for (let i = present; i < set.length; i++) values.push(nothing);
  for (let i = set.length; i-- > 0; ) values[from + i] = set[i] === 0 ? nothing : values[--next]!;
}

/** Where lists end in the column of their elements. */
export class Ends {
  private readonly ends = new Growing(Int32Array);

  get length(): number {
    return this.ends.length;
  }

  /** Where the next list begins. */
  get last(): number {
    return this.startOf(this.ends.length);
  }

  /** Where a list begins; that of the number of all is where the last one ends. */
  startOf(index: number): number {
    return index === 0 ? 0 : this.ends.array[index - 1]!;
  }

  push(end: number): void {
    this.ends.push(end);
  }

  /** Appends lists of so many elements. */
  pushCounts(counts: Int32Array, m: number): void {
    let end = this.last;
    const from = this.ends.extend(m);
    for (let i = 0; i < m; i++) this.ends.array[from + i] = end += counts[i]!;
  }

  /** {@link Growing.spread}: an absent list is empty where it stands. */
  spread(set: Uint8Array, present: number): void {
    const { ends } = this;
    let next = ends.length;
    const from = next - present;
    const before = from === 0 ? 0 : ends.array[from - 1]!;
    ends.extend(set.length - present);
    const { array } = ends;
    for (let i = set.length; i-- > 0; ) {
      const end = next > from ? array[next - 1]! : before;
      array[from + i] = end;
      if (set[i] !== 0) next--;
    }
  }

  /** Where each list begins, and the end of the last one. */
  offsets(): Int32Array {
    const offsets = new Int32Array(this.ends.length + 1);
    offsets.set(this.ends.array.subarray(0, this.ends.length), 1);
    return offsets;
  }
}
