import { ErrorCode } from "./error-code.js";
import { Http2Error } from "./error.js";
import type { HeaderFields } from "./header-fields.js";
import type { ReceiveWindow } from "./receive-window.js";
import type { SendQueue } from "./send-queue.js";
import { Event, State, next } from "./states.js";

const NOTHING = new Uint8Array(0);

/** The connection, as its streams see it. */
export interface StreamConnection {
  readonly closed: boolean;
  readonly sender: {
    readonly peer: { readonly streamWindowBytes: number };
    headers(stream: Stream, fields: HeaderFields, extra: HeaderFields | undefined, end: boolean): void;
    trailers(stream: Stream, fields: HeaderFields, extra: HeaderFields | undefined): void;
    /** Returns false if the stream's queue is full. */
    data(stream: Stream, prefix: Uint8Array, bytes: Uint8Array, end: boolean): boolean;
    reset(id: number, code: ErrorCode): void;
    takes(fields: HeaderFields, extra: HeaderFields): boolean;
    /** `n` more bytes wait above the streams, or fewer. */
    hold(n: number): void;
  };
  readonly receiver: {
    /** `n` bytes of DATA have been dealt with. */
    give(stream: Stream, n: number): void;
    /** Returns `n` bytes of DATA to the connection's window alone, or to the stream's. */
    giveConnection(n: number): void;
    giveStream(stream: Stream, n: number): void;
    /** Makes the windows of all streams small. */
    tighten(): void;
    /** Bytes that were acknowledged to the connection's window, and not yet to those of their streams. */
    withheldBytes: number;
  };
  /** We reset a stream, and frames of it may be on their way. */
  noteReset(id: number): void;
  /** A stream is over. */
  release(stream: Stream, event: Event): void;
}

/**
 * One stream of a connection. After `onReset`, or once both sides have ended, sending does nothing: the layer above
 * need not guard against a peer that has gone.
 */
export class Stream {
  readonly id: number;
  readonly connection: StreamConnection;
  /** For the layer above alone: its call. */
  context: unknown;

  /** The state of RFC 9113 section 5.1. The fields from here to the methods are for this layer alone. */
  state: State = State.IDLE;
  /** The peer's window. Negative after its SETTINGS lowered it below what was sent. */
  sendWindow: number;
  /** Our window, once DATA has come that does not end the stream. */
  inbound: ReceiveWindow | null = null;
  /** DATA that could not be sent yet. */
  queue: SendQueue | null = null;
  /** Bytes of DATA that the layer above has not acknowledged (`consume`). */
  unacknowledged = 0;
  /** Bytes left of the peer's content-length; -1 if it sent none. */
  remaining = -1;
  /** Bytes that were acknowledged to the connection's window, and not yet to the stream's. */
  private withheld = 0;
  /** The peer's final header list has come: DATA and trailers may follow. */
  headReceived = false;
  /** When the peer opened it, by the options' clock. */
  openedAt = 0;
  /** The layer above has ended our side. */
  private ending = false;
  private headSent = false;

  constructor(connection: StreamConnection, id: number, context: unknown) {
    this.connection = connection;
    this.id = id;
    this.context = context;
    this.sendWindow = connection.sender.peer.streamWindowBytes;
  }

  /** Whether we have ended our side (queued bytes may still wait). */
  get localEnded(): boolean {
    return this.ending || this.closed;
  }

  /** Whether the peer has ended its side. */
  get remoteEnded(): boolean {
    return this.state >= State.HALF_CLOSED_REMOTE;
  }

  /** Whether the stream has ended, by both sides or by a reset. */
  get closed(): boolean {
    return this.state === State.CLOSED;
  }

  /** Bytes of messages that wait for windows or the socket. */
  get queued(): number {
    return this.queue === null ? 0 : this.queue.bytes;
  }

  /**
   * Sends a header list: a request or reply's head, or with `end` the trailers, which wait for queued data.
   *
   * @param extra fields of this call alone, after the others
   * @throws Http2Error `misuse` after our side has ended
   */
  headers(fields: HeaderFields, end: boolean, extra?: HeaderFields): void {
    if (!this.maySend()) return;
    this.ending = end;
    const { sender } = this.connection;
    if (end && this.headSent) sender.trailers(this, fields, extra);
    else {
      this.headSent = true;
      sender.headers(this, fields, extra, end);
    }
  }

  /**
   * Sends `prefix` (copied) and `bytes` (kept until written: do not change them).
   *
   * @returns false if the stream's queue is full: wait for `onWritable` before sending more. `bytes` are queued all the
   * same.
   * @throws Http2Error `misuse` before the head or after our side has ended
   */
  data(bytes: Uint8Array, end: boolean, prefix: Uint8Array = NOTHING): boolean {
    if (!this.maySend()) return true;
    if (!this.headSent) throw new Http2Error(ErrorCode.INTERNAL_ERROR, "misuse", "data comes after headers");
    this.ending = end;
    return this.connection.sender.data(this, prefix, bytes, end);
  }

  /** Whether the peer's limit leaves room for a header list. */
  takes(fields: HeaderFields, extra: HeaderFields): boolean {
    return this.connection.sender.takes(fields, extra);
  }

  /** Sends a whole reply: `headers(head)`, `data(bytes, false, prefix)`, `headers(trailers, true)`. */
  reply(head: HeaderFields, bytes: Uint8Array, trailers: HeaderFields, prefix: Uint8Array = NOTHING): boolean {
    if (!this.maySend()) return true;
    const { sender } = this.connection;
    this.headSent = true;
    this.ending = true;
    sender.headers(this, head, undefined, false);
    const room = sender.data(this, prefix, bytes, false);
    sender.trailers(this, trailers, undefined);
    return room;
  }

  /**
   * The layer above keeps `n` more bytes that wait for the stream's queue, or fewer. They count as queued, for the
   * connection and the budget, until it takes them back.
   */
  hold(n: number): void {
    this.connection.sender.hold(n);
  }

  /** Ends the stream at once with RST_STREAM. No `onReset` follows. */
  reset(code: ErrorCode): void {
    const { connection } = this;
    if (!this.closed && !connection.closed) {
      connection.sender.reset(this.id, code);
      connection.noteReset(this.id);
      this.transit(Event.SEND_RESET);
    }
  }

  /** Acknowledges `n` bytes of DATA: the peer's windows open again. The end of the stream acknowledges the rest. */
  consume(n: number): void {
    const given = Math.min(n, this.unacknowledged);
    if (given <= 0) return;
    this.unacknowledged -= given;
    this.connection.receiver.give(this, given);
  }

  /** Acknowledges `n` bytes for the connection alone: other streams go on, and this one stops at its own window. */
  withhold(n: number): void {
    const given = Math.min(n, this.unacknowledged);
    if (given <= 0) return;
    this.unacknowledged -= given;
    this.withheld += given;
    this.connection.receiver.withheldBytes += given;
    this.connection.receiver.giveConnection(given);
    this.connection.receiver.tighten();
  }

  /** Opens the stream's window for the bytes that were withheld. */
  readmit(): void {
    const { withheld } = this;
    if (withheld === 0) return;
    this.withheld = 0;
    this.connection.receiver.withheldBytes -= withheld;
    this.connection.receiver.giveStream(this, withheld);
  }

  /** Makes a transition, which must be legal. */
  transit(event: Event): void {
    const state = next(this.state, event);
    if (state < 0) throw new Http2Error(-state, "misuse", `stream ${this.id} cannot do that in state ${this.state}`);
    this.state = state as State;
    if (state === State.CLOSED) this.connection.release(this, event);
  }

  private maySend(): boolean {
    if (this.closed || this.connection.closed) return false;
    if (this.ending) throw new Http2Error(ErrorCode.INTERNAL_ERROR, "misuse", "the stream has been ended");
    return true;
  }
}
