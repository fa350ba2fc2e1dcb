import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Machine, Outlet, OutputChunk } from "../core/machine.js";
import type { AdaptiveSpin } from "./adaptive-spin.js";
import { addressText } from "./address.js";
import { Alarm } from "./alarm.js";
import type { Link, Protocol } from "./link.js";
import type { BytesReceiver, ReadBuffer } from "./read-buffer.js";

/** Bytes that may be buffered in the socket before no more output is taken. */
const SOCKET_BYTES = 131_072;

/** A write up to this many bytes is small: it carries a few messages at most. */
const SMALL_WRITE = 1_024;

/**
 * From this many bytes on, a client splits a read: it writes the output of the first half before it handles the second.
 * The server then works meanwhile; otherwise one side would always wait for the other.
 */
const LONG_READ = 2_048;

/** Reads of so many bytes are timed: they may hold tens of thousands of frames. */
const TIMED_READ = 16_384;

/**
 * Milliseconds of handling after which a socket is not read until the next turn. libuv reads on while its buffer is full,
 * 32 times: 8 MB of frames of one byte would hold the thread for a second.
 */
const READING_MS = 10;

/** Milliseconds for the peer to close its side after ours, or to read our last bytes after an error. */
const FAREWELL_MS = 1_000;

/** Milliseconds that a peer may leave written bytes unread. */
const STALL_MS = 60_000;

/** What a link needs beside its socket. */
export interface LinkOptions {
  /** Whether long reads are handled in two halves: true for clients. */
  readonly splitReads: boolean;
  /** Milliseconds that a peer may leave written bytes unread. Default 60,000. */
  readonly stallMs: number | undefined;
  /** Keeps the thread awake for replies; null for none. */
  readonly spin: AdaptiveSpin | null;
  /** The buffer that the socket reads into; null for a socket that emits `data`. */
  readonly readBuffer: ReadBuffer | null;
  /** The path that the side that listens on a unix socket has bound: its peer has no address. */
  readonly path: string | undefined;
}

const NOTHING = new Uint8Array(0);

/**
 * Carries bytes between a socket and a protocol machine.
 *
 * Input: the machine gets each chunk whole. While its output piles up, it stops reading (`onPause`). Long reads that take
 * long to handle end the socket's part of the turn.
 *
 * Output is written once, at the end of the event loop's turn (`setImmediate`), so that all messages of a turn share
 * one write. If the last write was small, the first output after a read does not wait for that, but only for the
 * handlers to return (`nextTick`), and the thread spins for the reply: a message on its own takes a third of the time.
 * While the socket's buffer is full, no output is taken.
 */
export class SocketLink<M extends Machine> implements Link<M>, Outlet, BytesReceiver {
  readonly connection: M;
  readonly peer: string;
  readonly local: string;
  readonly tls: TLSSocket | null;
  reads = 0;
  private scheduled = false;
  /** No write has been brought forward since the last chunk came, or since the last turn. */
  private fresh = true;
  /** The last write was a small one. */
  private small = true;
  private blocked = false;
  /** The machine takes no more for now. */
  private paused = false;
  /** Nothing is read until the next turn. */
  private yielding = false;
  /** Milliseconds that timed reads have taken since the last yield. */
  private readingMs = 0;
  private finished = false;
  private closed = false;
  /** Output that the socket has not written yet, to be recycled. */
  private readonly inFlight: OutputChunk[] = [];
  private stall: NodeJS.Timeout | null = null;
  /** Cuts a peer that does not close its side after ours. */
  private farewell: NodeJS.Timeout | null = null;
  private deadline: Alarm | null = null;
  private readonly stallMs: number;
  private readonly splitReads: boolean;
  private readonly spin: AdaptiveSpin | null;

  constructor(
    private readonly socket: Socket,
    protocol: Protocol<M>,
    options: LinkOptions,
  ) {
    this.tls = "alpnProtocol" in socket ? (socket as TLSSocket) : null;
    this.peer = addressText(socket.remoteAddress, socket.remotePort, options.path);
    this.local = addressText(socket.localAddress, socket.localPort, options.path);
    this.stallMs = options.stallMs ?? STALL_MS;
    this.splitReads = options.splitReads;
    this.spin = options.spin;
    this.connection = protocol(this);
    this.connection.attach(this);
    socket.setNoDelay(true);
    if (options.readBuffer === null) {
      socket.on("data", (chunk: Buffer) => {
        this.receive(chunk, 0, chunk.length);
      });
    } else options.readBuffer.receiver = this;
    socket.on("drain", this.emptied);
    socket.on("end", () => {
      this.connection.end();
    });
    socket.on("error", (error) => {
      this.connection.end(error);
    });
    socket.on("close", () => {
      this.onClose();
    });
    this.flush();
  }

  receive(bytes: Uint8Array, from: number, to: number): void {
    this.reads += 1;
    this.fresh = true;
    this.spin?.end();
    if (to - from < TIMED_READ) {
      this.pass(bytes, from, to);
      return;
    }
    const began = performance.now();
    this.pass(bytes, from, to);
    this.readingMs += performance.now() - began;
    if (this.readingMs < READING_MS) return;
    this.readingMs = 0;
    if (this.yielding || this.paused) return;
    this.yielding = true;
    this.socket.pause();
    setImmediate(readOn, this);
  }

  private pass(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    if (to - from >= LONG_READ && this.splitReads) {
      at += (to - from) >> 1;
      this.connection.receive(bytes, from, at);
      this.write();
    }
    this.connection.receive(bytes, at, to);
  }

  destroy(reason?: Error): void {
    this.connection.end(reason);
    this.socket.destroy();
  }

  ref(): void {
    this.socket.ref();
  }

  unref(): void {
    this.socket.unref();
  }

  onOutput(): void {
    if (this.scheduled || this.blocked) return;
    this.scheduled = true;
    if (this.fresh && this.small) {
      this.fresh = false;
      process.nextTick(flushAlone, this);
    } else setImmediate(flushTurn, this);
  }

  onPause(pause: boolean): void {
    this.paused = pause;
    if (pause) this.socket.pause();
    else if (!this.yielding) this.socket.resume();
  }

  /** The turn in which reading took too long is over. */
  readOn(): void {
    this.yielding = false;
    if (!this.paused) this.socket.resume();
  }

  onDeadline(delay: number): void {
    if (this.closed) return;
    this.deadline?.clear();
    if (delay === Infinity) return;
    this.deadline ??= new Alarm((now) => {
      this.connection.expire(now);
    });
    this.deadline.set(delay);
  }

  onFinished(): void {
    this.finished = true;
    this.deadline?.clear();
    this.flush();
    this.conclude();
    // The peer's bytes are still read, and dropped: closing a socket with unread bytes resets it, and our last bytes
    // would be lost.
    this.socket.resume();
    this.socket.once("finish", () => {
      if (!this.closed) this.farewell = setTimeout(cut, FAREWELL_MS, this.socket).unref();
    });
    if (this.stall === null) this.watchFor(this.connection.error === null ? this.stallMs : FAREWELL_MS);
  }

  /** The handlers of the last read have returned. */
  flushAlone(): void {
    this.flush();
    if (this.small) this.spin?.begin();
  }

  /** A turn of the event loop is over. */
  flushTurn(): void {
    this.fresh = true;
    this.flush();
  }

  /** Writes what is ready, until the socket is full. */
  private flush(): void {
    this.scheduled = false;
    this.write();
  }

  private write(): void {
    const { socket, connection } = this;
    if (this.blocked || socket.destroyed) return;
    for (;;) {
      const output = connection.take();
      if (output === null) return;
      const whole = output instanceof Uint8Array;
      this.small = whole && output.length <= SMALL_WRITE;
      if (!whole) this.writePieces(output);
      else if (this.tls === null) socket.write(output);
      else socket.write(output, this.encrypted);
      const waiting = socket.writableLength;
      if (waiting === 0 && this.tls === null) {
        connection.recycle(output);
        this.recycle();
      } else {
        this.inFlight.push(output);
        if (waiting > (whole ? SOCKET_BYTES : 0)) {
          this.block();
          return;
        }
      }
    }
  }

  /**
   * A plain socket writes all pieces by one system call. TLS would copy them into one buffer for that, so it gets them
   * one by one.
   */
  private writePieces(pieces: readonly Uint8Array[]): void {
    const { socket } = this;
    if (this.tls === null) {
      socket.cork();
      for (const piece of pieces) socket.write(piece);
      socket.uncork();
      return;
    }
    const last = pieces.length - 1;
    for (let turn = 0; turn < last; turn++) socket.write(pieces[turn]!);
    socket.write(pieces[last]!, this.encrypted);
  }

  /** Ends our side once the last bytes are out. */
  private conclude(): void {
    if (this.finished && !this.blocked) this.socket.end();
  }

  /**
   * TLS has written the oldest output. Under load its queue is never empty, and `drain` comes only for queues that were
   * full: without a callback, output would pile up for as long as the load lasts.
   */
  private readonly encrypted = (): void => {
    const output = this.inFlight.shift();
    if (output !== undefined) this.connection.recycle(output);
    if (this.inFlight.length === 0) this.drained();
  };

  private recycle(): void {
    for (let output = this.inFlight.pop(); output !== undefined; output = this.inFlight.pop()) this.connection.recycle(output);
  }

  private readonly emptied = (): void => {
    this.drained();
  };

  private drained(): void {
    if (this.tls === null) this.recycle();
    if (!this.blocked) return;
    this.blocked = false;
    if (this.stall !== null) clearTimeout(this.stall);
    this.stall = null;
    this.flush();
    this.conclude();
  }

  private block(): void {
    this.blocked = true;
    // No `drain` follows if a program has raised the default high-water mark of streams: the callback of an empty write
    // replaces it. TLS has one for each output, and on Deno it refuses empty writes.
    if (this.tls === null && !this.socket.writableNeedDrain) this.socket.write(NOTHING, this.emptied);
    this.watchFor(this.stallMs);
  }

  private watchFor(ms: number): void {
    if (!this.closed) this.stall = setTimeout(watch, ms, this, ms, this.socket.writableLength).unref();
  }

  /** The stall timer: cuts a peer that has read nothing since `before` bytes waited. */
  watch(ms: number, before: number): void {
    this.stall = null;
    const waiting = this.socket.writableLength;
    if (waiting === 0) return;
    if (waiting >= before) this.destroy(new Error(`the peer has read nothing for ${ms} ms`));
    else this.watchFor(ms);
  }

  /** Clears every timer: one that is pending keeps the socket and the machine in memory. */
  private onClose(): void {
    this.closed = true;
    this.connection.end();
    this.deadline?.clear();
    if (this.stall !== null) clearTimeout(this.stall);
    if (this.farewell !== null) clearTimeout(this.farewell);
  }
}

// Functions that take the link as an argument: no closure for each turn.
function flushAlone(link: SocketLink<Machine>): void {
  link.flushAlone();
}

function flushTurn(link: SocketLink<Machine>): void {
  link.flushTurn();
}

function readOn(link: SocketLink<Machine>): void {
  link.readOn();
}

function watch(link: SocketLink<Machine>, ms: number, before: number): void {
  link.watch(ms, before);
}

function cut(socket: Socket): void {
  socket.destroy();
}
