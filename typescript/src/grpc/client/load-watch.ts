import { ErrorCode, type HeaderBlock, type HeaderFields, type Stream } from "../http2/index.js";
import { log, LogVerbosity } from "../logging.js";
import { decodeLoadReport, type LoadReport } from "../orca/load-report.js";
import { orcaService } from "../orca/orca-messages.js";
import { frameMessage } from "../protocol/message-frame.js";
import { MessageReader, Reading, type MessageSink } from "../protocol/message-reader.js";
import { Status } from "../protocol/status.js";
import { Timer } from "../../transport/timer-wheel.js";
import type { Trace } from "../protocol/trace.js";
import { clock } from "../../transport/clock.js";
import { Backoff } from "./backoff.js";
import { ResponseBlock } from "./response.js";
import type { Session, StreamOwner } from "./session.js";

/** The longest report that is read, in bytes. */
const LONGEST_REPORT = 65_536;

/** The method that is asked. */
export const LOAD_METHOD = orcaService.StreamCoreMetrics.path;

/**
 * Receives the load reports of one connection's server on a stream of its own (gRFC A51). A stream that ends is begun
 * again after a pause, but not if the server does not know the method. It is not a call: it keeps neither process nor
 * connection alive. A timer itself, for the pauses.
 */
export class LoadWatch extends Timer implements StreamOwner, MessageSink {
  readonly #session: Session;
  readonly #fields: HeaderFields;
  readonly #request: Uint8Array;
  readonly #report: (report: LoadReport) => void;
  readonly #trace: Trace;
  readonly #backoff = new Backoff();
  #reader = new MessageReader(LONGEST_REPORT);
  #stream: Stream | null = null;

  /**
   * @param fields the head of a request for `LOAD_METHOD`
   * @param period milliseconds between two reports, as the server is asked for them
   */
  constructor(session: Session, fields: HeaderFields, period: number, report: (report: LoadReport) => void, trace: Trace) {
    super();
    this.#session = session;
    this.#fields = fields;
    this.#request = frameMessage(orcaService.StreamCoreMetrics.requestSerialize({ reportInterval: period }), false);
    this.#report = report;
    this.#trace = trace;
    this.expire();
  }

  /** Ends it for good. */
  stop(): void {
    clock.clear(this);
    this.#leave();
  }

  /** Begins, also after a pause. */
  expire(): void {
    const { connection } = this.#session.link;
    // The only free stream is for calls.
    if (!connection.canOpen || connection.peer.maxConcurrentStreams < 2) {
      this.#pause();
      return;
    }
    this.#reader = new MessageReader(LONGEST_REPORT);
    this.#stream = connection.open(this.#fields, false, this);
    this.#stream.data(this.#request, true);
  }

  onHeaders(block: HeaderBlock, end: boolean): void {
    if (!end) return;
    if (ResponseBlock.of(block).status === Status.UNIMPLEMENTED) {
      const text = `${this.#session.link.peer} does not report its load: it has no ${LOAD_METHOD}`;
      this.#trace.add(text, true);
      log(LogVerbosity.ERROR, text);
      this.#leave();
    } else this.#again();
  }

  onData(bytes: Uint8Array, from: number, to: number, end: boolean): void {
    this.#stream?.consume(to - from);
    const reading = this.#reader.read(bytes, from, to, this);
    if (end || reading !== Reading.Fine) this.#again();
  }

  onMessage(bytes: Uint8Array, from: number, to: number, compressed: boolean): boolean {
    if (compressed) return false;
    let report: LoadReport;
    try {
      report = decodeLoadReport(bytes.subarray(from, to));
    } catch {
      return false;
    }
    this.#backoff.reset();
    this.#report(report);
    return true;
  }

  onReset(): void {
    this.#again();
  }

  onWritable(): void {
    // The request is all that is ever sent.
  }

  /** Ends the stream, and begins another later. */
  #again(): void {
    this.#leave();
    this.#pause();
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
