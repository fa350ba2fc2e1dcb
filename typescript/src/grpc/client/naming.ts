import type { Address } from "./address.js";
import type { ServiceConfig } from "./service-config.js";

/** Receives what a resolver finds out. */
export interface ResolverListener {
  resolved(addresses: readonly Address[]): void;
  unresolved(failure: string): void;
  /** The name's service configurations (TXT records) have changed. */
  configured(text: string): void;
  /** The service configuration has changed; null for that of the channel's settings. */
  reconfigured(config: ServiceConfig | null): void;
}

/** Finds the addresses of a target, and tells its listener from inside `resolve` or later. */
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
