import type { Outlet, OutputChunk } from "../../core/machine.js";
import type { Role } from "./connection-states.js";
import { ErrorCode } from "./error-code.js";
import { writeDataHead } from "./frame/data.js";
import { HEAD_BYTES } from "./frame/head.js";
import { frameBlock, headBytes } from "./frame/headers.js";
import { PING_FRAME_BYTES, writePing } from "./frame/ping.js";
import { RST_STREAM_FRAME_BYTES, writeRstStream } from "./frame/rst-stream.js";
import { INITIAL_WINDOW, MIN_MAX_FRAME, initialSettings } from "./frame/settings.js";
import type { SettingsRecord } from "./frame/settings.js";
import { WINDOW_UPDATE_FRAME_BYTES, writeWindowUpdate } from "./frame/window-update.js";
import type { HeaderFields } from "./header-fields.js";
import { HeaderEncoder, UPDATE_BYTES } from "./hpack/encoder.js";
import type { Http2Options } from "./options.js";
import type { QueueHolder } from "./queue-budget.js";
import { SendQueue } from "./send-queue.js";
import { Slab } from "./slab.js";
import { Event } from "./states.js";
import type { Stream } from "./stream.js";

/**
 * Up to this many bytes of DATA are copied to the slab at once; more wait in their stream, so that streams share a slow
 * socket fairly.
 */
const DIRECT_BYTES = 65_536;

/** A header list up to this size is sent even if the peer announced less: its limit is advice (RFC 9113, 6.5.2). */
const LIST_BYTES = 65_536;

/** DATA that one `take` gathers from the waiting streams: with one more turn it fits a large slab. */
const GATHER_BYTES = 245_000;

/** The longest payload of one turn of one stream. */
const TURN_BYTES = 16_384;

/**
 * A message with this many bytes left is written without a copy. Below, a copy costs less than one more piece to write.
 */
const LEND_BYTES = 262_144;

/**
 * The room in windows and frames that this needs. Peers that accept no long frames get copies: heads between short
 * pieces cost as much.
 */
const LEND_ROOM_BYTES = 65_536;

/** The longest frame of such a message, alone and beside other streams. */
const LONG_TURN_BYTES = 1_048_576;
const SHARED_TURN_BYTES = 131_072;

/** A peer that opens its windows by less than this at a time takes nothing. */
const PROGRESS_BYTES = 16_384;

/** The connection, as its sending half sees it. */
export interface SenderConnection {
  readonly role: Role;
  readonly options: Http2Options;
  readonly outlet: Outlet | null;
  readonly receiver: {
    /** Bytes of messages were sent. */
    useful(length: number): void;
  };
  /** There is room for a stream that waited. */
  writable(stream: Stream): void;
  /** Resets the streams whose bytes wait for the peer. */
  shed(): void;
  /** The peer broke the protocol or a limit: ends the connection. */
  fail(code: ErrorCode, text: string): void;
}

/** The sending half of a connection: slab, header encoder, the peer's windows, and the ring of streams that wait. */
export class Sender implements QueueHolder {
  readonly slab = new Slab();
  readonly peer: SettingsRecord = initialSettings();
  readonly encoder: HeaderEncoder;
  /** The peer's window of the connection. */
  window = INITIAL_WINDOW;
  /** Message bytes queued on all streams, with those that the layer above holds for their queues. */
  queuedBytes = 0;
  /** The latter alone. */
  heldBytes = 0;
  /** When the peer last took `PROGRESS_BYTES` of them. Kept for the budget alone. */
  movedAt = 0;
  private progress = 0;
  /** DATA bytes in the slab; the rest is headers and control frames. */
  private dataBytes = 0;
  /** Bytes in the slab that the peer asked for: acknowledgements and resets. */
  private replyBytes = 0;
  private readonly ring: Stream[] = [];
  private waking = false;
  private paused = false;
  /** Streams whose writers wait until the messages lent to the slab are written. */
  private lenders: Stream[] = [];

  constructor(private readonly connection: SenderConnection) {
    this.encoder = new HeaderEncoder(connection.options.encoderTableBytes);
  }

  /**
   * Sends a block as HEADERS and CONTINUATION frames of lengths that every peer accepts, and updates the stream's
   * state.
   */
  /**
   * Whether to send a header list: one of more than twice what the peer announced ends whole connections, because its
   * block is too long to be decoded and dropped.
   */
  takes(fields: HeaderFields, extra: HeaderFields): boolean {
    return fields.listBytes + extra.listBytes <= Math.max(2 * this.peer.maxHeaderListBytes, LIST_BYTES);
  }

  headers(stream: Stream, fields: HeaderFields, extra: HeaderFields | undefined, end: boolean): void {
    const { slab } = this;
    const bound = fields.bound + (extra === undefined ? 0 : extra.bound) + UPDATE_BYTES;
    slab.reserve(bound + headBytes(bound, MIN_MAX_FRAME));
    const block = slab.at + HEAD_BYTES;
    const length = this.encoder.write(fields, extra, slab.bytes, block) - block;
    slab.at = frameBlock(stream.id, length, end, MIN_MAX_FRAME, slab.bytes, slab.at);
    stream.transit(Event.SEND_HEADERS);
    if (end) stream.transit(Event.SEND_END);
    this.woke();
  }

  /** Sends or queues `prefix` and `bytes`. Returns false if the stream's queue is full. */
  data(stream: Stream, prefix: Uint8Array, bytes: Uint8Array, end: boolean): boolean {
    const length = prefix.length + bytes.length;
    const { slab } = this;
    if (stream.queue === null && length <= this.window && length <= stream.sendWindow && length <= TURN_BYTES && slab.at < DIRECT_BYTES) {
      slab.reserve(HEAD_BYTES + length);
      const out = slab.bytes;
      let at = writeDataHead(stream.id, length, end, out, slab.at);
      for (let i = 0; i < prefix.length; i++) out[at++] = prefix[i]!;
      if (bytes.length > 32) out.set(bytes, at);
      else for (let i = 0; i < bytes.length; i++) out[at + i] = bytes[i]!;
      slab.at = at + bytes.length;
      this.sent(stream, length, end);
      return true;
    }
    const queue = (stream.queue ??= new SendQueue());
    // The caller reuses the prefix.
    queue.copy(prefix);
    queue.push(bytes);
    queue.ended = end;
    this.queued(length);
    this.ready(stream, queue);
    return !(queue.awaited ||= queue.bytes > this.connection.options.streamQueueBytes);
  }

  /** Sends trailers, after what is queued. */
  trailers(stream: Stream, fields: HeaderFields, extra: HeaderFields | undefined): void {
    const { queue } = stream;
    if (queue === null) {
      this.headers(stream, fields, extra, true);
      return;
    }
    queue.ended = true;
    queue.trailers = fields;
    queue.extra = extra;
    this.ready(stream, queue);
  }

  /** The stream has ended: drops its queue. */
  drop(stream: Stream): void {
    if (stream.queue === null) return;
    const { bytes } = stream.queue;
    stream.queue = null;
    this.queued(-bytes);
  }

  reset(id: number, code: ErrorCode): void {
    this.slab.reserve(RST_STREAM_FRAME_BYTES);
    this.slab.at = writeRstStream(id, code, this.slab.bytes, this.slab.at);
    this.asked(RST_STREAM_FRAME_BYTES);
  }

  ping(ack: boolean, bytes: Uint8Array, from: number): void {
    this.slab.reserve(PING_FRAME_BYTES);
    this.slab.at = writePing(ack, bytes, from, this.slab.bytes, this.slab.at);
    this.asked(ack ? PING_FRAME_BYTES : 0);
  }

  windowUpdate(id: number, increment: number): void {
    this.slab.reserve(WINDOW_UPDATE_FRAME_BYTES);
    this.slab.at = writeWindowUpdate(id, increment, this.slab.bytes, this.slab.at);
    this.woke();
  }

  /** Writes a control frame of at most `bound` bytes; `asked`: in reply to the peer. */
  write(bound: number, asked: boolean, put: (out: Uint8Array, at: number) => number): void {
    this.slab.reserve(bound);
    this.slab.at = put(this.slab.bytes, this.slab.at);
    this.asked(asked ? bound : 0);
  }

  /** The peer opened a window: streams that wait may be able to send. */
  opened(stream: Stream | null): void {
    if (stream === null) {
      if (this.ring.length > 0) this.woke();
    } else if (stream.queue !== null) this.ready(stream, stream.queue);
  }

  /** Fills the slab from the waiting streams and returns it. Messages lent before are written by now. */
  take(): OutputChunk | null {
    if (this.lenders.length > 0) this.returned();
    if (this.ring.length > 0) this.gather();
    this.waking = false;
    this.dataBytes = 0;
    this.replyBytes = 0;
    const output = this.slab.detach();
    if (this.paused) {
      this.paused = false;
      this.connection.outlet?.onPause(false);
    }
    return output;
  }

  /** `n` more bytes wait above the streams, or fewer. */
  hold(n: number): void {
    this.heldBytes += n;
    this.queued(n);
  }

  /** `n` more bytes wait in streams, or fewer. */
  private queued(n: number): void {
    const { queueBudget } = this.connection.options;
    if (queueBudget !== null) {
      this.progress = n > 0 ? this.progress : this.progress - n;
      if (this.queuedBytes === 0 || this.progress >= PROGRESS_BYTES) {
        this.movedAt = queueBudget.now();
        this.progress = 0;
      }
    }
    this.queuedBytes += n;
    queueBudget?.change(this, n);
  }

  /** Whether the peer's bytes are not read at present. */
  get pausing(): boolean {
    return this.paused;
  }

  /** Gives up the streams whose bytes wait. */
  shed(): void {
    this.connection.shed();
  }

  /** Adds a stream to the ring unless its own window is closed. */
  private ready(stream: Stream, queue: SendQueue): void {
    if (queue.ready || (queue.bytes > 0 && stream.sendWindow <= 0)) return;
    queue.ready = true;
    this.ring.push(stream);
    this.woke();
  }

  /** Gives the streams in the ring turns, until it is empty, the connection's window is closed or the slab is full. */
  private gather(): void {
    const { ring, slab } = this;
    let at = 0;
    while (at < ring.length && this.window > 0 && slab.at + slab.lentBytes < GATHER_BYTES) {
      const stream = ring[at++]!;
      const { queue } = stream;
      if (queue === null) continue;
      queue.ready = false;
      const room = Math.min(this.window, Math.max(stream.sendWindow, 0));
      if (room < LEND_ROOM_BYTES || !this.lend(stream, queue, Math.min(room, at < ring.length ? SHARED_TURN_BYTES : LONG_TURN_BYTES))) this.turn(stream, queue, room);
    }
    ring.splice(0, at);
  }

  /** A turn with a long frame of a long message, and the few bytes before it. Returns false if there is none. */
  private lend(stream: Stream, queue: SendQueue, room: number): boolean {
    const most = Math.min(room, Math.max(this.peer.maxFrameBytes, this.peer.longDataBytes));
    const before = most < LEND_ROOM_BYTES ? -1 : queue.before(LEND_BYTES, TURN_BYTES);
    if (before < 0) return false;
    const { slab } = this;
    slab.reserve(HEAD_BYTES + before);
    const head = slab.at;
    slab.at += HEAD_BYTES + before;
    queue.move(before, slab.bytes, head + HEAD_BYTES);
    const part = queue.cut(most - before);
    const length = before + part.length;
    const end = queue.bytes === 0 && queue.ended && queue.trailers === null;
    writeDataHead(stream.id, length, end, slab.bytes, head);
    slab.lend(part);
    this.dataBytes -= part.length;
    this.moved(stream, queue, length, end);
    return true;
  }

  /** The messages lent to the slab are written: their writers may go on. */
  private returned(): void {
    const streams = this.lenders;
    this.lenders = [];
    for (const stream of streams) {
      if (stream.closed) continue;
      if (stream.queue === null) this.connection.writable(stream);
      else stream.queue.awaited = true;
    }
  }

  private turn(stream: Stream, queue: SendQueue, room: number): void {
    const length = Math.min(queue.bytes, TURN_BYTES, room);
    const rest = queue.bytes - length;
    const end = rest === 0 && queue.ended && queue.trailers === null;
    if (length > 0 || end) {
      const { slab } = this;
      slab.reserve(HEAD_BYTES + length);
      const at = writeDataHead(stream.id, length, end, slab.bytes, slab.at);
      queue.move(length, slab.bytes, at);
      slab.at = at + length;
    }
    this.moved(stream, queue, length, end);
  }

  /** `length` bytes of a queue are in a frame: goes on with the rest of the queue, or with what follows it. */
  private moved(stream: Stream, queue: SendQueue, length: number, end: boolean): void {
    if (length > 0 || end) {
      this.queued(-length);
      if (queue.bytes === 0) stream.queue = null;
      this.sent(stream, length, end);
    }
    if (queue.bytes > 0) {
      this.ready(stream, queue);
      return;
    }
    stream.queue = null;
    if (queue.trailers !== null) this.headers(stream, queue.trailers, queue.extra, true);
    else if (!queue.awaited || queue.ended) return;
    else if (this.slab.lentBytes > 0) this.lenders.push(stream);
    else this.connection.writable(stream);
  }

  private sent(stream: Stream, length: number, end: boolean): void {
    this.window -= length;
    stream.sendWindow -= length;
    this.dataBytes += HEAD_BYTES + length;
    this.connection.receiver.useful(length);
    stream.transit(Event.SEND_DATA);
    if (end) stream.transit(Event.SEND_END);
    this.woke();
  }

  /** Counts bytes written in reply to the peer: they must not pile up. */
  private asked(bytes: number): void {
    this.replyBytes += bytes;
    this.woke();
  }

  /** Tells the transport once, and applies `maxPendingBytes`. */
  private woke(): void {
    const { connection } = this;
    if (!this.waking) {
      this.waking = true;
      connection.outlet?.onOutput();
    }
    const most = connection.options.maxPendingBytes;
    if (this.slab.at - this.dataBytes <= most || this.paused) return;
    if (connection.role === "server") {
      this.paused = true;
      connection.outlet?.onPause(true);
    } else if (this.replyBytes > most) {
      this.replyBytes = 0;
      const found = `over ${most} bytes of replies wait for a peer that does not read`;
      connection.fail(ErrorCode.ENHANCE_YOUR_CALM, `${found}: read faster, or raise samewire.http2.maxPendingBytes`);
    }
  }
}
