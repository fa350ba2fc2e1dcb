import { AsyncResource } from "node:async_hooks";
import type { Call } from "../client/call.js";
import type { CallListener } from "../client/call-settings.js";
import type { Method } from "../client/method.js";
import { responseMetadata } from "../client/response.js";
import type { HeaderBlock } from "../http2/index.js";
import type { Metadata } from "../protocol/metadata.js";
import type { Status } from "../protocol/status.js";
import { authContext, type AuthContext } from "./auth-context.js";
import type { CallCredentials } from "./call-credentials.js";
import type { CallOptions } from "./interceptor-types.js";
import { followParent } from "./follow-parent.js";
import { WriteFlags, type CallInterface, type InterceptingListener, type MessageContext } from "./interceptor-types.js";

/** The channel, as a call sees it. */
export interface CallChannel {
  getTarget(): string;
  method(path: string, options: CallOptions): Method;
  /** Returns a call that has not begun yet. */
  open(method: Method, listener: CallListener, metadata: Metadata | null, options: CallOptions): Call;
}

let calls = 0;

/** One call with messages of bytes, under grpc-js's names: the last of a chain of interceptors. */
export class ChannelCall implements CallInterface, CallListener {
  readonly #channel: CallChannel;
  readonly #path: string;
  readonly #options: CallOptions;
  readonly #number: number;
  /** The asynchronous context in which the call was made. */
  readonly #place = new AsyncResource("GrpcCall");
  #call: Call | null = null;
  #listener: InterceptingListener | null = null;
  #unfollow: (() => void) | null = null;
  /** Reads and a cancellation before `start`. */
  #reads = 0;
  #cancelled: [Status, string] | null = null;

  constructor(channel: CallChannel, path: string, options: CallOptions) {
    this.#channel = channel;
    this.#path = path;
    this.#options = options;
    calls += 1;
    this.#number = calls;
  }

  start(metadata: Metadata, listener: InterceptingListener): void {
    const method = this.#channel.method(this.#path, this.#options);
    const call = this.#channel.open(method, this, metadata.isEmpty ? metadata : metadata.clone(), this.#options);
    this.#listener = listener;
    this.#call = call;
    this.#unfollow = followParent(call, this.#options);
    if (this.#cancelled !== null) call.cancel(...this.#cancelled);
    else call.start();
    for (; this.#reads > 0; this.#reads -= 1) call.read();
  }

  sendMessageWithContext(context: MessageContext, message: Buffer): void {
    const plain = ((context.flags ?? 0) & WriteFlags.NoCompress) !== 0;
    const { callback } = context;
    this.#started().send(message, !plain, callback === undefined ? null : () => { callback(); });
  }

  halfClose(): void {
    this.#started().finish();
  }

  startRead(): void {
    if (this.#call === null) this.#reads += 1;
    else this.#call.read();
  }

  cancelWithStatus(status: Status, details: string): void {
    if (this.#call === null) this.#cancelled ??= [status, details];
    else this.#call.cancel(status, details);
  }

  getPeer(): string {
    return this.#call?.current?.link?.peer ?? this.#channel.getTarget();
  }

  getAuthContext(): AuthContext | null {
    const link = this.#call?.current?.link;
    return link == null ? null : authContext(link);
  }

  getCallNumber(): number {
    return this.#number;
  }

  setCredentials(credentials: CallCredentials): void {
    this.#options.credentials = credentials;
  }

  onHeaders(block: HeaderBlock): void {
    this.#place.runInAsyncScope(() => {
      this.#listener!.onReceiveMetadata(responseMetadata(block, this.#previous));
    });
  }

  onMessage(bytes: Buffer): void {
    this.#place.runInAsyncScope(() => {
      this.#listener!.onReceiveMessage(bytes);
    });
  }

  onStatus(code: Status, details: string, trailers: HeaderBlock | null): void {
    this.#unfollow?.();
    // A Readable emits its last message on the next tick, and interceptors hear of the status after that, as in grpc-js.
    this.#place.runInAsyncScope(() => {
      process.nextTick(() => {
        this.#listener!.onReceiveStatus({ code, details, metadata: responseMetadata(trailers, trailers === null ? 0 : this.#previous) });
      });
    });
  }

  get #previous(): number {
    return this.#call?.current?.previous ?? 0;
  }

  #started(): Call {
    if (this.#call === null) throw new Error("the call has not been started");
    return this.#call;
  }
}
