import { ErrorCode, type HeaderBlock, type HeaderFields, type Stream } from "../http2/index.js";
import { DecompressedTooLong } from "../protocol/compression.js";
import { CHANNEL_RECEIVES, LESS_METADATA, READ_FASTER } from "../protocol/limit-remedies.js";
import { PREFIX, copyMessage, writePrefix } from "../protocol/message-frame.js";
import { MessageReader, Reading, type MessageSink } from "../protocol/message-reader.js";
import type { Metadata } from "../protocol/metadata.js";
import { Status, statusOfHttp, statusOfReset } from "../protocol/status.js";
import { thrownText } from "../protocol/thrown.js";
import { InflateTurns, inflateThreads } from "../transport/inflate-turns.js";
import type { Link } from "../transport/link.js";
import { zlibEncodings } from "../transport/zlib.js";
import type { Selection } from "./call-selector.js";
import type { Method } from "./method.js";
import type { Outgoing } from "./outgoing.js";
import { ResponseBlock } from "./response.js";
import { Progress } from "./retry-plan.js";
import { Leaving, type Session, type StreamOwner, type StreamSeeker } from "./session.js";
import { WaitingMessages } from "./waiting-messages.js";

const EMPTY = new Uint8Array(0);
/** `Stream.data` copies the prefix, so one is enough. */
const prefix = new Uint8Array(PREFIX);
/** Shared by all clients of the thread. One connection may use all threads: its calls are the program's own. */
const inflateTurns = new InflateTurns(inflateThreads(), inflateThreads());
/** Bytes of the DATA frame that is being read that belong to no waiting message. Frames are read one at a time. */
let free = 0;

/** The call, as its attempts see it. */
export interface AttemptOwner {
  readonly method: Method;
  readonly waitForReady: boolean;
  /** What the resolver has decided about the call. */
  readonly selection: Selection | null;
  /** What the caller sends, without call credentials. */
  readonly metadata: Metadata | null;
  /** The caller waits for the next message. */
  readonly reading: boolean;
  /** The deadline has passed. */
  readonly overdue: boolean;
  /** Messages given so far. */
  readonly total: number;
  /** No more messages follow. */
  readonly halfClosed: boolean;
  /** The message of that number, counted from 0 over the whole call. */
  message(number: number): Outgoing;
  /** The attempt has passed its messages to the stream, as far as there was room. */
  passed(attempt: Attempt): void;
  headers(attempt: Attempt, head: ResponseBlock, block: HeaderBlock): void;
  /** The next message, for which the caller waits. */
  receive(attempt: Attempt, message: Buffer): void;
  /** The server ended the attempt with a status. */
  finished(attempt: Attempt, head: ResponseBlock, block: HeaderBlock): void;
  /** The attempt is over without success. */
  failed(attempt: Attempt, code: Status, details: string, trailers: HeaderBlock | null, progress: Progress): void;
  /** No server has processed the attempt: retries transparently. */
  repeat(attempt: Attempt): void;
}

/** One attempt of a call: one stream on one connection. Reports to its call what came, and once how it ended. */
export class Attempt implements StreamOwner, StreamSeeker, MessageSink {
  readonly call: AttemptOwner;
  /** Attempts before this one, without transparent retries. */
  readonly previous: number;
  /** The session in which it has a stream or waits for one; null before, and once the stream is over. */
  session: Session | null = null;
  /** The attempt is over for the call: what still arrives is ignored. */
  ended = false;
  /** Messages handed to the stream. */
  sent = 0;
  /** Header fields of this attempt alone. */
  extra: HeaderFields | undefined = undefined;
  link: Link | null = null;
  /** Called once with how the stream ended: set for a program's own policy. */
  over: ((code: Status, details: string, trailers: HeaderBlock | null) => void) | null = null;
  /** The message that filled the stream's queue: its writer waits. */
  blocked: Outgoing | null = null;
  private stream: Stream | null = null;
  private writable = true;
  private endSent = false;
  private answered = false;
  private encoding = "identity";
  private reader: MessageReader | null = null;
  private waiting: WaitingMessages | null = null;

  constructor(call: AttemptOwner, previous: number) {
    this.call = call;
    this.previous = previous;
  }

  /** The session has room: opens the stream and sends what there is. */
  open(session: Session): void {
    this.session = session;
    this.link = session.link;
    const { fields } = this.call.method;
    const { connection } = session.link;
    if (this.extra !== undefined && !connection.sender.takes(fields, this.extra)) {
      const details = `Metadata of ${fields.listBytes + this.extra.listBytes} bytes is over the server's limit of ${connection.peer.maxHeaderListBytes}: ${LESS_METADATA}`;
      this.leave(Leaving.RESET, Status.RESOURCE_EXHAUSTED, details, null);
      this.refuse(Status.RESOURCE_EXHAUSTED, details);
      return;
    }
    try {
      this.stream = connection.open(fields, false, this, this.extra);
    } catch {
      // The connection ended between the pick and now.
      this.leave(Leaving.RESET, Status.UNAVAILABLE, "Connection dropped", null);
      session.retire();
      this.call.repeat(this);
      return;
    }
    this.pump();
  }

  /** Sends the call's messages while the stream has room. */
  pump(): void {
    const { call, stream } = this;
    if (stream === null || this.endSent) return;
    while (this.writable && this.sent < call.total) {
      const message = call.message(this.sent);
      if (!message.ready) return;
      this.sent += 1;
      this.endSent = call.halfClosed && this.sent === call.total;
      if (this.session !== null) this.session.counters.messagesSent += 1;
      writePrefix(prefix, 0, message.compressed, message.bytes.length);
      this.writable = stream.data(message.bytes, this.endSent, prefix);
      if (this.writable) message.passed();
      else this.blocked = message;
    }
    if (call.halfClosed && !this.endSent && this.sent === call.total) {
      this.endSent = true;
      stream.data(EMPTY, true);
    }
    call.passed(this);
  }

  onWritable(): void {
    if (this.ended) return;
    this.writable = true;
    const { blocked } = this;
    this.blocked = null;
    blocked?.passed();
    this.pump();
  }

  /** The session can take no more calls, and this one has no stream yet. */
  evicted(): void {
    this.session = null;
    this.call.repeat(this);
  }

  /** The channel has no connection for it. */
  refuse(code: Status, details: string): void {
    if (this.ended) return;
    this.ended = true;
    this.call.failed(this, code, details, null, Progress.PROCESSED);
  }

  /** Ends the stream without telling the call. */
  abandon(code: number = ErrorCode.CANCEL, status = Status.CANCELLED, details = "Call cancelled"): void {
    this.ended = true;
    if (this.waiting?.inflating === true) inflateTurns.forget(this.link!, this);
    this.waiting = null;
    const { session } = this;
    if (this.stream !== null) this.stop(code, status, details);
    else if (session !== null) {
      this.session = null;
      session.forget(this);
    }
  }

  /** Hands messages on while the call asks for them, and acknowledges their bytes. */
  deliver(): void {
    const { waiting, call } = this;
    if (waiting === null || waiting.delivering || waiting.inflating) return;
    const { backlog } = waiting;
    waiting.delivering = true;
    while (call.reading && !this.ended) {
      const message = backlog.shift();
      if (message === null) break;
      if (backlog.windowBytes > 0) this.stream!.consume(backlog.windowBytes);
      if (!backlog.compressed) call.receive(this, message);
      else if (!this.inflate(message)) break;
    }
    waiting.delivering = false;
    if (!waiting.idle || this.ended) return;
    const { conclusion, debt } = waiting;
    if (conclusion !== null) {
      waiting.conclusion = null;
      conclusion();
    } else if (debt > 0 && call.reading) {
      waiting.debt = 0;
      this.stream!.consume(debt);
    }
  }

  /** Whether the call has had all messages that came. */
  private get idle(): boolean {
    return this.waiting === null || this.waiting.idle;
  }

  onHeaders(block: HeaderBlock, end: boolean): void {
    if (this.ended) return;
    const head = ResponseBlock.of(block);
    if (end) {
      this.trailers(head, block);
      return;
    }
    if (this.answered || (head.http >= 100 && head.http < 200)) return;
    if (head.http !== 200) {
      this.fault(statusOfHttp(head.http), `Received HTTP status code ${head.http}`);
    } else if (!head.grpc) {
      this.fault(Status.UNKNOWN, `Received content-type ${head.contentType}, which is not gRPC's`);
    } else {
      this.answered = true;
      this.encoding = head.encoding;
      this.call.headers(this, head, block);
    }
  }

  onData(bytes: Uint8Array, from: number, to: number, end: boolean): void {
    const length = to - from;
    if (this.ended) {
      this.stream!.consume(length);
      return;
    }
    if (!this.answered) {
      this.fault(Status.INTERNAL, "Received a message before the response's headers");
      return;
    }
    const limit = this.call.method.maxReceive;
    free = length;
    // Fast path: the usual response is one message in one piece, and needs no reader.
    if (
      this.reader === null &&
      length >= PREFIX &&
      bytes[from] === 0 &&
      bytes[from + 1] === 0 &&
      ((bytes[from + 2]! << 16) | (bytes[from + 3]! << 8) | bytes[from + 4]!) === length - PREFIX &&
      length - PREFIX <= limit
    ) {
      this.onMessage(bytes, from + PREFIX, to, false, false);
    } else if (length > 0) {
      this.reader ??= new MessageReader(limit);
      this.judge(this.reader.read(bytes, from, to, this), this.reader.announced);
    }
    // An unfinished message is acknowledged if the caller waits for it: its length may exceed the window.
    if (this.call.reading && this.idle) this.stream!.consume(free);
    else (this.waiting ??= new WaitingMessages()).debt += free;
    if (end) this.fault(Status.INTERNAL, "Call ended without gRPC status");
  }

  onMessage(bytes: Uint8Array, from: number, to: number, compressed: boolean, owned: boolean): boolean {
    if (this.session !== null) this.session.counters.messagesReceived += 1;
    const { waiting } = this;
    if (this.call.reading && (waiting === null || (waiting.idle && !waiting.delivering))) {
      const message = owned ? Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from) : copyMessage(bytes, from, to);
      if (compressed) this.inflate(message);
      else this.call.receive(this, message);
    } else {
      const windowBytes = Math.min(PREFIX + to - from, free);
      free -= windowBytes;
      (this.waiting ??= new WaitingMessages()).backlog.push(bytes, from, to, compressed, windowBytes, owned);
    }
    return !this.ended && !this.concluded;
  }

  onReset(code: number, remote: boolean): void {
    const dropped = this.link!.connection.closed;
    this.leave(Leaving.RESET, dropped ? Status.UNAVAILABLE : statusOfReset(code), `Stream ended with code ${code}`, null);
    if (this.ended) return;
    this.conclude(() => {
      this.reset(code, remote, dropped);
    });
  }

  /** The stream is over: reports how to the call, after its last message. */
  private conclude(tell: () => void): void {
    const { waiting } = this;
    if (waiting === null || waiting.idle) tell();
    else waiting.conclusion = tell;
  }

  /** Whether the stream is over, and its end waits until the call has received all messages. */
  private get concluded(): boolean {
    return this.waiting !== null && this.waiting.conclusion !== null;
  }

  private reset(code: number, remote: boolean, dropped: boolean): void {
    const { call } = this;
    if (code === ErrorCode.REFUSED_STREAM) {
      this.ended = true;
      // After GOAWAY, or on a connection without stream ids left, the server has not processed the request.
      const unseen = dropped || !this.link!.connection.canOpen;
      call.failed(this, Status.UNAVAILABLE, "Stream refused by server", null, unseen ? Progress.UNSENT : Progress.REFUSED);
    } else if (dropped) {
      this.fault(Status.UNAVAILABLE, "Connection dropped");
    } else if (code === ErrorCode.NO_ERROR) {
      this.fault(Status.INTERNAL, `Received RST_STREAM with code ${code} (Call ended without gRPC status)`);
    } else if (code === ErrorCode.CANCEL && call.overdue) {
      this.fault(Status.DEADLINE_EXCEEDED, "Deadline exceeded");
    } else if (code === ErrorCode.CANCEL) {
      this.fault(Status.CANCELLED, "Call cancelled");
    } else if (code === ErrorCode.ENHANCE_YOUR_CALM) {
      this.fault(Status.RESOURCE_EXHAUSTED, `Bandwidth exhausted or memory limit exceeded (ENHANCE_YOUR_CALM): ${LESS_METADATA}; ${READ_FASTER} samewire.max_queued_bytes`);
    } else if (code === ErrorCode.INADEQUATE_SECURITY) {
      this.fault(Status.PERMISSION_DENIED, "Protocol not secure enough");
    } else {
      const side = remote ? "Received RST_STREAM" : "The response broke HTTP/2: stream ended";
      this.fault(statusOfReset(code), `${side} with code ${code}`);
    }
  }

  private trailers(head: ResponseBlock, block: HeaderBlock): void {
    const stream = this.stream!;
    // The server responded before it had read everything: it needs no more.
    if (!stream.closed) stream.reset(ErrorCode.NO_ERROR);
    this.session?.ended(block);
    this.leave(head.status === Status.OK ? Leaving.OK : Leaving.FAILED, head.status ?? Status.UNKNOWN, head.details, block);
    if (this.ended) return;
    if (this.idle) this.judgeTrailers(head, block);
    else this.postpone(head, block);
  }

  /** A method of its own: in `trailers` the closure would cost every call. */
  private postpone(head: ResponseBlock, block: HeaderBlock): void {
    this.conclude(() => {
      this.judgeTrailers(head, block);
    });
  }

  private judgeTrailers(head: ResponseBlock, block: HeaderBlock): void {
    if (this.reader?.atBoundary === false && head.status === Status.OK) {
      this.fault(Status.INTERNAL, "The response ended within a message");
    } else if (head.status !== null) {
      this.ended = true;
      this.call.finished(this, head, block);
    } else if (!this.answered && head.http !== 200) {
      this.fault(statusOfHttp(head.http), `Received HTTP status code ${head.http}`);
    } else {
      this.fault(Status.UNKNOWN, "The response ended without grpc-status");
    }
  }

  /** Returns false if the message comes later, or is refused. */
  private inflate(message: Uint8Array): boolean {
    const encoding = zlibEncodings.get(this.encoding);
    if (encoding === undefined) {
      const text = this.encoding === "identity" ? "Received a compressed message without grpc-encoding" : `Received a message compressed with unsupported encoding "${this.encoding}"`;
      this.unreadable(this.encoding === "identity" ? Status.INTERNAL : Status.UNIMPLEMENTED, text);
      return false;
    }
    try {
      const result = inflateTurns.inflate(this.link!, this, encoding, message, this.call.method.maxReceive);
      if (result instanceof Uint8Array) {
        this.call.receive(this, result);
        return true;
      }
      const waiting = (this.waiting ??= new WaitingMessages());
      waiting.inflating = true;
      result.then(
        (plain) => {
          waiting.inflating = false;
          if (this.ended) return;
          this.call.receive(this, plain);
          this.deliver();
        },
        (error: unknown) => {
          waiting.inflating = false;
          this.garbled(error);
        },
      );
    } catch (error) {
      this.garbled(error);
    }
    return false;
  }

  private garbled(error: unknown): void {
    if (this.ended) return;
    const most = this.call.method.maxReceive;
    if (error instanceof DecompressedTooLong) this.unreadable(Status.RESOURCE_EXHAUSTED, `Received message larger than max (${most + 1} vs ${most}): ${CHANNEL_RECEIVES}`);
    else this.unreadable(Status.INTERNAL, `Received a message that cannot be decompressed: ${thrownText(error)}`);
  }

  /** A message cannot be decompressed: the messages behind it, and the response's status, are dropped. */
  private unreadable(code: Status, details: string): void {
    this.waiting = null;
    this.fault(code, details);
  }

  private judge(reading: Reading, announced: number): void {
    if (reading === Reading.BadFlag) this.fault(Status.INTERNAL, "Received a message with an unknown flag");
    else if (reading === Reading.TooLong) {
      this.fault(Status.RESOURCE_EXHAUSTED, `Received message larger than max (${announced} vs ${this.call.method.maxReceive}): ${CHANNEL_RECEIVES}`);
    }
  }

  /** The response violates gRPC: ends the stream and fails the attempt. */
  private fault(code: Status, details: string): void {
    if (this.ended || this.concluded) return;
    this.stop(ErrorCode.CANCEL, code, details);
    this.conclude(() => {
      this.ended = true;
      this.call.failed(this, code, details, null, Progress.PROCESSED);
    });
  }

  /** Ends the stream, unless it has ended. */
  private stop(code: number, status: Status, details: string): void {
    const { session, stream } = this;
    if (!stream!.closed) {
      if (session === null) stream!.reset(code);
      else session.reset(stream!, code);
    }
    this.leave(Leaving.RESET, status, details, null);
  }

  private leave(how: Leaving, code: Status, details: string, trailers: HeaderBlock | null): void {
    const { session, over } = this;
    this.session = null;
    if (over !== null) {
      this.over = null;
      over(code, details, trailers);
    }
    session?.release(how);
  }
}
