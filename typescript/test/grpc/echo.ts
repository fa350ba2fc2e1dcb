import { HeaderFields } from "../../src/grpc/http2/header-fields.js";
import type { HeaderBlock } from "../../src/grpc/http2/header-block.js";
import type { Handler } from "../../src/grpc/http2/handler.js";
import type { Http2Error } from "../../src/grpc/http2/error.js";
import type { Stream } from "../../src/grpc/http2/stream.js";

const HEAD = new HeaderFields([[":status", "200"], ["content-type", "application/grpc"]]);
const TRAILERS = new HeaderFields([["grpc-status", "0"]]);
const NOTHING = new Uint8Array(0);

/** Answers every request with its own body, as it comes and as the windows allow, and trailers. */
export class Echo implements Handler {
  readonly closings: (Http2Error | null)[] = [];
  resets = 0;
  requests = 0;

  onStream(stream: Stream, _block: HeaderBlock, end: boolean): void {
    this.requests++;
    stream.headers(HEAD, false);
    if (end) stream.headers(TRAILERS, true);
  }

  onHeaders(stream: Stream): void {
    stream.headers(TRAILERS, true);
  }

  onData(stream: Stream, bytes: Uint8Array, from: number, to: number, end: boolean): void {
    // Bytes that could not be sent yet stay unacknowledged, and hold the peer's window.
    if (stream.data(bytes.slice(from, to), false)) stream.consume(to - from);
    else stream.context = ((stream.context as number | undefined) ?? 0) + to - from;
    if (end) stream.headers(TRAILERS, true);
  }

  onReset(): void {
    this.resets++;
  }

  onWritable(stream: Stream): void {
    const unacknowledged = (stream.context as number | undefined) ?? 0;
    stream.context = undefined;
    stream.consume(unacknowledged);
  }

  onPong(): void {
    this.requests += 0;
  }

  onSettings(): void {
    this.requests += 0;
  }

  onGoaway(): void {
    this.requests += 0;
  }

  onClosed(error: Http2Error | null): void {
    this.closings.push(error);
  }
}

/** One call of a client: sends a body in pieces, collects what comes back. */
export class Call {
  head: HeaderBlock | null = null;
  trailers: HeaderBlock | null = null;
  readonly parts: Uint8Array[] = [];
  bytes = 0;
  readonly done: Promise<this>;
  private resolve!: (call: this) => void;
  private reject!: (error: Error) => void;
  private readonly rest: Uint8Array[];

  constructor(body: readonly Uint8Array[]) {
    this.rest = [...body];
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Sends until the stream's queue is full. */
  pump(stream: Stream): void {
    while (this.rest.length > 0) if (!stream.data(this.rest.shift()!, false)) return;
    if (!stream.localEnded) stream.data(NOTHING, true);
  }

  finish(): void {
    this.resolve(this);
  }

  fail(error: Error): void {
    this.reject(error);
  }
}

/** The client's side: the context of a stream is its `Call`. */
export class Caller implements Handler {
  readonly closings: (Http2Error | null)[] = [];
  readonly pongs: Uint8Array[] = [];
  goaways = 0;
  settings = 0;

  onStream(): void {
    throw new Error("a server may not open streams");
  }

  onHeaders(stream: Stream, block: HeaderBlock, end: boolean): void {
    const call = stream.context as Call;
    if (call.head === null) call.head = block;
    else call.trailers = block;
    if (end) call.finish();
  }

  onData(stream: Stream, bytes: Uint8Array, from: number, to: number, end: boolean): void {
    const call = stream.context as Call;
    call.parts.push(bytes.slice(from, to));
    call.bytes += to - from;
    stream.consume(to - from);
    if (end) call.finish();
  }

  onReset(stream: Stream, code: number): void {
    (stream.context as Call).fail(new Error(`reset ${code}`));
  }

  onWritable(stream: Stream): void {
    (stream.context as Call).pump(stream);
  }

  onPong(payload: Uint8Array): void {
    this.pongs.push(payload);
  }

  onSettings(): void {
    this.settings++;
  }

  onGoaway(): void {
    this.goaways++;
  }

  onClosed(error: Http2Error | null): void {
    this.closings.push(error);
  }
}
