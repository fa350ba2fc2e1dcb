import type { LoadReport } from "../orca/load-report.js";
import type { Balancer, BalancerHost, Endpoint } from "./balancer.js";
import { ConnectivityState } from "./connectivity.js";
import type { WeightOptions } from "./policy.js";
import { RoundRobin } from "./round-robin.js";

/** The weight from an endpoint's reports. Times in the channel's milliseconds. */
interface Weight {
  readonly value: number;
  /** Since when reports have come without a gap. */
  readonly since: number;
  /** When the last one came. */
  readonly updated: number;
}

/**
 * The least and greatest weight as a share of the mean, as in gRPC's core. Without the bounds one server could report a
 * load that keeps all calls from the others.
 */
const LEAST_OF_MEAN = 0.01;
const MOST_OF_MEAN = 10;

/**
 * Round robin in which servers get calls in proportion to their capacity: the calls a second that they report, divided
 * by the load which that causes (gRFC A58). Servers without reports count as the mean of the others.
 */
export class WeightedRoundRobin<E extends Endpoint> implements Balancer<E> {
  due = Infinity;
  readonly #options: WeightOptions;
  /** Keeps the connections, and has the state. */
  readonly #connections: RoundRobin<E>;
  readonly #weights = new Map<E, Weight>();
  #endpoints: readonly E[] = [];
  #ready: E[] = [];
  /**
   * In the order of `#ready`: what a round adds to an endpoint's credit, 1 for the largest weight. A pick costs 1.
   */
  #shares: number[] = [];
  #credits: number[] = [];
  #at = 0;

  constructor(options: WeightOptions, host: BalancerHost, random: number) {
    this.#options = options;
    this.#connections = new RoundRobin<E>(host, random);
  }

  get state(): ConnectivityState {
    return this.#connections.state;
  }

  get failure(): string {
    return this.#connections.failure;
  }

  resolved(endpoints: readonly E[], now: number): void {
    this.#endpoints = endpoints;
    for (const endpoint of this.#weights.keys()) if (!endpoints.includes(endpoint)) this.#weights.delete(endpoint);
    // The update below may place calls at once.
    this.#weigh(now);
    this.#connections.resolved(endpoints);
  }

  changed(endpoint: E, now: number): void {
    // A new connection may lead to another server.
    this.#weights.delete(endpoint);
    this.#weigh(now);
    this.#connections.changed(endpoint);
  }

  expire(now: number): void {
    if (now >= this.due) this.#weigh(now);
  }

  wake(): void {
    this.#connections.wake();
  }

  reported(endpoint: E, { qps = 0, eps = 0, applicationUtilization = 0, cpuUtilization = 0 }: LoadReport, now: number): void {
    const utilization = applicationUtilization > 0 ? applicationUtilization : cpuUtilization;
    const value = qps / (utilization + (Math.max(eps, 0) / qps) * this.#options.errorPenalty);
    if (!(qps > 0 && utilization > 0 && value > 0 && value < Infinity)) return;
    const known = this.#weights.get(endpoint);
    const goesOn = known !== undefined && now - known.updated < this.#options.expiration;
    this.#weights.set(endpoint, { value, since: goesOn ? known.since : now, updated: now });
  }

  pick(): E | null {
    if (this.#ready.length === 0) return null;
    // Ends within one round: one of the shares is 1.
    for (;;) {
      this.#at = (this.#at + 1) % this.#ready.length;
      const credit = this.#credits[this.#at]! + this.#shares[this.#at]!;
      this.#credits[this.#at] = credit >= 1 ? credit - 1 : credit;
      if (credit >= 1) return this.#ready[this.#at]!;
    }
  }

  #weight(endpoint: E, now: number): number {
    const weight = this.#weights.get(endpoint);
    if (weight === undefined || now - weight.updated >= this.#options.expiration || now - weight.since < this.#options.blackout) return 0;
    return weight.value;
  }

  /** Applies the present weights. */
  #weigh(now: number): void {
    this.due = now + this.#options.update;
    const ready = this.#endpoints.filter((endpoint) => endpoint.state === ConnectivityState.READY);
    // Credit is kept: an endpoint of small weight would never be picked if each update reset it.
    const credits = new Map(this.#ready.map((endpoint, at) => [endpoint, this.#credits[at]!]));
    this.#credits = ready.map((endpoint, at) => credits.get(endpoint) ?? at / ready.length);
    this.#shares = shares(ready.map((endpoint) => this.#weight(endpoint, now)));
    this.#ready = ready;
  }
}

/**
 * Returns the shares of weights, of which 0 means unknown; the largest share is 1. All shares are equal if fewer than
 * two weights are known.
 */
function shares(weights: readonly number[]): number[] {
  const known = weights.filter((weight) => weight > 0);
  if (known.length < 2) return weights.map(() => 1);
  // Scaled before they are added: the sum of the servers' figures may overflow.
  const largest = Math.max(...known);
  const mean = known.reduce((sum, weight) => sum + weight / largest, 0) / known.length;
  const bounded = weights.map((weight) => (weight === 0 ? mean : Math.min(Math.max(weight / largest, mean * LEAST_OF_MEAN), mean * MOST_OF_MEAN)));
  const most = Math.max(...bounded);
  return bounded.map((share) => share / most);
}
