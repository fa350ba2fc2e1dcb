/** A connection whose messages wait for its peer: to take them, or to send the rest of them. */
export interface QueueHolder {
  /** Message bytes that wait. */
  readonly queuedBytes: number;
  /** When the peer last took or sent some, or the first of them came to wait. */
  readonly movedAt: number;
  /** Gives up the streams whose bytes wait. */
  shed(): void;
}

/** How much is shed at once, as a share: what is looked through once for that. */
const RELIEF = 1 / 8;

/**
 * A bound for the message bytes that wait in all connections of a server: peers that ask for much and open no window,
 * or send all of a request but its end, would make it keep the bound of one connection as often as they connect.
 *
 * Beyond the bound the connections give up their waiting streams that hold more than the average: first the one whose
 * peer has moved nothing for longest. A peer that goes on, or holds little, loses nothing while others stall.
 */
export class QueueBudget {
  readonly #most: number;
  readonly #now: () => number;
  readonly #defer: (relieve: () => void) => void;
  readonly #holders = new Set<QueueHolder>();
  #bytes = 0;
  #deferred = false;

  /**
   * @param most bytes
   * @param now monotonic milliseconds
   * @param defer calls back soon, outside of any connection
   */
  constructor(most: number, now: () => number, defer: (relieve: () => void) => void) {
    this.#most = most;
    this.#now = now;
    this.#defer = defer;
  }

  /** Bytes that wait in all connections. */
  get bytes(): number {
    return this.#bytes;
  }

  now(): number {
    return this.#now();
  }

  /** `n` more bytes wait, or fewer. */
  change(holder: QueueHolder, n: number): void {
    this.#bytes += n;
    if (holder.queuedBytes === 0) this.#holders.delete(holder);
    else if (n > 0) this.#holders.add(holder);
    if (this.#bytes <= this.#most || this.#deferred) return;
    this.#deferred = true;
    this.#defer(this.#relieve);
  }

  readonly #relieve = (): void => {
    this.#deferred = false;
    const goal = this.#most * (1 - RELIEF);
    const average = this.#bytes / this.#holders.size;
    const large = [...this.#holders].filter(({ queuedBytes }) => queuedBytes >= average);
    large.sort((a, b) => a.movedAt - b.movedAt);
    for (const holder of large) {
      if (this.#bytes <= goal) return;
      holder.shed();
    }
  };
}
