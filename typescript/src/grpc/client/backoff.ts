/** Milliseconds, except the two ratios. gRPC "Connection Backoff Protocol". */
export interface BackoffOptions {
  readonly initial: number;
  readonly max: number;
  readonly multiplier: number;
  /** The jitter, as a share of the delay, 0 to 1. */
  readonly jitter: number;
}

export const DEFAULT_BACKOFF: BackoffOptions = { initial: 1_000, max: 120_000, multiplier: 1.6, jitter: 0.2 };

/** Exponential back-off with jitter. Time and random numbers are arguments. */
export class Backoff {
  readonly #options: BackoffOptions;
  #delay: number;

  constructor(options: Partial<BackoffOptions> = {}) {
    const { initial, max, multiplier, jitter } = { ...DEFAULT_BACKOFF, ...options };
    this.#options = { initial: Math.min(initial, max), max, multiplier, jitter };
    this.#delay = this.#options.initial;
  }

  /**
   * Returns the delay before the next attempt in milliseconds, and increases the following one.
   * @param random from 0 (shortest) up to, not including, 1 (longest)
   */
  next(random: number): number {
    const delay = this.#delay;
    const { max, multiplier, jitter } = this.#options;
    this.#delay = Math.min(delay * multiplier, max);
    return delay * (1 - jitter + 2 * jitter * random);
  }

  reset(): void {
    this.#delay = this.#options.initial;
  }
}
