import type { Machine, Outlet, OutputChunk } from "../../core/machine.js";
import { Phase, Right, Step, may, nextPhase } from "./connection-states.js";
import type { Role } from "./connection-states.js";
import { ErrorCode } from "./error-code.js";
import { Http2Error } from "./error.js";
import type { Fault } from "./error.js";
import { GOAWAY_FRAME_BYTES, writeGoaway } from "./frame/goaway.js";
import { MAX_31_BITS } from "./frame/head.js";
import { INITIAL_WINDOW, Setting, longData, settingsFrameBytes, writeSettings } from "./frame/settings.js";
import { FrameReader, PREFACE } from "./frame-reader.js";
import type { Handler } from "./handler.js";
import type { HeaderFields } from "./header-fields.js";
import { http2Options } from "./options.js";
import type { Http2Options } from "./options.js";
import { Receiver } from "./receiver.js";
import { RecentIds } from "./recent-ids.js";
import { Sender } from "./sender.js";
import { recycle } from "./slab.js";
import { Event } from "./states.js";
import { Stream } from "./stream.js";
import { StreamTable } from "./stream-table.js";

/** The peer's SETTINGS. */
export interface PeerSettings {
  readonly headerTableBytes: number;
  readonly maxConcurrentStreams: number;
  readonly streamWindowBytes: number;
  readonly maxFrameBytes: number;
  readonly maxHeaderListBytes: number;
}

/**
 * How many ids of reset streams and of ended streams (a power of two) are remembered, to tell a late frame from a wrong
 * one.
 */
const REMEMBERED_RESETS = 1_024;
const REMEMBERED_ENDS = 128;

/** The most bytes of debug text in a GOAWAY of ours. */
const DEBUG_BYTES = 256;

/** Milliseconds for a peer to close the connection after a GOAWAY with an error: its calls would wait without a limit. */
const CLOSE_MS = 5_000;

/** Milliseconds of grace for a preface or a frame whose time is up: what has come by then may not be read yet. */
const GRACE_MS = 1_000;

/** What the connection's one timeout waits for. */
const Timeout = { NONE: 0, PREFACE: 1, PREFACE_GRACE: 2, CLOSE: 3, FRAME: 4, FRAME_GRACE: 5 } as const;
type Timeout = (typeof Timeout)[keyof typeof Timeout];

const NOTHING = new Uint8Array(0);

/** Checked once per frame. Relies on the phase order: every phase from OPEN to the one before CLOSED allows frames. */
const { OPEN, CLOSED } = Phase;

/**
 * One HTTP/2 connection (RFC 9113), without socket and clock. After an error it is closed, and nothing more happens.
 */
export class Connection implements Machine {
  readonly role: Role;
  readonly options: Http2Options;
  /** The only record of the connection's state. The fields from here to `outlet` are for this layer alone. */
  phase: Phase = Phase.PREFACE;
  /** Open streams by id. */
  readonly streams = new StreamTable();
  readonly sender: Sender;
  readonly receiver: Receiver;
  /** The highest stream of the peer so far. Higher ones are ignored when the peer may not open streams. */
  lastPeerId = 0;
  outlet: Outlet | null = null;
  /** Why we last reset a stream for a fault of the peer, as text. */
  complaint = "";

  private readonly handler: Handler;
  private readonly reader: FrameReader;
  private readonly resets = new RecentIds(REMEMBERED_RESETS);
  private readonly ends = new Int32Array(REMEMBERED_ENDS);
  private endsAt = 0;
  private nextId = 1;
  private cause: Http2Error | null = null;
  private timeout: Timeout = Timeout.NONE;
  /** The frame or header block that it waits for. */
  private awaited = 0;

  constructor(role: Role, handler: Handler, options: Partial<Http2Options> = {}) {
    this.role = role;
    this.options = http2Options(options);
    this.handler = handler;
    this.sender = new Sender(this);
    this.receiver = new Receiver(this, handler);
    this.reader = new FrameReader(this.receiver, this.options.maxFrameBytes, role === "server");
    this.writePreface();
  }

  /** Connects the transport, which takes the preface right after. A server then waits for the client's. */
  attach(outlet: Outlet): void {
    this.outlet = outlet;
    if (this.role !== "server" || this.prefaceReceived) return;
    this.timeout = Timeout.PREFACE;
    outlet.onDeadline(this.options.prefaceMs);
  }

  /** The deadline of `timeout` has passed. */
  expire(): void {
    switch (this.timeout) {
      case Timeout.PREFACE:
        // A program that held the thread has yet to read what came meanwhile.
        this.timeout = Timeout.PREFACE_GRACE;
        this.outlet?.onDeadline(Math.min(GRACE_MS, this.options.prefaceMs));
        break;
      case Timeout.PREFACE_GRACE:
        this.end(new Error("the peer has not sent the preface of HTTP/2 in time"));
        break;
      case Timeout.CLOSE:
        this.end(new Error("the peer announced an error with GOAWAY and has not closed the connection"));
        break;
      default:
        this.expireFrame();
    }
  }

  /** Time is up for a frame or header block that had begun; the peer may have begun others since. */
  private expireFrame(): void {
    const grace = this.timeout === Timeout.FRAME_GRACE;
    this.timeout = Timeout.NONE;
    const begun = this.begun;
    if (begun === 0) return;
    // While we do not read, it is not the peer that is late.
    if (begun !== this.awaited || this.sender.pausing) this.await(Timeout.FRAME);
    // A program that held the thread has yet to read what came meanwhile.
    else if (!grace) this.await(Timeout.FRAME_GRACE);
    else {
      const found = `a frame or header block was begun and not finished within ${this.options.frameMs} ms`;
      this.fail(ErrorCode.ENHANCE_YOUR_CALM, `${found}: send it at once, or raise samewire.http2.frameMs`);
    }
  }

  /** A number for the frame or header block that has begun, another one for each; 0 if there is none. */
  private get begun(): number {
    const { openBlock } = this.receiver;
    return openBlock > 0 ? -openBlock : this.reader.unfinished ? this.reader.begun : 0;
  }

  private await(what: Timeout): void {
    const { outlet, options } = this;
    if (outlet === null || this.closed || !this.prefaceReceived) return;
    this.timeout = what;
    this.awaited = this.begun;
    outlet.onDeadline(what === Timeout.FRAME ? options.frameMs : Math.min(GRACE_MS, options.frameMs));
  }

  /** Whether the connection has ended. */
  get closed(): boolean {
    return this.phase === CLOSED;
  }

  /** Whether the peer has shown that it speaks HTTP/2. */
  get prefaceReceived(): boolean {
    return this.phase >= OPEN;
  }

  /** Whether we have sent the warning, and no GOAWAY yet. */
  get warned(): boolean {
    const { phase } = this;
    return phase === Phase.PREFACE_WARNED || phase === Phase.WARNED || phase === Phase.LEFT_WARNED;
  }

  /** Whether the peer may open streams. */
  get accepts(): boolean {
    return may(this.phase, Right.ACCEPT);
  }

  /** Why the connection ended; null while it is open and after an orderly end. Set before the streams' `onReset`. */
  get error(): Http2Error | null {
    return this.cause;
  }

  /** Open streams of both sides. */
  get openStreams(): number {
    return this.streams.size;
  }

  /** Message bytes queued in all streams, or held for their queues. */
  get queuedBytes(): number {
    return this.sender.queuedBytes;
  }

  /** Whether we may open one more stream now: the peer's MAX_CONCURRENT_STREAMS, GOAWAY, and stream ids left. */
  get canOpen(): boolean {
    return may(this.phase, Right.OPEN) && this.nextId <= MAX_31_BITS && this.streams.size < this.sender.peer.maxConcurrentStreams;
  }

  /** The peer's SETTINGS; the RFC's initial values before `onSettings`. */
  get peer(): PeerSettings {
    return this.sender.peer;
  }

  /** Handles bytes from the socket. They are read during the call only. */
  receive(bytes: Uint8Array, from = 0, to = bytes.length): void {
    if (this.closed) return;
    // `slice` of a Buffer is a view that would keep the whole chunk alive; of a Uint8Array it is a copy.
    const plain = bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    try {
      this.reader.receive(plain, from, to);
    } catch (error) {
      this.caught(error);
    }
    this.receiver.readDone();
    if ((this.reader.unfinished || this.receiver.openBlock > 0) && this.timeout === Timeout.NONE) this.await(Timeout.FRAME);
  }

  /** The peer closed its side, or with `reason` the transport broke: resets open streams and ends the connection. */
  end(reason?: Error): void {
    if (this.closed) return;
    const orderly = reason === undefined && this.streams.size === 0 && this.reader.buffered === 0;
    this.die(Step.CUT, orderly ? null : new Http2Error(ErrorCode.CONNECT_ERROR, "cut", reason?.message ?? "the connection was closed", reason && { cause: reason }));
  }

  /**
   * Returns the bytes to write now, or null. They belong to the caller until `recycle`. If pieces of messages are among
   * them, the next call comes after they are written.
   */
  take(): OutputChunk | null {
    try {
      return this.sender.take();
    } catch (error) {
      this.caught(error);
      return this.sender.take();
    }
  }

  /** Takes back what `take` returned, once it is written, to be used again. */
  recycle(output: OutputChunk): void {
    recycle(output);
  }

  /**
   * Client: opens a stream with a request.
   *
   * @throws Http2Error `misuse` after GOAWAY, after the end of the connection, or if its stream ids are used up. More
   * streams than the peer allows are not refused here: check `canOpen`.
   */
  open(fields: HeaderFields, end: boolean, context: unknown, extra?: HeaderFields): Stream {
    if (this.role !== "client" || !may(this.phase, Right.OPEN) || this.nextId > MAX_31_BITS) {
      throw new Http2Error(ErrorCode.REFUSED_STREAM, "misuse", "no stream can be opened on this connection any more");
    }
    const stream = this.create(this.nextId, context);
    this.nextId += 2;
    stream.headers(fields, end, extra);
    return stream;
  }

  /**
   * Sends a PING; `onPong` follows with the same 8 bytes. Payloads that begin with 0xb5 0x57 are the connection's own.
   */
  ping(payload: Uint8Array): void {
    if (!this.closed) this.sender.ping(false, payload, 0);
  }

  /**
   * Warns the peer to open no more streams; those it opens until the warning arrives are still accepted. Returns
   * whether it is the first warning.
   */
  warn(): boolean {
    return this.move(Step.SEND_WARNING) && this.announce(MAX_31_BITS);
  }

  /** Tells the peer that no more streams are accepted. Open streams go on. Returns whether it is the first GOAWAY. */
  goaway(): boolean {
    return this.move(Step.SEND_GOAWAY) && this.announce(this.lastPeerId);
  }

  /** Closes a draining connection if no stream is open. Returns whether the connection is closed. */
  finish(): boolean {
    if (this.streams.size === 0) this.die(Step.LAST_STREAM_ENDED, null);
    return this.closed;
  }

  /** Sends GOAWAY with this code, resets open streams and ends the connection. */
  close(code: ErrorCode = ErrorCode.NO_ERROR, text = ""): void {
    this.die(Step.CLOSE, code === ErrorCode.NO_ERROR ? null : new Http2Error(code, "misuse", text === "" ? "closed" : text), code, text);
  }

  /** This layer only: the peer broke the protocol or a limit; ends the connection. */
  fail(code: ErrorCode, text: string, fault: Fault = "peer"): void {
    this.die(Step.CLOSE, new Http2Error(code, fault, text));
  }

  /** This layer only: adds a new stream. */
  create(id: number, context: unknown): Stream {
    const stream = new Stream(this, id, context);
    this.streams.set(id, stream);
    return stream;
  }

  /** This layer only: a stream has ended. */
  release(stream: Stream, event: Event): void {
    if (event !== Event.SEND_RESET && event !== Event.RECEIVE_RESET) this.receiver.completed();
    this.sender.drop(stream);
    // Bytes not acknowledged here would be lost to the connection's window.
    stream.consume(stream.unacknowledged);
    stream.readmit();
    this.receiver.forget(stream);
    this.streams.delete(stream.id);
    this.noteEnd(stream.id);
  }

  /** This layer only: resets the streams whose bytes wait for the peer, which takes too few of them. */
  shed(): void {
    for (const stream of this.streams.values()) {
      if (stream.closed || stream.queued === 0) continue;
      this.sender.reset(stream.id, ErrorCode.ENHANCE_YOUR_CALM);
      this.noteReset(stream.id);
      stream.transit(Event.SEND_RESET);
      this.handler.onReset(stream, ErrorCode.ENHANCE_YOUR_CALM, false);
    }
  }

  /** This layer only: there is room for a stream that waited. */
  writable(stream: Stream): void {
    this.handler.onWritable(stream);
  }

  /**
   * This layer only: the peer's SETTINGS are read. A peer that accepts long DATA knows by now that we do, and may send
   * it.
   */
  peerSettings(): void {
    if (this.sender.peer.longDataBytes > 0) this.reader.maxDataBytes = this.options.longDataBytes;
    this.handler.onSettings();
  }

  /**
   * This layer only: the peer announced an error with GOAWAY. It must close the connection (RFC 9113 section 5.4.1).
   */
  peerFailed(): void {
    this.timeout = Timeout.CLOSE;
    this.outlet?.onDeadline(CLOSE_MS);
  }

  /** This layer only: applies an event. Returns whether the phase changed. */
  move(step: Step): boolean {
    const phase = nextPhase(this.phase, step);
    if (phase < 0) throw new Http2Error(-phase, "peer", "the connection is not that far yet");
    const news = phase !== this.phase;
    const prefaceReceived = this.phase < OPEN && phase >= OPEN;
    this.phase = phase as Phase;
    if (prefaceReceived) {
      this.timeout = Timeout.NONE;
      this.outlet?.onDeadline(Infinity);
    }
    return news;
  }

  /** This layer only: we reset a stream; frames for it may still arrive. */
  noteReset(id: number): void {
    this.resets.add(id);
  }

  /** This layer only: a stream has ended. */
  noteEnd(id: number): void {
    this.ends[this.endsAt++ & (REMEMBERED_ENDS - 1)] = id;
  }

  /** This layer only: whether frames for a stream may be late rather than wrong. */
  wasReset(id: number): boolean {
    return this.resets.perhaps(id);
  }

  /** This layer only: whether a stream has ended recently. */
  hasClosed(id: number): boolean {
    return this.ends.includes(id);
  }

  /** This layer only: whether a stream id has not been used yet. */
  isIdle(id: number): boolean {
    return this.isOwn(id) ? id >= this.nextId || this.role === "server" : id > this.lastPeerId && this.accepts;
  }

  /** This layer only: whether a stream id is the peer's and came after our GOAWAY. */
  isRefused(id: number): boolean {
    return !this.isOwn(id) && id > this.lastPeerId && !this.accepts;
  }

  private isOwn(id: number): boolean {
    return ((id & 1) === 1) === (this.role === "client");
  }

  /** GOAWAY with NO_ERROR. */
  private announce(last: number): true {
    this.sender.write(GOAWAY_FRAME_BYTES, false, (out, at) => writeGoaway(last, ErrorCode.NO_ERROR, NOTHING, out, at));
    return true;
  }

  /** Ends the connection for an error of the peer, or for what a callback threw. */
  private caught(error: unknown): void {
    if (error instanceof Http2Error && error.fault === "peer") this.die(Step.CLOSE, error);
    else this.die(Step.CLOSE, new Http2Error(ErrorCode.INTERNAL_ERROR, "misuse", "a callback threw", { cause: error }));
  }

  /** Writes the client's preface, our SETTINGS, and a larger window for the connection. */
  private writePreface(): void {
    const { options, role } = this;
    const settings: [number, number][] = [
      [Setting.MAX_CONCURRENT_STREAMS, options.maxConcurrentStreams],
      [Setting.INITIAL_WINDOW_SIZE, options.streamWindowBytes],
      [Setting.MAX_FRAME_SIZE, options.maxFrameBytes],
      [Setting.MAX_HEADER_LIST_SIZE, options.maxHeaderListBytes],
      [Setting.HEADER_TABLE_SIZE, options.headerTableBytes],
      [Setting.LONG_DATA, longData(options.longDataBytes)],
    ];
    if (role === "client") {
      settings[0] = [Setting.ENABLE_PUSH, 0];
      this.sender.write(PREFACE.length, false, (out, at) => {
        out.set(PREFACE, at);
        return at + PREFACE.length;
      });
    }
    this.sender.write(settingsFrameBytes(settings.length), false, (out, at) => writeSettings(settings, out, at));
    if (options.connectionWindowBytes > INITIAL_WINDOW) this.sender.windowUpdate(0, options.connectionWindowBytes - INITIAL_WINDOW);
  }

  /**
   * Ends the connection, exactly once: GOAWAY if the peer may still read it, `onReset` for every stream, `onClosed`,
   * `onFinished`.
   */
  private die(step: Step, error: Http2Error | null, code = error?.code ?? ErrorCode.NO_ERROR, text = error?.message ?? ""): void {
    if (!this.move(step)) return;
    if (step !== Step.CUT) {
      const debug = Uint8Array.from(text.slice(0, DEBUG_BYTES), (character) => character.charCodeAt(0));
      this.sender.write(GOAWAY_FRAME_BYTES + debug.length, false, (out, at) => writeGoaway(this.lastPeerId, code, debug, out, at));
    }
    this.cause = error;
    const reset = error?.code ?? ErrorCode.CANCEL;
    // An error of one callback must not keep the others from being called, nor the socket from being closed.
    const thrown: unknown[] = [];
    const tell = (callback: () => void): void => {
      try {
        callback();
      } catch (defect) {
        thrown.push(defect);
      }
    };
    for (const stream of this.streams.values()) {
      if (stream.closed) continue;
      stream.transit(Event.RECEIVE_RESET);
      tell(() => {
        this.handler.onReset(stream, reset, true);
      });
    }
    tell(() => {
      this.handler.onClosed(error);
    });
    this.outlet?.onFinished();
    if (thrown.length > 0) throw thrown[0];
  }
}

