import { AsyncResource } from "node:async_hooks";
import type { Call } from "../client/call.js";
import type { CallListener } from "../client/call-settings.js";
import { responseMetadata } from "../client/response.js";
import type { HeaderBlock } from "../http2/index.js";
import { LazyEmitter, heard } from "../lazy-emitter.js";
import type { Deserialize } from "../protocol/method.js";
import { Status, type StatusObject } from "../protocol/status.js";
import type { AuthContext } from "./auth-context.js";
import { DirectCall, type CallOrigin } from "./direct-call.js";
import type { InterceptingCallInterface, InterceptingListener } from "./interceptor-types.js";
import { serviceError, type ServiceError } from "./service-error.js";

/** Receives the response of a call with one response, or the error. */
export type UnaryCallback<Response> = (error: ServiceError | null, value?: Response) => void;

/** What all call objects have, beside their events. */
export interface SurfaceCall {
  /** The call beneath, as interceptors see it: the first of them, if there are any. */
  call?: InterceptingCallInterface | undefined;
  cancel(): void;
  getPeer(): string;
  getAuthContext(): AuthContext | null;
}

/** A unary call. Emits `metadata` and `status`. No stream, no closure: the object itself is the call's listener. */
export class ClientUnaryCall extends LazyEmitter implements SurfaceCall, CallListener {
  /** Set if there are no interceptors. */
  core: Call | null = null;
  /** The channel of `core`. */
  channel: CallOrigin | null = null;
  unfollow: (() => void) | null = null;
  /** Made where the call was, if its frames are asked for. */
  caller: Error | null = null;
  /** The asynchronous context in which the call was made: events of the connection come in another one. */
  private readonly place = new AsyncResource("GrpcCall");
  private readonly deserialize: Deserialize<unknown> | null;
  private readonly callback: UnaryCallback<never>;
  /** The call that interceptors, or a program, have put between this and the channel; else made on first use. */
  private beneath: InterceptingCallInterface | undefined = undefined;
  private announced = false;
  private answered = false;
  private value: unknown = undefined;

  /** @param deserialize null when messages come as they are, through interceptors */
  constructor(deserialize: Deserialize<unknown> | null, callback: UnaryCallback<never>) {
    super();
    this.deserialize = deserialize;
    this.callback = callback;
  }

  get call(): InterceptingCallInterface | undefined {
    if (this.core !== null) this.beneath ??= new DirectCall(this.core, this.channel, null);
    return this.beneath;
  }

  set call(call: InterceptingCallInterface | undefined) {
    this.beneath = call;
  }

  cancel(): void {
    this.call?.cancelWithStatus(Status.CANCELLED, "Cancelled on client");
  }

  getPeer(): string {
    return this.call?.getPeer() ?? "unknown";
  }

  getAuthContext(): AuthContext | null {
    return this.call?.getAuthContext() ?? null;
  }

  onHeaders(block: HeaderBlock): void {
    this.announced = heard(this, "metadata");
    if (!this.announced) return;
    this.place.runInAsyncScope(() => {
      this.emit("metadata", responseMetadata(block, this.previous));
    });
  }

  onMessage(bytes: Buffer): void {
    let value: unknown;
    try {
      value = this.deserialize!(bytes);
    } catch (error) {
      const text = error instanceof Error ? error.message : "Unknown Error";
      this.core!.cancel(Status.INTERNAL, `Response message parsing error: ${text}`);
      return;
    }
    if (this.answered) this.core!.cancel(Status.UNIMPLEMENTED, "Too many responses received");
    this.answered = true;
    this.value = value;
  }

  onStatus(code: Status, details: string, trailers: HeaderBlock | null): void {
    // Events in separate turns: a program may await one after the other, even if they came together.
    if (this.announced) setImmediate(() => { this.place.runInAsyncScope(ClientUnaryCall.finish, undefined, this, code, details, trailers); });
    else this.place.runInAsyncScope(ClientUnaryCall.finish, undefined, this, code, details, trailers);
  }

  /** A static function, so that no call allocates a closure. */
  private static readonly finish = (call: ClientUnaryCall, code: Status, details: string, trailers: HeaderBlock | null): void => {
    call.end(code, details, trailers);
  };

  private end(code: Status, details: string, trailers: HeaderBlock | null): void {
    this.unfollow?.();
    if (code === Status.OK && this.answered) {
      this.callback(null, this.value as never);
      if (heard(this, "status")) this.emit("status", { code, details, metadata: responseMetadata(trailers, 0) });
      return;
    }
    const metadata = responseMetadata(trailers, trailers === null ? 0 : this.previous);
    this.fail({ code, details, metadata });
  }

  /** Receives what interceptors pass on. */
  listener(): InterceptingListener {
    return {
      onReceiveMetadata: (metadata) => {
        this.emit("metadata", metadata);
      },
      onReceiveMessage: (message: unknown) => {
        if (this.answered && this.value !== null) this.call?.cancelWithStatus(Status.UNIMPLEMENTED, "Too many responses received");
        this.answered = message !== null;
        this.value = message;
      },
      onReceiveStatus: (status) => {
        if (status.code !== Status.OK || !this.answered) {
          this.fail(status);
          return;
        }
        this.callback(null, this.value as never);
        this.emit("status", status);
      },
    };
  }

  private get previous(): number {
    return this.core?.current?.previous ?? 0;
  }

  private fail(status: StatusObject): void {
    const { code, details, metadata } = status;
    const error = code === Status.OK ? serviceError(Status.UNIMPLEMENTED, "No message received", metadata, this.caller) : serviceError(code, details, metadata, this.caller);
    this.callback(error);
    this.emit("status", status);
  }
}

