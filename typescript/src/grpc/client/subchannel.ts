import { Backoff, type BackoffOptions } from "./backoff.js";
import type { HeaderFields, Http2Error } from "../http2/index.js";
import type { LoadReport } from "../orca/load-report.js";
import { Counters, type Statistics } from "../protocol/statistics.js";
import { thrownText } from "../protocol/thrown.js";
import { Timer } from "../../transport/timer-wheel.js";
import { Trace } from "../protocol/trace.js";
import { clock } from "../../transport/clock.js";
import type { Dial, DialOptions } from "../transport/dial.js";
import { addressToString, type Address } from "./address.js";
import type { Endpoint } from "./balancer.js";
import { ConnectivityState } from "./connectivity.js";
import { slowedKeepalive, type KeepaliveOptions } from "./keepalive.js";
import type { ResetPace } from "./paced-resets.js";
import { Health, HealthWatch } from "./health-watch.js";
import { LoadWatch } from "./load-watch.js";
import type { LoadSource } from "./load-source.js";
import { Session, type SessionOwner } from "./session.js";

/**
 * A connection whose calls have reset this many streams counts as one that worked: if the server ends it, as with
 * ENHANCE_YOUR_CALM, it may be connected to again at once.
 */
const MANY_RESETS = 100;

const { IDLE, CONNECTING, READY, TRANSIENT_FAILURE, SHUTDOWN } = ConnectivityState;

/** How to reach an address. */
export interface Reach {
  readonly dial: Dial;
  readonly options: DialOptions;
  readonly keepalive: KeepaliveOptions;
  readonly resets: ResetPace;
  readonly backoff: BackoffOptions;
  /** Milliseconds for socket, TLS and the server's SETTINGS together (gRPC "Connection Backoff Protocol": 20 s). */
  readonly connectTimeout: number;
  /** The head of requests for `LOAD_METHOD`. */
  readonly loadFields: () => HeaderFields;
  /** The head of requests for `HEALTH_METHOD`. */
  readonly healthFields: () => HeaderFields;
}

/** The channel of a subchannel, which gets its events. */
export interface SubchannelOwner {
  /** `subchannel.state` has changed. */
  changed(subchannel: Subchannel): void;
  /** The server has reported its load, as requested with `hear`. */
  reported(subchannel: Subchannel, report: LoadReport): void;
}

/** One address of a channel: at most one connection, with back-off between attempts. */
export class Subchannel extends Timer implements Endpoint, SessionOwner {
  readonly address: Address;
  state: ConnectivityState = IDLE;
  failure = "";
  readonly trace = new Trace("subchannel");
  reporter: ((report: LoadReport) => void) | null = null;
  /** The health that the server reports for the service that `check` names, while READY. */
  health = Health.UNKNOWN;
  /** The connection for new calls, while READY. */
  session: Session | null = null;
  /** Connections that are open, also those that only finish their calls. */
  readonly sessions = new Set<Session>();
  readonly #reach: Reach;
  readonly #owner: SubchannelOwner;
  readonly #backoff: Backoff;
  #keepalive: KeepaliveOptions;
  /** The counts of connections that have ended. */
  readonly #counters = new Counters();
  #aborter: AbortController | null = null;
  #load: LoadSource = "none";
  #watch: LoadWatch | null = null;
  #service: string | null = null;
  #healthWatch: HealthWatch | null = null;
  /** The earliest end of the back-off of the last attempt. */
  #notBefore = 0;
  /** How many connections in a row ended before the server had answered a call. */
  #unanswered = 0;

  constructor(address: Address, reach: Reach, owner: SubchannelOwner) {
    super();
    this.address = address;
    this.#reach = reach;
    this.#owner = owner;
    this.#backoff = new Backoff(reach.backoff);
    this.#keepalive = reach.keepalive;
  }

  connect(): void {
    if (this.state !== IDLE) return;
    this.#notBefore = clock.now() + this.#backoff.next(Math.random());
    clock.set(this, this.#reach.connectTimeout);
    const aborter = new AbortController();
    this.#aborter = aborter;
    this.#become(CONNECTING);
    const options: DialOptions = { ...this.#reach.options, connectMs: this.#reach.connectTimeout, signal: aborter.signal };
    this.#reach
      .dial(this.address, options, (link) => {
        const session = new Session(link, this, this.#keepalive, this.#reach.resets);
        this.sessions.add(session);
        this.session = session;
        return session;
      })
      .then(
        (link) => {
          link.unref();
          if (aborter.signal.aborted) link.destroy();
        },
        (error: unknown) => {
          if (this.#aborter === aborter) this.#failed(thrownText(error));
        },
      );
  }

  disconnect(): void {
    if (this.state !== CONNECTING && this.state !== READY) return;
    this.#release(IDLE);
  }

  /** Sets the source of load reports. */
  hear(load: LoadSource): void {
    if (load === this.#load) return;
    this.#load = load;
    this.reporter = load === "calls" ? this.#report : null;
    this.#watchLoad();
  }

  /** Sets the service whose health is asked for; null for none. */
  check(service: string | null): void {
    if (service === this.#service) return;
    this.#service = service;
    this.#watchHealth();
  }

  /** Drops the connection once its calls have ended, and never makes another. */
  close(): void {
    this.hear("none");
    this.check(null);
    this.#release(SHUTDOWN);
  }

  ready(session: Session): void {
    if (session !== this.session || this.state !== CONNECTING) return;
    clock.clear(this);
    this.#aborter = null;
    // After an outage the back-off begins anew, also if this connection is cut before its first answer. Connections
    // that follow such a one keep their back-off.
    if (this.#unanswered === 0) this.#backoff.reset();
    this.#become(READY);
  }

  answered(): void {
    this.#unanswered = 0;
    this.#backoff.reset();
  }

  unusable(session: Session, error: Http2Error | null, slower: boolean): void {
    if (slower) this.#keepalive = slowedKeepalive(this.#keepalive);
    if (session !== this.session) return;
    if (this.state === READY) {
      this.#left(session, error);
    } else if (this.state === CONNECTING) {
      this.#failed(error === null || error.fault === "cut" ? this.#unspoken(error) : error.message);
    }
  }

  /** The error text for a connection that the server closed before it sent anything in HTTP/2. */
  #unspoken(error: Error | null): string {
    const plain = this.#reach.options.tls === undefined;
    const hint = plain ? " If it expects TLS, use credentials.createSsl()." : "";
    return `the server closed the connection before it had sent the SETTINGS of HTTP/2${error === null ? "" : ` (${error.message})`}.${hint}`;
  }

  /**
   * The connection for new calls is lost. SETTINGS alone are not success: a server that sends GOAWAY after them, or
   * closes, would be called again thousands of times a second, with calls that never end. One such connection may be
   * chance, as when a server stops. Those after it count as failed attempts, unless they outlived their back-off.
   */
  #left(session: Session, error: Error | null): void {
    // The session finishes the calls that it has.
    this.session = null;
    if (session.resets >= MANY_RESETS) {
      this.#backoff.reset();
    } else if (!session.answered) {
      this.#unanswered += 1;
      if (clock.now() >= this.#notBefore) this.#backoff.reset();
      else if (this.#unanswered > 1) {
        this.#failed(`the server ended the connection before it had answered a call${error === null ? "" : `: ${error.message}`}`);
        return;
      }
    }
    this.#become(IDLE);
  }

  gone(session: Session): void {
    this.sessions.delete(session);
    this.#counters.add(session.counters);
  }

  /** Counters over all connections so far. */
  get statistics(): Statistics {
    const sum = new Counters();
    sum.add(this.#counters);
    for (const { counters } of this.sessions) sum.add(counters);
    return sum.snapshot();
  }

  /** The attempt took too long, or the back-off has ended. */
  expire(): void {
    if (this.state === CONNECTING) {
      this.#failed(`no answer from ${addressToString(this.address)} within ${this.#reach.connectTimeout} ms`);
    } else if (this.state === TRANSIENT_FAILURE) {
      this.#become(IDLE);
    }
  }

  #failed(text: string): void {
    const { session } = this;
    this.session = null;
    this.#aborter?.abort();
    this.#aborter = null;
    this.failure = text;
    clock.set(this, Math.max(this.#notBefore - clock.now(), 0));
    session?.link.destroy();
    this.#become(TRANSIENT_FAILURE);
  }

  #release(state: ConnectivityState): void {
    clock.clear(this);
    this.#aborter?.abort();
    this.#aborter = null;
    const { session } = this;
    this.session = null;
    this.#become(state);
    session?.retire();
  }

  readonly #report = (report: LoadReport): void => {
    this.#owner.reported(this, report);
  };

  /** Watches the load of the connection for new calls, if the policy wants reports on a stream. */
  #watchLoad(): void {
    this.#watch?.stop();
    this.#watch = null;
    if (typeof this.#load !== "number" || this.state !== READY || this.session === null) return;
    this.#watch = new LoadWatch(this.session, this.#reach.loadFields(), this.#load, this.#report, this.trace);
  }

  /** Watches the connection's health for a service, if the policy asks for one. */
  #watchHealth(): void {
    this.#healthWatch?.stop();
    this.#healthWatch = null;
    this.health = Health.UNKNOWN;
    if (this.#service === null || this.state !== READY || this.session === null) return;
    const watch = new HealthWatch(this.session, this.#reach.healthFields(), this.#service, (health) => {
      if (health === this.health) return;
      this.health = health;
      this.trace.add(`Health change to ${Health[health]}`, health === Health.FAILING);
      this.#owner.changed(this);
    }, this.trace);
    this.#healthWatch = watch;
  }

  #become(state: ConnectivityState): void {
    if (state === this.state || this.state === SHUTDOWN) return;
    this.state = state;
    const failed = state === TRANSIENT_FAILURE;
    this.trace.add(`Connectivity state change to ${ConnectivityState[state]}${failed ? `: ${this.failure}` : ""}`, failed, addressToString(this.address));
    this.#watchLoad();
    this.#watchHealth();
    this.#owner.changed(this);
  }
}
