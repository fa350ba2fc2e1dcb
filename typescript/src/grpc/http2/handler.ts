import type { ErrorCode } from "./error-code.js";
import type { Http2Error } from "./error.js";
import type { HeaderBlock } from "./header-block.js";
import type { Stream } from "./stream.js";

/**
 * The layer above one connection.
 *
 * Everything is called synchronously from inside `receive`, `end`, `take`, `close` or a method of a stream. A callback may
 * call any method of the connection and its streams. What it throws is a defect: it kills the connection with INTERNAL_ERROR.
 */
export interface Handler {
  /** Server: a new request. `end`: it has no body. */
  onStream(stream: Stream, block: HeaderBlock, end: boolean): void;
  /** Client: a response (interim 1xx too) or trailers. Server: trailers. `end`: the peer's side is finished. */
  onHeaders(stream: Stream, block: HeaderBlock, end: boolean): void;
  /**
   * Payload `bytes[from, to)`, without padding; may be empty when `end`. The bytes are valid during the call only.
   * The layer above gives the room back with `stream.consume(to - from)` once it has dealt with them.
   */
  onData(stream: Stream, bytes: Uint8Array, from: number, to: number, end: boolean): void;
  /**
   * The stream ended before its time: at most once a stream, never after both sides ended. `remote`: the peer did it,
   * or the connection died under it.
   */
  onReset(stream: Stream, code: ErrorCode, remote: boolean): void;
  /** After `data` or `reply` answered false: what was queued is written, there is room again. */
  onWritable(stream: Stream): void;
  /** An acknowledgement of `ping`, with its 8 bytes. */
  onPong(payload: Uint8Array): void;
  /** The peer's SETTINGS came and hold from here on (`connection.peer`). */
  onSettings(): void;
  /** The peer will handle no stream above `last`. Streams of ours above it have been ended with REFUSED_STREAM before. */
  onGoaway(last: number, code: ErrorCode, debug: Uint8Array): void;
  /** Exactly once: the connection is dead. Every open stream has had its `onReset` before. */
  onClosed(error: Http2Error | null): void;
}
