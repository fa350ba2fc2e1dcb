import type { PerRequestMetricRecorder } from "../orca/call-metrics.js";
import { Metadata } from "../protocol/metadata.js";
import type { ServerSurfaceCall } from "../server/handler.js";

/** The context of a handler's call. */
export class HandlerContext {
  /** Trailers of a successful call; those of a failed one come with the error. */
  readonly trailers = new Metadata();
  readonly #call: ServerSurfaceCall;
  #aborter: AbortController | null = null;

  constructor(call: ServerSurfaceCall) {
    this.#call = call;
  }

  /** The request's metadata. */
  get metadata(): Metadata {
    return this.#call.metadata;
  }

  /** Milliseconds since 1970, or Infinity. */
  get deadline(): number {
    return Number(this.#call.getDeadline());
  }

  /** `127.0.0.1:50051`, `[::1]:50051` or `unix:/path` of the caller. */
  get peer(): string {
    return this.#call.getPeer();
  }

  /** `/package.Service/Method`. */
  get path(): string {
    return this.#call.getPath();
  }

  /** Whether the call has ended before the handler. */
  get cancelled(): boolean {
    return this.#call.cancelled;
  }

  /**
   * Aborts when the call ends before the handler does: by the caller, its deadline or the connection. Made when first
   * asked for.
   */
  get signal(): AbortSignal {
    if (this.#aborter === null) {
      const aborter = new AbortController();
      this.#aborter = aborter;
      if (this.#call.cancelled) aborter.abort();
      else this.#call.on("cancelled", () => { aborter.abort(); });
    }
    return this.#aborter.signal;
  }

  /** Records the cost of the call. The trailers carry it if the option `grpc.server_call_metric_recording` is set. */
  get metrics(): PerRequestMetricRecorder {
    return this.#call.getMetricsRecorder();
  }

  /** Sends the response's metadata now; it goes with the first message otherwise. Once. */
  sendHeader(metadata: Metadata): void {
    this.#call.sendMetadata(metadata);
  }
}
