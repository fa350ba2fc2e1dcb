import { AsyncResource } from "node:async_hooks";
import { Writable, type Readable } from "node:stream";
import type { Call } from "../client/call.js";
import type { CallListener } from "../client/call-settings.js";
import { responseMetadata } from "../client/response.js";
import type { HeaderBlock } from "../http2/index.js";
import type { Deserialize, Serialize } from "../protocol/method.js";
import { Status, type StatusObject } from "../protocol/status.js";
import type { AuthContext } from "./auth-context.js";
import { DirectCall, type CallOrigin } from "./direct-call.js";
import { silenceDrain } from "../ended-writes.js";
import { heard } from "../lazy-emitter.js";
import { WriteFlags, type InterceptingCallInterface, type InterceptingListener, type MessageContext } from "./interceptor-types.js";
import { serviceError } from "./service-error.js";
import type { UnaryCallback } from "./unary-call.js";

/** The surface: a Node stream of either kind with grpc-js's names. */
type Surface = (Readable | Writable) & { readonly serialize?: Serialize<never> };

/**
 * The inner side of a streaming call: back-pressure both ways, between a Node stream and a call of the channel or of
 * interceptors.
 */
export class StreamCall implements CallListener {
  core: Call | null = null;
  /** The channel of `core`. */
  channel: CallOrigin | null = null;
  unfollow: (() => void) | null = null;
  /** Made where the call was, if its frames are asked for. */
  caller: Error | null = null;
  /** Set for calls with one response. */
  callback: UnaryCallback<never> | null = null;
  /** The asynchronous context in which the call was made: events of the connection come in another one. */
  readonly #place = new AsyncResource("GrpcCall");
  readonly #surface: Surface;
  readonly #deserialize: Deserialize<unknown>;
  /** The call that interceptors, or a program, have put between the stream and the channel; else made on first use. */
  #beneath: InterceptingCallInterface | undefined = undefined;
  #answer: { value: unknown } | null = null;
  #announced = false;
  #ended = false;
  #destroyed = false;
  #cancelled = false;

  constructor(surface: Surface, deserialize: Deserialize<unknown>) {
    this.#surface = surface;
    this.#deserialize = deserialize;
  }

  /** Whether the call has ended, though its stream may still be written to and have messages to read. */
  get over(): boolean {
    return this.#ended || this.#cancelled || this.core?.ended === true;
  }

  /** The surface's `call`. */
  get call(): InterceptingCallInterface | undefined {
    if (this.core !== null) this.#beneath ??= new DirectCall(this.core, this.channel, (this.#surface.serialize as Serialize<unknown> | undefined) ?? null);
    return this.#beneath;
  }

  set call(call: InterceptingCallInterface | undefined) {
    this.#beneath = call;
  }

  /** The reader has room. */
  read(): void {
    if (this.#beneath !== undefined) this.#beneath.startRead();
    else this.core?.flow(true);
  }

  write(serialize: Serialize<unknown>, message: unknown, encoding: string, callback: (error?: Error | null) => void): void {
    if (this.over) {
      callback();
      return;
    }
    // grpc-js passes write flags where a Writable has the encoding.
    const flags = Number(encoding);
    const { core } = this;
    if (core === null || this.#beneath !== undefined) {
      const context: MessageContext = Number.isNaN(flags) ? { callback } : { callback, flags };
      this.#beneath?.sendMessageWithContext(context, message);
      return;
    }
    let bytes: Buffer;
    try {
      bytes = serialize(message);
    } catch (error) {
      core.cancel(Status.INTERNAL, `Request message serialization failure: ${text(error)}`);
      callback();
      return;
    }
    core.send(bytes, Number.isNaN(flags) || (flags & WriteFlags.NoCompress) === 0, callback);
  }

  halfClose(): void {
    if (this.#beneath !== undefined) this.#beneath.halfClose();
    else this.core?.finish();
  }

  cancel(): void {
    this.#cancelled = true;
    this.call?.cancelWithStatus(Status.CANCELLED, "Cancelled on client");
  }

  /** The stream was destroyed: cancels the call. */
  destroyed(): void {
    this.#destroyed = true;
    if (!this.#ended) this.cancel();
  }

  getPeer(): string {
    return this.call?.getPeer() ?? "unknown";
  }

  getAuthContext(): AuthContext | null {
    return this.call?.getAuthContext() ?? null;
  }

  onHeaders(block: HeaderBlock): void {
    this.#announced = heard(this.#surface, "metadata");
    if (!this.#announced) return;
    this.#place.runInAsyncScope(() => {
      this.#surface.emit("metadata", responseMetadata(block, this.#previous));
    });
  }

  onMessage(bytes: Buffer): void {
    let message: unknown;
    try {
      message = this.#deserialize(bytes);
    } catch (error) {
      this.core!.cancel(Status.INTERNAL, `Response message parsing error: ${text(error)}`);
      return;
    }
    this.#place.runInAsyncScope(this.#pass, undefined, message);
  }

  onStatus(code: Status, details: string, trailers: HeaderBlock | null): void {
    this.unfollow?.();
    this.#place.runInAsyncScope(() => {
      this.#status(code, () => ({ code, details, metadata: responseMetadata(trailers, trailers === null ? 0 : this.#previous) }));
    });
  }

  readonly #pass = (message: unknown): void => {
    this.#message(message);
  };

  /** Receives what interceptors pass on. */
  listener(): InterceptingListener {
    return {
      onReceiveMetadata: (metadata) => {
        this.#announced = this.#surface.emit("metadata", metadata);
      },
      onReceiveMessage: (message: unknown) => {
        // A call with one response gets null if there is none.
        if (message !== null || this.callback === null) this.#message(message);
      },
      onReceiveStatus: (status) => {
        this.#status(status.code, () => status);
      },
    };
  }

  #message(message: unknown): void {
    if (this.callback === null) {
      if (!(this.#surface as Readable).push(message)) this.core?.flow(false);
      return;
    }
    if (this.#answer !== null) {
      this.call?.cancelWithStatus(Status.UNIMPLEMENTED, "Too many responses received");
    }
    this.#answer = { value: message };
  }

  /** @param whole makes the status with its metadata, which few programs look at where a call succeeds */
  #status(code: Status, whole: () => StatusObject): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#surface instanceof Writable) silenceDrain(this.#surface);
    // Events in separate turns: a program may await one after the other, even if they came together.
    if (this.#announced) setImmediate(() => { this.#end(code, whole); });
    else this.#end(code, whole);
  }

  #end(code: Status, whole: () => StatusObject): void {
    const surface = this.#surface;
    if (this.callback === null) {
      // Both sides of the stream are over once what came is read.
      if (this.#unwritten) surface.once("end", () => surface.destroy());
      (surface as Readable).push(null);
    }
    if (code === Status.OK && (this.callback === null || this.#answer !== null)) {
      this.callback?.(null, this.#answer!.value as never);
      if (heard(surface, "status")) surface.emit("status", whole());
      this.#leave();
      return;
    }
    const status = whole();
    const error = code === Status.OK
      ? serviceError(Status.UNIMPLEMENTED, "No message received", status.metadata, this.caller)
      : serviceError(code, status.details, status.metadata, this.caller);
    if (this.callback !== null) this.callback(error);
    // No error for a stream that the program destroyed itself.
    else if (!this.#destroyed) surface.emit("error", error);
    surface.emit("status", status);
    this.#leave();
  }

  /** Whether the call ended before its writer did. */
  get #unwritten(): boolean {
    return this.#surface instanceof Writable && !this.#surface.writableFinished && !this.#surface.destroyed;
  }

  /** Closes a stream of requests alone, so that what is piped into it stops. */
  #leave(): void {
    if (this.callback !== null && this.#unwritten) this.#surface.destroy();
  }

  get #previous(): number {
    return this.core?.current?.previous ?? 0;
  }
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : "Unknown Error";
}
