/** Milliseconds, except the two ratios. gRPC "Connection Backoff Protocol". */
export interface BackoffOptions {
  readonly initial: number;
  readonly max: number;
  readonly multiplier: number;
  /** Share of the delay that chance adds or takes, 0 to 1. */
  readonly jitter: number;
}

export const DEFAULT_BACKOFF: BackoffOptions = { initial: 1_000, max: 120_000, multiplier: 1.6, jitter: 0.2 };

/** Exponential back-off with jitter. Owns neither clock nor chance: both are arguments. */
export class Backoff {
  readonly #options: BackoffOptions;
  #delay: number;

  constructor(options: Partial<BackoffOptions> = {}) {
    const { initial, max, multiplier, jitter } = { ...DEFAULT_BACKOFF, ...options };
    this.#options = { initial: Math.min(initial, max), max, multiplier, jitter };
    this.#delay = this.#options.initial;
  }

  /**
   * The delay before the next attempt in milliseconds; each answer lengthens the following one.
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
