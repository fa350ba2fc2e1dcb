import type { Balancer, BalancerHost, Endpoint } from "./balancer.js";
import { ConnectivityState } from "./connectivity.js";

const { IDLE, CONNECTING, READY, TRANSIENT_FAILURE } = ConnectivityState;

/** Milliseconds that one attempt runs alone before the next address joins (RFC 8305 §5, gRFC A61). */
export const ATTEMPT_DELAY = 250;

/**
 * Tries the addresses in order and stays with the first that connects. A round in which every address failed is
 * reported as TRANSIENT_FAILURE, and stays so until one is READY (gRFC A62); attempts go on as the endpoints' back-offs
 * end.
 */
export class PickFirst<E extends Endpoint> implements Balancer<E> {
  state: ConnectivityState = IDLE;
  failure = "";
  due = Infinity;
  readonly #host: BalancerHost;
  #endpoints: readonly E[] = [];
  #selected: E | null = null;
  /** The next address of this round. */
  #next = 0;
  /** Addresses that failed in this round. */
  readonly #failed = new Set<E>();

  constructor(host: BalancerHost) {
    this.#host = host;
  }

  resolved(endpoints: readonly E[], now: number): void {
    this.#endpoints = endpoints;
    if (this.#selected !== null && endpoints.includes(this.#selected)) return;
    this.#selected = null;
    if (endpoints.length === 0) {
      this.failure = "No addresses resolved";
      this.due = Infinity;
      this.#become(TRANSIENT_FAILURE);
      return;
    }
    this.#begin(now);
  }

  changed(endpoint: E, now: number): void {
    if (this.#selected !== null) {
      if (endpoint !== this.#selected || endpoint.state === READY) return;
      this.#selected = null;
      this.due = Infinity;
      this.#host.reresolve();
      this.#become(IDLE);
      return;
    }
    if (this.state === IDLE || !this.#endpoints.includes(endpoint)) return;
    if (endpoint.state === READY) {
      this.#select(endpoint);
    } else if (endpoint.state === TRANSIENT_FAILURE) {
      this.failure = endpoint.failure;
      this.#failed.add(endpoint);
      this.#advance(now);
    } else if (endpoint.state === IDLE && this.#failed.has(endpoint) && this.#exhausted) {
      endpoint.connect();
    }
  }

  expire(now: number): void {
    if (now >= this.due) this.#advance(now);
  }

  wake(now: number): void {
    if (this.state === IDLE && this.#endpoints.length > 0) this.#begin(now);
  }

  pick(): E | null {
    return this.#selected;
  }

  get #exhausted(): boolean {
    return this.#next >= this.#endpoints.length;
  }

  #begin(now: number): void {
    this.#next = 0;
    this.#failed.clear();
    const ready = this.#endpoints.find((endpoint) => endpoint.state === READY);
    if (ready !== undefined) {
      this.#select(ready);
      return;
    }
    if (this.state !== TRANSIENT_FAILURE) this.#become(CONNECTING);
    this.#advance(now);
  }

  /** Tries the next address; one that is still in back-off counts as failed at once. */
  #advance(now: number): void {
    this.due = Infinity;
    while (!this.#exhausted) {
      const endpoint = this.#endpoints[this.#next]!;
      this.#next += 1;
      if (endpoint.state === TRANSIENT_FAILURE) {
        this.failure = endpoint.failure;
        this.#failed.add(endpoint);
        continue;
      }
      if (endpoint.state === IDLE) endpoint.connect();
      if (this.#next < this.#endpoints.length) this.due = now + ATTEMPT_DELAY;
      return;
    }
    if (this.#failed.size < this.#endpoints.length) return;
    this.#host.reresolve();
    for (const endpoint of this.#endpoints) if (endpoint.state === IDLE) endpoint.connect();
    this.#become(TRANSIENT_FAILURE);
  }

  #select(endpoint: E): void {
    this.#selected = endpoint;
    this.due = Infinity;
    for (const other of this.#endpoints) if (other !== endpoint) other.disconnect();
    this.#become(READY);
  }

  #become(state: ConnectivityState): void {
    this.state = state;
    this.#host.updated();
  }
}
