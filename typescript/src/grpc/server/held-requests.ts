import type { QueueBudget, QueueHolder } from "../http2/queue-budget.js";

/** A client that sends less than this has sent nothing. */
const PROGRESS_BYTES = 16_384;

/** A call that holds bytes of its request. */
export interface RequestHolder {
  /** Bytes of its request that no handler has yet. */
  readonly held: number;
  /** Ends the call, whose request takes too much memory: more than this option of the server. */
  giveUp(option: string): void;
  /** The client may send more of the request. */
  resume(): void;
}

/**
 * The requests of one connection that no handler has yet: those whose last byte has not come, and messages that wait to
 * be decompressed. A client may send the most of a message on each of a thousand streams and stop.
 *
 * Beyond half of the bound the client's windows close: one request goes on, and the others wait for it, each with no more
 * than its window. So many large requests at once arrive one after the other. A call that takes the connection over its
 * bound all the same is ended. What all connections of a server hold is bounded by the
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
  /** The call that goes on while others wait. */
  #first: RequestHolder | null = null;
  readonly #stalled = new Set<RequestHolder>();

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
    if (n > 0 && this.queuedBytes > this.#most) call.giveUp("samewire.max_connection_request_bytes");
    if (n < 0 && (this.#first !== null || this.#stalled.size > 0)) this.#relieve(call);
  }

  /** Whether the client may send more of a request now; else the call is resumed later (`resume`). */
  goesOn(call: RequestHolder): boolean {
    if (this.#calm) return true;
    // A call that holds nothing may never report its end.
    if (this.#first === null && call.held > 0) {
      this.#first = call;
      if (this.#stalled.delete(call)) call.resume();
    }
    if (call === this.#first) return true;
    this.#stalled.add(call);
    return false;
  }

  get #calm(): boolean {
    return this.queuedBytes <= this.#most / 2;
  }

  /** A call holds less: others may go on. */
  #relieve(call: RequestHolder): void {
    if (call.held === 0) {
      this.#stalled.delete(call);
      if (call === this.#first) this.#first = null;
    }
    for (const next of this.#stalled) {
      if (this.#calm) this.#first = null;
      else if (this.#first !== null) return;
      else if (next.held > 0) this.#first = next;
      else continue;
      this.#stalled.delete(next);
      next.resume();
    }
    if (this.#calm) this.#first = null;
  }

  /** Gives up all calls that hold bytes. */
  shed(): void {
    for (const call of this.#calls()) if (call.held > 0) call.giveUp("samewire.max_request_bytes");
  }
}
