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

/** What the peer has told about itself in SETTINGS. */
export interface PeerSettings {
  readonly headerTableBytes: number;
  readonly maxConcurrentStreams: number;
  readonly streamWindowBytes: number;
  readonly maxFrameBytes: number;
  readonly maxHeaderListBytes: number;
}

/** Streams we reset and may still hear of, and streams that ended (a power of two): so many are remembered to tell a late frame from a wrong one. */
const REMEMBERED_RESETS = 1_024;
const REMEMBERED_ENDS = 128;

/** Bytes of text that a GOAWAY of ours carries at most. */
const DEBUG_BYTES = 256;

const NOTHING = new Uint8Array(0);

/** Asked for each frame: `greeted` takes the order of the phases for what `Right.FRAMES` says of all but the last, in which none are read. */
const { OPEN, CLOSED } = Phase;

/** One HTTP/2 connection, without socket and clock (RFC 9113). After an error it is dead: it is closed, and nothing more happens. */
export class Connection implements Machine {
  readonly role: Role;
  readonly options: Http2Options;
  /** Where its life is: nothing else knows. This and what follows up to `outlet` belongs to the layer itself. */
  phase: Phase = Phase.GREETING;
  /** Open streams by id. */
  readonly streams = new StreamTable();
  readonly sender: Sender;
  readonly receiver: Receiver;
  /** The highest stream of the peer so far. Those above it are ignored when the peer may open none. */
  lastPeerId = 0;
  outlet: Outlet | null = null;
  /** Why the last stream was ended by us for what the peer did, for people to read. */
  complaint = "";

  private readonly handler: Handler;
  private readonly reader: FrameReader;
  private readonly resets = new RecentIds(REMEMBERED_RESETS);
  private readonly ends = new Int32Array(REMEMBERED_ENDS);
  private endsAt = 0;
  private nextId = 1;
  private cause: Http2Error | null = null;

  constructor(role: Role, handler: Handler, options: Partial<Http2Options> = {}) {
    this.role = role;
    this.options = http2Options(options);
    this.handler = handler;
    this.sender = new Sender(this);
    this.receiver = new Receiver(this, handler);
    this.reader = new FrameReader(this.receiver, this.options.maxFrameBytes, role === "server");
    this.greet();
  }

  /** Connects the transport, which takes the preface right after. A server then waits for the client's. */
  attach(outlet: Outlet): void {
    this.outlet = outlet;
    if (this.role === "server" && !this.greeted) outlet.onDeadline(this.options.greetingMs);
  }

  /** The deadline has passed: ends a connection whose client has not sent its preface and SETTINGS. */
  expire(): void {
    if (!this.greeted) this.end(new Error("the peer has not sent the preface of HTTP/2 in time"));
  }

  /** Whether the connection is dead. */
  get closed(): boolean {
    return this.phase === CLOSED;
  }

  /** Whether the peer has shown that it speaks HTTP/2. */
  get greeted(): boolean {
    return this.phase >= OPEN;
  }

  /** Whether the peer has had our warning, and no GOAWAY yet. */
  get warned(): boolean {
    const { phase } = this;
    return phase === Phase.GREETING_WARNED || phase === Phase.WARNED || phase === Phase.LEFT_WARNED;
  }

  /** Whether the peer may open streams. */
  get accepts(): boolean {
    return may(this.phase, Right.ACCEPT);
  }

  /** What killed it; null while it lives and after an orderly end. Set before the streams hear of it. */
  get error(): Http2Error | null {
    return this.cause;
  }

  /** Streams that are open, of both sides. */
  get openStreams(): number {
    return this.streams.size;
  }

  /** Bytes of messages that wait in all streams. */
  get queuedBytes(): number {
    return this.sender.queuedBytes;
  }

  /** Whether the peer allows one more stream of ours now (its MAX_CONCURRENT_STREAMS, GOAWAY, stream ids left). */
  get canOpen(): boolean {
    return may(this.phase, Right.OPEN) && this.nextId <= MAX_31_BITS && this.streams.size < this.sender.peer.maxConcurrentStreams;
  }

  /** What the peer has announced; the RFC's initial values before `onSettings`. */
  get peer(): PeerSettings {
    return this.sender.peer;
  }

  /** Bytes from the socket. They are read during the call only. */
  receive(bytes: Uint8Array, from = 0, to = bytes.length): void {
    if (this.closed) return;
    // What is cut from a Buffer with `slice` would keep the whole chunk alive; from a Uint8Array it is a copy.
    const plain = bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    try {
      this.reader.receive(plain, from, to);
    } catch (error) {
      this.caught(error);
    }
  }

  /** The peer closed its side, or with `reason` the transport broke: open streams are reset, the connection is dead. */
  end(reason?: Error): void {
    if (this.closed) return;
    const orderly = reason === undefined && this.streams.size === 0 && this.reader.buffered === 0;
    this.die(Step.CUT, orderly ? null : new Http2Error(ErrorCode.CONNECT_ERROR, "cut", reason?.message ?? "the connection was closed", reason && { cause: reason }));
  }

  /**
   * Bytes to write now, or null. They belong to the caller until `recycle`. When pieces of messages are among them, the next call comes
   * after they are written.
   */
  take(): OutputChunk | null {
    try {
      return this.sender.take();
    } catch (error) {
      this.caught(error);
      return this.sender.take();
    }
  }

  /** Gives what `take` gave back for use again, once written. */
  recycle(output: OutputChunk): void {
    recycle(output);
  }

  /**
   * Client: opens a stream with a request.
   *
   * @throws Http2Error `misuse` after GOAWAY, when the connection is dead or its stream ids are used up. More streams than the
   * peer allows are not refused here: ask `canOpen`.
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

  /** Sends a PING; `onPong` answers it with the same 8 bytes. Payloads that begin with 0xb5 0x57 are the connection's own. */
  ping(payload: Uint8Array): void {
    if (!this.closed) this.sender.ping(false, payload, 0);
  }

  /** Warns the peer that it shall open no more streams; those that it opened before it heard of it are taken. Returns whether that is news. */
  warn(): boolean {
    return this.move(Step.SEND_WARNING) && this.announce(MAX_31_BITS);
  }

  /** Announces that no more streams of the peer are taken. Open streams go on. Returns whether that is news. */
  goaway(): boolean {
    return this.move(Step.SEND_GOAWAY) && this.announce(this.lastPeerId);
  }

  /** Closes a connection that one of the sides leaves if no stream is open any more. Returns whether it is closed. */
  finish(): boolean {
    if (this.streams.size === 0) this.die(Step.LAST_STREAM_ENDED, null);
    return this.closed;
  }

  /** GOAWAY with this code, and dead: open streams are reset. */
  close(code: ErrorCode = ErrorCode.NO_ERROR, text = ""): void {
    this.die(Step.CLOSE, code === ErrorCode.NO_ERROR ? null : new Http2Error(code, "misuse", text === "" ? "closed" : text), code, text);
  }

  /** The layer itself: kills the connection for what the peer did. */
  fail(code: ErrorCode, text: string, fault: Fault = "peer"): void {
    this.die(Step.CLOSE, new Http2Error(code, fault, text));
  }

  /** The layer itself: a new stream. */
  create(id: number, context: unknown): Stream {
    const stream = new Stream(this, id, context);
    this.streams.set(id, stream);
    return stream;
  }

  /** The layer itself: a stream is over. */
  release(stream: Stream): void {
    this.sender.drop(stream);
    // What was forgotten here would be missing from the connection's window for ever.
    stream.consume(stream.unacknowledged);
    this.receiver.forget(stream);
    this.streams.delete(stream.id);
    this.ends[this.endsAt++ & (REMEMBERED_ENDS - 1)] = stream.id;
  }

  /** The layer itself: room was made for a stream that waited. */
  writable(stream: Stream): void {
    this.handler.onWritable(stream);
  }

  /** The layer itself: the peer's SETTINGS are read. One that takes long DATA knows by now that we do, and may send it. */
  peerSettings(): void {
    if (this.sender.peer.longDataBytes > 0) this.reader.maxDataBytes = this.options.longDataBytes;
    this.handler.onSettings();
  }

  /** The layer itself: something has happened to the connection. Returns whether that changes anything. */
  move(step: Step): boolean {
    const phase = nextPhase(this.phase, step);
    if (phase < 0) throw new Http2Error(-phase, "peer", "the connection is not that far yet");
    const news = phase !== this.phase;
    const greeted = this.phase < OPEN && phase >= OPEN;
    this.phase = phase as Phase;
    if (greeted) this.outlet?.onDeadline(Infinity);
    return news;
  }

  /** The layer itself: we reset a stream, and frames of it may be on their way. */
  noteReset(id: number): void {
    this.resets.add(id);
  }

  /** The layer itself: whether frames of a stream may be late rather than wrong. */
  wasReset(id: number): boolean {
    return this.resets.perhaps(id);
  }

  /** The layer itself: whether a stream has recently ended. */
  hasClosed(id: number): boolean {
    return this.ends.includes(id);
  }

  /** The layer itself: whether nobody has used a stream id yet. */
  isIdle(id: number): boolean {
    return this.isOwn(id) ? id >= this.nextId || this.role === "server" : id > this.lastPeerId && this.accepts;
  }

  /** The layer itself: whether a stream id is one of the peer that it may not use any more. */
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

  /** What the peer broke, or what a callback let out. */
  private caught(error: unknown): void {
    if (error instanceof Http2Error && error.fault === "peer") this.die(Step.CLOSE, error);
    else this.die(Step.CLOSE, new Http2Error(ErrorCode.INTERNAL_ERROR, "misuse", "a callback threw", { cause: error }));
  }

  /** The client's preface, our SETTINGS, and a larger window for the connection. */
  private greet(): void {
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

  /** The end, exactly once: a GOAWAY if the peer may still read it, `onReset` for every stream, `onClosed`, `onFinished`. */
  private die(step: Step, error: Http2Error | null, code = error?.code ?? ErrorCode.NO_ERROR, text = error?.message ?? ""): void {
    if (!this.move(step)) return;
    if (step !== Step.CUT) {
      const debug = Uint8Array.from(text.slice(0, DEBUG_BYTES), (character) => character.charCodeAt(0));
      this.sender.write(GOAWAY_FRAME_BYTES + debug.length, false, (out, at) => writeGoaway(this.lastPeerId, code, debug, out, at));
    }
    this.cause = error;
    const reset = error?.code ?? ErrorCode.CANCEL;
    // Whatever a callback throws, the others are called, and the socket goes.
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

