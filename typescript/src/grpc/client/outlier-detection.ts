import type { LoadReport } from "../orca/load-report.js";
import type { Statistics } from "../protocol/statistics.js";
import type { Balancer, BalancerHost, Endpoint } from "./balancer.js";
import { ConnectivityState } from "./connectivity.js";
import type { EjectionRule, OutlierOptions } from "./policy.js";

/** An endpoint that counts how its calls end. */
export interface CountedEndpoint extends Endpoint {
  readonly statistics: Pick<Statistics, "callsSucceeded" | "callsFailed">;
}

/** An endpoint as the child policy sees it: failed while it is ejected, also if its connection is ready. */
export class Guarded<E extends CountedEndpoint> implements CountedEndpoint {
  /** When it was ejected; null while it is not. */
  ejected: number | null = null;
  /** The next ejection lasts the base time multiplied by this plus one. */
  multiplier = 0;
  /** Calls of the last interval. */
  successes = 0;
  failures = 0;
  #succeeded = 0;
  #failed = 0;

  constructor(readonly inner: E) {
    this.count();
  }

  get state(): ConnectivityState {
    return this.ejected === null ? this.inner.state : ConnectivityState.TRANSIENT_FAILURE;
  }

  get failure(): string {
    return this.ejected === null ? this.inner.failure : "put aside by outlier detection";
  }

  get statistics(): CountedEndpoint["statistics"] {
    return this.inner.statistics;
  }

  get calls(): number {
    return this.successes + this.failures;
  }

  connect(): void {
    this.inner.connect();
  }

  disconnect(): void {
    this.inner.disconnect();
  }

  /** Ends an interval: reads the connections' counters, which count for channelz anyway. */
  count(): void {
    const { callsSucceeded, callsFailed } = this.inner.statistics;
    this.successes = callsSucceeded - this.#succeeded;
    this.failures = callsFailed - this.#failed;
    this.#succeeded = callsSucceeded;
    this.#failed = callsFailed;
  }
}

/**
 * Ejects addresses for a while whose calls fail more often than those of others (gRFC A50), and lets a child policy
 * choose among the rest. It does nothing per call: once an interval it compares the counters of the connections.
 */
export class OutlierDetection<E extends CountedEndpoint> implements Balancer<E> {
  readonly #options: OutlierOptions;
  readonly #child: Balancer<Guarded<E>>;
  readonly #random: () => number;
  #guards = new Map<E, Guarded<E>>();
  /** When the interval ends. */
  #end = Infinity;

  /** @param random returns 0 up to 1, for rules that are enforced with a probability */
  constructor(options: OutlierOptions, child: (host: BalancerHost) => Balancer<Guarded<E>>, host: BalancerHost, random: () => number) {
    this.#options = options;
    this.#child = child(host);
    this.#random = random;
  }

  get state(): ConnectivityState {
    return this.#child.state;
  }

  get failure(): string {
    return this.#child.failure;
  }

  get due(): number {
    return Math.min(this.#end, this.#child.due);
  }

  resolved(endpoints: readonly E[], now: number): void {
    this.#guards = new Map(endpoints.map((endpoint) => [endpoint, this.#guards.get(endpoint) ?? new Guarded(endpoint)]));
    if (this.#end === Infinity) this.#end = now + this.#options.interval;
    this.#child.resolved([...this.#guards.values()], now);
  }

  changed(endpoint: E, now: number): void {
    const guard = this.#guards.get(endpoint);
    if (guard?.ejected === null) this.#child.changed(guard, now);
  }

  expire(now: number): void {
    if (now >= this.#end) {
      this.#end = now + this.#options.interval;
      this.#judge(now);
    }
    this.#child.expire(now);
  }

  wake(now: number): void {
    this.#child.wake(now);
  }

  reported(endpoint: E, report: LoadReport, now: number): void {
    const guard = this.#guards.get(endpoint);
    if (guard !== undefined) this.#child.reported?.(guard, report, now);
  }

  pick(): E | null {
    return this.#child.pick()?.inner ?? null;
  }

  #judge(now: number): void {
    const { successRate, failurePercentage, baseEjectionTime, maxEjectionTime } = this.#options;
    for (const guard of this.#guards.values()) guard.count();
    if (successRate !== null) this.#apply(successRate, now, (judged) => bySuccessRate(judged, successRate.limit));
    if (failurePercentage !== null) {
      this.#apply(failurePercentage, now, (judged) => judged.filter(({ failures, calls }) => failures * 100 > failurePercentage.limit * calls));
    }
    for (const guard of this.#guards.values()) {
      if (guard.ejected === null) guard.multiplier = Math.max(guard.multiplier - 1, 0);
      else if (now >= guard.ejected + Math.min(baseEjectionTime * guard.multiplier, Math.max(baseEjectionTime, maxEjectionTime))) {
        guard.ejected = null;
        this.#child.changed(guard, now);
      }
    }
  }

  #apply({ enforcement, minimumHosts, requestVolume }: EjectionRule, now: number, find: (judged: Guarded<E>[]) => Guarded<E>[]): void {
    const judged = [...this.#guards.values()].filter(({ calls }) => calls > 0 && calls >= requestVolume);
    if (judged.length < minimumHosts) return;
    for (const guard of find(judged)) {
      const aside = [...this.#guards.values()].filter(({ ejected }) => ejected !== null).length;
      if (aside * 100 >= this.#options.maxEjectionPercent * this.#guards.size) return;
      if (guard.ejected !== null || this.#random() * 100 >= enforcement) continue;
      guard.ejected = now;
      guard.multiplier += 1;
      this.#child.changed(guard, now);
    }
  }
}

/** Endpoints whose share of successes is below the mean by more than `limit` thousandths of the standard deviation. */
function bySuccessRate<G extends { readonly successes: number; readonly calls: number }>(judged: G[], factor: number): G[] {
  if (judged.length === 0) return [];
  const rates = judged.map(({ successes, calls }) => successes / calls);
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const deviation = Math.sqrt(rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / rates.length);
  return judged.filter((_, at) => rates[at]! < mean - (deviation * factor) / 1_000);
}
