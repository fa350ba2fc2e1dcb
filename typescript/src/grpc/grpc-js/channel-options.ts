import { zlibEncodings } from "../transport/zlib.js";
import { DEFAULT_BACKOFF } from "../client/backoff.js";
import { DEFAULT_SETTINGS, type ChannelSettings } from "../client/channel-settings.js";
import { parseServiceConfig } from "../client/service-config.js";
import type { CompressionAlgorithms } from "../protocol/compression.js";
import type { ChannelCredentials } from "./channel-credentials.js";

/** Options of channels under grpc-js's names. Those without a meaning here are accepted and ignored. */
export interface ChannelOptions {
  "grpc.ssl_target_name_override"?: string;
  "grpc.primary_user_agent"?: string;
  "grpc.secondary_user_agent"?: string;
  "grpc.default_authority"?: string;
  "grpc.keepalive_time_ms"?: number;
  "grpc.keepalive_timeout_ms"?: number;
  "grpc.keepalive_permit_without_calls"?: number;
  "grpc.service_config"?: string;
  "grpc.max_concurrent_streams"?: number;
  "grpc.initial_reconnect_backoff_ms"?: number;
  "grpc.max_reconnect_backoff_ms"?: number;
  "grpc.use_local_subchannel_pool"?: number;
  "grpc.max_send_message_length"?: number;
  "grpc.max_receive_message_length"?: number;
  "grpc.enable_http_proxy"?: number;
  "grpc.default_compression_algorithm"?: CompressionAlgorithms;
  "grpc.enable_channelz"?: number;
  "grpc.dns_min_time_between_resolutions_ms"?: number;
  "grpc.service_config_disable_resolution"?: number;
  "grpc.enable_retries"?: number;
  "grpc.per_rpc_retry_buffer_size"?: number;
  "grpc.retry_buffer_size"?: number;
  "grpc.client_idle_timeout_ms"?: number;
  "grpc-node.retry_max_attempts_limit"?: number;
  "grpc-node.flow_control_window"?: number;
  /** 1: Node traces TLS to the standard error output. */
  "grpc-node.tls_enable_trace"?: number;
  /** 0: the thread does not spin after a small request (`spec/grpc.md` section 10). */
  "samewire.adaptive_spin"?: number;
  /** Streams of cancelled calls that a connection resets at once (800), and each second after that (30). */
  "samewire.reset_burst"?: number;
  "samewire.resets_per_second"?: number;
  /**
   * 1: errors end with the stack frames of the call's caller. It costs each call as much CPU as the rest of it: 10 µs
   * here. Without the option, the environment's SAMEWIRE_CALL_FRAMES.
   */
  "samewire.call_frames"?: number;
  // The set is open: other implementations and later versions have more.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [name: string]: any;
}

/** Returns the channel's settings. @throws Error for an invalid service configuration */
export function channelSettings(credentials: ChannelCredentials, options: ChannelOptions): Partial<ChannelSettings> {
  const number = (name: keyof ChannelOptions, otherwise: number): number => {
    const value: unknown = options[name];
    return typeof value === "number" ? value : otherwise;
  };
  /** A size, where -1 is none. */
  const size = (name: keyof ChannelOptions, otherwise: number): number => {
    const value = number(name, otherwise);
    return value < 0 ? Infinity : value;
  };
  const text = (name: keyof ChannelOptions): string | null => {
    const value: unknown = options[name];
    return typeof value === "string" && value !== "" ? value : null;
  };
  const tls = credentials.tls();
  const defaults = DEFAULT_SETTINGS;
  const config: unknown = options["grpc.service_config"];
  const algorithm = ["", "deflate", "gzip"][number("grpc.default_compression_algorithm", 0)] ?? "";
  const window = number("grpc-node.flow_control_window", 0);
  const keepaliveTime = number("grpc.keepalive_time_ms", -1);
  const agents = [text("grpc.primary_user_agent"), defaults.userAgent, text("grpc.secondary_user_agent")];
  return {
    tls: tls === null || number("grpc-node.tls_enable_trace", 0) !== 1 ? tls : { ...tls, enableTrace: true },
    dial: credentials.dial,
    authority: text("grpc.default_authority"),
    serverName: text("grpc.ssl_target_name_override"),
    userAgent: agents.filter((agent) => agent !== null).join(" "),
    ...(config === undefined ? {} : { serviceConfig: parseServiceConfig(config) }),
    maxSend: size("grpc.max_send_message_length", Infinity),
    maxReceive: size("grpc.max_receive_message_length", defaults.maxReceive),
    encoding: zlibEncodings.get(algorithm) ?? null,
    keepalive: {
      time: keepaliveTime <= 0 || keepaliveTime >= 0x7fff_ffff ? Infinity : keepaliveTime,
      timeout: number("grpc.keepalive_timeout_ms", defaults.keepalive.timeout),
      withoutCalls: number("grpc.keepalive_permit_without_calls", 0) !== 0,
    },
    resets: {
      burst: Math.max(0, number("samewire.reset_burst", defaults.resets.burst)),
      perSecond: Math.max(0, number("samewire.resets_per_second", defaults.resets.perSecond)),
    },
    backoff: {
      ...DEFAULT_BACKOFF,
      initial: number("grpc.initial_reconnect_backoff_ms", DEFAULT_BACKOFF.initial),
      max: number("grpc.max_reconnect_backoff_ms", DEFAULT_BACKOFF.max),
    },
    idleTimeout: Math.max(number("grpc.client_idle_timeout_ms", defaults.idleTimeout), 1_000),
    configFromDns: number("grpc.service_config_disable_resolution", 0) === 0,
    resolveInterval: number("grpc.dns_min_time_between_resolutions_ms", defaults.resolveInterval),
    retries: number("grpc.enable_retries", 1) !== 0,
    maxAttempts: number("grpc-node.retry_max_attempts_limit", defaults.maxAttempts),
    retryBufferBytes: number("grpc.per_rpc_retry_buffer_size", defaults.retryBufferBytes),
    retryTotalBytes: number("grpc.retry_buffer_size", defaults.retryTotalBytes),
    adaptiveSpin: number("samewire.adaptive_spin", 1) !== 0,
    http2: window > 0 ? { streamWindowBytes: window, leastWindowBytes: window, maxWindowBytes: Math.max(window, 65_535) } : {},
  };
}
