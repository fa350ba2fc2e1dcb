/** Slots of one level; a level's slot spans all slots of the level below. */
const SLOTS = 32;
/** 32^9 ms are 1,100 years: no deadline lies beyond the last level. */
const LEVELS = 9;
const SPAN: readonly number[] = Array.from({ length: LEVELS + 1 }, (_, level) => SLOTS ** level);
const LAST = SPAN[LEVELS]! - 1;
/** The list of the slot that is firing, behind the slots of the levels. */
const TAKEN = LEVELS * SLOTS;

/** A timer of a wheel. Intrusive: it is in one wheel at most, and setting or clearing it allocates nothing. */
export abstract class Timer {
  /** Milliseconds on the wheel's scale, rounded up to a whole number. */
  due = 0;
  /** The slot whose list it is in; -1 for none. */
  slot = -1;
  previous: Timer | null = null;
  following: Timer | null = null;

  abstract expire(now: number): void;
}

/**
 * A hierarchical timer wheel: O(1) to set and to clear, no clock of its own. Times are milliseconds on any scale that
 * starts at or above 0 and never goes back.
 *
 * A timer fires in the first `advance` whose time is at or after its own, never before, each exactly once.
 */
export class TimerWheel {
  readonly #heads = new Array<Timer | null>(TAKEN + 1).fill(null);
  readonly #occupied = new Int32Array(LEVELS + 1);
  #now: number;
  #size = 0;
  #firing = false;

  /** @param now the time that it starts at */
  constructor(now: number) {
    this.#now = Math.floor(now);
  }

  /** Timers that are set. */
  get size(): number {
    return this.#size;
  }

  /**
   * Sets `timer` to fire at `due`, moving it if it is set already. A time that has passed fires at the next `advance`.
   */
  set(timer: Timer, due: number): void {
    this.clear(timer);
    timer.due = Math.min(Math.max(Math.ceil(due), this.#now + (this.#firing ? 1 : 0)), LAST);
    this.#insert(timer);
    this.#size += 1;
  }

  /** Clears a timer; one that is not set stays so. */
  clear(timer: Timer): void {
    if (timer.slot < 0) return;
    this.#unlink(timer);
    this.#size -= 1;
  }

  /** Returns when `advance` should be called next: no timer fires before. `Infinity` if none is set. */
  next(): number {
    const at = this.#earliest();
    return at < 0 ? Infinity : this.#start(at);
  }

  /**
   * Moves to `now` and fires what is due, in the order of the times; timers of the same millisecond in any order.
   * `expire` may set and clear timers but not advance; what it sets fires a millisecond later at the earliest, so that
   * this returns.
   */
  advance(now: number): void {
    const target = Math.floor(now);
    for (let at = this.#earliest(); at >= 0; at = this.#earliest()) {
      const start = this.#start(at);
      if (start > target) break;
      this.#now = start;
      this.#firing = true;
      this.#take(at);
      for (let timer = this.#head(TAKEN); timer !== null; timer = this.#head(TAKEN)) {
        this.#unlink(timer);
        if (timer.due > start) {
          this.#insert(timer);
        } else {
          this.#size -= 1;
          timer.expire(now);
        }
      }
      this.#firing = false;
    }
    if (target > this.#now) this.#now = target;
  }

  /** Moves a slot's list aside: timers that fire may clear others of the slot, and set more. */
  #take(at: number): void {
    const head = this.#head(at);
    for (let timer = head; timer !== null; timer = timer.following) timer.slot = TAKEN;
    this.#heads[TAKEN] = head;
    this.#heads[at] = null;
    this.#occupied[Math.floor(at / SLOTS)]! &= ~(1 << at % SLOTS);
  }

  #head(at: number): Timer | null {
    return this.#heads[at] ?? null;
  }

  /**
   * The first slot in time that holds a timer, -1 for none. On each level only slots ahead of the present one are in
   * use.
   */
  #earliest(): number {
    for (let level = 0; level < LEVELS; level += 1) {
      const bits = this.#occupied[level]!;
      if (bits !== 0) return level * SLOTS + 31 - Math.clz32(bits & -bits);
    }
    return -1;
  }

  /** The time at which a slot begins. */
  #start(at: number): number {
    const level = Math.floor(at / SLOTS);
    const block = SPAN[level + 1]!;
    return Math.floor(this.#now / block) * block + (at % SLOTS) * SPAN[level]!;
  }

  /**
   * Chooses the lowest level on which now and the due time lie in the same block of the level above, so that slots
   * never wrap around.
   */
  #insert(timer: Timer): void {
    let level = 0;
    while (level < LEVELS - 1 && Math.floor(timer.due / SPAN[level + 1]!) !== Math.floor(this.#now / SPAN[level + 1]!)) level += 1;
    const slot = Math.floor(timer.due / SPAN[level]!) % SLOTS;
    const at = level * SLOTS + slot;
    const head = this.#head(at);
    timer.slot = at;
    timer.previous = null;
    timer.following = head;
    if (head !== null) head.previous = timer;
    this.#heads[at] = timer;
    this.#occupied[level]! |= 1 << slot;
  }

  #unlink(timer: Timer): void {
    const at = timer.slot;
    if (timer.previous === null) this.#heads[at] = timer.following;
    else timer.previous.following = timer.following;
    if (timer.following !== null) timer.following.previous = timer.previous;
    timer.previous = timer.following = null;
    timer.slot = -1;
    if (this.#heads[at] === null) this.#occupied[Math.floor(at / SLOTS)]! &= ~(1 << at % SLOTS);
  }
}
