import type { LoadReport } from "../orca/load-report.js";
import type { Balancer, BalancerHost } from "./balancer.js";
import { ConnectivityState } from "./connectivity.js";
import { Health } from "./health-watch.js";
import type { CountedEndpoint } from "./outlier-detection.js";

const { READY, CONNECTING, TRANSIENT_FAILURE } = ConnectivityState;

/** An endpoint that knows what its server says of a service's health, while it is READY. */
export interface CheckedEndpoint extends CountedEndpoint {
  readonly health: Health;
}

/** An endpoint as the child policy sees it: READY once its server serves. */
export class Checked<E extends CheckedEndpoint> implements CountedEndpoint {
  constructor(readonly inner: E) {}

  get state(): ConnectivityState {
    const { state, health } = this.inner;
    if (state !== READY || health === Health.SERVING) return state;
    return health === Health.UNKNOWN ? CONNECTING : TRANSIENT_FAILURE;
  }

  get failure(): string {
    return this.inner.state === READY ? "the server's health check says that it does not serve" : this.inner.failure;
  }

  get statistics(): CountedEndpoint["statistics"] {
    return this.inner.statistics;
  }

  connect(): void {
    this.inner.connect();
  }

  disconnect(): void {
    this.inner.disconnect();
  }
}

/** Keeps calls from servers that say that they do not serve (gRFC A17), and lets a child policy choose among the rest. */
export class HealthChecking<E extends CheckedEndpoint> implements Balancer<E> {
  readonly #child: Balancer<Checked<E>>;
  #checked = new Map<E, Checked<E>>();

  constructor(child: (host: BalancerHost) => Balancer<Checked<E>>, host: BalancerHost) {
    this.#child = child(host);
  }

  get state(): ConnectivityState {
    return this.#child.state;
  }

  get failure(): string {
    return this.#child.failure;
  }

  get due(): number {
    return this.#child.due;
  }

  resolved(endpoints: readonly E[], now: number): void {
    this.#checked = new Map(endpoints.map((endpoint) => [endpoint, this.#checked.get(endpoint) ?? new Checked(endpoint)]));
    this.#child.resolved([...this.#checked.values()], now);
  }

  changed(endpoint: E, now: number): void {
    const checked = this.#checked.get(endpoint);
    if (checked !== undefined) this.#child.changed(checked, now);
  }

  expire(now: number): void {
    this.#child.expire(now);
  }

  wake(now: number): void {
    this.#child.wake(now);
  }

  reported(endpoint: E, report: LoadReport, now: number): void {
    const checked = this.#checked.get(endpoint);
    if (checked !== undefined) this.#child.reported?.(checked, report, now);
  }

  pick(): E | null {
    return this.#child.pick()?.inner ?? null;
  }
}
