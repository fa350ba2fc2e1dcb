import { LONGEST } from "../protocol/message-frame.js";
import { CompressionAlgorithms } from "../protocol/compression.js";
import type { Http2Options } from "../http2/options.js";
import { inflateThreads } from "../transport/inflate-turns.js";
import type { ServerInterceptor } from "./intercepting.js";

/**
 * Options of a server under grpc-js's names. Times are milliseconds, sizes bytes; −1 means no limit for the message
 * sizes. grpc-js's options without a meaning here are accepted and ignored.
 */
export interface ServerOptions {
  /** Outermost last, as in grpc-js. */
  interceptors?: ServerInterceptor[];
  "grpc.max_receive_message_length"?: number;
  "grpc.max_send_message_length"?: number;
  "grpc.max_concurrent_streams"?: number;
  "grpc.keepalive_time_ms"?: number;
  "grpc.keepalive_timeout_ms"?: number;
  "grpc.max_connection_age_ms"?: number;
  "grpc.max_connection_age_grace_ms"?: number;
  "grpc.max_connection_idle_ms"?: number;
  /** 0: channelz does not know the server. */
  "grpc.enable_channelz"?: number;
  /** 1: what handlers record with `getMetricsRecorder` is sent in the trailers (ORCA, gRFC A51). */
  "grpc.server_call_metric_recording"?: number | boolean;
  /** Replies are compressed with this algorithm if the client accepts it. */
  "grpc.default_compression_algorithm"?: CompressionAlgorithms;
  /** The receive window of each stream, in bytes. */
  "grpc-node.flow_control_window"?: number;
  /** 1: Node traces TLS to the standard error output. */
  "grpc-node.tls_enable_trace"?: number;
  /** 0: the thread does not spin after a small reply (`spec/grpc.md` section 10). */
  "samewire.adaptive_spin"?: number;
  /**
   * Threads that decompress long messages, 1 to 4; one at most for each connection. Default: one less than there are
   * cores.
   */
  "samewire.inflate_threads"?: number;
  /**
   * Bytes of messages that wait in all connections for clients to take them. Beyond, streams of the connections that
   * hold most and have taken nothing for longest are reset. Default 268,435,456.
   */
  "samewire.max_queued_bytes"?: number;
  /**
   * Bytes of messages that wait in one connection, where a handler writes on after `write` returned false: the call
   * that goes beyond ends with RESOURCE_EXHAUSTED. Default: half of `samewire.max_queued_bytes`.
   */
  "samewire.max_connection_queued_bytes"?: number;
  /**
   * Bytes of requests in all connections that no handler has yet: unfinished messages, and those that wait to be
   * decompressed. Beyond, calls of the connections that hold most and have sent nothing for longest end with
   * RESOURCE_EXHAUSTED. Default 268,435,456, or four of the longest messages if that is more.
   */
  "samewire.max_request_bytes"?: number;
  /**
   * Bytes of requests in one connection that no handler has yet. Beyond half of it, the client may send more of one
   * request only, until it is complete; a call that goes beyond all of it ends with RESOURCE_EXHAUSTED. Default: half
   * of `samewire.max_request_bytes`.
   */
  "samewire.max_connection_request_bytes"?: number;
  /**
   * Milliseconds that a single reply may wait without its client taking 16 KiB of it, once its call has ended. Default
   * 60,000.
   */
  "samewire.stalled_reply_ms"?: number;
  /**
   * Milliseconds that the last messages of a response stream may wait without the client taking 16 KiB of them, once
   * the call has ended. Default 3,600,000.
   */
  "samewire.stalled_stream_ms"?: number;
  /**
   * TLS handshakes under way at a time, and as many connections that have not sent the preface of HTTP/2: the oldest one
   * makes room. Default 2,000.
   */
  "samewire.max_handshakes"?: number;
  /** All other settings of the connections. */
  "samewire.http2"?: Partial<Http2Options>;
  [name: string]: unknown;
}

/** A server's options, validated. */
export interface ServerSettings {
  readonly maxReceiveBytes: number;
  readonly maxSendBytes: number;
  readonly keepaliveMs: number;
  readonly keepaliveTimeoutMs: number;
  readonly maxAgeMs: number;
  readonly maxAgeGraceMs: number;
  readonly maxIdleMs: number;
  /** The encoding for replies, `identity` for none. */
  readonly replyEncoding: string;
  readonly callMetrics: boolean;
  readonly traceTls: boolean;
  readonly adaptiveSpin: boolean;
  readonly inflateThreads: number;
  readonly maxQueuedBytes: number;
  readonly maxConnectionQueuedBytes: number;
  readonly maxRequestBytes: number;
  readonly maxConnectionRequestBytes: number;
  readonly maxHandshakes: number;
  readonly stalledReplyMs: number;
  readonly stalledStreamMs: number;
  readonly http2: Partial<Http2Options>;
}

/** Times from this on mean "never": grpc-js's constant, the longest delay of a Node timer. */
const NEVER = 0x7fff_ffff;

function time(given: number | undefined, fallback: number): number {
  return given === undefined ? fallback : given >= NEVER ? Infinity : Math.max(given, 0);
}

function size(given: number | undefined, fallback: number): number {
  if (given === undefined) return fallback;
  return given < 0 ? LONGEST : Math.min(given, LONGEST);
}

/** A limit against clients: no value means that there is none. */
function limit(given: number | undefined, fallback: number): number {
  return Math.max(Math.trunc(given ?? fallback), 1);
}

/** Validates options. The defaults are grpc-js's. */
export function serverSettings(options: ServerOptions): ServerSettings {
  const http2: { -readonly [Name in keyof Http2Options]?: Http2Options[Name] } = { clock: () => performance.now() };
  const streams = options["grpc.max_concurrent_streams"];
  if (streams !== undefined) http2.maxConcurrentStreams = streams;
  const window = options["grpc-node.flow_control_window"];
  if (window !== undefined) {
    http2.streamWindowBytes = window;
    http2.leastWindowBytes = window;
    http2.connectionWindowBytes = Math.max(window, 65_535);
  }
  const maxReceiveBytes = size(options["grpc.max_receive_message_length"], 4 * 1024 * 1024);
  const maxRequestBytes = limit(options["samewire.max_request_bytes"], Math.max(268_435_456, 4 * maxReceiveBytes));
  const maxQueuedBytes = limit(options["samewire.max_queued_bytes"], 268_435_456);
  return {
    maxReceiveBytes,
    maxSendBytes: size(options["grpc.max_send_message_length"], LONGEST),
    keepaliveMs: time(options["grpc.keepalive_time_ms"], Infinity),
    keepaliveTimeoutMs: time(options["grpc.keepalive_timeout_ms"], 20_000),
    maxAgeMs: time(options["grpc.max_connection_age_ms"], Infinity),
    maxAgeGraceMs: time(options["grpc.max_connection_age_grace_ms"], Infinity),
    maxIdleMs: time(options["grpc.max_connection_idle_ms"], Infinity),
    replyEncoding: CompressionAlgorithms[options["grpc.default_compression_algorithm"] ?? 0] ?? "identity",
    callMetrics: Boolean(options["grpc.server_call_metric_recording"]),
    traceTls: options["grpc-node.tls_enable_trace"] === 1,
    adaptiveSpin: options["samewire.adaptive_spin"] !== 0,
    inflateThreads: inflateThreads(options["samewire.inflate_threads"]),
    maxHandshakes: limit(options["samewire.max_handshakes"], 2_000),
    maxQueuedBytes,
    maxConnectionQueuedBytes: limit(options["samewire.max_connection_queued_bytes"], maxQueuedBytes / 2),
    maxRequestBytes,
    maxConnectionRequestBytes: limit(options["samewire.max_connection_request_bytes"], maxRequestBytes / 2),
    stalledReplyMs: limit(options["samewire.stalled_reply_ms"], 60_000),
    stalledStreamMs: limit(options["samewire.stalled_stream_ms"], 3_600_000),
    http2: { ...http2, ...options["samewire.http2"] },
  };
}
