import type { Stream } from "./stream.js";

/** Slots at the start, a power of two: enough for half as many streams. */
const FIRST_SLOTS = 64;

/** Spreads ids over slots. Random per process, so that a peer cannot choose ids that collide. */
const MULTIPLIER = (Math.floor(Math.random() * 2 ** 32) | 1) >>> 0;

/**
 * The open streams of a connection by id: open addressing, removal by backward shift, so that a slot never keeps a
 * stream that is gone.
 *
 * A `Map` allocates a new table for every few dozen streams that come and go, and links the old one to it: once one of
 * these tables is in the old generation, the scavenger treats the whole chain as alive. That kept half of all dead
 * calls until the next full collection, and took as much time as everything else together.
 */
export class StreamTable {
  #slots: (Stream | null)[] = new Array<Stream | null>(FIRST_SLOTS).fill(null);
  #mask = FIRST_SLOTS - 1;
  #shift = Math.clz32(FIRST_SLOTS - 1);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: number): Stream | undefined {
    for (let at = this.#home(id); ; at = (at + 1) & this.#mask) {
      const stream = this.#slots[at]!;
      if ((stream as Stream | null) === null) return undefined;
      if (stream.id === id) return stream;
    }
  }

  /** Adds a stream with a new id. */
  set(id: number, stream: Stream): void {
    if (this.#size * 2 > this.#mask) this.#grow();
    this.#place(id, stream);
    this.#size += 1;
  }

  /** @returns whether there was one */
  delete(id: number): boolean {
    let hole = this.#home(id);
    for (; ; hole = (hole + 1) & this.#mask) {
      const stream = this.#slots[hole]!;
      if ((stream as Stream | null) === null) return false;
      if (stream.id === id) break;
    }
    // Backward shift: moves up each entry whose home slot is at the hole or before it, so that no search ends too
    // early.
    for (let at = (hole + 1) & this.#mask; ; at = (at + 1) & this.#mask) {
      const stream = this.#slots[at]!;
      if ((stream as Stream | null) === null) break;
      if (((at - this.#home(stream.id)) & this.#mask) < ((at - hole) & this.#mask)) continue;
      this.#slots[hole] = stream;
      hole = at;
    }
    this.#slots[hole] = null;
    this.#size -= 1;
    return true;
  }

  /**
   * Returns a copy in the order of the ids, so that streams may come and go during the walk, and callbacks have a fixed
   * order.
   */
  values(): Stream[] {
    return this.#slots.filter((stream) => stream !== null).sort((a, b) => a.id - b.id);
  }

  #home(id: number): number {
    return Math.imul(id, MULTIPLIER) >>> this.#shift;
  }

  #place(id: number, stream: Stream): void {
    let at = this.#home(id);
    while ((this.#slots[at] ?? null) !== null) at = (at + 1) & this.#mask;
    this.#slots[at] = stream;
  }

  #grow(): void {
    const streams = this.values();
    this.#slots = new Array<Stream | null>(this.#slots.length * 2).fill(null);
    this.#mask = this.#slots.length - 1;
    this.#shift = Math.clz32(this.#mask);
    for (const stream of streams) this.#place(stream.id, stream);
  }
}
