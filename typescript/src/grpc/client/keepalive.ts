/** Milliseconds; `time` Infinity switches keepalive off. gRPC "Keepalive" (gRFC A8). */
export interface KeepaliveOptions {
  /** Silence after which a PING is sent. */
  readonly time: number;
  /** Milliseconds for its acknowledgement. */
  readonly timeout: number;
  /** Ping also while no call is open. */
  readonly withoutCalls: boolean;
}

export type KeepaliveAction = "none" | "ping" | "dead";

/**
 * Decides when to send a PING and when a peer is dead, without a clock. Any byte from the peer shows that it is alive.
 */
export class Keepalive {
  readonly #options: KeepaliveOptions;
  #heard: number;
  /** When the unanswered PING was sent, -1 for none. */
  #pinged = -1;

  constructor(options: KeepaliveOptions, now: number) {
    this.#options = options;
    this.#heard = now;
  }

  /** When to call `check` next, given whether calls are open; Infinity for not before that changes. */
  due(calls: boolean): number {
    if (this.#pinged >= 0) return this.#pinged + this.#options.timeout;
    return calls || this.#options.withoutCalls ? this.#heard + this.#options.time : Infinity;
  }

  /** The peer has sent something. */
  heard(now: number): void {
    this.#heard = now;
    this.#pinged = -1;
  }

  check(now: number, calls: boolean): KeepaliveAction {
    if (now < this.due(calls)) return "none";
    if (this.#pinged >= 0) return "dead";
    this.#pinged = now;
    return "ping";
  }
}

/** The keepalive time after the server said `too_many_pings`: doubled (gRFC A8). */
export function slowedKeepalive(options: KeepaliveOptions): KeepaliveOptions {
  return { ...options, time: options.time * 2 };
}
