import { Timer } from "../../transport/timer-wheel.js";
import { clock } from "../../transport/clock.js";
import { lookupHost, lookupTexts, type TextLookup } from "../../transport/lookup.js";
import { LogVerbosity, isTraced, trace } from "../logging.js";
import { Backoff, type BackoffOptions } from "./backoff.js";
import { configText } from "./config-choice.js";
import type { NameResolver, ResolverListener } from "./naming.js";
import type { MalformedTarget, Target } from "../protocol/target.js";
import { thrownText } from "../protocol/thrown.js";

/** When names are looked up. Milliseconds. */
export interface ResolverOptions {
  readonly interval: number;
  readonly backoff: BackoffOptions;
  /** Whether the name's service configuration is asked for too. */
  readonly configs: boolean;
}

/**
 * Turns a target into addresses: at once for fixed ones, by look-ups with back-off and a shortest interval for names.
 */
export class Resolver extends Timer implements NameResolver {
  readonly #target: Target | MalformedTarget;
  readonly #listener: ResolverListener;
  readonly #interval: number;
  readonly #configs: boolean;
  readonly #backoff: Backoff;
  #texts: TextLookup | null = null;
  #configText: string | null = null;
  #busy = false;
  #stopped = false;
  #last = -Infinity;

  constructor(target: Target | MalformedTarget, listener: ResolverListener, { interval, backoff, configs }: ResolverOptions) {
    super();
    this.#target = target;
    this.#listener = listener;
    this.#interval = interval;
    this.#configs = configs;
    this.#backoff = new Backoff(backoff);
  }

  /** Starts a look-up: the listener later gets the addresses or an error. It gets fixed addresses once. */
  resolve(): void {
    if (this.#busy || this.slot >= 0 || this.#stopped) return;
    if (this.#target.scheme === "fixed") {
      if (this.#last !== -Infinity) return;
      this.#last = 0;
      this.#listener.resolved(this.#target.addresses);
      return;
    }
    if (this.#target.scheme === "malformed") {
      this.#listener.unresolved(this.#target.failure);
      return;
    }
    const wait = this.#last + this.#interval - clock.now();
    if (wait > 0) clock.set(this, wait);
    else this.expire();
  }

  stop(): void {
    this.#stopped = true;
    clock.clear(this);
    this.#texts?.cancel();
  }

  expire(): void {
    if (this.#target.scheme !== "dns") return;
    const { host, port, server } = this.#target;
    // DNS has no configuration for localhost.
    if (this.#configs && host !== "localhost") this.#askForConfig(host, server);
    this.#busy = true;
    this.#last = clock.now();
    const direct = process.env["GRPC_NODE_USE_ALTERNATIVE_RESOLVER"] === "true" && host !== "localhost";
    lookupHost(host, server, direct).then(
      (hosts) => {
        this.#busy = false;
        if (this.#stopped) return;
        this.#backoff.reset();
        if (isTraced("dns_resolver")) trace(LogVerbosity.DEBUG, "dns_resolver", `Resolved addresses for target ${host}:${port}: ${hosts.join(", ")}`);
        this.#listener.resolved(hosts.map((each) => ({ host: each, port })));
      },
      (error: unknown) => {
        this.#busy = false;
        if (this.#stopped) return;
        clock.set(this, this.#backoff.next(Math.random()));
        if (isTraced("dns_resolver")) trace(LogVerbosity.DEBUG, "dns_resolver", `Resolution error for target ${host}:${port}: ${String(error)}`);
        this.#listener.unresolved(`Name resolution failed for target dns:${host}:${port}: ${thrownText(error)}`);
      },
    );
  }

  /** Addresses do not wait for it: a configuration applies once it has come. */
  #askForConfig(host: string, server: string | null): void {
    if (this.#texts !== null) return;
    this.#texts = lookupTexts(host, server);
    this.#texts.records.then(
      (records) => {
        this.#texts = null;
        const text = configText(records);
        if (this.#stopped || text === null || text === this.#configText) return;
        this.#configText = text;
        this.#listener.configured(text);
      },
      () => {
        // Most names have none. The configuration so far stays in force.
        this.#texts = null;
      },
    );
  }
}
