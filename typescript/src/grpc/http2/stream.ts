import type { Connection } from "./connection.js";
import type { ErrorCode } from "./error-code.js";
import type { HeaderFields } from "./header-fields.js";

/**
 * One stream of a connection. After `onReset`, or once both sides have ended, sending does nothing: the layer above need not
 * guard against a peer that has gone.
 */
export class Stream {
  readonly id: number;
  readonly connection: Connection;
  /** For the layer above alone: its call. */
  context: unknown;

  constructor(connection: Connection, id: number, context: unknown) {
    this.connection = connection;
    this.id = id;
    this.context = context;
  }

  /** Whether we have ended our side (queued bytes may still wait). */
  get localEnded(): boolean {
    return false;
  }

  /** Whether the peer has ended its side. */
  get remoteEnded(): boolean {
    return false;
  }

  /** Whether the stream is over, by both ends or by a reset. */
  get closed(): boolean {
    return false;
  }

  /** Bytes of messages that wait for windows or the socket. */
  get queued(): number {
    return 0;
  }

  /**
   * Sends a header list: a request or reply's head, or with `end` the trailers, which wait for queued data.
   *
   * @param extra fields of this call alone, after the others
   */
  headers(fields: HeaderFields, end: boolean, extra?: HeaderFields): void {
    void [fields, end, extra];
  }

  /**
   * Sends `prefix` (copied) and `bytes` (kept until written: do not change them).
   *
   * @returns false when the stream's queue is full: wait for `onWritable` before sending more. What was given is queued all the same.
   */
  data(bytes: Uint8Array, end: boolean, prefix?: Uint8Array): boolean {
    void [bytes, end, prefix];
    return true;
  }

  /** A whole reply in one go: `headers(head)`, `data(bytes, false, prefix)`, `headers(trailers, true)`. */
  reply(head: HeaderFields, bytes: Uint8Array, trailers: HeaderFields, prefix?: Uint8Array): boolean {
    void [head, bytes, trailers, prefix];
    return true;
  }

  /** Ends the stream at once with RST_STREAM, and gives back what `consume` has not. No `onReset` follows. */
  reset(code: ErrorCode): void {
    void code;
  }

  /** Gives `n` bytes of DATA back to the peer's windows. Still due after the stream ended, unless by a reset. */
  consume(n: number): void {
    void n;
  }
}
