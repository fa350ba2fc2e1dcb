import { Backoff, type BackoffOptions } from "../client/backoff.js";
import type { CallSelector } from "../client/call-selector.js";
import type { NameResolver, Naming } from "../client/naming.js";
import type { ResolverListener as ChannelListener } from "../client/naming.js";
import { parseServiceConfig } from "../client/service-config.js";
import { Timer } from "../../transport/timer-wheel.js";
import { clock } from "../../transport/clock.js";
import { CHANNEL_ARGS_CONFIG_SELECTOR_KEY, type ConfigSelector } from "./balancing/config-selector.js";
import { callSelector } from "./call-selection.js";
import type { ChannelOptions } from "./channel-options.js";
import { parseUri, type Endpoint, type GrpcUri, type StatusOr } from "./grpc-uri.js";
import type { ServiceConfig } from "./service-config.js";

/**
 * Receives a resolver's results: servers and their service configuration, null for that of the channel. A later result
 * replaces it; an error does so only while there are no servers.
 *
 * @returns whether it is in force
 */
export type ResolverListener = (
  endpointList: StatusOr<Endpoint[]>,
  attributes: Record<string, unknown>,
  serviceConfig: StatusOr<ServiceConfig> | null,
  resolutionNote: string,
) => boolean;

/** Finds the servers of one target for one channel (grpc-js's `Resolver`). */
export interface Resolver {
  /** Resolves again; the listener may be called later. */
  updateResolution(): void;
  /** Frees all resources; `updateResolution` begins anew. */
  destroy(): void;
}

export interface ResolverConstructor {
  new (target: GrpcUri, listener: ResolverListener, channelOptions: ChannelOptions): Resolver;
  /** @throws Error for an invalid target */
  getDefaultAuthority(target: GrpcUri): string;
}

const registered = new Map<string, ResolverConstructor>();

/** From now on channels to `scheme:…` get their servers from resolvers of this class. */
export function registerResolver(scheme: string, resolverClass: ResolverConstructor): void {
  registered.set(scheme, resolverClass);
}

/** The class that is registered for a scheme. */
export function registeredResolver(scheme: string | undefined): ResolverConstructor | null {
  return scheme === undefined ? null : (registered.get(scheme) ?? null);
}

/**
 * Returns how a registered resolver serves a channel; null for a target with an unregistered scheme.
 *
 * @param channel returns the channel's number in channelz
 */
export function registeredNaming(target: string, options: ChannelOptions, backoff: BackoffOptions, channel: () => number): Naming | null {
  const uri = parseUri(target);
  const resolverClass = uri.scheme === undefined ? undefined : registered.get(uri.scheme);
  if (resolverClass === undefined) return null;
  return {
    authority: resolverClass.getDefaultAuthority(uri),
    resolver: (listener) => new RegisteredResolver(listener, backoff, channel, (found) => new resolverClass(uri, found, options)),
  };
}

/** A program's resolver as a channel sees it: one resolution at a time, repeated with back-off while it fails. */
class RegisteredResolver extends Timer implements NameResolver {
  readonly #listener: ChannelListener;
  readonly #channel: () => number;
  readonly #backoff: Backoff;
  readonly #resolver: Resolver;
  /** The text of the configuration in force, null for that of the channel. */
  #config: string | null = null;
  /** The selector in force, as the resolver gave it and as the channel asks it. */
  #given: ConfigSelector | null = null;
  #selector: CallSelector | null = null;
  #stopped = false;
  #again = false;

  constructor(listener: ChannelListener, backoff: BackoffOptions, channel: () => number, make: (found: ResolverListener) => Resolver) {
    super();
    this.#listener = listener;
    this.#channel = channel;
    this.#backoff = new Backoff(backoff);
    this.#resolver = make((endpoints, attributes, config, note) => this.#found(endpoints, attributes, config, note));
  }

  resolve(): void {
    if (this.#stopped) return;
    if (this.slot >= 0) {
      this.#again = true;
      return;
    }
    clock.set(this, this.#backoff.next(Math.random()));
    this.#resolver.updateResolution();
  }

  stop(): void {
    this.#stopped = true;
    clock.clear(this);
    this.#resolver.destroy();
  }

  expire(): void {
    if (!this.#again) return;
    this.#again = false;
    this.resolve();
  }

  #found(endpoints: StatusOr<Endpoint[]>, attributes: Record<string, unknown>, config: StatusOr<ServiceConfig> | null, note: string): boolean {
    if (this.#stopped) return false;
    if (!endpoints.ok) {
      // The resolver is called again at the end of the pause.
      this.#again = true;
      if (this.slot < 0) clock.set(this, this.#backoff.next(Math.random()));
      this.#listener.unresolved(endpoints.error.details);
      return false;
    }
    this.#again = false;
    clock.clear(this);
    this.#backoff.reset();
    const configured = this.#configure(config);
    const resolution = { endpoints: endpoints.value, attributes, note, selector: this.#select(attributes) };
    this.#listener.resolved(endpoints.value.flatMap(({ addresses }) => addresses), resolution);
    return configured && endpoints.value.length > 0;
  }

  #select(attributes: Record<string, unknown>): CallSelector | null {
    const given = (attributes[CHANNEL_ARGS_CONFIG_SELECTOR_KEY] as ConfigSelector | undefined) ?? null;
    if (given !== this.#given) {
      this.#given = given;
      this.#selector = given === null ? null : callSelector(given, this.#channel());
    }
    return this.#selector;
  }

  /** An invalid configuration leaves the one before in force. */
  #configure(config: StatusOr<ServiceConfig> | null): boolean {
    if (config?.ok === false) return false;
    const text = config === null ? null : JSON.stringify(config.value);
    if (text === this.#config) return true;
    try {
      this.#listener.reconfigured(text === null ? null : parseServiceConfig(text), true);
    } catch {
      return false;
    }
    this.#config = text;
    return true;
  }
}
