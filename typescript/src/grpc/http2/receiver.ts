import { Allowance } from "./allowance.js";
import { Bandwidth } from "./bandwidth.js";
import { BlockAssembly } from "./block-assembly.js";
import { Step } from "./connection-states.js";
import type { Role } from "./connection-states.js";
import { ErrorCode, errorName } from "./error-code.js";
import { Http2Error } from "./error.js";
import { readGoaway, GOAWAY_BYTES } from "./frame/goaway.js";
import { Flag, FrameType, MAX_31_BITS } from "./frame/head.js";
import type { Span } from "./frame/head.js";
import { readHeaders } from "./frame/headers.js";
import { unpad } from "./frame/padding.js";
import { PING_BYTES } from "./frame/ping.js";
import { PRIORITY_BYTES, readParent } from "./frame/priority.js";
import { RST_STREAM_BYTES, readRstStream } from "./frame/rst-stream.js";
import { INITIAL_WINDOW, SETTING_BYTES, Setting, readSettings, settingsFrameBytes, writeSettings, writeSettingsAck } from "./frame/settings.js";
import { WINDOW_UPDATE_BYTES, readWindowUpdate } from "./frame/window-update.js";
import type { FrameSink } from "./frame-reader.js";
import type { Handler } from "./handler.js";
import type { HeaderBlock } from "./header-block.js";
import { HeaderDecoder } from "./hpack/decoder.js";
import type { Http2Options } from "./options.js";
import { ReadAhead } from "./read-ahead.js";
import { ReceiveWindow } from "./receive-window.js";
import type { Sender } from "./sender.js";
import { Event, State, next } from "./states.js";
import type { Stream } from "./stream.js";
import type { StreamTable } from "./stream-table.js";

/** The PING of a bandwidth sample. */
const SAMPLE = Uint8Array.of(0xb5, 0x57, 0, 0, 0, 0, 0, 0);

/** A peer that receives a message sends up to two WINDOW_UPDATEs each for the stream and the connection. */
const UPDATES_PER_MESSAGE = 4;

/** The weight, among resets, of a stream that was opened and reset in one read: it costs only parsing. */
const UNSTARTED_SHARE = 1 / 32;

/** Idle frames that one useful frame of the peer earns. */
const FRAMES_PER_REQUEST = 8;

/** The connection, as its receiving half sees it. */
export interface ReceiverConnection {
  readonly role: Role;
  readonly options: Http2Options;
  readonly sender: Sender;
  readonly streams: StreamTable;
  readonly closed: boolean;
  /** The peer has sent its first SETTINGS. */
  readonly prefaceReceived: boolean;
  /** The peer may open streams. */
  readonly accepts: boolean;
  lastPeerId: number;
  complaint: string;
  /** Adds a new stream. */
  create(id: number, context: unknown): Stream;
  /** Something has happened to the connection. Returns whether that changes anything. */
  move(step: Step): boolean;
  /** The peer's SETTINGS are read. */
  peerSettings(): void;
  /** The peer announced an error with GOAWAY. */
  peerFailed(): void;
  /** We reset a stream, and frames of it may be on their way. */
  noteReset(id: number): void;
  wasReset(id: number): boolean;
  hasClosed(id: number): boolean;
  /** A stream has ended. */
  noteEnd(id: number): void;
  /** The id has not been used yet. */
  isIdle(id: number): boolean;
  /** The id is one of the peer's that it may not use any more. */
  isRefused(id: number): boolean;
  /** The peer broke the protocol or a limit: ends the connection. */
  fail(code: ErrorCode, text: string): void;
}

/**
 * The receiving half of a connection: what each frame means (RFC 9113 section 6), our windows, and the limits against
 * floods.
 */
export class Receiver implements FrameSink {
  readonly decoder: HeaderDecoder;
  private readonly assembly: BlockAssembly;
  private readonly window: ReceiveWindow;
  private readonly bandwidth: Bandwidth;
  private readonly resets: Allowance;
  private readonly idleFrames: Allowance;
  /** Bytes of streams whose windows are held back: while there are any, windows do not grow. */
  withheldBytes = 0;
  private readonly span: Span = { from: 0, to: 0 };
  /** Our window of new streams. */
  private streamWindow: number;
  /** SETTINGS of ours that the peer has not acknowledged: the first, and one for each change of windows. */
  private unsettled = 1;
  /** How many of those are to come up to the one that makes windows smaller; 0 if there is none. */
  private lowering = 0;
  /** The stream of the last DATA or HEADERS: the next frame is often for it too. */
  private latest: Stream | null = null;
  private readonly ahead = new ReadAhead();
  /** Streams that the peer opened, and will have reset by the end of this read. The layer above never knows them. */
  private unstarted: Set<number> | null = null;

  constructor(
    private readonly connection: ReceiverConnection,
    private readonly handler: Handler,
  ) {
    const { options } = connection;
    this.decoder = new HeaderDecoder(options);
    this.assembly = new BlockAssembly(options);
    this.window = new ReceiveWindow(INITIAL_WINDOW);
    this.window.grow(options.connectionWindowBytes);
    this.streamWindow = options.streamWindowBytes;
    this.bandwidth = new Bandwidth(options.clock, options.maxWindowBytes);
    this.resets = new Allowance(options.resetBurst, options.resetsPerSecond, options.clock);
    this.idleFrames = new Allowance(options.idleFrameBurst, options.idleFramesPerSecond, options.clock);
  }

  frame(type: number, flags: number, id: number, bytes: Uint8Array, from: number, to: number): boolean {
    const { connection } = this;
    if (!connection.prefaceReceived) {
      if (type !== FrameType.SETTINGS || (flags & Flag.ACK) !== 0) this.broken("the first frame is SETTINGS");
      connection.move(Step.RECEIVE_SETTINGS);
    }
    if (this.assembly.open && (type !== FrameType.CONTINUATION || id !== this.assembly.stream)) this.broken("a header block was interrupted");
    switch (type) {
      case FrameType.DATA:
        this.data(flags, id, bytes, from, to);
        break;
      case FrameType.HEADERS:
        this.headers(flags, id, bytes, from, to);
        break;
      case FrameType.WINDOW_UPDATE:
        this.windowUpdate(id, bytes, from, to);
        break;
      case FrameType.RST_STREAM:
        this.reset(id, bytes, from, to);
        break;
      case FrameType.SETTINGS:
        this.settings(flags, id, bytes, from, to);
        break;
      case FrameType.PING:
        this.ping(flags, id, bytes, from, to);
        break;
      case FrameType.GOAWAY:
        this.goaway(id, bytes, from, to);
        break;
      case FrameType.CONTINUATION:
        this.continuation(flags, id, bytes, from, to);
        break;
      case FrameType.PRIORITY:
        this.priority(id, bytes, from, to);
        break;
      case FrameType.PUSH_PROMISE:
        this.broken("PUSH_PROMISE is not accepted");
        break;
      default:
        this.idle();
    }
    return !connection.closed;
  }

  rest(bytes: Uint8Array, from: number, to: number): void {
    // Without a clock the same events come however the peer's bytes are cut.
    if (this.connection.options.clock !== null) this.ahead.begin(bytes, from, to);
  }

  /** What the socket gave at once has been read. */
  readDone(): void {
    this.ahead.end();
  }

  refuse(code: ErrorCode, text: string): void {
    this.connection.fail(code, text);
  }

  /** The stream whose header block has begun and goes on; 0 if there is none. */
  get openBlock(): number {
    return this.assembly.open ? this.assembly.stream : 0;
  }

  /** The stream is gone. */
  forget(stream: Stream): void {
    if (this.latest === stream) this.latest = null;
  }

  /** Message bytes were sent: the peer may send window updates for them. */
  useful(bytes: number): void {
    if (bytes > 0) this.idleFrames.earn(UPDATES_PER_MESSAGE);
  }

  /** The layer above has handled `n` bytes of a stream. */
  give(stream: Stream, n: number): void {
    this.giveConnection(n);
    this.giveStream(stream, n);
  }

  giveStream(stream: Stream, n: number): void {
    const { connection } = this;
    if (connection.closed || stream.inbound === null || stream.remoteEnded) return;
    const due = stream.inbound.give(n);
    if (due > 0) connection.sender.windowUpdate(stream.id, due);
  }

  giveConnection(n: number): void {
    if (this.connection.closed) return;
    const due = this.window.give(n);
    if (due > 0) this.connection.sender.windowUpdate(0, due);
  }

  /**
   * A bandwidth sample is complete: larger windows for all, if the peer filled the ones it had and readers keep up with
   * it.
   */
  private sampled(): void {
    const { connection } = this;
    const size = this.bandwidth.finish(this.streamWindow);
    if (size <= this.streamWindow || this.lowering > 0 || this.withheldBytes > 0 || this.window.unread > connection.options.maxWindowBytes >> 1) return;
    const due = this.window.grow(size);
    if (due > 0) connection.sender.windowUpdate(0, due);
    this.announce(size);
    this.resize(size);
  }

  /**
   * If readers leave too much unread: small windows for all, so that paused streams hold little each. They count from
   * the peer's acknowledgement on; until then it sends by the windows of before.
   */
  private heed(): void {
    if (this.window.unread > this.connection.options.maxWindowBytes) this.tighten();
  }

  /** Small windows for all streams from now on, until a fast peer fills them. */
  tighten(): void {
    const { leastWindowBytes } = this.connection.options;
    if (this.streamWindow <= leastWindowBytes || this.lowering > 0) return;
    this.announce(leastWindowBytes);
    this.lowering = this.unsettled;
  }

  private announce(size: number): void {
    this.unsettled += 1;
    this.connection.sender.write(settingsFrameBytes(1), false, (out, at) => writeSettings([[Setting.INITIAL_WINDOW_SIZE, size]], out, at));
  }

  private resize(size: number): void {
    this.streamWindow = size;
    for (const stream of this.connection.streams.values()) {
      stream.inbound?.resize(size);
      // What was too little to announce of the larger window may be all that the peer waits for.
      this.giveStream(stream, 0);
    }
  }

  /** The peer has acknowledged SETTINGS of ours. */
  private settled(): void {
    this.decoder.acknowledged();
    if (this.unsettled > 0) this.unsettled -= 1;
    if (this.lowering === 0 || --this.lowering > 0) return;
    this.resize(this.connection.options.leastWindowBytes);
    this.bandwidth.restart();
  }

  private data(flags: number, id: number, bytes: Uint8Array, from: number, to: number): void {
    const { connection, span } = this;
    const length = to - from;
    if (id === 0) this.broken("DATA belongs to a stream");
    if (!this.window.use(length)) this.fatal(ErrorCode.FLOW_CONTROL_ERROR, "DATA beyond the connection's window");
    if (this.bandwidth.count(length, this.streamWindow)) connection.sender.ping(false, SAMPLE, 0);
    span.from = from;
    span.to = to;
    if (!unpad(bytes, flags, span)) this.broken("padding longer than its frame");
    const payload = span.to - span.from;
    const end = (flags & Flag.END_STREAM) !== 0;
    if (payload > 0) this.idleFrames.earn(1);
    else if (!end) this.idle();
    const stream = this.latest !== null && this.latest.id === id ? this.latest : connection.streams.get(id);
    if (stream === undefined) {
      this.giveConnection(length);
      this.gone(id);
      return;
    }
    const state = next(stream.state, end ? Event.RECEIVE_END : Event.RECEIVE_DATA);
    const fault = state < 0 ? -state : this.dataFault(stream, length, payload, end);
    if (fault !== 0) {
      this.giveConnection(length);
      this.streamError(stream, fault, "DATA that its stream has no place for");
      return;
    }
    stream.unacknowledged += payload;
    if (length > payload) {
      stream.unacknowledged += length - payload;
      stream.consume(length - payload);
    }
    if (end) stream.transit(Event.RECEIVE_END);
    this.handler.onData(stream, bytes, span.from, span.to, end);
    if (stream.unacknowledged > 0) this.heed();
  }

  /** Returns the stream error of a DATA frame, or 0. */
  private dataFault(stream: Stream, length: number, payload: number, end: boolean): ErrorCode {
    if (!stream.headReceived) return ErrorCode.PROTOCOL_ERROR;
    if (stream.inbound === null) {
      if (end ? length > this.streamWindow : !(stream.inbound = new ReceiveWindow(this.streamWindow)).use(length)) return ErrorCode.FLOW_CONTROL_ERROR;
    } else if (!stream.inbound.use(length)) return ErrorCode.FLOW_CONTROL_ERROR;
    if (stream.remaining < 0) return 0;
    stream.remaining -= payload;
    return stream.remaining < 0 || (end && stream.remaining > 0) ? ErrorCode.PROTOCOL_ERROR : 0;
  }

  private headers(flags: number, id: number, bytes: Uint8Array, from: number, to: number): void {
    const { span } = this;
    if (id === 0) this.broken("HEADERS belongs to a stream");
    span.from = from;
    span.to = to;
    const fault = readHeaders(bytes, flags, id, span);
    if (fault === "layout") this.broken("padding or priority longer than its frame");
    const end = (flags & Flag.END_STREAM) !== 0;
    if ((flags & Flag.END_HEADERS) !== 0) this.block(id, bytes, span.from, span.to, end, fault === "self");
    else this.assembly.begin(id, bytes, span.from, span.to, end, fault === "self");
  }

  private continuation(flags: number, id: number, bytes: Uint8Array, from: number, to: number): void {
    const { assembly } = this;
    if (!assembly.open) this.broken("CONTINUATION continues nothing");
    if (!assembly.add(bytes, from, to)) {
      const { maxHeaderBlockBytes, maxContinuations } = this.connection.options;
      const found = `a header block is over ${maxHeaderBlockBytes} bytes or ${maxContinuations} CONTINUATION frames`;
      this.tooMuch(`${found}: send less metadata, or raise samewire.http2.maxHeaderBlockBytes and maxContinuations`);
    }
    if ((flags & Flag.END_HEADERS) === 0) return;
    const block = assembly.finish();
    this.block(id, block, 0, block.length, assembly.end, assembly.selfDependent);
  }

  private block(id: number, bytes: Uint8Array, from: number, to: number, end: boolean, selfDependent: boolean): void {
    const { connection } = this;
    // Every block is decoded, even for a refused stream: the dynamic tables must stay in step.
    const block = this.decoder.decode(bytes, from, to);
    let stream = connection.streams.get(id);
    const opens = stream === undefined;
    if (stream === undefined) {
      const opened = this.accept(id, block);
      if (opened === null) return;
      stream = opened;
    }
    this.latest = stream;
    const state = next(stream.state, Event.RECEIVE_HEADERS);
    if (state < 0) {
      this.streamError(stream, -state, "HEADERS after the end of the stream");
      return;
    }
    stream.state = state as State;
    if (block === null) {
      this.streamError(stream, ErrorCode.ENHANCE_YOUR_CALM, "a header list is over samewire.http2.maxHeaderListBytes: send less metadata, or raise it", opens);
      return;
    }
    const trailers = stream.headReceived;
    const part = trailers ? "trailers" : connection.role === "server" ? "request" : "response";
    let fault = selfDependent ? "a stream that depends on itself" : block.fault(part);
    let interim = false;
    if (trailers) {
      if (!end) fault ||= "trailers end their stream";
      else if (stream.remaining > 0) fault ||= "less DATA than content-length";
    } else if (fault === "") {
      interim = part === "response" && block.values[0]!.startsWith("1");
      if (interim) {
        this.idle();
        if (end) fault = "an interim response ends nothing";
      } else {
        stream.headReceived = true;
        stream.remaining = block.contentLength;
        if (end && stream.remaining > 0) fault = "less DATA than content-length";
      }
    }
    if (fault !== "") {
      this.streamError(stream, ErrorCode.PROTOCOL_ERROR, fault, opens);
      return;
    }
    if (end) stream.transit(Event.RECEIVE_END);
    if (opens) {
      this.idleFrames.earn(FRAMES_PER_REQUEST);
      this.handler.onStream(stream, block, end);
    } else this.handler.onHeaders(stream, block, end);
  }

  /** Returns the stream that the peer opens; null if it may not, or not now. */
  private accept(id: number, block: HeaderBlock | null): Stream | null {
    const { connection } = this;
    if (connection.role === "client" || (id & 1) === 0) {
      this.gone(id);
      return null;
    }
    if (id <= connection.lastPeerId) {
      this.late(id);
      return null;
    }
    if (!connection.accepts) return null;
    const { options, sender } = connection;
    connection.lastPeerId = id;
    if (this.ahead.resets(id) && block !== null && block.fault("request") === "") {
      this.leaveUnstarted(id);
      return null;
    }
    // What a handler writes beyond its queue is its own bound: other calls go on.
    if (connection.streams.size < options.maxConcurrentStreams && sender.queuedBytes - sender.heldBytes <= options.maxQueuedBytes) {
      const stream = connection.create(id, undefined);
      if (options.clock !== null) stream.openedAt = options.clock();
      return stream;
    }
    this.refuseStream(id);
    return null;
  }

  /**
   * Opens no stream: its reset has come as well. Busy machines read what came over a while at once, cancelled calls with
   * their cancellations, and must not take their clients for attackers.
   */
  private leaveUnstarted(id: number): void {
    this.costly(UNSTARTED_SHARE);
    (this.unstarted ??= new Set()).add(id);
  }

  /** Refuses a stream over the limit of streams or of queued bytes. Nothing of the request has been processed. */
  private refuseStream(id: number): void {
    this.costly();
    this.connection.sender.reset(id, ErrorCode.REFUSED_STREAM);
    this.connection.noteReset(id);
  }

  /** A frame for an open stream came for one that is not open. */
  private gone(id: number): void {
    const { connection } = this;
    if (connection.isIdle(id)) this.broken(`stream ${id} was never opened`);
    if (connection.isRefused(id) || connection.wasReset(id) || this.unstarted?.has(id) === true) return;
    this.fatal(ErrorCode.STREAM_CLOSED, `stream ${id} has ended`);
  }

  /** HEADERS for a stream id that cannot be new. */
  private late(id: number): void {
    const { connection } = this;
    if (connection.wasReset(id) || this.unstarted?.has(id) === true) return;
    if (connection.hasClosed(id)) this.fatal(ErrorCode.STREAM_CLOSED, `stream ${id} has ended`);
    this.broken(`stream ${id} comes after stream ${connection.lastPeerId}`);
  }

  private reset(id: number, bytes: Uint8Array, from: number, to: number): void {
    const { connection } = this;
    if (id === 0) this.broken("RST_STREAM belongs to a stream");
    if (to - from !== RST_STREAM_BYTES) this.fatal(ErrorCode.FRAME_SIZE_ERROR, "RST_STREAM has four bytes");
    if (connection.isIdle(id)) this.broken(`stream ${id} was never opened`);
    const stream = connection.streams.get(id);
    if (stream === undefined) {
      if (this.unstarted?.delete(id) === true) connection.noteEnd(id);
      else this.idle();
      return;
    }
    if (connection.role === "server" && !stream.localEnded) this.costly(this.share(stream));
    this.over(stream, Event.RECEIVE_RESET, readRstStream(bytes, from));
  }

  private windowUpdate(id: number, bytes: Uint8Array, from: number, to: number): void {
    const { connection } = this;
    if (to - from !== WINDOW_UPDATE_BYTES) this.fatal(ErrorCode.FRAME_SIZE_ERROR, "WINDOW_UPDATE has four bytes");
    this.idle();
    const increment = readWindowUpdate(bytes, from);
    const { sender } = connection;
    if (id === 0) {
      if (increment === 0) this.broken("WINDOW_UPDATE by nothing");
      if ((sender.window += increment) > MAX_31_BITS) this.fatal(ErrorCode.FLOW_CONTROL_ERROR, "a window over 2^31 - 1");
      sender.opened(null);
      return;
    }
    if (connection.isIdle(id)) this.broken(`stream ${id} was never opened`);
    const stream = connection.streams.get(id);
    if (stream === undefined) return;
    if (increment === 0) this.streamError(stream, ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE by nothing");
    else if ((stream.sendWindow += increment) > MAX_31_BITS) this.streamError(stream, ErrorCode.FLOW_CONTROL_ERROR, "a window over 2^31 - 1");
    else sender.opened(stream);
  }

  private settings(flags: number, id: number, bytes: Uint8Array, from: number, to: number): void {
    const { connection } = this;
    if (id !== 0) this.broken("SETTINGS belongs to the connection");
    if ((flags & Flag.ACK) !== 0) {
      if (to > from) this.fatal(ErrorCode.FRAME_SIZE_ERROR, "an acknowledgement of SETTINGS is empty");
      this.idle();
      this.settled();
      return;
    }
    if ((to - from) % SETTING_BYTES !== 0) this.fatal(ErrorCode.FRAME_SIZE_ERROR, "SETTINGS in pieces of six bytes");
    this.idle(1 + (to - from) / SETTING_BYTES);
    const { sender } = connection;
    const before = sender.peer.streamWindowBytes;
    const fault = readSettings(bytes, from, to, sender.peer);
    if (fault !== ErrorCode.NO_ERROR) this.fatal(fault, "SETTINGS with a value out of range");
    if (connection.role === "client" && sender.peer.push && this.mentionsPush(bytes, from, to)) this.broken("a server cannot ask for push");
    sender.encoder.allow(sender.peer.headerTableBytes);
    const change = sender.peer.streamWindowBytes - before;
    if (change !== 0) {
      for (const stream of connection.streams.values()) {
        if ((stream.sendWindow += change) > MAX_31_BITS) this.fatal(ErrorCode.FLOW_CONTROL_ERROR, "a window over 2^31 - 1");
        if (change > 0) sender.opened(stream);
      }
    }
    sender.write(settingsFrameBytes(0), true, writeSettingsAck);
    connection.peerSettings();
  }

  private mentionsPush(bytes: Uint8Array, from: number, to: number): boolean {
    for (let at = from; at < to; at += SETTING_BYTES) if (bytes[at] === 0 && bytes[at + 1] === Setting.ENABLE_PUSH) return true;
    return false;
  }

  private ping(flags: number, id: number, bytes: Uint8Array, from: number, to: number): void {
    if (id !== 0) this.broken("PING belongs to the connection");
    if (to - from !== PING_BYTES) this.fatal(ErrorCode.FRAME_SIZE_ERROR, "PING has eight bytes");
    this.idle();
    if ((flags & Flag.ACK) === 0) this.connection.sender.ping(true, bytes, from);
    else if (this.bandwidth.sampling && SAMPLE.every((byte, i) => byte === bytes[from + i])) this.sampled();
    else this.handler.onPong(bytes.slice(from, to));
  }

  private goaway(id: number, bytes: Uint8Array, from: number, to: number): void {
    const { connection } = this;
    if (id !== 0) this.broken("GOAWAY belongs to the connection");
    if (to - from < GOAWAY_BYTES) this.fatal(ErrorCode.FRAME_SIZE_ERROR, "GOAWAY has eight bytes at least");
    this.idle();
    const { last, code, debug } = readGoaway(bytes, from, to);
    connection.move(Step.RECEIVE_GOAWAY);
    if (connection.role === "client") {
      for (const stream of connection.streams.values()) if (stream.id > last) this.over(stream, Event.RECEIVE_RESET, ErrorCode.REFUSED_STREAM);
    }
    if (code !== ErrorCode.NO_ERROR) connection.peerFailed();
    this.handler.onGoaway(last, code, debug);
  }

  private priority(id: number, bytes: Uint8Array, from: number, to: number): void {
    if (id === 0) this.broken("PRIORITY belongs to a stream");
    this.idle();
    const stream = this.connection.streams.get(id);
    const code = to - from !== PRIORITY_BYTES ? ErrorCode.FRAME_SIZE_ERROR : readParent(bytes, from) === id ? ErrorCode.PROTOCOL_ERROR : ErrorCode.NO_ERROR;
    if (code === ErrorCode.NO_ERROR) return;
    if (stream === undefined) this.fatal(code, "a PRIORITY that says nothing");
    this.streamError(stream, code, "a PRIORITY that says nothing");
  }

  /** A stream error (RFC 9113 section 5.4.2): resets the stream. `silent`: the layer above does not know it. */
  private streamError(stream: Stream, code: ErrorCode, text: string, silent = false): void {
    const { connection } = this;
    this.costly();
    connection.sender.reset(stream.id, code);
    connection.noteReset(stream.id);
    connection.complaint = `stream ${stream.id}: ${errorName(code)}: ${text}`;
    this.over(stream, Event.SEND_RESET, code, silent, false);
  }

  private over(stream: Stream, event: Event, code: ErrorCode, silent = false, remote = true): void {
    stream.transit(event);
    if (!silent) this.handler.onReset(stream, code, remote);
  }

  /**
   * How much a reset counts. An attacker opens and resets streams as fast as it can write them, to have handlers begun
   * beyond all limits of streams. A caller that gives up has waited first, and all the while its stream counted among
   * those of the connection.
   */
  private share(stream: Stream): number {
    const { clock } = this.connection.options;
    return clock === null ? 1 : 1 / Math.max(clock() - stream.openedAt, 1);
  }

  /** A stream has ended without a reset: work that was wanted. */
  completed(): void {
    this.resets.earn(1);
  }

  /** Counts a stream that was opened and reset. */
  private costly(share = 1): void {
    if (this.resets.spend(share)) return;
    const found = `over ${this.connection.options.resetBurst} streams were reset in a burst`;
    this.tooMuch(`${found}: cancel fewer calls, or raise samewire.http2.resetBurst and resetsPerSecond`);
  }

  /** Counts a frame that carries nothing for the layer above. */
  private idle(cost = 1): void {
    if (this.idleFrames.spend(cost)) return;
    const found = `over ${this.connection.options.idleFrameBurst} frames that carry nothing (PING, SETTINGS, empty DATA) in a burst`;
    this.tooMuch(`${found}: send fewer, or raise samewire.http2.idleFrameBurst and idleFramesPerSecond`);
  }

  private tooMuch(text: string): never {
    this.fatal(ErrorCode.ENHANCE_YOUR_CALM, text);
  }

  private broken(text: string): never {
    this.fatal(ErrorCode.PROTOCOL_ERROR, text);
  }

  /** A connection error (RFC 9113 section 5.4.1). */
  private fatal(code: ErrorCode, text: string): never {
    throw new Http2Error(code, "peer", text);
  }
}
