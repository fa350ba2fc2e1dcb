import type { AsyncResource } from "node:async_hooks";
import { LazyEmitter } from "../lazy-emitter.js";
import type { PerRequestMetricRecorder } from "../orca/call-metrics.js";
import { MessageReader, Reading } from "../protocol/message-reader.js";
import type { MessageSink } from "../protocol/message-reader.js";
import { PREFIX, copyMessage } from "../protocol/message-frame.js";
import type { Metadata } from "../protocol/metadata.js";
import { Status } from "../protocol/status.js";
import { callContext, KEEPS_ENTERED } from "./call-context.js";
import { CallOutput } from "./call-output.js";
import { errorStatus, thrownStatus } from "./error-status.js";
import { NO_COMPRESS } from "./handler.js";
import type { ServerErrorResponse, ServerStatusResponse, ServerSurfaceCall, sendUnaryData } from "./handler.js";
import { Refusal, inflated, readingStatus } from "./incoming-message.js";
import type { AuthContext } from "./intercepting.js";

/** The call object that the handler of a unary call gets. */
class UnarySurface extends LazyEmitter implements ServerSurfaceCall {
  cancelled = false;
  readonly request: unknown;
  readonly #call: UnaryCall;

  constructor(call: UnaryCall, request: unknown) {
    super();
    this.#call = call;
    this.request = request;
  }

  /** An error that the handler emits ends the call with its status, as in grpc-js, also if it has other listeners. */
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event !== "error") return super.emit(event, ...values);
    this.#call.fail(values[0] as ServerErrorResponse);
    if (this.listenerCount(event) > 0) super.emit(event, ...values);
    return true;
  }

  get metadata(): Metadata {
    return this.#call.metadata;
  }

  sendMetadata(metadata: Metadata): void {
    this.#call.sendMetadata(metadata);
  }

  getPeer(): string {
    return this.#call.getPeer();
  }

  getDeadline(): number {
    return this.#call.getDeadline();
  }

  getPath(): string {
    return this.#call.route.path;
  }

  getHost(): string {
    return this.#call.getHost();
  }

  getAuthContext(): AuthContext {
    return this.#call.getAuthContext();
  }

  getMetricsRecorder(): PerRequestMetricRecorder {
    return this.#call.getMetricsRecorder();
  }
}

/**
 * The fast path for a unary call without interceptors: no Node stream, no queue, and no reader for a request that comes
 * in one piece. It allocates itself, the request, the call object and one callback.
 */
export class UnaryCall extends CallOutput implements MessageSink {
  #reader: MessageReader | null = null;
  #message: Buffer | null = null;
  #compressed = false;
  #surface: UnarySurface | null = null;
  /** The context of the handler and of the call's events. */
  #context: AsyncResource | null = null;
  #answered = false;

  onData(bytes: Uint8Array, from: number, to: number, end: boolean): void {
    if (this.ended) {
      this.discard(to - from);
      return;
    }
    this.acknowledge(to - from);
    if (end && this.#reader === null && this.#isWhole(bytes, from, to)) {
      this.owner.counters.messagesReceived += 1;
      this.#run(copyMessage(bytes, from + PREFIX, to));
      return;
    }
    const limit = this.owner.context.settings.maxReceiveBytes;
    const reader = (this.#reader ??= new MessageReader(limit));
    const reading = reader.read(bytes, from, to, this);
    this.hold(reader.buffered + (this.#message === null ? 0 : this.#message.length));
    if (reading > Reading.Stopped) {
      const status = readingStatus(reading, reader.announced, limit);
      this.abort(status.code, status.details);
    } else if (end) {
      this.onHalfClose();
    }
  }

  /** One uncompressed message within the limit, and nothing else. */
  #isWhole(bytes: Uint8Array, from: number, to: number): boolean {
    const length = to - from - PREFIX;
    return (
      length >= 0 &&
      bytes[from] === 0 &&
      (((bytes[from + 1]! << 24) | (bytes[from + 2]! << 16) | (bytes[from + 3]! << 8) | bytes[from + 4]!) >>> 0) === length &&
      length <= this.owner.context.settings.maxReceiveBytes
    );
  }

  onMessage(bytes: Uint8Array, from: number, to: number, compressed: boolean, isOwned: boolean): boolean {
    this.owner.counters.messagesReceived += 1;
    if (this.#message !== null) {
      this.abort(Status.UNIMPLEMENTED, `Received a second request message for unary method ${this.route.path}`);
      return false;
    }
    this.#message = isOwned ? (bytes as Buffer) : copyMessage(bytes, from, to);
    this.#compressed = compressed;
    return true;
  }

  /** The client has sent all. */
  onHalfClose(): void {
    if (this.ended) return;
    if (this.#reader !== null && !this.#reader.atBoundary) {
      this.abort(Status.INTERNAL, "The request ended within a message");
    } else if (this.#message === null) {
      this.abort(Status.UNIMPLEMENTED, `Received no request message for unary method ${this.route.path}`);
    } else {
      const message = this.#message;
      this.#message = null;
      if (this.#compressed) this.#inflate(message);
      else this.#run(message);
    }
  }

  onWritable(): void {
    // A unary reply has nothing more to send.
  }

  #inflate(message: Buffer): void {
    const refuse = (refusal: unknown): void => {
      const { code, message: details } = refusal as Refusal;
      this.abort(code, details);
    };
    try {
      const result = inflated(this, message);
      if (Buffer.isBuffer(result)) this.#run(result);
      else result.then((bytes) => { if (!this.ended) this.#run(bytes); }, refuse);
    } catch (refusal) {
      refuse(refusal);
    }
  }

  #run(message: Buffer): void {
    if (this.held > 0) this.hold(0);
    let request: unknown;
    try {
      request = this.route.deserialize(message);
    } catch (error) {
      this.unreadable(error);
      return;
    }
    const surface = new UnarySurface(this, request);
    this.#surface = surface;
    let result: unknown;
    try {
      const respond: sendUnaryData<unknown> = (error, value, trailer, flags) => {
        this.#respond(error, value, trailer, flags);
      };
      const context = (this.#context = callContext());
      if (KEEPS_ENTERED) result = context.runInAsyncScope(this.route.func, this.route, surface, respond);
      else result = context.runInAsyncScope(this.#enter, this, surface, respond);
    } catch (thrown) {
      this.#failed(thrown);
      return;
    }
    if (result !== undefined && typeof (result as PromiseLike<unknown> | null)?.then === "function") this.#follow(result as PromiseLike<unknown>);
  }

  /** Runs the handler, and captures what it has entered for the later events of a call that goes on. */
  #enter(surface: UnarySurface, respond: sendUnaryData<unknown>): unknown {
    const result = this.route.func(surface, respond);
    if (!this.ended) this.#context = callContext();
    return result;
  }

  /**
   * An async handler: its promise is the response unless the callback came first. `undefined` leaves the response to
   * the callback.
   */
  #follow(result: PromiseLike<unknown>): void {
    result.then(
      (value) => {
        if (value !== undefined) this.#respond(null, value);
      },
      (thrown: unknown) => {
        this.#failed(thrown);
      },
    );
  }

  #failed(thrown: unknown): void {
    // How a handler ends after a cancellation is ignored.
    if (this.#answered || this.ended) return;
    this.#answered = true;
    const status = thrownStatus(thrown, this.route.path);
    this.end(status.code, status.details, status.metadata);
  }

  #respond(error: ServerErrorResponse | ServerStatusResponse | null, value: unknown, trailer?: Metadata, flags = 0): void {
    if (this.#answered || this.ended) return;
    this.#answered = true;
    // Programs without types pass undefined for no error.
    if (error) {
      const status = errorStatus(error, trailer);
      this.end(status.code, status.details, status.metadata);
      return;
    }
    const bytes = this.serialized(value);
    if (bytes === null) return;
    if (this.encoding === null || (flags & NO_COMPRESS) !== 0) {
      this.writeLast(bytes, false, trailer);
      return;
    }
    const packed = this.encoding.compress(bytes);
    if (Buffer.isBuffer(packed)) {
      this.writeLast(packed, true, trailer);
      return;
    }
    packed.then(
      (message) => {
        if (!this.ended) this.writeLast(message, true, trailer);
      },
      () => {
        this.abort(Status.INTERNAL, "Failed to compress message");
      },
    );
  }

  /** Ends the call with the status of an error, unless it has been answered. */
  fail(error: ServerErrorResponse): void {
    this.#respond(error, null);
  }

  protected override settle(code: Status): void {
    // The handler may keep the call object for long.
    this.#message = null;
    this.#reader?.stop();
    super.settle(code);
  }

  protected cancel(): void {
    const surface = this.#surface;
    if (surface === null) return;
    surface.cancelled = true;
    // On the next tick: an error of a listener must not end the connection.
    process.nextTick(() => this.#context?.runInAsyncScope(() => surface.emit("cancelled", "cancelled")));
  }
}
