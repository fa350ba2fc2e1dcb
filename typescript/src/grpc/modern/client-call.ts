import { AsyncResource } from "node:async_hooks";
import type { Call } from "../client/call.js";
import type { CallListener } from "../client/call-settings.js";
import { responseMetadata } from "../client/response.js";
import type { HeaderBlock } from "../http2/index.js";
import type { Metadata } from "../protocol/metadata.js";
import type { Deserialize, Serialize } from "../protocol/method.js";
import { Status } from "../protocol/status.js";
import { thrownText } from "../protocol/thrown.js";
import { GrpcError } from "./error.js";

/** Callbacks and a signal of a call. */
export interface Watch {
  readonly signal?: AbortSignal | undefined;
  /** The response's metadata, before its first message. */
  readonly onHeader?: ((metadata: Metadata) => void) | undefined;
  /** The trailers, of failed calls too. */
  readonly onTrailer?: ((metadata: Metadata) => void) | undefined;
}

/** A call under way, whichever kind its response is. */
export abstract class WatchedCall implements CallListener {
  core: Call | null = null;
  ended = false;
  protected readonly deserialize: Deserialize<unknown>;
  private readonly watch: Watch;
  private abort: (() => void) | null = null;

  constructor(deserialize: Deserialize<unknown>, watch: Watch) {
    const { signal, onHeader, onTrailer } = watch;
    this.deserialize = deserialize;
    // Events of the connection come in another asynchronous context: callbacks run in that of the caller.
    this.watch = { signal, onHeader: onHeader && AsyncResource.bind(onHeader), onTrailer: onTrailer && AsyncResource.bind(onTrailer) };
  }

  /** Listens to the signal. @returns false if it is aborted already: the call is then cancelled */
  follow(core: Call): boolean {
    this.core = core;
    const { signal } = this.watch;
    if (signal === undefined) return true;
    const abort = (): void => {
      core.cancel(Status.CANCELLED, reason(signal));
    };
    if (signal.aborted) {
      abort();
      return false;
    }
    this.abort = abort;
    signal.addEventListener("abort", abort, { once: true });
    return true;
  }

  onHeaders(block: HeaderBlock): void {
    this.watch.onHeader?.(responseMetadata(block, this.core?.current?.previous ?? 0));
  }

  onMessage(bytes: Buffer): void {
    let message: unknown;
    try {
      message = this.deserialize(bytes);
    } catch (error) {
      this.core!.cancel(Status.INTERNAL, `Response message parsing error: ${thrownText(error)}`);
      return;
    }
    this.message(message);
  }

  onStatus(code: Status, details: string, trailers: HeaderBlock | null): void {
    this.ended = true;
    if (this.abort !== null) this.watch.signal!.removeEventListener("abort", this.abort);
    const { onTrailer } = this.watch;
    if (code === Status.OK && onTrailer === undefined) {
      this.end(null);
      return;
    }
    const metadata = responseMetadata(trailers, 0);
    try {
      onTrailer?.(metadata);
    } finally {
      this.end(code === Status.OK ? null : new GrpcError(code, details, metadata));
    }
  }

  protected abstract message(message: unknown): void;
  protected abstract end(error: GrpcError | null): void;
}

function reason(signal: AbortSignal): string {
  const cause: unknown = signal.reason;
  return cause instanceof Error && cause.name !== "AbortError" ? `Aborted: ${cause.message}` : "Aborted by the caller's signal";
}

/** One response, as a promise. */
export class AnswerCall extends WatchedCall {
  readonly promise: Promise<unknown>;
  #resolve!: (value: unknown) => void;
  #reject!: (error: GrpcError) => void;
  #answers = 0;
  #value: unknown = undefined;

  constructor(deserialize: Deserialize<unknown>, watch: Watch) {
    super(deserialize, watch);
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  protected message(message: unknown): void {
    this.#value = message;
    this.#answers += 1;
    if (this.#answers > 1) this.core!.cancel(Status.UNIMPLEMENTED, "Too many responses received");
  }

  protected end(error: GrpcError | null): void {
    if (error !== null) this.#reject(error);
    else if (this.#answers === 0) this.#reject(new GrpcError(Status.UNIMPLEMENTED, "No message received"));
    else this.#resolve(this.#value);
  }
}

/** Responses one by one, as they are asked for: a reader that does not ask buffers no more than the stream's window. */
export class AnswersCall extends WatchedCall implements AsyncIterableIterator<unknown> {
  readonly #ready: unknown[] = [];
  #waiting: { resolve: (result: IteratorResult<unknown>) => void; reject: (error: GrpcError) => void }[] = [];
  #error: GrpcError | null = null;

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<unknown>> {
    if (this.#ready.length > 0) return Promise.resolve({ done: false, value: this.#ready.shift() });
    if (this.ended) {
      const error = this.#error;
      this.#error = null;
      return error === null ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(error);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.core!.read();
    });
  }

  /** The reader stops: cancels the call unless it has ended. */
  return(): Promise<IteratorResult<unknown>> {
    if (!this.ended) this.core!.cancel(Status.CANCELLED, "Cancelled by its reader");
    this.#error = null;
    this.#ready.length = 0;
    return Promise.resolve({ done: true, value: undefined });
  }

  protected message(message: unknown): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#ready.push(message);
    else waiting.resolve({ done: false, value: message });
  }

  protected end(error: GrpcError | null): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const first = waiting.shift();
    if (first === undefined) {
      this.#error = error;
      return;
    }
    if (error === null) first.resolve({ done: true, value: undefined });
    else first.reject(error);
    for (const other of waiting) other.resolve({ done: true, value: undefined });
  }
}

/** Sends the messages of an iterable, as fast as the peer accepts them. An error of the iterable cancels the call. */
export async function sendAll(call: WatchedCall, core: Call, serialize: Serialize<unknown>, requests: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
  try {
    for await (const request of requests) {
      // Leaving the loop lets the iterable clean up.
      if (call.ended || core.ended) return;
      const bytes = serialize(request);
      await new Promise<void>((resolve) => {
        core.send(bytes, true, resolve);
      });
    }
    core.finish();
  } catch (error) {
    core.cancel(Status.CANCELLED, `The requests ended with an error: ${thrownText(error)}`);
  }
}
