import { hostname } from "node:os";
import { clock } from "../../transport/clock.js";
import { Timer } from "../../transport/timer-wheel.js";
import { Metadata } from "../protocol/metadata.js";
import { Status } from "../protocol/status.js";
import { channelTarget, parseTarget, type MalformedTarget, type Target } from "../protocol/target.js";
import { thrownText } from "../protocol/thrown.js";
import { Trace } from "../protocol/trace.js";
import { dial } from "../transport/dial.js";
import type { Address } from "./address.js";
import type { Attempt } from "./attempt.js";
import { Balance, type BalanceHost } from "./balance.js";
import { Call, type CallHost } from "./call.js";
import type { CallListener, CallSettings } from "./call-settings.js";
import type { CallSelector, Selection } from "./call-selector.js";
import { DEFAULT_SETTINGS, type ChannelSettings } from "./channel-settings.js";
import { chooseConfig, type Chooser } from "./config-choice.js";
import { ConnectivityState } from "./connectivity.js";
import { HEALTH_METHOD } from "./health-watch.js";
import { LOAD_METHOD } from "./load-watch.js";
import type { Method } from "./method.js";
import { DEFAULT_METHOD_CONFIG, type MethodConfig } from "./method-config.js";
import { MethodTable } from "./method-table.js";
import type { NameResolver, ResolverListener } from "./naming.js";
import type { Resolution } from "./program-balancer.js";
import { Resolver } from "./resolver.js";
import { RetryPlan } from "./retry-plan.js";
import type { ServiceConfig } from "./service-config.js";
import type { Reach, Subchannel } from "./subchannel.js";
import { RetryThrottle } from "./throttle.js";
import { WaitingCalls } from "./waiting-calls.js";
import { Watchers } from "./watchers.js";

const { IDLE, CONNECTING, TRANSIENT_FAILURE, SHUTDOWN } = ConnectivityState;

/**
 * So large that the connection's window never limits: each stream's window bounds what its reader buffers, and stalled
 * readers do not block other calls.
 */
const CONNECTION_WINDOW = 2 ** 30;

/** Counts since the channel was made (gRPC "channelz", ChannelData). */
export interface ChannelStatistics {
  readonly started: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Calls under way, and how many of them wait for a connection. */
  readonly active: number;
  readonly queued: number;
}

/**
 * Connections to one target, and the calls over them: resolves the name, has the policy choose, queues calls without a
 * connection. A timer itself, for its idle time-out.
 */
export class Channel extends Timer implements CallHost, BalanceHost, ResolverListener {
  readonly target: string;
  readonly settings: ChannelSettings;
  readonly authority: string;
  readonly trace = new Trace("connectivity_state");
  /** Bytes of messages that calls keep for another attempt. */
  retainedBytes = 0;
  readonly #parsed: Target | MalformedTarget;
  /** What is resolved and connected to: the target, or the proxy before it. */
  readonly #route: Target | MalformedTarget;
  readonly #methods: MethodTable;
  readonly #balance: Balance;
  readonly #waiting = new WaitingCalls();
  /** The configuration in force: from DNS if there is one, else from the settings. */
  #config: ServiceConfig;
  #throttle: RetryThrottle | null;
  readonly #chooser: Chooser = { hostname: hostname(), percentage: Math.random() * 100 };
  readonly #watchers = new Watchers();
  #resolver: NameResolver | null = null;
  #state: ConnectivityState = IDLE;
  #failure = "";
  #addresses: readonly Address[] | null = null;
  #resolution: Resolution | null = null;
  #selector: CallSelector | null = null;
  #active = 0;
  #started = 0;
  #succeeded = 0;
  #failed = 0;
  /** When the last call ended, in the clock's milliseconds, while none is under way. */
  #idleSince = 0;

  /** Calls to a malformed target fail. @throws Error for an empty one */
  constructor(target: string, settings: Partial<ChannelSettings> = {}) {
    super();
    this.target = target;
    this.settings = { ...DEFAULT_SETTINGS, ...settings };
    const { naming } = this.settings;
    this.#parsed = channelTarget(naming === null ? target : `dns:${naming.authority}`);
    this.authority = this.settings.authority ?? this.#parsed.authority;
    const { serviceConfig, proxy } = this.settings;
    this.#config = serviceConfig;
    this.#throttle = throttle(serviceConfig);
    this.#route = proxy === null ? this.#parsed : parseTarget(proxy.target);
    this.#methods = new MethodTable(this.settings, this.authority);
    this.#balance = new Balance(this.#reach(), this.settings.origin, this);
  }

  /** How to connect to an address. */
  #reach(): Reach {
    const { tls, http2, keepalive, resets, backoff, connectTimeout, proxy, adaptiveSpin } = this.settings;
    const tunnel = proxy === null ? {} : { tunnel: { destination: proxy.destination, credentials: proxy.credentials } };
    const secure = tls === null ? {} : { tls: { ...this.#servername(), ...tls } };
    return {
      dial: this.settings.dial ?? dial,
      options: { http2: { clock: () => clock.now(), connectionWindowBytes: CONNECTION_WINDOW, ...http2 }, adaptiveSpin, ...secure, ...tunnel },
      keepalive,
      resets,
      backoff,
      connectTimeout,
      loadFields: () => this.#methods.watchFields(LOAD_METHOD),
      healthFields: () => this.#methods.watchFields(HEALTH_METHOD),
    };
  }

  get retryBufferBytes(): number {
    return this.settings.retryBufferBytes;
  }

  get retryTotalBytes(): number {
    return this.settings.retryTotalBytes;
  }

  get statistics(): ChannelStatistics {
    return { started: this.#started, succeeded: this.#succeeded, failed: this.#failed, active: this.#active, queued: this.#waiting.size };
  }

  /** One for each address of the present list. */
  get subchannels(): Subchannel[] {
    return this.#balance.subchannels;
  }

  get closed(): boolean {
    return this.#state === SHUTDOWN;
  }

  /** Returns what calls of `path` share; made once. `host` replaces the authority. */
  method(path: string, host: string | null = null, contentType = this.settings.contentType): Method {
    return this.#methods.get(path, host, contentType);
  }

  /** Returns a call, which `start` begins. @throws Error after `close` */
  call(listener: CallListener, settings: Omit<CallSettings, "plan">): Call {
    if (this.#state === SHUTDOWN) throw new Error("Channel has been shut down");
    const { config } = settings.method;
    const adjusted = {
      method: settings.method,
      metadata: settings.metadata,
      timeout: Math.min(settings.timeout, config.timeout),
      waitForReady: settings.waitForReady || config.waitForReady,
      credentials: settings.credentials,
      plan: this.plan(config),
    };
    this.#active += 1;
    this.#started += 1;
    return new Call(this, listener, adjusted);
  }

  plan(config: MethodConfig): RetryPlan | null {
    const { retries, maxAttempts } = this.settings;
    return retries && (config.retry ?? config.hedging) !== null ? new RetryPlan(config, this.#throttle, maxAttempts) : null;
  }

  consult(call: Call): boolean {
    // Nearly all calls: the names are resolved, and no selector came with them.
    if (this.settings.naming === null || (this.#addresses !== null && this.#selector === null)) return false;
    this.#waiting.addUndecided(call);
    this.#wake();
    this.#decide();
    return true;
  }

  dismiss(call: Call): void {
    this.#waiting.removeUndecided(call);
  }

  /** The present state. @param connect leaves IDLE when that is the state */
  state(connect: boolean): ConnectivityState {
    if (connect) this.#wake();
    return this.#state;
  }

  /**
   * Calls back once: with null when the state is another than `last`, or with an error at the deadline (milliseconds
   * from now).
   */
  watch(last: ConnectivityState, timeout: number, callback: (error: Error | null) => void): void {
    if (this.#state === SHUTDOWN) throw new Error("Channel has been shut down");
    this.#watchers.add(last, this.#state, timeout, callback);
  }

  /** Takes no more calls: queued ones fail, those under way go on, then the connections end. */
  close(): void {
    if (this.#state === SHUTDOWN) return;
    this.#drop();
    this.#failure = "Channel closed before call started";
    this.#become(SHUTDOWN);
    this.#decide();
    this.retry();
  }

  place(attempt: Attempt): void {
    this.#balance.place(attempt);
  }

  unplace(attempt: Attempt): void {
    this.#waiting.remove(attempt);
  }

  accepted(encodings: readonly string[]): void {
    this.#methods.accepted(encodings);
  }

  ended(code: Status): void {
    this.#active -= 1;
    if (this.#active === 0) this.#idleSince = clock.now();
    if (code === Status.OK) {
      this.#succeeded += 1;
      this.#throttle?.succeeded();
    } else {
      this.#failed += 1;
    }
  }

  resolved(addresses: readonly Address[], resolution?: Resolution): void {
    this.#addresses = addresses;
    this.#resolution = resolution ?? null;
    this.#select(resolution?.selector ?? null);
    this.#balance.resolved(this.#config, addresses, this.#resolution);
    this.#decide();
  }

  configured(text: string): void {
    let config: ServiceConfig;
    try {
      config = chooseConfig(text, this.#chooser);
    } catch (error) {
      this.trace.add(`The service config of the DNS is not used: ${thrownText(error)}`, true);
      return;
    }
    this.reconfigured(config);
  }

  reconfigured(given: ServiceConfig | null, follows = false): void {
    const config = given ?? this.settings.serviceConfig;
    const before = this.#config;
    if (config === before) return;
    this.#config = config;
    this.#throttle = throttle(config);
    this.#methods.configure(config);
    if (this.#addresses === null || !this.#balance.reconfigured(before, config)) return;
    if (!follows) this.resolved(this.#addresses, this.#resolution ?? undefined);
  }

  unresolved(failure: string): void {
    if (this.#addresses !== null) return;
    this.#failure = failure;
    this.#become(TRANSIENT_FAILURE);
    this.#decide();
    this.retry();
  }

  became(state: ConnectivityState, failure: string): void {
    if (failure !== "") this.#failure = `No connection established. Last error: ${failure}`;
    this.#become(state);
    this.retry();
  }

  retry(): void {
    this.#waiting.retry((attempt) => { this.place(attempt); });
  }

  reresolve(): void {
    this.#resolver?.resolve();
  }

  /** Goes idle if the channel has been without calls for long enough. */
  expire(): void {
    if (this.#state === IDLE || this.#state === SHUTDOWN) return;
    const { idleTimeout } = this.settings;
    const left = this.#active > 0 ? idleTimeout : this.#idleSince + idleTimeout - clock.now();
    if (left <= 0) {
      this.#drop();
      this.#become(IDLE);
    } else {
      clock.set(this, left);
    }
  }

  /** The name for SNI and for the check of the certificate: a DNS name, never an address. */
  #servername(): { servername?: string } {
    const { serverName } = this.settings;
    if (serverName !== null) return { servername: serverName };
    return this.#parsed.scheme === "dns" ? { servername: this.#parsed.host } : {};
  }

  #wake(): void {
    if (this.#state !== IDLE) return;
    this.#idleSince = clock.now();
    clock.set(this, this.settings.idleTimeout);
    if (this.#balance.wake()) return;
    this.#become(CONNECTING);
    const { resolveInterval, backoff, configFromDns, naming } = this.settings;
    const configs = configFromDns && this.#route === this.#parsed;
    this.#resolver = naming?.resolver(this) ?? new Resolver(this.#route, this, { interval: resolveInterval, backoff, configs });
    this.#resolver.resolve();
  }

  /** Drops the connections; their calls go on. */
  #drop(): void {
    clock.clear(this);
    this.#resolver?.stop();
    this.#resolver = null;
    this.#addresses = null;
    this.#select(null);
    this.#balance.close();
  }

  park(attempt: Attempt): void {
    if (this.#state === SHUTDOWN || (this.#state === TRANSIENT_FAILURE && !attempt.call.waitForReady)) {
      const failure = this.#failure;
      process.nextTick(() => {
        attempt.refuse(Status.UNAVAILABLE, failure);
      });
      return;
    }
    this.wait(attempt);
  }

  wait(attempt: Attempt): void {
    this.#waiting.add(attempt);
    this.#wake();
  }

  #select(selector: CallSelector | null): void {
    const before = this.#selector;
    this.#selector = selector;
    if (before !== selector) before?.release();
  }

  /** Starts the calls that wait for the resolver, once it has reported, or no longer can. */
  #decide(): void {
    const known = this.#addresses !== null || this.#state === SHUTDOWN;
    for (const call of this.#waiting.undecided) {
      if (!known && (this.#state !== TRANSIENT_FAILURE || call.waitForReady)) continue;
      this.#waiting.removeUndecided(call);
      if (!call.ended) call.selected(this.#selection(call));
    }
  }

  /** What the resolver's selector throws fails the call. */
  #selection(call: Call): Selection | null {
    const selector = this.#selector;
    if (selector === null) return null;
    try {
      return selector.select(call.method.path, call.metadata ?? new Metadata());
    } catch (error) {
      const details = `The resolver's selector failed: ${thrownText(error)}`;
      return { code: Status.INTERNAL, details, config: DEFAULT_METHOD_CONFIG, pickInformation: {}, metadata: null, committed: null };
    }
  }

  #become(state: ConnectivityState): void {
    if (state === this.#state || this.#state === SHUTDOWN) return;
    this.#state = state;
    this.trace.add(`Connectivity state change to ${ConnectivityState[state]}`, state === TRANSIENT_FAILURE, this.target);
    this.#watchers.changed(state);
    // A connection that ended while calls wait is made again at once.
    if (state === IDLE && this.#waiting.attempts > 0) this.#wake();
  }
}

function throttle({ throttling }: ServiceConfig): RetryThrottle | null {
  return throttling === null ? null : new RetryThrottle(throttling.maxTokens, throttling.tokenRatio);
}
