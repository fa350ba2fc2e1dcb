import type { Http2Options } from "../http2/index.js";
import type { MessageEncoding } from "../protocol/compression.js";
import type { Proxy } from "../protocol/proxy.js";
import type { Dial } from "../transport/dial.js";
import type { ConnectionOptions } from "../transport/secure-context.js";
import { DEFAULT_BACKOFF, type BackoffOptions } from "./backoff.js";
import type { KeepaliveOptions } from "./keepalive.js";
import type { Naming } from "./naming.js";
import { DEFAULT_RESET_PACE, type ResetPace } from "./paced-resets.js";
import { EMPTY_SERVICE_CONFIG, type ServiceConfig } from "./service-config.js";

/** The settings of a channel. Times are milliseconds, sizes bytes. */
export interface ChannelSettings {
  /** TLS options, without host and ALPN; null for plain text. */
  readonly tls: ConnectionOptions | null;
  /** The `:authority` of calls; null for that of the target. */
  readonly authority: string | null;
  /** The name the server's certificate must have; null for the host of the authority. */
  readonly serverName: string | null;
  readonly userAgent: string;
  readonly contentType: string;
  readonly serviceConfig: ServiceConfig;
  /** Longest message, Infinity for no limit of ours. */
  readonly maxSend: number;
  readonly maxReceive: number;
  /** Compresses requests; null for none. */
  readonly encoding: MessageEncoding | null;
  readonly keepalive: KeepaliveOptions;
  readonly resets: ResetPace;
  readonly backoff: BackoffOptions;
  /** For socket, TLS and SETTINGS together. */
  readonly connectTimeout: number;
  /** Connections are closed after this time without a call. */
  readonly idleTimeout: number;
  /** Whether a name's service configuration is looked up in the DNS; it takes the place of `serviceConfig`. */
  readonly configFromDns: boolean;
  /** Shortest time between two look-ups of a name. */
  readonly resolveInterval: number;
  /** False: only transparent retries. */
  readonly retries: boolean;
  /** The most attempts of a call; a policy may allow fewer. */
  readonly maxAttempts: number;
  /** Bytes of messages that one call keeps for another attempt, and all calls together. */
  readonly retryBufferBytes: number;
  readonly retryTotalBytes: number;
  readonly http2: Partial<Http2Options>;
  /** Whether the thread spins for the replies to small requests. */
  readonly adaptiveSpin: boolean;
  /** How the target is resolved; null for the DNS and fixed lists. */
  readonly naming: Naming | null;
  /** The proxy that opens the way to the target; null for none. */
  readonly proxy: Proxy | null;
  /** What the channel was made from, for policies that the program has registered; nothing to the channel itself. */
  readonly origin: unknown;
  /** Another way to connect than sockets; null for `transport/dial`. */
  readonly dial: Dial | null;
}

export const DEFAULT_SETTINGS: ChannelSettings = {
  tls: null,
  authority: null,
  serverName: null,
  userAgent: "grpc-node-samewire/0.1.0",
  contentType: "application/grpc",
  serviceConfig: EMPTY_SERVICE_CONFIG,
  maxSend: Infinity,
  maxReceive: 4 * 1_024 * 1_024,
  encoding: null,
  keepalive: { time: Infinity, timeout: 20_000, withoutCalls: false },
  resets: DEFAULT_RESET_PACE,
  backoff: DEFAULT_BACKOFF,
  connectTimeout: 20_000,
  idleTimeout: 30 * 60 * 1_000,
  configFromDns: true,
  resolveInterval: 30_000,
  retries: true,
  maxAttempts: 5,
  retryBufferBytes: 1_024 * 1_024,
  retryTotalBytes: 16 * 1_024 * 1_024,
  http2: {},
  adaptiveSpin: true,
  naming: null,
  proxy: null,
  origin: null,
  dial: null,
};
