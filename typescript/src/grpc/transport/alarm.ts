import { Timer } from "../protocol/timer-wheel.js";
import { clock } from "./clock.js";

/** Runs a function at a time. */
export class Alarm extends Timer {
  readonly #ring: () => void;

  constructor(ring: () => void) {
    super();
    this.#ring = ring;
  }

  expire(): void {
    this.#ring();
  }

  /** @param delay milliseconds; `Infinity` sets nothing */
  set(delay: number): void {
    if (delay !== Infinity) clock.set(this, delay);
  }

  clear(): void {
    clock.clear(this);
  }
}
