import { hostname } from "node:os";
import type { HeaderFields } from "../http2/index.js";
import type { LoadReport } from "../orca/load-report.js";
import { acceptEncoding } from "../protocol/compression.js";
import { Metadata } from "../protocol/metadata.js";
import { Status } from "../protocol/status.js";
import { Timer } from "../../transport/timer-wheel.js";
import { Alarm } from "../../transport/alarm.js";
import { clock } from "../../transport/clock.js";
import { dial } from "../transport/dial.js";
import { zlibEncodings } from "../transport/zlib.js";
import { addressToString, interleave, type Address } from "./address.js";
import type { Attempt } from "./attempt.js";
import type { Balancer, BalancerHost } from "./balancer.js";
import { makeBalancer } from "./balancing.js";
import { HealthChecking, type Checked } from "./health-checking.js";
import { HEALTH_METHOD } from "./health-watch.js";
import { Call, type CallHost, type CallListener, type CallSettings } from "./call.js";
import { DEFAULT_SETTINGS, type ChannelSettings } from "./channel-settings.js";
import type { CallSelector, Selection } from "./call-selector.js";
import { chooseConfig, type Chooser } from "./config-choice.js";
import { ConnectivityState } from "./connectivity.js";
import { controlPlaneStatus } from "./control-plane-status.js";
import { LOAD_METHOD } from "./load-watch.js";
import { requestFields, type Method } from "./method.js";
import type { NameResolver, ResolverListener } from "./naming.js";
import { loadSource, type Policy } from "./policy.js";
import { Resolver } from "./resolver.js";
import { RetryPlan } from "./retry-plan.js";
import { DEFAULT_METHOD_CONFIG, type MethodConfig } from "./method-config.js";
import { methodConfig, type ServiceConfig } from "./service-config.js";
import type { Choice, ProgramBalancer, ProgramHost, Resolution } from "./program-balancer.js";
import { Subchannel, type Reach, type SubchannelOwner } from "./subchannel.js";
import { channelTarget, parseTarget, type MalformedTarget, type Target } from "../protocol/target.js";
import { RetryThrottle } from "./throttle.js";
import { Trace } from "../protocol/trace.js";
import { Watchers } from "./watchers.js";

const { IDLE, CONNECTING, TRANSIENT_FAILURE, SHUTDOWN } = ConnectivityState;

/**
 * So large that the connection's window never limits: each stream's window bounds what its reader buffers, and stalled
 * readers do not block other calls.
 */
const CONNECTION_WINDOW = 2 ** 30;

/** The most methods that a channel caches: paths and hosts may come from a program's own clients. */
const MOST_METHODS = 1_024;

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
 * Connections to one target, and the calls over them: resolves the name, balances, queues calls without a connection. A
 * timer itself, for its idle time-out.
 */
export class Channel extends Timer implements CallHost, BalancerHost, SubchannelOwner, ResolverListener {
  readonly target: string;
  readonly settings: ChannelSettings;
  readonly authority: string;
  readonly trace = new Trace("connectivity_state");
  /** Bytes of messages that calls keep for another attempt. */
  retainedBytes = 0;
  readonly #parsed: Target | MalformedTarget;
  /** What is resolved and connected to: the target, or the proxy before it. */
  readonly #route: Target | MalformedTarget;
  readonly #reach: Reach;
  readonly #methods = new Map<string, Method>();
  /** The configuration in force: from DNS if there is one, else from the settings. */
  #config: ServiceConfig;
  #throttle: RetryThrottle | null;
  readonly #chooser: Chooser = { hostname: hostname(), percentage: Math.random() * 100 };
  readonly #watchers = new Watchers();
  readonly #subchannels = new Map<string, Subchannel>();
  /** Attempts without a connection, in the order they came. */
  readonly #queue = new Set<Attempt>();
  /** Calls that the resolver has to decide about. */
  readonly #undecided = new Set<Call>();
  /** Set for when the balancer is due. */
  readonly #alarm = new Alarm(() => {
    this.#balancer?.expire(clock.now());
    this.#arm();
  });
  #resolver: NameResolver | null = null;
  #balancer: Balancer<Subchannel> | null = null;
  /** In place of `#balancer`, while a policy of the program's own is in force. */
  #program: ProgramBalancer | null = null;
  /** How often that policy has changed its state or its picks. */
  #updates = 0;
  #state: ConnectivityState = IDLE;
  #failure = "";
  #addresses: readonly Address[] | null = null;
  #resolution: Resolution | null = null;
  #selector: CallSelector | null = null;
  /** Keeps the process alive while calls are queued. */
  #hold: NodeJS.Timeout | null = null;
  #active = 0;
  #started = 0;
  #succeeded = 0;
  #failed = 0;
  /** When the last call ended, in the clock's milliseconds, while none is under way. */
  #idleSince = 0;
  #encodingRefused = false;

  /** Calls to a malformed target fail. @throws Error for an empty one */
  constructor(target: string, settings: Partial<ChannelSettings> = {}) {
    super();
    this.target = target;
    this.settings = { ...DEFAULT_SETTINGS, ...settings };
    const { naming } = this.settings;
    this.#parsed = channelTarget(naming === null ? target : `dns:${naming.authority}`);
    this.authority = this.settings.authority ?? this.#parsed.authority;
    const { tls, http2, keepalive, backoff, connectTimeout, serviceConfig, proxy, adaptiveSpin } = this.settings;
    this.#config = serviceConfig;
    this.#throttle = throttle(serviceConfig);
    this.#route = proxy === null ? this.#parsed : parseTarget(proxy.target);
    const tunnel = proxy === null ? {} : { tunnel: { destination: proxy.destination, credentials: proxy.credentials } };
    const secure = tls === null ? {} : { tls: { ...this.#servername(), ...tls } };
    this.#reach = {
      dial: this.settings.dial ?? dial,
      options: { http2: { clock: () => clock.now(), connectionWindowBytes: CONNECTION_WINDOW, ...http2 }, adaptiveSpin, ...secure, ...tunnel },
      keepalive,
      backoff,
      connectTimeout,
      loadFields: () => this.#watchFields(LOAD_METHOD),
      healthFields: () => this.#watchFields(HEALTH_METHOD),
    };
  }

  get retryBufferBytes(): number {
    return this.settings.retryBufferBytes;
  }

  get retryTotalBytes(): number {
    return this.settings.retryTotalBytes;
  }

  get statistics(): ChannelStatistics {
    return { started: this.#started, succeeded: this.#succeeded, failed: this.#failed, active: this.#active, queued: this.#queue.size + this.#undecided.size };
  }

  /** One for each address of the present list. */
  get subchannels(): Subchannel[] {
    return [...this.#subchannels.values(), ...(this.#program?.subchannels ?? [])];
  }

  get closed(): boolean {
    return this.#state === SHUTDOWN;
  }

  /** Returns what calls of `path` share; made once. `host` replaces the authority. */
  method(path: string, host: string | null = null, contentType = this.settings.contentType): Method {
    const key = host === null && contentType === this.settings.contentType ? path : `${path} ${host ?? ""} ${contentType}`;
    return this.#methods.get(key) ?? this.#makeMethod(key, path, host, contentType);
  }

  /** A call that `start` begins. @throws Error after `close` */
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
    // Nobody decides where names are known and no selector came with them: nearly all calls.
    if (this.settings.naming === null || (this.#addresses !== null && this.#selector === null)) return false;
    this.#undecided.add(call);
    this.#keepAlive();
    this.#wake();
    this.#decide();
    return true;
  }

  dismiss(call: Call): void {
    if (this.#undecided.delete(call)) this.#settle();
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
    this.#flush();
  }

  place(attempt: Attempt): void {
    const session = this.#balancer?.pick()?.session;
    if (session?.usable === true) session.start(attempt);
    else if (this.#program !== null) this.#choose(attempt, this.#program);
    else this.#park(attempt);
  }

  unplace(attempt: Attempt): void {
    if (this.#queue.delete(attempt)) this.#settle();
  }

  accepted(encodings: readonly string[]): void {
    const { encoding } = this.settings;
    if (this.#encodingRefused || encoding === null || encodings.includes(encoding.name)) return;
    this.#encodingRefused = true;
    this.#methods.clear();
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
    this.#balance(addresses, resolution);
    this.#decide();
  }

  #balance(addresses: readonly Address[], resolution: Resolution | undefined): void {
    const { policy } = this.#config;
    if (policy?.name === "registered") {
      this.#balancer = null;
      this.#program ??= policy.type.make(this.#programHost());
      this.#program.resolved(resolution ?? { endpoints: addresses.map((address) => ({ addresses: [address] })), attributes: {}, note: "" }, policy.config);
      for (const subchannel of this.#subchannels.values()) subchannel.close();
      this.#subchannels.clear();
      return;
    }
    const program = this.#program;
    this.#program = null;
    const health = policy === null || policy.name === "pick_first" ? null : this.#config.health;
    this.#balancer ??=
      health === null
        ? makeBalancer<Subchannel>(policy, this, Math.random)
        : new HealthChecking<Subchannel>((host) => makeBalancer<Checked<Subchannel>>(policy, host, Math.random), this);
    const order = interleave(policy?.name === "pick_first" && policy.shuffle ? shuffled(addresses) : addresses);
    const wanted = new Map(order.map((address) => [addressToString(address), address]));
    const unwanted: Subchannel[] = [];
    for (const [name, subchannel] of this.#subchannels) {
      if (wanted.has(name)) continue;
      this.#subchannels.delete(name);
      unwanted.push(subchannel);
    }
    const endpoints = [...wanted].map(([name, address]) => {
      const known = this.#subchannels.get(name);
      if (known !== undefined) return known;
      const made = new Subchannel(address, this.#reach, this);
      this.#subchannels.set(name, made);
      return made;
    });
    const load = loadSource(policy);
    for (const endpoint of endpoints) {
      endpoint.hear(load);
      endpoint.check(health);
    }
    this.#balancer.resolved(endpoints, clock.now());
    for (const subchannel of unwanted) subchannel.close();
    program?.close();
    this.#arm();
  }

  changed(subchannel: Subchannel): void {
    this.#program?.changed(subchannel);
    this.#balancer?.changed(subchannel, clock.now());
    this.#arm();
  }

  reported(subchannel: Subchannel, report: LoadReport): void {
    this.#balancer?.reported?.(subchannel, report, clock.now());
  }

  configured(text: string): void {
    let config: ServiceConfig;
    try {
      config = chooseConfig(text, this.#chooser);
    } catch (error) {
      this.trace.add(`The service config of the DNS is not used: ${error instanceof Error ? error.message : String(error)}`, true);
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
    this.#methods.clear();
    if (this.#addresses === null || (samePolicy(config.policy, before.policy) && config.health === before.health)) return;
    // The connections stay: the other policy finds them ready.
    if (this.#program !== null && !sameProgram(config.policy, before.policy)) {
      this.#program.close();
      this.#program = null;
    }
    this.#balancer = null;
    if (!follows) this.resolved(this.#addresses, this.#resolution ?? undefined);
  }

  unresolved(failure: string): void {
    if (this.#addresses !== null) return;
    this.#failure = failure;
    this.#become(TRANSIENT_FAILURE);
    this.#decide();
    this.#flush();
  }

  updated(): void {
    const balancer = this.#balancer;
    if (balancer === null) return;
    if (balancer.failure !== "") this.#failure = `No connection established. Last error: ${balancer.failure}`;
    this.#become(balancer.state);
    this.#flush();
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

  #makeMethod(key: string, path: string, host: string | null, contentType: string): Method {
    const { maxSend, maxReceive, userAgent } = this.settings;
    const config = methodConfig(this.#config, path);
    const encoding = this.#encodingRefused ? null : this.settings.encoding;
    const authority = host ?? this.authority;
    const accept = acceptEncoding(zlibEncodings);
    const method: Method = {
      path,
      authority,
      config,
      fields: requestFields({ path, authority, scheme: this.#scheme, contentType, userAgent, accept, encoding }),
      encoding,
      maxSend: Math.min(maxSend, config.maxRequestBytes),
      maxReceive: Math.min(maxReceive, config.maxResponseBytes, 0xffff_ffff),
    };
    if (this.#methods.size >= MOST_METHODS) this.#methods.clear();
    this.#methods.set(key, method);
    return method;
  }

  /** Without encodings: what servers tell on such streams is not decompressed. */
  #watchFields(path: string): HeaderFields {
    const { authority, settings } = this;
    const { contentType } = DEFAULT_SETTINGS;
    return requestFields({ path, authority, scheme: this.#scheme, contentType, userAgent: settings.userAgent, accept: "identity", encoding: null });
  }

  get #scheme(): string {
    return this.settings.tls === null ? "http" : "https";
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
    if (this.#program !== null) {
      this.#program.wake();
      return;
    }
    if (this.#balancer !== null) {
      this.#balancer.wake(clock.now());
      this.#arm();
      return;
    }
    this.#become(CONNECTING);
    const { resolveInterval, backoff, configFromDns, naming } = this.settings;
    const configs = configFromDns && this.#route === this.#parsed;
    this.#resolver = naming?.resolver(this) ?? new Resolver(this.#route, this, { interval: resolveInterval, backoff, configs });
    this.#resolver.resolve();
  }

  #arm(): void {
    const due = this.#balancer?.due ?? Infinity;
    if (due === Infinity) this.#alarm.clear();
    else this.#alarm.set(Math.max(due - clock.now(), 0));
  }

  /** Drops the connections; their calls go on. */
  #drop(): void {
    clock.clear(this);
    this.#alarm.clear();
    this.#resolver?.stop();
    this.#resolver = null;
    this.#balancer = null;
    this.#program?.close();
    this.#program = null;
    this.#addresses = null;
    this.#select(null);
    const { subchannels } = this;
    this.#subchannels.clear();
    for (const subchannel of subchannels) subchannel.close();
  }

  #park(attempt: Attempt): void {
    if (this.#state === SHUTDOWN || (this.#state === TRANSIENT_FAILURE && !attempt.call.waitForReady)) {
      const failure = this.#failure;
      process.nextTick(() => {
        attempt.refuse(Status.UNAVAILABLE, failure);
      });
      return;
    }
    this.#enqueue(attempt);
  }

  #enqueue(attempt: Attempt): void {
    this.#queue.add(attempt);
    this.#keepAlive();
    this.#wake();
  }

  #keepAlive(): void {
    this.#hold ??= setInterval(() => undefined, 0x7fff_ffff);
  }

  #select(selector: CallSelector | null): void {
    const before = this.#selector;
    this.#selector = selector;
    if (before !== selector) before?.release();
  }

  /** Lets calls begin that wait for the resolver, if it has said something, or cannot any more. */
  #decide(): void {
    if (this.#undecided.size === 0) return;
    const known = this.#addresses !== null || this.#state === SHUTDOWN;
    for (const call of [...this.#undecided]) {
      if (!known && (this.#state !== TRANSIENT_FAILURE || call.waitForReady)) continue;
      this.#undecided.delete(call);
      if (!call.ended) call.selected(this.#selection(call));
    }
    this.#settle();
  }

  /** What the resolver's selector throws fails the call. */
  #selection(call: Call): Selection | null {
    const selector = this.#selector;
    if (selector === null) return null;
    try {
      return selector.select(call.method.path, call.metadata ?? new Metadata());
    } catch (error) {
      const details = `The resolver's selector failed: ${error instanceof Error ? error.message : String(error)}`;
      return { code: Status.INTERNAL, details, config: DEFAULT_METHOD_CONFIG, pickInformation: {}, metadata: null, committed: null };
    }
  }

  #programHost(): ProgramHost {
    return {
      origin: this.settings.origin,
      subchannel: (address) => new Subchannel(address, this.#reach, this),
      became: (state) => {
        this.#updates += 1;
        this.#become(state);
        this.#flush();
      },
      updated: () => {
        this.#flush();
      },
      reresolve: () => {
        this.reresolve();
      },
    };
  }

  /** Asks a policy of the program's own. What it throws fails the call. */
  #choose(attempt: Attempt, program: ProgramBalancer): void {
    const updates = this.#updates;
    let choice: Choice;
    try {
      choice = program.choose(attempt);
    } catch (error) {
      choice = { kind: "fail", code: Status.INTERNAL, details: `The load balancing policy failed: ${error instanceof Error ? error.message : String(error)}`, final: true };
    }
    const session = choice.kind === "use" ? choice.subchannel.session : null;
    if (choice.kind === "use" && session?.usable === true) {
      attempt.over = choice.ended;
      session.start(attempt);
      choice.started?.();
    } else if (choice.kind === "fail" && (choice.final || !attempt.call.waitForReady)) {
      const code = controlPlaneStatus(choice.code);
      const details = code === choice.code ? choice.details : `Invalid status from control plane: ${choice.code} ${Status[choice.code]} ${choice.details}`;
      process.nextTick(() => {
        attempt.refuse(code, details);
      });
    } else {
      this.#enqueue(attempt);
      // A picker that connects may find a connection ready at once: that update came before the attempt was queued. A
      // later turn, so that a policy which updates with each pick does not hold up the thread.
      if (updates !== this.#updates) setImmediate(() => { this.#flush(); });
    }
  }

  /** Tries to place every queued attempt; those that still have to wait keep their order. */
  #flush(): void {
    if (this.#queue.size === 0) return;
    const waiting = [...this.#queue];
    this.#queue.clear();
    for (const attempt of waiting) if (!attempt.ended) this.place(attempt);
    this.#settle();
  }

  #settle(): void {
    if (this.#queue.size + this.#undecided.size > 0 || this.#hold === null) return;
    clearInterval(this.#hold);
    this.#hold = null;
  }

  #become(state: ConnectivityState): void {
    if (state === this.#state || this.#state === SHUTDOWN) return;
    this.#state = state;
    this.trace.add(`Connectivity state change to ${ConnectivityState[state]}`, state === TRANSIENT_FAILURE, this.target);
    this.#watchers.changed(state);
    // A connection that ended while calls wait is made again at once.
    if (state === IDLE && this.#queue.size > 0) this.#wake();
  }
}

function samePolicy(left: Policy | null, right: Policy | null): boolean {
  /** What a program parsed may be anything. */
  const shape = (policy: Policy | null): unknown => (policy?.name === "registered" ? [policy.policy, policy.options] : policy);
  return JSON.stringify(shape(left)) === JSON.stringify(shape(right));
}

/** Whether one balancer serves both: it is told of the other configuration. */
function sameProgram(left: Policy | null, right: Policy | null): boolean {
  return left?.name === "registered" && right?.name === "registered" && left.type === right.type;
}

function throttle({ throttling }: ServiceConfig): RetryThrottle | null {
  return throttling === null ? null : new RetryThrottle(throttling.maxTokens, throttling.tokenRatio);
}

/** A copy in random order (gRFC A62). */
function shuffled<T>(list: readonly T[]): T[] {
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [copy[at], copy[other]] = [copy[other]!, copy[at]!];
  }
  return copy;
}
