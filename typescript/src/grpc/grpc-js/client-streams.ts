import { Duplex, Readable, Writable } from "node:stream";
import type { Deserialize, Serialize } from "../protocol/method.js";
import type { AuthContext } from "./auth-context.js";
import type { InterceptingCallInterface } from "./interceptor-types.js";
import { refuseWrite, tellWritable } from "../ended-writes.js";
import type { SurfaceCall } from "./unary-call.js";
import { StreamCall } from "./stream-call.js";

/* The three call objects that are Node streams. What they have in common is in StreamCall; the bases differ. */

/** A call with a stream of responses. Emits `metadata`, `status`, `error` beside the events of a Readable. */
export class ClientReadableStream<Response> extends Readable implements SurfaceCall {
  readonly deserialize: Deserialize<Response>;
  /** The call's inner side. */
  readonly inner: StreamCall;

  constructor(deserialize: Deserialize<Response>) {
    super({ objectMode: true });
    this.deserialize = deserialize;
    this.inner = new StreamCall(this, deserialize);
  }

  get call(): InterceptingCallInterface | undefined {
    return this.inner.call;
  }

  set call(call: InterceptingCallInterface | undefined) {
    this.inner.call = call;
  }

  cancel(): void {
    this.inner.cancel();
  }

  getPeer(): string {
    return this.inner.getPeer();
  }

  getAuthContext(): AuthContext | null {
    return this.inner.getAuthContext();
  }

  override _read(): void {
    this.inner.read();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.inner.destroyed();
    callback(error);
  }
}

/** A call with a stream of requests and one response. */
export class ClientWritableStream<Request> extends Writable implements SurfaceCall {
  readonly serialize: Serialize<Request>;
  readonly inner: StreamCall;

  constructor(serialize: Serialize<Request>, deserialize: Deserialize<unknown>) {
    super({ objectMode: true });
    this.serialize = serialize;
    this.inner = new StreamCall(this, deserialize);
  }

  get call(): InterceptingCallInterface | undefined {
    return this.inner.call;
  }

  set call(call: InterceptingCallInterface | undefined) {
    this.inner.call = call;
  }

  cancel(): void {
    this.inner.cancel();
  }

  getPeer(): string {
    return this.inner.getPeer();
  }

  getAuthContext(): AuthContext | null {
    return this.inner.getAuthContext();
  }

  override write(message: Request, ...rest: unknown[]): boolean {
    if (this.inner.over) return refuseWrite(rest);
    return super.write(message, ...(rest as []));
  }

  override _write(message: Request, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.inner.write(this.serialize as Serialize<unknown>, message, encoding, callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.inner.halfClose();
    callback();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    // A writer that has finished destroys itself while the response is on its way.
    if (!this.writableFinished) this.inner.destroyed();
    callback(error);
  }
}

/** A call with streams both ways. */
export class ClientDuplexStream<Request, Response> extends Duplex implements SurfaceCall {
  readonly serialize: Serialize<Request>;
  readonly deserialize: Deserialize<Response>;
  readonly inner: StreamCall;

  constructor(serialize: Serialize<Request>, deserialize: Deserialize<Response>) {
    super({ objectMode: true });
    this.serialize = serialize;
    this.deserialize = deserialize;
    this.inner = new StreamCall(this, deserialize);
  }

  get call(): InterceptingCallInterface | undefined {
    return this.inner.call;
  }

  set call(call: InterceptingCallInterface | undefined) {
    this.inner.call = call;
  }

  cancel(): void {
    this.inner.cancel();
  }

  getPeer(): string {
    return this.inner.getPeer();
  }

  getAuthContext(): AuthContext | null {
    return this.inner.getAuthContext();
  }

  override _read(): void {
    this.inner.read();
  }

  override write(message: Request, ...rest: unknown[]): boolean {
    if (this.inner.over) return refuseWrite(rest);
    return super.write(message, ...(rest as []));
  }

  override _write(message: Request, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.inner.write(this.serialize as Serialize<unknown>, message, encoding, callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.inner.halfClose();
    callback();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.inner.destroyed();
    callback(error);
  }
}

tellWritable<ClientWritableStream<unknown>>(ClientWritableStream.prototype, (stream) => stream.inner.over);
tellWritable<ClientDuplexStream<unknown, unknown>>(ClientDuplexStream.prototype, (stream) => stream.inner.over);
