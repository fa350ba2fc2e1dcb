import type { Address } from "./address.js";
import type { ServiceConfig } from "./service-config.js";

/** Receives what a resolver finds out. */
export interface ResolverListener {
  resolved(addresses: readonly Address[]): void;
  unresolved(failure: string): void;
  /** The name has service configurations (TXT records); their text is another than the last time. */
  configured(text: string): void;
  /** There is another service configuration; null: that of the channel's settings counts. */
  reconfigured(config: ServiceConfig | null): void;
}

/** Finds the addresses of a target, and tells its listener from inside `resolve` or later. */
export interface NameResolver {
  /** The addresses may be other ones by now. */
  resolve(): void;
  /** Tells nothing more, and lets go of what it holds. */
  stop(): void;
}

/** Another way from a target to addresses than the DNS and fixed lists. */
export interface Naming {
  /** What calls have as `:authority`, and by its host TLS asks for the certificate. */
  readonly authority: string;
  resolver(listener: ResolverListener): NameResolver;
}
