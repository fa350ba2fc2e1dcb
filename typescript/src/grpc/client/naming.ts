import type { Address } from "./address.js";
import type { Resolution } from "./program-balancer.js";
import type { ServiceConfig } from "./service-config.js";

/** Receives what a resolver finds out. */
export interface ResolverListener {
  /** @param resolution the full result, for policies of the program's own */
  resolved(addresses: readonly Address[], resolution?: Resolution): void;
  unresolved(failure: string): void;
  /** The name's service configurations (TXT records) have changed. */
  configured(text: string): void;
  /**
   * The service configuration has changed; null for that of the channel's settings.
   * @param follows addresses come next: the policy waits for them
   */
  reconfigured(config: ServiceConfig | null, follows?: boolean): void;
}

/** Finds the addresses of a target, and calls its listener from inside `resolve` or later. */
export interface NameResolver {
  /** Resolves again: the addresses may have changed. */
  resolve(): void;
  /** Calls the listener no more, and frees its resources. */
  stop(): void;
}

/** Another way from a target to addresses than the DNS and fixed lists. */
export interface Naming {
  /** The `:authority` of calls. Its host is the name that TLS checks. */
  readonly authority: string;
  resolver(listener: ResolverListener): NameResolver;
}
