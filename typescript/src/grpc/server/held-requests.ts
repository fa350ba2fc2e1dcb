import type { QueueBudget, QueueHolder } from "../http2/queue-budget.js";

/** A client that sends less than this has sent nothing. */
const PROGRESS_BYTES = 16_384;

/** A call that holds bytes of its request. */
export interface RequestHolder {
  /** Bytes of its request that no handler has yet. */
  readonly held: number;
  /** Ends the call, whose request takes too much memory. */
  giveUp(): void;
}

/**
 * The requests of one connection that no handler has yet: those whose last byte has not come, and messages that wait to
 * be decompressed. A client may send the most of a message on each of a thousand streams and stop.
 *
 * A call that takes the connection over its bound is ended. What all connections of a server hold is bounded by the
 * budget, which gives up the calls of a connection.
 */
export class HeldRequests implements QueueHolder {
  /** Bytes of all calls. */
  queuedBytes = 0;
  /** When the client last sent `PROGRESS_BYTES` of them, or the first of them came. */
  movedAt = 0;
  readonly #budget: QueueBudget;
  readonly #most: number;
  readonly #calls: () => readonly RequestHolder[];
  #progress = 0;

  /**
   * @param most bytes of this connection
   * @param calls those that run
   */
  constructor(budget: QueueBudget, most: number, calls: () => readonly RequestHolder[]) {
    this.#budget = budget;
    this.#most = most;
    this.#calls = calls;
  }

  /** A call holds `n` more bytes, or fewer. */
  change(call: RequestHolder, n: number): void {
    if (n > 0) this.#progress += n;
    if (this.queuedBytes === 0 || this.#progress >= PROGRESS_BYTES) {
      this.movedAt = this.#budget.now();
      this.#progress = 0;
    }
    this.queuedBytes += n;
    this.#budget.change(this, n);
    if (n > 0 && this.queuedBytes > this.#most) call.giveUp();
  }

  /** Gives up all calls that hold bytes. */
  shed(): void {
    for (const call of this.#calls()) if (call.held > 0) call.giveUp();
  }
}
