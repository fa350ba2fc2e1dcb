import { ErrorCode, type Handler, type HeaderBlock, type Http2Error, type Stream } from "../http2/index.js";
import { LOAD_REPORT, loadReport, type LoadReport } from "../orca/load-report.js";
import { Counters } from "../protocol/statistics.js";
import { Timer } from "../../transport/timer-wheel.js";
import { afterReads } from "../../transport/after-reads.js";
import { clock } from "../../transport/clock.js";
import type { Link } from "../transport/link.js";
import { Keepalive, type KeepaliveAction, type KeepaliveOptions } from "./keepalive.js";
import { DEFAULT_RESET_PACE, PacedResets } from "./paced-resets.js";
import { responseMetadata } from "./response.js";

/** How an attempt's stream ended: with status OK, with another status, or by a reset. */
export enum Leaving {
  OK,
  FAILED,
  RESET,
}

/** The subchannel that owns a session, as the session sees it. */
export interface SessionOwner {
  /** Receives load reports of calls; null if no policy uses them. */
  readonly reporter: ((report: LoadReport) => void) | null;
  /** The server's SETTINGS have come: calls may begin. */
  ready(session: Session): void;
  /** The server has answered a call, with any status. Called once. */
  answered(): void;
  /**
   * No new calls: the server sent GOAWAY (`slower`: for too many PINGs), or the connection ended (`error`: why). Called
   * once.
   */
  unusable(session: Session, error: Http2Error | null, slower: boolean): void;
  /** The connection has ended. Called once, last. */
  gone(session: Session): void;
}

/** The owner of a stream: receives its events. */
export interface StreamOwner {
  onHeaders(block: HeaderBlock, end: boolean): void;
  onData(bytes: Uint8Array, from: number, to: number, end: boolean): void;
  onReset(code: ErrorCode, remote: boolean): void;
  onWritable(): void;
}

/** An attempt that waits for a stream of a session. */
export interface StreamSeeker {
  /** The session in which it has a stream or waits for one. */
  session: Session | null;
  /** Opens its stream: the session has room. */
  open(session: Session): void;
  /** The session takes no more calls, and this one has no stream yet. */
  evicted(): void;
}

/** Stream ids are odd numbers of 31 bits: a client needs another connection before they are used up. */
const MOST_STREAMS = 2 ** 30 - 1_000;
const PING_PAYLOAD = Uint8Array.from([0x6b, 0x65, 0x65, 0x70, 0x6c, 0x69, 0x76, 0x65]);

/** One connection to a server: passes events to the owners of streams, and queues attempts until a stream is free. */
export class Session extends Timer implements Handler {
  readonly link: Link;
  readonly counters = new Counters();
  /** Attempts with an open stream. */
  active = 0;
  /** False once no new calls may begin on it. */
  usable = true;
  /** Whether the server has answered a call on it. */
  answered = false;
  readonly #owner: SessionOwner;
  readonly #keepalive: Keepalive | null;
  readonly #period: number;
  readonly #waiting = new Set<StreamSeeker>();
  readonly #resets: PacedResets;
  #heard = false;
  #closing = false;
  #settled = false;

  constructor(link: Link, owner: SessionOwner, keepalive: KeepaliveOptions, pace = DEFAULT_RESET_PACE) {
    super();
    this.#resets = new PacedResets(pace);
    this.link = link;
    this.#owner = owner;
    this.#keepalive = keepalive.time === Infinity ? null : new Keepalive(keepalive, clock.now());
    // A frame sets a flag, which the timer turns into a time, at most a quarter of the interval late: frames need no
    // clock.
    this.#period = Math.min(keepalive.time, keepalive.timeout) / 4;
  }

  /** Calls that wait for the server to allow one more stream. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Streams that calls of this session have reset. */
  get resets(): number {
    return this.#resets.count;
  }

  /** Resets the stream of an attempt, now or at the pace that servers allow. */
  reset(stream: Stream, code: ErrorCode): void {
    this.#resets.reset(stream, code);
  }

  /** Opens a stream for the attempt, or queues it. */
  start(attempt: StreamSeeker): void {
    if (this.#resets.waiting > 0 && !this.link.connection.canOpen) this.#resets.hurry();
    if (this.#waiting.size === 0 && this.link.connection.canOpen) {
      this.#open(attempt);
    } else {
      attempt.session = this;
      this.#waiting.add(attempt);
    }
  }

  /** Removes an attempt from the queue. */
  forget(attempt: StreamSeeker): void {
    this.#waiting.delete(attempt);
  }

  /** The trailers of a call have come. */
  ended(block: HeaderBlock): void {
    const { reporter } = this.#owner;
    if (reporter === null || block.get(LOAD_REPORT) === undefined) return;
    const report = loadReport(responseMetadata(block, 0));
    if (report !== null) reporter(report);
  }

  /** An attempt's stream is over. */
  release(how: Leaving): void {
    const { counters } = this;
    if (how === Leaving.OK) counters.callsSucceeded += 1;
    else counters.callsFailed += 1;
    if (how === Leaving.RESET) counters.streamsReset += 1;
    this.active -= 1;
    if (this.active === 0) {
      this.link.unref();
      if (this.#closing) this.link.connection.close(ErrorCode.NO_ERROR);
    }
    if (this.#waiting.size > 0) this.#admit();
  }

  /**
   * Takes no more calls and ends the connection when its calls have ended; calls that have no stream yet go back to the
   * channel.
   */
  retire(slower = false): void {
    this.#retire(null, slower);
    this.#closing = true;
    if (this.active === 0) this.link.connection.close(ErrorCode.NO_ERROR);
  }

  onStream(stream: Stream): void {
    stream.reset(ErrorCode.REFUSED_STREAM);
  }

  onHeaders(stream: Stream, block: HeaderBlock, end: boolean): void {
    this.#heard = true;
    if (!this.answered) {
      this.answered = true;
      this.#owner.answered();
    }
    (stream.context as StreamOwner).onHeaders(block, end);
    if (this.#resets.waiting > 0) this.#settle(stream, 0);
  }

  onData(stream: Stream, bytes: Uint8Array, from: number, to: number, end: boolean): void {
    this.#heard = true;
    (stream.context as StreamOwner).onData(bytes, from, to, end);
    if (this.#resets.waiting > 0) this.#settle(stream, to - from);
  }

  onReset(stream: Stream, code: ErrorCode, remote: boolean): void {
    (stream.context as StreamOwner).onReset(code, remote);
    if (this.#resets.waiting > 0) this.#settle(stream, 0);
  }

  onWritable(stream: Stream): void {
    (stream.context as StreamOwner).onWritable();
  }

  onPong(): void {
    this.#heard = true;
  }

  onSettings(): void {
    this.#heard = true;
    if (!this.#settled) {
      this.#settled = true;
      if (this.#keepalive !== null) clock.set(this, this.#period);
      this.#owner.ready(this);
    }
    if (this.#waiting.size > 0) this.#admit();
  }

  onGoaway(_last: number, code: ErrorCode, debug: Uint8Array): void {
    const slower = code === ErrorCode.ENHANCE_YOUR_CALM && Buffer.from(debug).toString("latin1") === "too_many_pings";
    this.retire(slower);
  }

  onClosed(error: Http2Error | null): void {
    clock.clear(this);
    this.#resets.clear();
    this.#retire(error, false);
    this.#owner.gone(this);
  }

  expire(now: number): void {
    const keepalive = this.#keepalive;
    if (keepalive === null) return;
    const action = this.#check(keepalive, now);
    if (action === "dead") {
      afterReads(() => { this.#giveUp(keepalive); });
      return;
    }
    if (action === "ping") {
      this.counters.keepAlivesSent += 1;
      this.link.connection.ping(PING_PAYLOAD);
    }
    clock.set(this, this.#period);
  }

  #check(keepalive: Keepalive, now: number): KeepaliveAction {
    if (this.#heard) {
      this.#heard = false;
      keepalive.heard(now);
    }
    return keepalive.check(now, this.active > 0);
  }

  /** The connection is dead, unless the server has been heard by now. */
  #giveUp(keepalive: Keepalive): void {
    if (this.link.connection.closed) return;
    if (this.#check(keepalive, clock.now()) === "dead") this.link.destroy(new Error("keepalive timed out"));
    else clock.set(this, this.#period);
  }

  #retire(error: Http2Error | null, slower: boolean): void {
    if (!this.usable) return;
    this.usable = false;
    this.#owner.unusable(this, error, slower);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const attempt of waiting) attempt.evicted();
  }

  /** Something has come for a stream, which may wait to be reset. */
  #settle(stream: Stream, bytes: number): void {
    this.#resets.heard(stream, bytes);
    if (stream.closed && this.#waiting.size > 0) this.#admit();
  }

  #admit(): void {
    for (const attempt of this.#waiting) {
      if (!this.link.connection.canOpen) return;
      this.#waiting.delete(attempt);
      this.#open(attempt);
    }
  }

  #open(attempt: StreamSeeker): void {
    this.active += 1;
    if (this.active === 1) this.link.ref();
    this.counters.callsStarted += 1;
    attempt.open(this);
    if (this.counters.callsStarted === MOST_STREAMS) this.retire();
  }
}
