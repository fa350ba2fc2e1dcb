import type { Attempt } from "./attempt.js";
import type { Call } from "./call.js";

/**
 * What waits in a channel: attempts for a connection, calls for the decision of a resolver. While there are any, they
 * keep the process alive.
 */
export class WaitingCalls {
  /** In the order they came. */
  readonly #attempts = new Set<Attempt>();
  readonly #undecided = new Set<Call>();
  #hold: NodeJS.Timeout | null = null;

  get size(): number {
    return this.#attempts.size + this.#undecided.size;
  }

  get attempts(): number {
    return this.#attempts.size;
  }

  get undecided(): readonly Call[] {
    return [...this.#undecided];
  }

  add(attempt: Attempt): void {
    this.#attempts.add(attempt);
    this.#keepAlive();
  }

  addUndecided(call: Call): void {
    this.#undecided.add(call);
    this.#keepAlive();
  }

  remove(attempt: Attempt): void {
    if (this.#attempts.delete(attempt)) this.#settle();
  }

  removeUndecided(call: Call): void {
    if (this.#undecided.delete(call)) this.#settle();
  }

  /** Calls `place` for each waiting attempt. `place` adds an attempt again if it must still wait; the order stays. */
  retry(place: (attempt: Attempt) => void): void {
    if (this.#attempts.size === 0) return;
    const waiting = [...this.#attempts];
    this.#attempts.clear();
    for (const attempt of waiting) if (!attempt.ended) place(attempt);
    this.#settle();
  }

  #keepAlive(): void {
    this.#hold ??= setInterval(() => undefined, 0x7fff_ffff);
  }

  #settle(): void {
    if (this.size > 0 || this.#hold === null) return;
    clearInterval(this.#hold);
    this.#hold = null;
  }
}
