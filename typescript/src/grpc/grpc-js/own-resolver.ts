import { DEFAULT_BACKOFF } from "../client/backoff.js";
import { Resolver as CoreResolver } from "../client/resolver.js";
import { Metadata } from "../protocol/metadata.js";
import { Status } from "../protocol/status.js";
import { parseTarget } from "../protocol/target.js";
import type { ChannelOptions } from "./channel-options.js";
import { statusOrFromError, statusOrFromValue, uriToString, type GrpcUri } from "./grpc-uri.js";
import { registeredResolver, type Resolver, type ResolverListener } from "./name-resolver.js";

const SCHEMES: readonly (string | undefined)[] = ["dns", "ipv4", "ipv6", "unix"];
const INTERVAL = 30_000;

/**
 * A resolver for a target: of the class that is registered for its scheme, or the library's own. That one finds
 * addresses, not service configurations.
 *
 * @throws Error for an invalid target, and for one of an unknown scheme
 */
export function createResolver(target: GrpcUri, listener: ResolverListener, options: ChannelOptions): Resolver {
  const resolverClass = registeredResolver(target.scheme);
  if (resolverClass !== null) return new resolverClass(target, listener, options);
  const text = uriToString(target);
  if (!SCHEMES.includes(target.scheme)) throw new Error(`No resolver could be created for target ${text}`);
  const parsed = parseTarget(text);
  const shortest = options["grpc.dns_min_time_between_resolutions_ms"];
  const events = {
    resolved: (addresses: Parameters<ConstructorParameters<typeof CoreResolver>[1]["resolved"]>[0]): void => {
      listener(statusOrFromValue(addresses.map((address) => ({ addresses: [address] }))), {}, null, "");
    },
    unresolved: (details: string): void => {
      listener(statusOrFromError({ code: Status.UNAVAILABLE, details, metadata: new Metadata() }), {}, null, "");
    },
    configured: (): void => undefined,
    reconfigured: (): void => undefined,
  };
  const make = (): CoreResolver => new CoreResolver(parsed, events, { interval: typeof shortest === "number" ? shortest : INTERVAL, backoff: DEFAULT_BACKOFF, configs: false });
  let core: CoreResolver | null = null;
  return {
    updateResolution: () => {
      core ??= make();
      // Fixed addresses come from inside `resolve`; the listener expects none before this returns.
      process.nextTick(() => core?.resolve());
    },
    destroy: () => {
      core?.stop();
      core = null;
    },
  };
}
