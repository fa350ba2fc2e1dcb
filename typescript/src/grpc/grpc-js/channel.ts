import { channels, channelzId } from "../channelz/roll.js";
import type { Call } from "../client/call.js";
import type { CallListener, CredentialSource } from "../client/call-settings.js";
import { Channel as ClientChannel } from "../client/channel.js";
import { DEFAULT_BACKOFF } from "../client/backoff.js";
import type { ConnectivityState } from "../client/connectivity.js";
import type { Method } from "../client/method.js";
import type { Metadata } from "../protocol/metadata.js";
import { deadlineMillis, type Deadline } from "../protocol/timeout.js";
import { proxyFor, type Proxy } from "../protocol/proxy.js";
import { channelTarget } from "../protocol/target.js";
import { isEmptyCallCredentials, type CallCredentials } from "./call-credentials.js";
import type { CallOptions } from "./interceptor-types.js";
import { ChannelCall } from "./channel-call.js";
import { ChannelCredentials } from "./channel-credentials.js";
import { channelSettings, type ChannelOptions } from "./channel-options.js";
import type { CallInterface } from "./interceptor-types.js";
import { log, LogVerbosity } from "../logging.js";
import { registeredNaming } from "./name-resolver.js";
import { Propagate, type ParentCall } from "./propagation.js";

/** How channelz names a channel. */
export interface ChannelRef {
  kind: "channel";
  id: number;
  name: string;
}

/** What a client needs of a channel (grpc-js's `ChannelInterface`). */
export interface ChannelInterface {
  close(): void;
  getTarget(): string;
  getConnectivityState(tryToConnect: boolean): ConnectivityState;
  watchConnectivityState(currentState: ConnectivityState, deadline: Deadline, callback: (error?: Error) => void): void;
  getChannelzRef(): ChannelRef;
  createCall(
    method: string,
    deadline: Deadline,
    host: string | null | undefined,
    parentCall: ParentCall | null,
    propagateFlags: number | null | undefined,
  ): CallInterface;
}

/** Connections to one target, under grpc-js's names. */
export class Channel implements ChannelInterface {
  /** The channel itself, without names of grpc-js. */
  readonly core: ClientChannel;
  readonly #credentials: CallCredentials | null;
  readonly #ref: ChannelRef;

  /** @throws TypeError for arguments of other types; Error for an empty target or an invalid service configuration */
  constructor(target: string, credentials: ChannelCredentials, options: ChannelOptions = {}) {
    if (typeof target !== "string") throw new TypeError("Channel target must be a string");
    if (!(credentials instanceof ChannelCredentials)) throw new TypeError("Channel credentials must be a ChannelCredentials object");
    if (typeof options !== "object") throw new TypeError("Channel options must be an object");
    const settings = channelSettings(credentials, options);
    const naming = registeredNaming(target, options, settings.backoff ?? DEFAULT_BACKOFF, () => this.#ref.id);
    // What `balancing/channel-policy` knows as PolicyOrigin.
    const origin = {
      options,
      callCredentials: credentials.callCredentials,
      channel: (address: string) => new Channel(address, credentials, { "grpc.default_authority": this.core.authority, ...options }),
    };
    this.core = new ClientChannel(target, { ...settings, naming, proxy: naming === null ? proxy(target, options) : null, origin });
    this.#credentials = credentials.callCredentials;
    if (options["grpc.enable_channelz"] !== 0) channels.add(this.core);
    const id = channelzId(this.core);
    this.#ref = { kind: "channel", id, name: target };
    log(LogVerbosity.DEBUG, `channel ${id} to ${target} made`);
  }

  close(): void {
    channels.remove(this.core);
    this.core.close();
    log(LogVerbosity.DEBUG, `channel ${this.#ref.id} to ${this.#ref.name} closed`);
  }

  getTarget(): string {
    const { target, settings } = this.core;
    if (settings.naming !== null) return target;
    return /^(?:dns|unix|ipv4|ipv6):/.test(target) ? target : `dns:${target}`;
  }

  getConnectivityState(tryToConnect: boolean): ConnectivityState {
    return this.core.state(tryToConnect);
  }

  /** @throws Error after `close` */
  watchConnectivityState(currentState: ConnectivityState, deadline: Deadline, callback: (error?: Error) => void): void {
    this.core.watch(currentState, remaining(deadline), (error) => {
      if (error === null) callback();
      else callback(error);
    });
  }

  getChannelzRef(): ChannelRef {
    return this.#ref;
  }

  /** @throws TypeError for arguments of other types; Error after `close` */
  createCall(
    method: string,
    deadline: Deadline,
    host: string | null | undefined,
    parentCall: ParentCall | null,
    propagateFlags: number | null | undefined,
  ): CallInterface {
    if (typeof method !== "string") throw new TypeError("Channel#createCall: method must be a string");
    if (!(typeof deadline === "number" || deadline instanceof Date)) {
      throw new TypeError("Channel#createCall: deadline must be a number or Date");
    }
    if (this.core.closed) throw new Error("Channel has been shut down");
    const options: CallOptions = { deadline };
    if (host != null) options.host = host;
    if (parentCall != null) options.parent = parentCall;
    if (propagateFlags != null) options.propagate_flags = propagateFlags;
    return new ChannelCall(this, method, options);
  }

  method(path: string, options: CallOptions): Method {
    return this.core.method(path, options.host ?? null);
  }

  /** A call that has not begun yet. @throws Error after `close` */
  open(method: Method, listener: CallListener, metadata: Metadata | null, options: CallOptions): Call {
    const waitForReady = metadata?.getOptions().waitForReady === true;
    return this.core.call(listener, {
      method,
      metadata: metadata === null || metadata.isEmpty ? null : metadata,
      timeout: timeout(options),
      waitForReady,
      credentials: this.#source(options.credentials),
    });
  }

  #source(own: CallCredentials | undefined): CredentialSource | null {
    const shared = this.#credentials;
    if (shared === null && own === undefined) return null;
    const all = own === undefined ? shared! : shared === null ? own : own.compose(shared);
    if (isEmptyCallCredentials(all)) return null;
    return (method) => all.generateMetadata({ method_name: method.path, service_url: serviceUrl(method) });
  }
}

/** The proxy of the environment. An invalid one is logged and ignored, as in grpc-js; a malformed target has none. */
function proxy(target: string, options: ChannelOptions): Proxy | null {
  if (options["grpc.enable_http_proxy"] === 0) return null;
  const parsed = channelTarget(target);
  if (parsed.scheme === "malformed") return null;
  try {
    return proxyFor(parsed, process.env);
  } catch (error) {
    log(LogVerbosity.ERROR, error instanceof Error ? error.message : error);
    return null;
  }
}

/** Milliseconds from now to a deadline. */
function remaining(deadline: Deadline): number {
  return deadlineMillis(deadline) - Date.now();
}

/** Milliseconds that a call may take: by its own deadline, and that of its parent call. */
function timeout(options: CallOptions): number {
  const { deadline, parent, propagate_flags: flags } = options;
  // Programs without types pass null for none.
  let left = deadline == null ? Infinity : remaining(deadline);
  if (parent !== undefined && ((flags ?? Propagate.DEFAULTS) & Propagate.DEADLINE) !== 0) {
    left = Math.min(left, remaining(parent.getDeadline()));
  }
  return left;
}

function serviceUrl(method: Method): string {
  const host = method.authority.replace(/:\d+$/, "");
  return `https://${host}${method.path.slice(0, method.path.lastIndexOf("/"))}`;
}
