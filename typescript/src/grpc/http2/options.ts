import { Http2Error } from "./error.js";
import { ErrorCode } from "./error-code.js";
import type { QueueBudget } from "./queue-budget.js";

/**
 * The settings of one connection and every limit against the peer. Whole numbers; no value
 * means "unlimited".
 */
export interface Http2Options {
  /** Streams the peer may have open at once (SETTINGS_MAX_CONCURRENT_STREAMS). More are refused. Default 100,000. */
  readonly maxConcurrentStreams: number;
  /** Largest payload of a frame we accept, in bytes, 2^14 to 2^24 − 1 (SETTINGS_MAX_FRAME_SIZE). Default 16,384. */
  readonly maxFrameBytes: number;
  /**
   * Largest payload of DATA, in bytes, 2^14 to 2^24 − 1, where the peer takes long DATA too (`spec/grpc.md` section
   * 10). It is passed on as it comes and costs no memory. Default 4,194,304.
   */
  readonly longDataBytes: number;
  /** Bytes of the peer's HPACK dynamic table that we keep (SETTINGS_HEADER_TABLE_SIZE). Default 4,096. */
  readonly headerTableBytes: number;
  /** Bytes of our own dynamic table, at most what the peer allows. Default 4,096. */
  readonly encoderTableBytes: number;
  /**
   * Decoded size of a header list, 32 bytes a field counted in (RFC 9113 section 6.5.2). Beyond: the stream ends.
   * Default 65,536.
   */
  readonly maxHeaderListBytes: number;
  /** Wire size of a header block over all its frames. Beyond: the connection ends. Default 131,072. */
  readonly maxHeaderBlockBytes: number;
  /** CONTINUATION frames of one header block. Beyond: the connection ends. Default 32. */
  readonly maxContinuations: number;
  /** Decoded header blocks remembered by their bytes, a power of two. Default 64. */
  readonly blockCacheEntries: number;

  /** Receive window of each stream at the start, in bytes, 65,535 to 2^31 − 1. Default 1,048,576. */
  readonly streamWindowBytes: number;
  /** Receive window of the connection at the start, in bytes, at least 65,535. Default 4,194,304. */
  readonly connectionWindowBytes: number;
  /**
   * How far windows grow while a fast peer fills them within one round trip. While readers leave more than this unread,
   * in all streams of the connection together, windows of streams are `leastWindowBytes`. Default 8,388,608.
   */
  readonly maxWindowBytes: number;
  /** Receive window of each stream while readers leave too much unread, 65,535 to 2^31 − 1. Default 65,535. */
  readonly leastWindowBytes: number;
  /** Bytes one stream queues before `data` returns false. Default 65,536. */
  readonly streamQueueBytes: number;

  /**
   * Message bytes queued on all streams of the connection beyond which new streams of the peer are refused: a peer that
   * never opens its windows holds no more than this and one message for each stream it already has. Default 67,108,864.
   */
  readonly maxQueuedBytes: number;
  /**
   * Bytes of headers and control frames waiting for the socket beyond which a server reads no further and a client,
   * which must go on reading, ends the connection when they are replies the peer asked for. Default 1,048,576.
   */
  readonly maxPendingBytes: number;
  /**
   * Streams the peer may have reset (or made us reset) in a burst before the connection ends. With `clock`, a stream
   * that was open for n milliseconds counts as 1/n, one that the same read opens and resets as 1/32 (the layer above
   * never knows it), and none does whose response was complete. Each call that runs to its end forgives one. Default
   * 1,000.
   */
  readonly resetBurst: number;
  /** How many of these are forgiven each second. Needs `clock`. Default 100. */
  readonly resetsPerSecond: number;
  /**
   * Frames that carry nothing (PING, SETTINGS, PRIORITY, empty DATA, small WINDOW_UPDATE, unknown) in a burst before
   * the connection ends. Default 10,000.
   */
  readonly idleFrameBurst: number;
  /** How many of these are forgiven each second. Needs `clock`. Default 1,000. */
  readonly idleFramesPerSecond: number;

  /**
   * Milliseconds for the client's preface and SETTINGS before a server ends the connection. A TLS handshake before them
   * has as long. Default 20,000.
   */
  readonly prefaceMs: number;
  /**
   * Milliseconds for the rest of a frame, or of a header block, once it has begun. Long DATA has all the time. Beyond:
   * the connection ends. Default 20,000.
   */
  readonly frameMs: number;

  /** Monotonic milliseconds. Without it burst limits are forgiven by useful traffic only. Default: none. */
  readonly clock: (() => number) | null;
  /** Bounds the message bytes that wait in many connections. Default: none. */
  readonly queueBudget: QueueBudget | null;
}

/** The defaults. */
export const DEFAULT_OPTIONS: Http2Options = Object.freeze({
  maxConcurrentStreams: 100_000,
  maxFrameBytes: 16_384,
  longDataBytes: 4_194_304,
  headerTableBytes: 4_096,
  encoderTableBytes: 4_096,
  maxHeaderListBytes: 65_536,
  maxHeaderBlockBytes: 131_072,
  maxContinuations: 32,
  blockCacheEntries: 64,
  streamWindowBytes: 1_048_576,
  connectionWindowBytes: 4_194_304,
  maxWindowBytes: 8_388_608,
  leastWindowBytes: 65_535,
  streamQueueBytes: 65_536,
  maxQueuedBytes: 67_108_864,
  maxPendingBytes: 1_048_576,
  resetBurst: 1_000,
  resetsPerSecond: 100,
  idleFrameBurst: 10_000,
  idleFramesPerSecond: 1_000,
  prefaceMs: 20_000,
  frameMs: 20_000,
  clock: null,
  queueBudget: null,
});

/** Least and greatest value of each number. */
const RANGES: Readonly<Record<Exclude<keyof Http2Options, "clock" | "queueBudget">, readonly [number, number]>> = {
  maxConcurrentStreams: [1, 0x7fff_ffff],
  maxFrameBytes: [16_384, 16_777_215],
  longDataBytes: [16_384, 16_777_215],
  headerTableBytes: [0, 1_048_576],
  encoderTableBytes: [0, 1_048_576],
  maxHeaderListBytes: [1_024, 0x7fff_ffff],
  maxHeaderBlockBytes: [1_024, 0x7fff_ffff],
  maxContinuations: [1, 65_536],
  blockCacheEntries: [1, 4_096],
  streamWindowBytes: [65_535, 0x7fff_ffff],
  connectionWindowBytes: [65_535, 0x7fff_ffff],
  maxWindowBytes: [65_535, 0x7fff_ffff],
  leastWindowBytes: [65_535, 0x7fff_ffff],
  streamQueueBytes: [1, 0x7fff_ffff],
  maxQueuedBytes: [1, Number.MAX_SAFE_INTEGER],
  maxPendingBytes: [16_384, Number.MAX_SAFE_INTEGER],
  resetBurst: [1, Number.MAX_SAFE_INTEGER],
  resetsPerSecond: [1, Number.MAX_SAFE_INTEGER],
  idleFrameBurst: [100, Number.MAX_SAFE_INTEGER],
  idleFramesPerSecond: [1, Number.MAX_SAFE_INTEGER],
  prefaceMs: [1, 0x7fff_ffff],
  frameMs: [1, 0x7fff_ffff],
};

/**
 * The defaults with some replaced.
 *
 * @throws Http2Error `misuse` for a value out of its range.
 */
export function http2Options(changes: Partial<Http2Options> = {}): Http2Options {
  const merged = { ...DEFAULT_OPTIONS, ...changes };
  for (const name of Object.keys(RANGES) as (keyof typeof RANGES)[]) {
    const [least, greatest] = RANGES[name];
    const value = merged[name];
    if (!Number.isSafeInteger(value) || value < least || value > greatest) {
      throw new Http2Error(ErrorCode.INTERNAL_ERROR, "misuse", `${name} must be a whole number from ${least} to ${greatest}, not ${String(value)}`);
    }
  }
  if ((merged.blockCacheEntries & (merged.blockCacheEntries - 1)) !== 0) {
    throw new Http2Error(ErrorCode.INTERNAL_ERROR, "misuse", `blockCacheEntries must be a power of two, not ${merged.blockCacheEntries}`);
  }
  return Object.freeze(merged);
}
