import type { HeaderBlock } from "../http2/header-block.js";
import { ErrorCode } from "../http2/error-code.js";
import type { HeaderFields } from "../http2/header-fields.js";
import type { Stream } from "../http2/stream.js";
import { logRepeated, LogVerbosity } from "../logging.js";
import { PerRequestMetricRecorder } from "../orca/call-metrics.js";
import { LOAD_REPORT } from "../orca/load-report.js";
import { chooseEncoding } from "../protocol/compression.js";
import type { MessageEncoding } from "../protocol/compression.js";
import { FEWER_REQUESTS, LESS_METADATA, SERVER_SENDS } from "../protocol/limit-remedies.js";
import { PREFIX, writePrefix } from "../protocol/message-frame.js";
import { KeyFilter, Metadata } from "../protocol/metadata.js";
import { Status } from "../protocol/status.js";
import { Timer } from "../../transport/timer-wheel.js";
import { clock } from "../../transport/clock.js";
import type { Link } from "../transport/link.js";
import type { Admission } from "./admission.js";
import type { ServerContext } from "./context.js";
import type { Route } from "./handler.js";
import type { AuthContext, ConnectionInfo } from "./intercepting.js";
import { OK_DETAILS, OK_TRAILERS, ownFields, statusFields } from "./reply-fields.js";
import type { ReplyHeads } from "./reply-fields.js";
import type { Counters } from "../protocol/statistics.js";
import { thrownText } from "../protocol/thrown.js";

/** The connection that a call belongs to, as the call sees it. */
export interface CallOwner {
  readonly context: ServerContext;
  readonly link: Link;
  readonly counters: Counters;
  /** A call holds `n` more bytes of its request, or fewer. */
  holds(call: CallOutput, n: number): void;
  /** Whether the client may send more of the call's request now; else the call resumes later. */
  goesOn(call: CallOutput): boolean;
  /** The call has ended, with any status. Called once. */
  settled(call: CallOutput, code: Status): void;
}

/** Fields of a request that gRPC itself uses: not in the metadata that handlers get. */
const KEYS = new KeyFilter([
  "grpc-timeout",
  "grpc-encoding",
  "grpc-accept-encoding",
  "accept-encoding",
  "te",
  "content-type",
]);

/** A key of a response's metadata that chooses the encoding of this call's messages, as in gRPC's C core. */
const ENCODING_REQUEST = "grpc-internal-encoding-request";

/** `Stream.data` copies the prefix: one buffer serves all calls. */
const prefix = new Uint8Array(PREFIX);

/** A serializer's error goes to the client only if the program's environment allows it: it may reveal internals. */
function cause(error: unknown): string {
  if (process.env["GRPC_NODE_DEBUG_SEND_ERROR_DETAILS"] !== "true") return "";
  return `: ${thrownText(error)}`;
}

class CallDeadline extends Timer {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly #call: CallOutput;

  constructor(call: CallOutput, timeout: number) {
    super();
    this.#call = call;
    this.at = Date.now() + timeout;
  }

  expire(): void {
    this.#call.abort(Status.DEADLINE_EXCEEDED, "Deadline exceeded");
  }
}

/**
 * The base of all calls of a server: the sending side, the deadline, and the end. The handler, the client, the deadline
 * or the connection may end a call; the first of them counts.
 */
export abstract class CallOutput {
  readonly stream: Stream;
  readonly owner: CallOwner;
  readonly admission: Admission;
  readonly route: Route;
  /** The status is on its way, or the stream is gone: nothing more is sent or delivered. */
  ended = false;
  /** Bytes of the request that the handler has not got yet, as far as the windows do not bound them. */
  held = 0;
  /** Neighbours among the owner's calls whose handlers run. */
  previous: CallOutput | null = null;
  following: CallOutput | null = null;
  listed = false;
  protected headSent = false;
  protected encoding: MessageEncoding | null;
  readonly #block: HeaderBlock;
  #deadline: CallDeadline | null = null;
  #metadata: Metadata | null = null;
  #metrics: PerRequestMetricRecorder | null = null;

  constructor(stream: Stream, owner: CallOwner, admission: Admission, route: Route, block: HeaderBlock) {
    this.stream = stream;
    this.owner = owner;
    this.admission = admission;
    this.route = route;
    this.encoding = admission.replyEncoding;
    this.#block = block;
    if (admission.timeout >= 0) {
      this.#deadline = new CallDeadline(this, admission.timeout);
      clock.set(this.#deadline, admission.timeout);
    }
  }

  /** Tells the handler that the call was cancelled: nothing it sends arrives any more. */
  protected abstract cancel(): void;

  /** The request's metadata, made when it is asked for: most handlers never do. */
  get metadata(): Metadata {
    return (this.#metadata ??= Metadata.fromBlock(this.#block, (this.admission.keys ??= KEYS.positions(this.#block))));
  }

  /** Ends the call with a status that the handler did not choose. */
  abort(code: Status, details: string): void {
    if (this.end(code, details, null)) this.cancel();
  }

  /** The stream was reset by the client, or ended with the connection. */
  onReset(): void {
    if (this.ended) return;
    this.ended = true;
    this.settle(Status.CANCELLED);
    this.cancel();
  }

  /** The request takes too much of the server's memory. */
  giveUp(option: string): void {
    this.abort(Status.RESOURCE_EXHAUSTED, `The server holds too many bytes of requests that are not complete: ${FEWER_REQUESTS} ${option}`);
  }

  resume(): void {
    this.stream.readmit();
  }

  /** Acknowledges bytes of the request: the client may send as many more, now or once the server holds less. */
  protected acknowledge(bytes: number): void {
    if (bytes === 0 || this.owner.goesOn(this)) this.stream.consume(bytes);
    else this.stream.withhold(bytes);
  }

  /** Holds so many bytes of the request now. */
  protected hold(bytes: number): void {
    const more = bytes - this.held;
    if (more === 0 || this.ended) return;
    this.held = bytes;
    this.owner.holds(this, more);
  }

  /** Lets go of the request's bytes: the call has ended. */
  #release(): void {
    const { held, owner } = this;
    this.held = 0;
    owner.holds(this, -held);
    owner.context.inflateTurns.forget(owner, this);
  }

  sendMetadata(metadata: Metadata): void {
    if (this.headSent || this.ended) return;
    const asked = metadata.isEmpty ? undefined : metadata.get(ENCODING_REQUEST)[0];
    if (typeof asked === "string") {
      this.encoding = this.owner.context.encodings.get(chooseEncoding(this.admission.accepts, [asked])) ?? null;
    }
    const heads = this.#heads(metadata);
    const head = this.encoding === null ? heads.plain : heads.encoded(this.encoding.name);
    const own = ownFields(Status.OK, "", metadata);
    if (own !== undefined && !this.stream.takes(head, own)) {
      this.abort(Status.RESOURCE_EXHAUSTED, `Metadata of ${own.listBytes} bytes is over the client's limit: ${LESS_METADATA}`);
      return;
    }
    this.headSent = true;
    this.stream.headers(head, false, own);
  }

  /** A handler's `date` stands in place of the server's. */
  #heads(metadata: Metadata | null | undefined): ReplyHeads {
    const { replies } = this.admission;
    const own = metadata !== null && metadata !== undefined && !metadata.isEmpty && metadata.get("date").length > 0;
    return own ? replies.undated : replies;
  }

  #head(): HeaderFields {
    const { replies } = this.admission;
    return this.encoding === null ? replies.plain : replies.encoded(this.encoding.name);
  }

  /** The request cannot be deserialized. The client is at fault, so this is logged at INFO only. */
  protected unreadable(error: unknown): void {
    logRepeated(LogVerbosity.INFO, `A request of ${this.route.path} cannot be deserialized:`, error);
    this.abort(Status.INTERNAL, `Error deserializing request${cause(error)}`);
  }

  /** Returns the serialized message, or null if that fails, after ending the call. */
  protected serialized(value: unknown): Buffer | null {
    let bytes: Buffer;
    try {
      bytes = this.route.serialize(value);
      if (!(bytes instanceof Uint8Array)) throw new TypeError("the serializer gave no bytes");
    } catch (error) {
      logRepeated(LogVerbosity.ERROR, `A response of ${this.route.path} cannot be serialized:`, error);
      this.abort(Status.INTERNAL, `Error serializing response${cause(error)}`);
      return null;
    }
    return this.fits(bytes) ? bytes : null;
  }

  /** Whether a message is within the limit; else the call ends. */
  protected fits({ length }: Buffer): boolean {
    const most = this.owner.context.settings.maxSendBytes;
    if (length > most) this.abort(Status.RESOURCE_EXHAUSTED, `Sent message larger than max (${length} vs. ${most}): ${SERVER_SENDS}`);
    return length <= most;
  }

  /** @returns whether there is room for more now */
  protected write(bytes: Uint8Array, compressed: boolean): boolean {
    if (!this.headSent) {
      this.headSent = true;
      this.stream.headers(this.#head(), false);
    }
    writePrefix(prefix, 0, compressed, bytes.length);
    this.owner.counters.messagesSent += 1;
    return this.stream.data(bytes, false, prefix);
  }

  /** Sends the only message of a call, and its status OK. */
  protected writeLast(bytes: Uint8Array, compressed: boolean, trailers: Metadata | null | undefined): void {
    if (this.headSent || this.#metrics !== null || (trailers !== null && trailers !== undefined && !trailers.isEmpty)) {
      this.write(bytes, compressed);
      this.end(Status.OK, OK_DETAILS, trailers);
      return;
    }
    this.ended = true;
    writePrefix(prefix, 0, compressed, bytes.length);
    this.owner.counters.messagesSent += 1;
    this.stream.reply(this.#head(), bytes, OK_TRAILERS, prefix);
    this.settle(Status.OK);
  }

  /** Sends the status. @returns false if the call had ended before */
  protected end(code: Status, details: string, metadata: Metadata | null | undefined): boolean {
    if (this.ended) return false;
    const own = ownFields(code, details, this.#measured(metadata));
    if (own !== undefined && !this.stream.takes(statusFields(code, details), own)) {
      return this.end(Status.RESOURCE_EXHAUSTED, `Trailers of ${own.listBytes} bytes are over the client's limit: ${LESS_METADATA}`, null);
    }
    this.ended = true;
    if (this.headSent) this.stream.headers(statusFields(code, details), true, own);
    else this.stream.headers(this.#heads(metadata).trailersOnly(code, details), true, own);
    this.settle(code);
    return true;
  }

  /** Returns the trailers with the handler's metrics. */
  #measured(trailers: Metadata | null | undefined): Metadata | null | undefined {
    const metrics = this.#metrics;
    if (metrics === null || metrics.isEmpty || !this.owner.context.settings.callMetrics) return trailers;
    const all = trailers?.clone() ?? new Metadata();
    all.set(LOAD_REPORT, metrics.serialize());
    return all;
  }

  protected settle(code: Status): void {
    if (this.#deadline !== null) clock.clear(this.#deadline);
    if (this.held > 0) this.#release();
    this.owner.settled(this, code);
    this.#stopSender();
  }

  /** Acknowledges DATA after the end: the client may have to send on before it learns of the end. */
  protected discard(length: number): void {
    this.stream.consume(length);
    this.#stopSender();
  }

  /** Resets the stream of a client that still sends, once nothing for it is queued any more. */
  #stopSender(): void {
    if (!this.stream.remoteEnded && this.stream.queued === 0) this.stream.reset(ErrorCode.NO_ERROR);
  }

  getPeer(): string {
    return this.owner.link.peer;
  }

  getDeadline(): number {
    return this.#deadline === null ? Infinity : this.#deadline.at;
  }

  getMetricsRecorder(): PerRequestMetricRecorder {
    return (this.#metrics ??= new PerRequestMetricRecorder());
  }

  getHost(): string {
    return this.admission.host;
  }

  getAuthContext(): AuthContext {
    const { tls } = this.owner.link;
    if (tls === null || !tls.authorized) return {};
    const certificate = tls.getPeerCertificate();
    return "raw" in certificate ? { transportSecurityType: "ssl", sslPeerCertificate: certificate } : { transportSecurityType: "ssl" };
  }

  getConnectionInfo(): ConnectionInfo {
    const [localAddress, localPort] = endpoint(this.owner.link.local);
    const [remoteAddress, remotePort] = endpoint(this.owner.link.peer);
    return { localAddress, localPort, remoteAddress, remotePort };
  }
}

/** Host and port of `127.0.0.1:50051` or `[::1]:50051`; nothing for others. */
function endpoint(text: string): [string | undefined, number | undefined] {
  const match = /^\[?(.*?)\]?:(\d+)$/.exec(text);
  return match === null ? [undefined, undefined] : [match[1], Number(match[2])];
}
