import type { ResolverListener } from "./resolver.js";

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
