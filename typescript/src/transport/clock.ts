import { TimerWheel } from "./timer-wheel.js";
import type { Timer } from "./timer-wheel.js";

/** The longest delay of a Node timer, in milliseconds. */
const LONGEST_SLEEP = 0x7fff_ffff;

/**
 * Drives one timer wheel by the monotonic clock with one Node timer, which does not keep the process alive. It is reset
 * only for an earlier time than it waits for, so that thousands of deadlines cost one wake-up per slot at most.
 */
class Clock {
  readonly #wheel = new TimerWheel(performance.now());
  #sleep: NodeJS.Timeout | null = null;
  #wake = Infinity;

  /** Monotonic milliseconds, with a fraction. */
  now(): number {
    return performance.now();
  }

  /** Fires `timer` in `delay` milliseconds, never before. */
  set(timer: Timer, delay: number): void {
    const now = performance.now();
    this.#wheel.set(timer, now + delay);
    if (timer.due < this.#wake) this.#arm(now, timer.due);
  }

  clear(timer: Timer): void {
    this.#wheel.clear(timer);
  }

  #arm(now: number, wake: number): void {
    if (this.#sleep !== null) clearTimeout(this.#sleep);
    this.#wake = wake;
    this.#sleep = wake === Infinity ? null : setTimeout(this.#ring, Math.min(Math.max(Math.ceil(wake - now), 1), LONGEST_SLEEP));
    this.#sleep?.unref();
  }

  readonly #ring = (): void => {
    this.#sleep = null;
    this.#wake = Infinity;
    this.#wheel.advance(performance.now());
    const next = this.#wheel.next();
    if (next < this.#wake) this.#arm(performance.now(), next);
  };
}

/** The clock of this thread. */
export const clock = new Clock();
