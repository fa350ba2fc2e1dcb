import { EventEmitter } from "node:events";
import { Duplex, Readable, Writable } from "node:stream";
import type { PerRequestMetricRecorder } from "../orca/call-metrics.js";
import { refuseWrite, tellWritable } from "../ended-writes.js";
import type { Metadata } from "../protocol/metadata.js";
import { Status } from "../protocol/status.js";
import type { PartialStatusObject } from "../protocol/status.js";
import type { Deadline } from "../protocol/timeout.js";
import { OK_DETAILS } from "./reply-fields.js";
import { errorStatus, thrownStatus } from "./error-status.js";
import type { ServerCallSurface, ServerStatusResponse } from "./handler.js";
import type { AuthContext, CallHead, ServerInterceptingCallInterface } from "./intercepting.js";
import { WaitingReply } from "./waiting-reply.js";
import type { ReplyHolder } from "./waiting-reply.js";

/** The call behind a surface, and its head after the interceptors. */
export interface SurfaceSource {
  readonly call: ServerInterceptingCallInterface;
  readonly replies: ReplyHolder;
  readonly path: string;
  readonly head: CallHead;
}

// A mixin's base class must have this constructor for the compiler.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Constructor = new (...args: any[]) => object;

/** Adds what every call object offers to a base class whose constructor ends by setting `source`. */
function surface<Base extends Constructor>(base: Base) {
  abstract class Surface extends base implements ServerCallSurface {
    abstract readonly source: SurfaceSource;
    /** The handler has got the event `cancelled`. */
    told = false;

    get cancelled(): boolean {
      return this.told || this.source.replies.cutOff;
    }

    get metadata(): Metadata {
      return this.source.head.metadata;
    }

    sendMetadata(metadata: Metadata): void {
      this.source.call.sendMetadata(metadata);
    }

    getPeer(): string {
      return this.source.call.getPeer();
    }

    getDeadline(): Deadline {
      return this.source.call.getDeadline();
    }

    getPath(): string {
      return this.source.path;
    }

    getHost(): string {
      return this.source.call.getHost();
    }

    getAuthContext(): AuthContext {
      return this.source.call.getAuthContext();
    }

    getMetricsRecorder(): PerRequestMetricRecorder {
      return this.source.call.getMetricsRecorder();
    }
  }
  return Surface;
}

const EmitterSurface = surface(EventEmitter);
const ReadableSurface = surface(Readable);
const WritableSurface = surface(Writable);
const DuplexSurface = surface(Duplex);

const OBJECTS = { objectMode: true } as const;

/** A unary call behind interceptors. */
export class UnarySurface extends EmitterSurface {
  constructor(
    readonly source: SurfaceSource,
    readonly request: unknown,
  ) {
    super();
  }
}

/**
 * Delays a stream's first read until the promises that its handler has begun are settled. A framework may listen at
 * once, pass messages to subscribers that come only after some promises, and drop messages before. To wait for a turn
 * of the event loop, or to write a lone message without its trailers, would make a call of 300 µs 40 to 70 µs longer.
 */
class FirstRead {
  #asked = false;
  /** Whether the stream may be read. */
  settled = false;

  /** Calls `read` once the stream may be read. */
  ask(read: () => void): void {
    if (this.#asked) return;
    this.#asked = true;
    const settled = (): void => {
      this.settled = true;
      read();
    };
    // A tick that a microtask schedules runs when no microtask is left, however many follow one another.
    queueMicrotask(() => {
      process.nextTick(settled);
    });
  }
}

/** A call with many requests and one response. */
export class ReadableCall extends ReadableSurface {
  readonly #firstRead = new FirstRead();

  constructor(readonly source: SurfaceSource) {
    super(OBJECTS);
  }

  override read(size?: number): unknown {
    if (this.#firstRead.settled) return super.read(size);
    this.#firstRead.ask(() => {
      super.read(0);
    });
    return null;
  }

  override _read(): void {
    this.source.call.startRead();
  }
}

/** How a writable call ends: with the trailers given to `end`, or with the status of an error. */
class Ending {
  #status: PartialStatusObject = { code: Status.OK, details: OK_DETAILS };
  #trailers: Metadata | null = null;

  trailers(metadata: Metadata): void {
    this.#trailers = metadata;
  }

  status(status: PartialStatusObject): void {
    this.#status = status;
  }

  get whole(): PartialStatusObject {
    return { ...this.#status, metadata: this.#status.metadata ?? this.#trailers };
  }
}

/** Returns what a stream keeps of a message. A message behind others is counted against the limits. */
function kept({ source, writableLength }: { readonly source: SurfaceSource; readonly writableLength: number }, message: unknown): unknown {
  return writableLength === 0 || message === null ? message : source.replies.keep(message);
}

function send({ call, replies }: SurfaceSource, message: unknown, done: () => void): void {
  if (message instanceof WaitingReply) replies.sendWaiting(message, done);
  else call.sendMessage(message, done);
}

/** A call with one request and many responses. */
export class WritableCall extends WritableSurface {
  readonly #ending = new Ending();

  constructor(
    readonly source: SurfaceSource,
    readonly request: unknown,
  ) {
    super(OBJECTS);
    this.on("error", (error: ServerStatusResponse) => {
      this.#ending.status(errorStatus(error));
      this.end();
    });
  }

  override write(message: unknown, ...rest: unknown[]): boolean {
    if (this.cancelled) return refuseWrite(rest);
    return super.write(kept(this, message), ...(rest as []));
  }

  override _write(message: unknown, _encoding: string, done: () => void): void {
    send(this.source, message, done);
  }

  override _final(done: () => void): void {
    // Nothing has been sent: it does not finish.
    if (this.cancelled) return;
    this.source.call.sendStatus(this.#ending.whole);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (error !== null) this.source.call.sendStatus(errorStatus(error));
    else if (!this.writableFinished && !this.cancelled) this.source.call.sendStatus(DESTROYED);
    done(error);
  }

  // The argument is the trailers, as in grpc-js, not a last message.
  override end(trailers?: Metadata | (() => void)): this {
    if (typeof trailers === "function") return super.end(trailers);
    if (trailers) this.#ending.trailers(trailers);
    return super.end();
  }

  /** The handler threw or rejected: what it wrote before still goes out. */
  fail(thrown: unknown): void {
    this.#ending.status(thrownStatus(thrown, this.source.path));
    this.end();
  }
}

/** A call with many requests and many responses. */
export class DuplexCall extends DuplexSurface {
  readonly #ending = new Ending();
  readonly #firstRead = new FirstRead();

  constructor(readonly source: SurfaceSource) {
    super(OBJECTS);
    this.on("error", (error: ServerStatusResponse) => {
      this.#ending.status(errorStatus(error));
      this.end();
    });
  }

  override read(size?: number): unknown {
    if (this.#firstRead.settled) return super.read(size);
    this.#firstRead.ask(() => {
      super.read(0);
    });
    return null;
  }

  /** A loop over the requests that has ended leaves the stream as it is: the handler still writes and ends it. */
  override [Symbol.asyncIterator](): NodeJS.AsyncIterator<unknown> {
    return this.iterator({ destroyOnReturn: false });
  }

  override _read(): void {
    this.source.call.startRead();
  }

  override write(message: unknown, ...rest: unknown[]): boolean {
    if (this.cancelled) return refuseWrite(rest);
    return super.write(kept(this, message), ...(rest as []));
  }

  override _write(message: unknown, _encoding: string, done: () => void): void {
    send(this.source, message, done);
  }

  override _final(done: () => void): void {
    // The call was cancelled before the status was sent: the stream does not finish.
    if (this.cancelled) return;
    this.source.call.sendStatus(this.#ending.whole);
    done();
    // The call is over though the client may send on: a readable that is not read to its end would stay open.
    if (!this.readableEnded) setImmediate(() => this.destroy());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (error !== null) this.source.call.sendStatus(errorStatus(error));
    else if (!this.writableFinished && !this.cancelled) this.source.call.sendStatus(DESTROYED);
    done(error);
  }

  override end(trailers?: Metadata | (() => void)): this {
    if (typeof trailers === "function") return super.end(trailers);
    if (trailers) this.#ending.trailers(trailers);
    return super.end();
  }

  fail(thrown: unknown): void {
    this.#ending.status(thrownStatus(thrown, this.source.path));
    this.end();
  }
}

for (const { prototype } of [WritableCall, DuplexCall]) {
  tellWritable<WritableCall | DuplexCall>(prototype, (stream) => stream.cancelled);
}

/** The status of a call whose stream the handler destroyed without an error. */
const DESTROYED: PartialStatusObject = { code: Status.CANCELLED, details: "The server's handler destroyed the call" };
