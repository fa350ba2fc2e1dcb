import { Backoff } from "./backoff.js";
import type { MethodConfig } from "./method-config.js";
import type { RetryThrottle } from "./throttle.js";

/** How far a failed attempt had come. */
export enum Progress {
  /** It was never sent, or the server has not processed it: safe to retry without limit. */
  UNSENT,
  /** REFUSED_STREAM: the server's library has seen it, the application has not. Safe to retry; done once. */
  REFUSED,
  /** The application may have processed it: retried only if a policy allows it. */
  PROCESSED,
}

/** The delay after a failed attempt in milliseconds, or "give up". */
export const GIVE_UP = -1;

/** `grpc-retry-pushback-ms` forbids further attempts. */
export const NO_PUSHBACK = Infinity;
export const STOP = -1;

/** Parses `grpc-retry-pushback-ms`; anything but a plain number forbids further attempts (gRFC A6, "Pushback"). */
export function parsePushback(value: string | undefined): number {
  if (value === undefined) return NO_PUSHBACK;
  return /^\d{1,9}$/.test(value) ? Number(value) : STOP;
}

/**
 * The attempts of one call under a retry or hedging policy (gRFC A6). Random numbers are arguments, delays are
 * returned.
 */
export class RetryPlan {
  readonly #config: MethodConfig;
  readonly #throttle: RetryThrottle | null;
  readonly #limit: number;
  readonly #backoff: Backoff | null;
  #attempts = 1;
  #stopped = false;

  /** @param limit the most attempts that a policy may allow (gRFC A6: 5) */
  constructor(config: MethodConfig, throttle: RetryThrottle | null, limit: number) {
    const { retry, hedging } = config;
    this.#config = config;
    this.#throttle = throttle;
    this.#limit = Math.min((retry ?? hedging)?.maxAttempts ?? 1, limit);
    this.#backoff =
      retry === null
        ? null
        : new Backoff({ initial: retry.initialBackoff, max: retry.maxBackoff, multiplier: retry.backoffMultiplier, jitter: 0.2 });
  }

  /** Attempts begun so far, without transparent retries. */
  get attempts(): number {
    return this.#attempts;
  }

  get hedging(): boolean {
    return this.#config.hedging !== null;
  }

  /** Milliseconds until the next hedge joins those under way, or GIVE_UP. */
  hedge(): number {
    const { hedging } = this.#config;
    if (hedging === null || this.#stopped || this.#attempts >= this.#limit) return GIVE_UP;
    return hedging.delay;
  }

  /** Milliseconds until the attempt that follows a failed one, or GIVE_UP. */
  failed(code: number, pushback: number, random: number): number {
    const { retry, hedging } = this.#config;
    const repeatable = (retry?.codes ?? hedging?.nonFatal)?.has(code) ?? false;
    if (repeatable || pushback === STOP) this.#throttle?.failed();
    if (pushback === STOP) this.#stopped = true;
    if (!repeatable || this.#stopped || this.#attempts >= this.#limit || this.#throttle?.open === false) return GIVE_UP;
    if (pushback !== NO_PUSHBACK) {
      this.#backoff?.reset();
      return pushback;
    }
    return this.#backoff?.next(random) ?? 0;
  }

  /** Whether a failed hedge ends the call at once, also while other attempts are under way. */
  fatal(code: number): boolean {
    return this.#config.hedging?.nonFatal.has(code) !== true;
  }

  /** Counts one more attempt; returns false if throttling or the limit forbids it. */
  begin(): boolean {
    if (this.#stopped || this.#attempts >= this.#limit || this.#throttle?.open === false) return false;
    this.#attempts += 1;
    return true;
  }

  succeeded(): void {
    this.#throttle?.succeeded();
  }

  /** No more attempts: a response has begun, or messages are no longer kept. */
  stop(): void {
    this.#stopped = true;
  }
}
