import type { LoadReport } from "../orca/load-report.js";
import type { ConnectivityState } from "./connectivity.js";

/** What a balancer knows of a subchannel. */
export interface Endpoint {
  readonly state: ConnectivityState;
  /** Why the last attempt failed. */
  readonly failure: string;
  /** Starts an attempt when IDLE; any other state: nothing. */
  connect(): void;
  /** Gives up an attempt or a connection that is not needed; calls on it go on. */
  disconnect(): void;
}

/** What a balancer asks of its channel. */
export interface BalancerHost {
  /** State or picks have changed: queued calls may go. */
  updated(): void;
  /** The addresses may be stale: resolve again. */
  reresolve(): void;
}

/**
 * Chooses among endpoints. No sockets, clocks or chance inside: the channel reports changes and times, and drives the timer that
 * `due` asks for.
 */
export interface Balancer<E extends Endpoint> {
  readonly state: ConnectivityState;
  /** Why no endpoint can be picked, while TRANSIENT_FAILURE. */
  readonly failure: string;
  /** When `expire` wants to be called, in the channel's milliseconds; Infinity for never. */
  readonly due: number;
  /** A new list, which may share endpoints with the one before. */
  resolved(endpoints: readonly E[], now: number): void;
  /** `endpoint.state` is another than before. */
  changed(endpoint: E, now: number): void;
  expire(now: number): void;
  /** Leaves IDLE. */
  wake(now: number): void;
  /** A server has told its load with a call. Absent where that decides nothing. */
  reported?(endpoint: E, report: LoadReport, now: number): void;
  /** The endpoint for the next call, or null unless READY. */
  pick(): E | null;
}
