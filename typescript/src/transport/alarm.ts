import { clock } from "./clock.js";
import { Timer } from "./timer-wheel.js";

/** Calls a function at a time. */
export class Alarm extends Timer {
  readonly #ring: (now: number) => void;

  /** @param ring gets the time in milliseconds of the thread's monotonic clock */
  constructor(ring: (now: number) => void) {
    super();
    this.#ring = ring;
  }

  expire(now: number): void {
    this.#ring(now);
  }

  /** @param delay milliseconds; `Infinity` sets nothing */
  set(delay: number): void {
    if (delay !== Infinity) clock.set(this, delay);
  }

  clear(): void {
    clock.clear(this);
  }
}
