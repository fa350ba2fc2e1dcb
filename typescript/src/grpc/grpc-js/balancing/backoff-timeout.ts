import { Backoff, DEFAULT_BACKOFF } from "../../client/backoff.js";

export interface BackoffOptions {
  /** Milliseconds. */
  initialDelay?: number;
  multiplier?: number;
  /** The share by which a delay varies. */
  jitter?: number;
  maxDelay?: number;
}

/** A timer whose delay grows with each use, until it is reset. */
export class BackoffTimeout {
  readonly #callback: () => void;
  readonly #backoff: Backoff;
  readonly #initialDelay: number;
  #timer: NodeJS.Timeout | null = null;
  #referenced = true;
  #begun = Date.now();
  #end = Date.now();

  constructor(callback: () => void, options: BackoffOptions = {}) {
    const { initialDelay, multiplier, jitter, maxDelay } = options;
    this.#callback = callback;
    this.#initialDelay = initialDelay ?? DEFAULT_BACKOFF.initial;
    this.#backoff = new Backoff({
      initial: this.#initialDelay,
      multiplier: multiplier ?? DEFAULT_BACKOFF.multiplier,
      jitter: jitter ?? DEFAULT_BACKOFF.jitter,
      max: maxDelay ?? DEFAULT_BACKOFF.max,
    });
  }

  runOnce(): void {
    this.#begun = Date.now();
    this.#run(this.#backoff.next(Math.random()));
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** The next delay is the first again, and that of a running timer too. */
  reset(): void {
    this.#backoff.reset();
    if (this.#timer === null) return;
    const left = this.#begun + this.#initialDelay - Date.now();
    if (left > 0) this.#run(left);
    else this.stop();
  }

  isRunning(): boolean {
    return this.#timer !== null;
  }

  /** The timer keeps the process alive. */
  ref(): void {
    this.#referenced = true;
    this.#timer?.ref();
  }

  unref(): void {
    this.#referenced = false;
    this.#timer?.unref();
  }

  /** When a running timer is due. */
  getEndTime(): Date {
    return new Date(this.#end);
  }

  #run(delay: number): void {
    this.stop();
    this.#end = Date.now() + delay;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#callback();
    }, delay);
    if (!this.#referenced) this.#timer.unref();
  }
}
