import type { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { PerRequestMetricRecorder } from "../orca/call-metrics.js";
import type { Deserialize, Serialize } from "../protocol/method.js";
import type { Metadata } from "../protocol/metadata.js";
import type { StatusObject } from "../protocol/status.js";
import type { Deadline } from "../protocol/timeout.js";
import type { AuthContext } from "./intercepting.js";

/** A status with any of its parts missing. */
export type ServerStatusResponse = Partial<StatusObject>;

/** An error that says how the call ends by `code`, `details` and `metadata`. */
export type ServerErrorResponse = ServerStatusResponse & Error;

/** What every call object offers to a handler. Emits `cancelled` if the call ends before the handler ends it. */
export interface ServerCallSurface {
  /** Whether the call ended before the handler ended it: by the client, the deadline, the connection or a limit. */
  cancelled: boolean;
  /** The request's metadata. */
  readonly metadata: Metadata;
  /** `127.0.0.1:50051`, `[::1]:50051`, `unix:/path` or `unknown`. */
  getPeer(): string;
  /** Sends the response's metadata, once, before the first message; later calls do nothing. */
  sendMetadata(metadata: Metadata): void;
  /** Milliseconds since 1970, or `Infinity`. */
  getDeadline(): Deadline;
  /** `/package.Service/Method`. */
  getPath(): string;
  /** The request's `:authority`. */
  getHost(): string;
  getAuthContext(): AuthContext;
  /** Records the cost of the call. The trailers carry it if the option `grpc.server_call_metric_recording` is set. */
  getMetricsRecorder(): PerRequestMetricRecorder;
}

export type ServerSurfaceCall = ServerCallSurface & EventEmitter;

/** A readable stream of messages. */
export type ObjectReadable<T> = Omit<Readable, "read" | "on" | "once" | typeof Symbol.asyncIterator> & {
  read(size?: number): T | null;
  on(event: "data", listener: (message: T) => void): ObjectReadable<T>;
  on(event: string | symbol, listener: (...args: never[]) => void): ObjectReadable<T>;
  once(event: "data", listener: (message: T) => void): ObjectReadable<T>;
  once(event: string | symbol, listener: (...args: never[]) => void): ObjectReadable<T>;
  [Symbol.asyncIterator](): AsyncIterator<T>;
};

/** A writable stream of messages that ends with trailers. */
export type ObjectWritable<T> = Omit<Writable, "write" | "end"> & {
  write(message: T, done?: (error: Error | null | undefined) => void): boolean;
  write(message: T, encoding?: unknown, done?: (error: Error | null | undefined) => void): boolean;
  end(trailers?: Metadata): unknown;
};

// The second parameter is grpc-js's: it ties a call to its method's types.
// eslint-disable-next-line @typescript-eslint/no-unused-vars
export type ServerUnaryCall<Request, _Response> = ServerSurfaceCall & { request: Request };
// eslint-disable-next-line @typescript-eslint/no-unused-vars
export type ServerReadableStream<Request, _Response> = ServerCallSurface & ObjectReadable<Request>;
export type ServerWritableStream<Request, Response> = ServerCallSurface & ObjectWritable<Response> & { request: Request };
export type ServerDuplexStream<Request, Response> = ServerCallSurface & ObjectReadable<Request> & ObjectWritable<Response>;

/** Ends a call with one response: an error or a message, and trailers. Only the first use counts. */
export type sendUnaryData<Response> = (
  error: ServerErrorResponse | ServerStatusResponse | null,
  value?: Response | null,
  trailer?: Metadata,
  flags?: number,
) => void;

/** Do not compress this message (grpc-js's `WriteFlags`). */
export const NO_COMPRESS = 2;

/**
 * Handlers may be async: a rejection ends the call with the error's status; for one response, a promise of a message is
 * the same as the callback.
 */
export type handleUnaryCall<Request, Response> = (
  call: ServerUnaryCall<Request, Response>,
  callback: sendUnaryData<Response>,
  // Handlers written for grpc-js return anything or nothing.
) => unknown;
export type handleClientStreamingCall<Request, Response> = (
  call: ServerReadableStream<Request, Response>,
  callback: sendUnaryData<Response>,
) => unknown;
export type handleServerStreamingCall<Request, Response> = (call: ServerWritableStream<Request, Response>) => unknown;
export type handleBidiStreamingCall<Request, Response> = (call: ServerDuplexStream<Request, Response>) => unknown;

export type HandleCall<Request, Response> =
  | handleUnaryCall<Request, Response>
  | handleClientStreamingCall<Request, Response>
  | handleServerStreamingCall<Request, Response>
  | handleBidiStreamingCall<Request, Response>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type UntypedHandleCall = HandleCall<any, any>;
export type UntypedServiceImplementation = Record<string, UntypedHandleCall>;

export type HandlerType = "bidi" | "clientStream" | "serverStream" | "unary";

/** A method of a server, by its path. */
export interface Route {
  readonly path: string;
  readonly type: HandlerType;
  /** Called on the route. Instrumentations replace it (`Server.handlers`). */
  func: (this: Route, call: unknown, callback?: sendUnaryData<unknown>) => unknown;
  readonly serialize: Serialize<unknown>;
  readonly deserialize: Deserialize<unknown>;
}
