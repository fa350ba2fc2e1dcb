import type { ErrorCode } from "./error-code.js";
import type { Http2Error } from "./error.js";
import type { HeaderBlock } from "./header-block.js";
import type { Stream } from "./stream.js";

/**
 * The layer above one connection.
 *
 * Everything is called synchronously from inside `receive`, `end`, `take`, `close` or a method of a stream. A callback
 * may call any method of the connection and its streams. What it throws is a defect: it kills the connection with
 * INTERNAL_ERROR.
 */
export interface Handler {
  /** Server: a new request. `end`: it has no body. With a clock, none for a stream whose reset came in the same read. */
  onStream(stream: Stream, block: HeaderBlock, end: boolean): void;
  /** Client: a response (interim 1xx too) or trailers. Server: trailers. `end`: the peer's side is finished. */
  onHeaders(stream: Stream, block: HeaderBlock, end: boolean): void;
  /**
   * Payload `bytes[from, to)`, without padding; may be empty when `end`. The bytes are valid during the call only.
   * The layer above acknowledges them with `stream.consume(to - from)` once it has handled them.
   */
  onData(stream: Stream, bytes: Uint8Array, from: number, to: number, end: boolean): void;
  /**
   * The stream was reset: at most once a stream, never after both sides ended. `remote`: by the peer,
   * or because the connection ended.
   */
  onReset(stream: Stream, code: ErrorCode, remote: boolean): void;
  /** There is room again after `data` or `reply` returned false: what was queued is written. */
  onWritable(stream: Stream): void;
  /** An acknowledgement of `ping`, with its 8 bytes. */
  onPong(payload: Uint8Array): void;
  /** The peer's SETTINGS came and apply from here on (`connection.peer`). */
  onSettings(): void;
  /**
   * The peer will handle no stream above `last`. Streams of ours above it have been ended with REFUSED_STREAM before.
   */
  onGoaway(last: number, code: ErrorCode, debug: Uint8Array): void;
  /** Exactly once: the connection has ended. Every open stream has had its `onReset` before. */
  onClosed(error: Http2Error | null): void;
}
