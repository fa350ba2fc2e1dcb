/**
 * The token bucket that limits retries and hedges during an overload (gRFC A6, "Throttling Retry Attempts and
 * Hedged RPCs"). One for a channel; failures cost a token, successes give back `ratio`.
 */
export class RetryThrottle {
  readonly max: number;
  readonly ratio: number;
  #tokens: number;

  /** @param previous the bucket of the configuration this one replaces: its fill level is carried over */
  constructor(max: number, ratio: number, previous: RetryThrottle | null = null) {
    this.max = max;
    this.ratio = ratio;
    this.#tokens = previous === null ? max : (previous.#tokens / previous.max) * max;
  }

  get tokens(): number {
    return this.#tokens;
  }

  succeeded(): void {
    this.#tokens = Math.min(this.#tokens + this.ratio, this.max);
  }

  failed(): void {
    this.#tokens = Math.max(this.#tokens - 1, 0);
  }

  /** Returns whether one more attempt is allowed: only while the bucket is more than half full. */
  get open(): boolean {
    return this.#tokens > this.max / 2;
  }
}
