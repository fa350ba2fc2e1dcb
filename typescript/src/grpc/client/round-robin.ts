import type { Balancer, BalancerHost, Endpoint } from "./balancer.js";
import { ConnectivityState } from "./connectivity.js";

const { IDLE, CONNECTING, READY, TRANSIENT_FAILURE } = ConnectivityState;

/** Keeps a connection to every address and picks the ready ones in turn. */
export class RoundRobin<E extends Endpoint> implements Balancer<E> {
  state: ConnectivityState = IDLE;
  failure = "";
  readonly due = Infinity;
  readonly #host: BalancerHost;
  #endpoints: readonly E[] = [];
  #ready: E[] = [];
  #turn: number;
  /** Endpoints that have failed since they were last READY: they count as failed while they try again. */
  readonly #failed = new Set<E>();

  /** @param random 0 up to 1: where the rotation begins, so that many clients do not begin with the same server */
  constructor(host: BalancerHost, random: number) {
    this.#host = host;
    this.#turn = Math.floor(random * 0x1000_0000);
  }

  resolved(endpoints: readonly E[]): void {
    this.#endpoints = endpoints;
    for (const endpoint of this.#failed) if (!endpoints.includes(endpoint)) this.#failed.delete(endpoint);
    if (endpoints.length === 0) this.failure = "No addresses resolved";
    for (const endpoint of endpoints) endpoint.connect();
    this.#settle();
  }

  changed(endpoint: E): void {
    if (!this.#endpoints.includes(endpoint)) return;
    if (endpoint.state === READY) {
      this.#failed.delete(endpoint);
    } else if (endpoint.state === TRANSIENT_FAILURE) {
      this.failure = endpoint.failure;
      this.#failed.add(endpoint);
      this.#host.reresolve();
    } else if (endpoint.state === IDLE) {
      // The end of a connection may mean that the server left the list; it is tried again all the same.
      if (!this.#failed.has(endpoint)) this.#host.reresolve();
      endpoint.connect();
    }
    this.#settle();
  }

  expire(): void {
    // Round robin waits for nothing but its endpoints.
  }

  wake(): void {
    for (const endpoint of this.#endpoints) endpoint.connect();
  }

  pick(): E | null {
    const ready = this.#ready;
    if (ready.length === 0) return null;
    this.#turn = (this.#turn + 1) % ready.length;
    return ready[this.#turn]!;
  }

  #settle(): void {
    this.#ready = this.#endpoints.filter((endpoint) => endpoint.state === READY);
    if (this.#ready.length > 0) this.state = READY;
    else if (this.#endpoints.some((endpoint) => !this.#failed.has(endpoint))) this.state = CONNECTING;
    else this.state = TRANSIENT_FAILURE;
    this.#host.updated();
  }
}
