import type { LoadReport } from "../orca/load-report.js";
import type { ConnectivityState } from "./connectivity.js";

/** A subchannel, as a balancer sees it. */
export interface Endpoint {
  readonly state: ConnectivityState;
  /** Why the last attempt failed. */
  readonly failure: string;
  /** Starts an attempt when IDLE; does nothing in another state. */
  connect(): void;
  /** Gives up an attempt or a connection that is not needed; calls on it go on. */
  disconnect(): void;
}

/** A channel, as its balancer sees it. */
export interface BalancerHost {
  /** The state or the picks have changed: queued calls are tried again. */
  updated(): void;
  /** The addresses may be stale: resolve again. */
  reresolve(): void;
}

/**
 * Chooses among endpoints, without sockets, clock or random numbers: the channel reports changes and times, and drives
 * the timer that `due` requests.
 */
export interface Balancer<E extends Endpoint> {
  readonly state: ConnectivityState;
  /** Why no endpoint can be picked, while TRANSIENT_FAILURE. */
  readonly failure: string;
  /** When `expire` is due, in the channel's milliseconds; Infinity for never. */
  readonly due: number;
  /** A new list, which may share endpoints with the one before. */
  resolved(endpoints: readonly E[], now: number): void;
  /** `endpoint.state` has changed. */
  changed(endpoint: E, now: number): void;
  expire(now: number): void;
  /** Leaves IDLE. */
  wake(now: number): void;
  /** A server has reported its load with a call. Absent if the policy does not use it. */
  reported?(endpoint: E, report: LoadReport, now: number): void;
  /** The endpoint for the next call, or null unless READY. */
  pick(): E | null;
}
