import type { Call } from "../client/call.js";
import { ConnectivityState } from "../client/connectivity.js";
import { Metadata } from "../protocol/metadata.js";
import type { ClientMethodDefinition, Deserialize, Serialize } from "../protocol/method.js";
import { Status } from "../protocol/status.js";
import type { Deadline } from "../protocol/timeout.js";
import type { CallOptions } from "./interceptor-types.js";
import type { ChannelCredentials } from "./channel-credentials.js";
import type { ChannelOptions } from "./channel-options.js";
import { Channel, type ChannelInterface } from "./channel.js";
import { followParent } from "./follow-parent.js";
import { ClientDuplexStream, ClientReadableStream, ClientWritableStream } from "./client-streams.js";
import type { InterceptingCallInterface, Interceptor, InterceptorProvider } from "./interceptor-types.js";
import { checkSource, interceptedCall, type InterceptorSource } from "./interceptors.js";
import { ClientUnaryCall, type SurfaceCall, type UnaryCallback } from "./unary-call.js";

/* Message types are the caller's; `any` in transformers is grpc-js's. */
/* eslint-disable @typescript-eslint/no-explicit-any */

/** The properties of a call that is about to begin. */
export interface CallProperties<Request, Response> {
  argument?: Request;
  metadata: Metadata;
  call: SurfaceCall;
  channel: ChannelInterface;
  methodDefinition: ClientMethodDefinition<Request, Response>;
  callOptions: CallOptions;
  callback?: UnaryCallback<Response>;
}

/** Changes calls before they begin. */
export type CallInvocationTransformer = (properties: CallProperties<any, any>) => CallProperties<any, any>;

export interface ClientOptions extends ChannelOptions {
  channelOverride?: ChannelInterface;
  channelFactoryOverride?: (address: string, credentials: ChannelCredentials, options: ClientOptions) => ChannelInterface;
  interceptors?: Interceptor[];
  interceptor_providers?: InterceptorProvider[];
  callInvocationTransformer?: CallInvocationTransformer;
}

const CHANNEL = Symbol("channel");

/** Calls of any method over one channel: the base of generated clients. */
export class Client {
  readonly [CHANNEL]: ChannelInterface;
  readonly #interceptors: InterceptorSource;
  readonly #transform: CallInvocationTransformer | null;
  /** The channel, if there is no transformer or interceptor before it. */
  readonly #direct: Channel | null;
  /** Whether errors have the stack frames of the call's caller. */
  readonly #frames: boolean;

  /** @throws Error if interceptors and interceptor providers are both given, or for an invalid target */
  constructor(address: string, credentials: ChannelCredentials, options: ClientOptions = {}) {
    const { channelOverride, channelFactoryOverride, interceptors = [], interceptor_providers: providers = [], callInvocationTransformer, ...rest } = options;
    this.#interceptors = { interceptors, providers };
    checkSource(this.#interceptors, "options to the client constructor");
    this.#transform = callInvocationTransformer ?? null;
    this[CHANNEL] = channelOverride ?? channelFactoryOverride?.(address, credentials, rest) ?? new Channel(address, credentials, rest);
    this.#frames = (options["samewire.call_frames"] ?? Number(process.env["SAMEWIRE_CALL_FRAMES"] ?? 0)) !== 0;
    const plain = this.#transform === null && interceptors.length + providers.length === 0;
    this.#direct = plain && this[CHANNEL] instanceof Channel ? this[CHANNEL] : null;
  }

  /** Ends the channel: calls under way go on. */
  close(): void {
    this[CHANNEL].close();
  }

  getChannel(): ChannelInterface {
    return this[CHANNEL];
  }

  /** Connects, and calls back when that is done, or with an error at the deadline. */
  waitForReady(deadline: Deadline, callback: (error?: Error) => void): void {
    const look = (error?: Error): void => {
      if (error !== undefined) {
        callback(new Error("Failed to connect before the deadline"));
        return;
      }
      const state = this[CHANNEL].getConnectivityState(true);
      if (state === ConnectivityState.READY) {
        callback();
        return;
      }
      try {
        this[CHANNEL].watchConnectivityState(state, deadline, look);
      } catch {
        callback(new Error("The channel has been closed"));
      }
    };
    setImmediate(look);
  }

  makeUnaryRequest<Request, Response>(
    method: string,
    serialize: Serialize<Request>,
    deserialize: Deserialize<Response>,
    argument: Request,
    ...rest: [Metadata, CallOptions, UnaryCallback<Response>] | [Metadata | CallOptions, UnaryCallback<Response>] | [UnaryCallback<Response>]
  ): ClientUnaryCall;
  makeUnaryRequest<Request, Response>(
    path: string,
    serialize: Serialize<Request>,
    deserialize: Deserialize<Response>,
    argument: Request,
    first?: unknown,
    second?: unknown,
    third?: unknown,
  ): ClientUnaryCall {
    const { metadata, options, callback } = answered(first, second, third);
    const direct = this.#direct;
    if (direct === null || options.interceptors !== undefined || options.interceptor_providers !== undefined) {
      const definition = define(path, false, false, serialize, deserialize);
      const call = new ClientUnaryCall(null, callback);
      if (this.#frames) call.caller = new Error();
      const begun = this.#intercept(definition, call, argument, metadata ?? new Metadata(), options, callback);
      begun.next.start(begun.metadata, begun.call.listener());
      begun.next.sendMessage(begun.argument);
      begun.next.halfClose();
      return begun.call;
    }
    const call = new ClientUnaryCall(deserialize, callback);
    if (this.#frames) call.caller = new Error();
    const core = direct.open(direct.method(path, options), call, metadata, options);
    call.core = core;
    call.channel = direct;
    if (options.parent !== undefined) call.unfollow = followParent(core, options);
    core.flow(true);
    request(core, serialize, argument);
    return call;
  }

  makeClientStreamRequest<Request, Response>(
    method: string,
    serialize: Serialize<Request>,
    deserialize: Deserialize<Response>,
    ...rest: [Metadata, CallOptions, UnaryCallback<Response>] | [Metadata | CallOptions, UnaryCallback<Response>] | [UnaryCallback<Response>]
  ): ClientWritableStream<Request>;
  makeClientStreamRequest<Request, Response>(
    path: string,
    serialize: Serialize<Request>,
    deserialize: Deserialize<Response>,
    first?: unknown,
    second?: unknown,
    third?: unknown,
  ): ClientWritableStream<Request> {
    const { metadata, options, callback } = answered(first, second, third);
    const definition = define(path, true, false, serialize, deserialize);
    const call = new ClientWritableStream<Request>(serialize, deserialize);
    call.inner.callback = callback;
    return this.#stream(definition, call, undefined, metadata, options, callback);
  }

  makeServerStreamRequest<Request, Response>(
    method: string,
    serialize: Serialize<Request>,
    deserialize: Deserialize<Response>,
    argument: Request,
    metadata?: Metadata | CallOptions | null,
    options?: CallOptions | null,
  ): ClientReadableStream<Response>;
  makeServerStreamRequest<Request, Response>(
    path: string,
    serialize: Serialize<Request>,
    deserialize: Deserialize<Response>,
    argument: Request,
    first?: unknown,
    second?: unknown,
  ): ClientReadableStream<Response> {
    const { metadata, options } = unanswered(first, second);
    const definition = define(path, false, true, serialize, deserialize);
    return this.#stream(definition, new ClientReadableStream<Response>(deserialize), { argument }, metadata, options);
  }

  makeBidiStreamRequest<Request, Response>(
    method: string,
    serialize: Serialize<Request>,
    deserialize: Deserialize<Response>,
    metadata?: Metadata | CallOptions | null,
    options?: CallOptions | null,
  ): ClientDuplexStream<Request, Response>;
  makeBidiStreamRequest<Request, Response>(
    path: string,
    serialize: Serialize<Request>,
    deserialize: Deserialize<Response>,
    first?: unknown,
    second?: unknown,
  ): ClientDuplexStream<Request, Response> {
    const { metadata, options } = unanswered(first, second);
    const definition = define(path, true, true, serialize, deserialize);
    return this.#stream(definition, new ClientDuplexStream<Request, Response>(serialize, deserialize), undefined, metadata, options);
  }

  /**
   * Begins a streaming call, over interceptors if there are any.
   * @param single the one request of a call that has one
   */
  #stream<Surface extends ClientReadableStream<any> | ClientWritableStream<any> | ClientDuplexStream<any, any>>(
    definition: ClientMethodDefinition<any, any>,
    call: Surface,
    single: { argument: unknown } | undefined,
    metadata: Metadata | null,
    options: CallOptions,
    callback?: UnaryCallback<never>,
  ): Surface {
    const direct = this.#direct;
    if (this.#frames) call.inner.caller = new Error();
    if (direct === null || options.interceptors !== undefined || options.interceptor_providers !== undefined) {
      const begun = this.#intercept<Surface>(definition, call, single?.argument, metadata ?? new Metadata(), options, callback);
      begun.next.start(begun.metadata, begun.call.inner.listener());
      if (single !== undefined) {
        begun.next.sendMessage(begun.argument);
        begun.next.halfClose();
      }
      return begun.call;
    }
    const core = direct.open(direct.method(definition.path, options), call.inner, metadata, options);
    call.inner.core = core;
    call.inner.channel = direct;
    if (options.parent !== undefined) call.inner.unfollow = followParent(core, options);
    if (callback !== undefined) core.flow(true);
    if (single === undefined) core.start();
    else request(core, definition.requestSerialize, single.argument);
    return call;
  }

  /** Applies the transformer and builds the chain of interceptors. */
  #intercept<Surface extends SurfaceCall>(
    definition: ClientMethodDefinition<any, any>,
    call: Surface,
    argument: unknown,
    metadata: Metadata,
    options: CallOptions,
    callback?: UnaryCallback<never>,
  ): { next: InterceptingCallInterface; call: Surface; metadata: Metadata; argument?: unknown } {
    let properties: CallProperties<any, any> = {
      argument,
      metadata,
      call,
      channel: this[CHANNEL],
      methodDefinition: definition,
      callOptions: options,
      ...(callback === undefined ? {} : { callback: callback as UnaryCallback<any> }),
    };
    if (this.#transform !== null) properties = this.#transform(properties);
    const next = interceptedCall(this.#interceptors, properties.callOptions, properties.methodDefinition, properties.channel);
    properties.call.call = next;
    return { ...properties, call: properties.call as Surface, next };
  }
}

/** Sends the one request of a call that is about to begin. */
function request<Request>(core: Call, serialize: Serialize<Request>, argument: Request): void {
  let bytes: Buffer;
  try {
    bytes = serialize(argument);
  } catch (error) {
    core.cancel(Status.INTERNAL, `Request message serialization failure: ${error instanceof Error ? error.message : "Unknown Error"}`);
    return;
  }
  core.send(bytes, true, null);
  core.finish();
  core.start();
}

function define<Request, Response>(
  path: string,
  requestStream: boolean,
  responseStream: boolean,
  requestSerialize: Serialize<Request>,
  responseDeserialize: Deserialize<Response>,
): ClientMethodDefinition<Request, Response> {
  return { path, requestStream, responseStream, requestSerialize, responseDeserialize };
}

const NO_OPTIONS: CallOptions = Object.freeze({});

function isCallback(value: unknown): value is UnaryCallback<never> {
  return typeof value === "function";
}

/** Parses the arguments `[metadata], [options], callback`. @throws Error for anything else */
function answered(first: unknown, second: unknown, third: unknown): { metadata: Metadata | null; options: CallOptions; callback: UnaryCallback<never> } {
  if (isCallback(first)) return { metadata: null, options: NO_OPTIONS, callback: first };
  if (isCallback(second)) {
    if (first instanceof Metadata) return { metadata: first, options: NO_OPTIONS, callback: second };
    return { metadata: null, options: first ?? NO_OPTIONS, callback: second };
  }
  if (!(first instanceof Metadata && second instanceof Object && isCallback(third))) throw new Error("Incorrect arguments passed");
  return { metadata: first, options: second, callback: third };
}

/** Parses the arguments `[metadata], [options]`. */
function unanswered(first: unknown, second: unknown): { metadata: Metadata | null; options: CallOptions } {
  if (first instanceof Metadata) return { metadata: first, options: second ?? NO_OPTIONS };
  return { metadata: null, options: first ?? NO_OPTIONS };
}
