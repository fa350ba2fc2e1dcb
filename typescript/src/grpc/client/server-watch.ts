import { ErrorCode, type HeaderBlock, type HeaderFields, type Stream } from "../http2/index.js";
import { MessageReader, Reading, type MessageSink } from "../protocol/message-reader.js";
import { frameMessage } from "../protocol/message-frame.js";
import { Status } from "../protocol/status.js";
import { Timer } from "../../transport/timer-wheel.js";
import { clock } from "../../transport/clock.js";
import { Backoff } from "./backoff.js";
import { ResponseBlock } from "./response.js";
import type { Session, StreamOwner } from "./session.js";

/** The longest message that is read, in bytes. */
const LONGEST = 65_536;

/**
 * A stream of reports from the server of one connection, after one request. A stream that ends is begun again after a
 * pause, but not if the server does not know the method. It is not a call: it keeps neither process nor connection
 * alive. A timer itself, for the pauses.
 */
export abstract class ServerWatch extends Timer implements StreamOwner, MessageSink {
  protected readonly session: Session;
  readonly #fields: HeaderFields;
  readonly #request: Uint8Array;
  readonly #backoff = new Backoff();
  #reader = new MessageReader(LONGEST);
  #stream: Stream | null = null;

  /** @param fields the head of the request */
  constructor(session: Session, fields: HeaderFields, request: Uint8Array) {
    super();
    this.session = session;
    this.#fields = fields;
    this.#request = frameMessage(request, false);
  }

  /** Receives a report. @throws anything for a message that is invalid, which ends the stream */
  protected abstract told(message: Uint8Array): void;

  /** The server does not know the method: no report will come. */
  protected abstract refused(): void;

  /** The stream has ended, and another one begins later. */
  protected abstract paused(): void;

  /** Ends it for good. */
  stop(): void {
    clock.clear(this);
    this.#leave();
  }

  /** Begins a stream, at first and after a pause. */
  expire(): void {
    const { connection } = this.session.link;
    // The only free stream is for calls.
    if (!connection.canOpen || connection.peer.maxConcurrentStreams < 2) {
      this.#pause();
      return;
    }
    this.#reader = new MessageReader(LONGEST);
    this.#stream = connection.open(this.#fields, false, this);
    this.#stream.data(this.#request, true);
  }

  onHeaders(block: HeaderBlock, end: boolean): void {
    if (!end) return;
    if (ResponseBlock.of(block).status === Status.UNIMPLEMENTED) {
      this.#leave();
      this.refused();
    } else this.#again();
  }

  onData(bytes: Uint8Array, from: number, to: number, end: boolean): void {
    this.#stream?.consume(to - from);
    const reading = this.#reader.read(bytes, from, to, this);
    if (end || reading !== Reading.Fine) this.#again();
  }

  onMessage(bytes: Uint8Array, from: number, to: number, compressed: boolean): boolean {
    if (compressed) return false;
    try {
      this.told(bytes.subarray(from, to));
    } catch {
      return false;
    }
    this.#backoff.reset();
    return true;
  }

  onReset(): void {
    // A watch ends with its connection; the owner makes another for the next one.
    if (this.session.link.connection.closed) this.#leave();
    else this.#again();
  }

  onWritable(): void {
    // Nothing is sent after the request.
  }

  /** Ends the stream, and begins another later. */
  #again(): void {
    this.#leave();
    this.#pause();
    this.paused();
  }

  #pause(): void {
    clock.set(this, this.#backoff.next(Math.random()));
  }

  #leave(): void {
    const stream = this.#stream;
    this.#stream = null;
    if (stream?.closed === false) stream.reset(ErrorCode.CANCEL);
  }
}
