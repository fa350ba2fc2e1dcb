import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { Connection } from "../http2/connection.js";
import type { Role } from "../http2/connection.js";
import type { Outlet } from "../http2/handler.js";
import type { Http2Options } from "../http2/options.js";
import type { Output } from "../http2/slab.js";
import { addressText } from "../protocol/address.js";
import type { Intake, Taker } from "./intake.js";
import type { Accept, Link } from "./link.js";
import type { Lookout } from "./lookout.js";

/** Bytes given to the socket and not yet to the system beyond which nothing more is gathered. */
const SOCKET_BYTES = 131_072;

/** Bytes of a write that carries a few messages at most. */
const LITTLE_BYTES = 1_024;

/**
 * Bytes of a read from which on a client writes what the first half of it gives before it handles the second: the server works on that
 * meanwhile, where otherwise one side would always wait for the other.
 */
const LONG_READ = 2_048;

/** How long a peer may take to close its side after our last words, or after an error to read them, before the socket is cut. */
const FAREWELL_MS = 1_000;

/** How long a client may take to say that it speaks HTTP/2. */
const GREETING_MS = 20_000;

/** Milliseconds that a peer may leave written bytes unread. */
export const STALL_MS = 60_000;

/** What a link needs beside its socket. */
export interface LinkOptions {
  readonly role: Role;
  readonly http2: Partial<Http2Options> | undefined;
  readonly stallMs: number | undefined;
  /** Of a server. Default 20,000. */
  readonly greetingMs?: number | undefined;
  /** What keeps the thread awake for answers; null for nothing. */
  readonly lookout: Lookout | null;
  /** What the socket reads through; null for one that emits `data`. */
  readonly intake: Intake | null;
  /** Of the side that listens on a unix socket: nobody else knows it. */
  readonly path: string | undefined;
}

const NOTHING = new Uint8Array(0);

const clock = (): number => performance.now();

/**
 * Carries bytes between a socket and a connection: every frame of a chunk is handled at once, and what that gives is written once, at
 * the end of the turn (`setImmediate`), so that handlers which answer in the same turn share one write. A connection that lately wrote
 * little at a time does not wait so long but only for its handlers to return (`nextTick`), once in a turn, and then looks out for the
 * answer: a message that is alone takes a third of the time so. While the socket is full nothing is gathered, and while replies pile up
 * nothing is read.
 */
export class SocketLink implements Link, Outlet, Taker {
  readonly connection: Connection;
  readonly peer: string;
  readonly local: string;
  readonly tls: TLSSocket | null;
  private scheduled = false;
  /** No write has been brought forward since the last chunk came, or since the last turn. */
  private fresh = true;
  /** The last write was a little one. */
  private little = true;
  private blocked = false;
  private finished = false;
  /** What the socket has not passed on yet, to be used again. */
  private readonly inFlight: Output[] = [];
  private stall: NodeJS.Timeout | null = null;
  /** Cleared once the peer has greeted, and on close: a pending timer keeps the socket and the connection in memory. */
  private greeting: NodeJS.Timeout | null = null;
  /** Cuts a peer that does not close its side after ours. Cleared on close. */
  private farewell: NodeJS.Timeout | null = null;
  private readonly stallMs: number;
  private readonly lookout: Lookout | null;

  constructor(
    private readonly socket: Socket,
    accept: Accept,
    options: LinkOptions,
  ) {
    this.tls = "alpnProtocol" in socket ? (socket as TLSSocket) : null;
    this.peer = addressText(socket.remoteAddress, socket.remotePort, options.path);
    this.local = addressText(socket.localAddress, socket.localPort, options.path);
    this.stallMs = options.stallMs ?? STALL_MS;
    this.lookout = options.lookout;
    this.connection = new Connection(options.role, accept(this), { clock, ...options.http2 });
    this.connection.attach(this);
    socket.setNoDelay(true);
    if (options.intake === null) {
      socket.on("data", (chunk: Buffer) => {
        this.receive(chunk, 0, chunk.length);
      });
    } else options.intake.taker = this;
    socket.on("drain", this.emptied);
    socket.on("end", () => {
      this.connection.end();
    });
    socket.on("error", (error) => {
      this.connection.end(error);
    });
    socket.on("close", () => {
      this.closed();
    });
    if (options.role === "server") this.greeting = setTimeout(greeted, options.greetingMs ?? GREETING_MS, this).unref();
    this.flush();
  }

  /** The greeting timer: cuts a client that has not sent its preface and SETTINGS. */
  greeted(): void {
    if (!this.connection.greeted) this.destroy(new Error("the peer has not sent the preface of HTTP/2 in time"));
  }

  receive(bytes: Uint8Array, from: number, to: number): void {
    this.fresh = true;
    this.lookout?.end();
    let at = from;
    if (to - from >= LONG_READ && this.connection.role === "client") {
      at += (to - from) >> 1;
      this.connection.receive(bytes, from, at);
      this.write();
    }
    this.connection.receive(bytes, at, to);
    if (this.greeting !== null && this.connection.greeted) {
      clearTimeout(this.greeting);
      this.greeting = null;
    }
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
    if (this.fresh && this.little) {
      this.fresh = false;
      process.nextTick(flushAlone, this);
    } else setImmediate(flushAnew, this);
  }

  onPause(pause: boolean): void {
    if (pause) this.socket.pause();
    else this.socket.resume();
  }

  onFinished(): void {
    this.finished = true;
    this.flush();
    this.conclude();
    // The peer's bytes are still read, and dropped: a socket closed over unread bytes would take our last words with it.
    this.socket.resume();
    this.socket.once("finish", () => {
      if (!this.socket.destroyed) this.farewell = setTimeout(cut, FAREWELL_MS, this.socket).unref();
    });
    if (this.stall === null) this.watchFor(this.connection.error === null ? this.stallMs : FAREWELL_MS);
  }

  /** The handlers of what came have returned. */
  returned(): void {
    this.flush();
    if (this.little) this.lookout?.begin();
  }

  /** A turn of the event loop is over. */
  turned(): void {
    this.fresh = true;
    this.flush();
  }

  /** Writes what is ready, until the socket is full. */
  flush(): void {
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
      this.little = whole && output.length <= LITTLE_BYTES;
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

  /** Pieces go to the system together; TLS would copy them into one for that, and takes them one by one. */
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
   * TLS is done with the oldest slab. It is never done at once, and under load never with all of them, and it only tells by
   * `drain` of queues that were full: without a callback slabs would pile up for as long as the load lasts.
   */
  private readonly encrypted = (): void => {
    const output = this.inFlight.shift();
    if (output !== undefined) this.connection.recycle(output);
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
    // No `drain` follows where a program has raised the default high-water mark of streams: an empty write tells instead.
    if (!this.socket.writableNeedDrain) this.socket.write(NOTHING, this.emptied);
    this.watchFor(this.stallMs);
  }

  private watchFor(ms: number): void {
    this.stall = setTimeout(watch, ms, this, ms, this.socket.writableLength).unref();
  }

  /** The stall timer: cuts a peer that has taken nothing in all that time. */
  watch(ms: number, before: number): void {
    this.stall = null;
    const waiting = this.socket.writableLength;
    if (waiting === 0) return;
    if (waiting >= before) this.destroy(new Error(`the peer has read nothing for ${ms} ms`));
    else this.watchFor(ms);
  }

  private closed(): void {
    this.connection.end();
    for (const timer of [this.greeting, this.stall, this.farewell]) if (timer !== null) clearTimeout(timer);
  }
}

// Timers take functions of their own and the link as argument: no closure a turn.
function flushAlone(link: SocketLink): void {
  link.returned();
}

function flushAnew(link: SocketLink): void {
  link.turned();
}

function watch(link: SocketLink, ms: number, before: number): void {
  link.watch(ms, before);
}

function greeted(link: SocketLink): void {
  link.greeted();
}

function cut(socket: Socket): void {
  socket.destroy();
}
