import { ErrorCode } from "../http2/error-code.js";
import type { Handler } from "../http2/handler.js";
import type { HeaderBlock } from "../http2/header-block.js";
import type { Stream } from "../http2/stream.js";
import { logRepeated, LogVerbosity } from "../logging.js";
import { Status } from "../protocol/status.js";
import { afterReads } from "../../transport/after-reads.js";
import { Alarm } from "../../transport/alarm.js";
import type { Link } from "../transport/link.js";
import { admit } from "./admission.js";
import type { Admission } from "./admission.js";
import { CallList } from "./call-list.js";
import type { CallOutput, CallOwner } from "./call-output.js";
import type { ServerContext } from "./context.js";
import type { HandlerType, Route } from "./handler.js";
import { HeldRequests } from "./held-requests.js";
import { HttpRefusal } from "./http-refusal.js";
import type { ServerInterceptingCallInterface } from "./intercepting.js";
import { Keepalive } from "./keepalive.js";
import { ownFields } from "./reply-fields.js";
import { startCall } from "./call-kinds.js";
import { Counters } from "../protocol/statistics.js";
import { StalledReplies } from "./stalled-replies.js";
import { StreamingCall } from "./streaming-call.js";
import { UnaryCall } from "./unary-call.js";

type Call = UnaryCall | StreamingCall;
type Exchange = Call | HttpRefusal;

/** `draining` in ASCII. The acknowledgement shows that the peer has seen the warning. */
const PAYLOAD = Uint8Array.from([0x64, 0x72, 0x61, 0x69, 0x6e, 0x69, 0x6e, 0x67]);
/** Milliseconds to wait for it: a peer that is gone must not delay a shutdown. */
const WARNING_ACK_MS = 1_000;
/** Kinds of methods whose client may read their messages as slowly as it likes. */
const STREAMED: ReadonlySet<string> = new Set<HandlerType>(["serverStream", "bidi"]);
/** Milliseconds between two checks whether the last streams have been written. */
const LINGER = 5;

/** One client's connection: its calls, keepalive, age, and drain. */
export class ServerConnection implements Handler, CallOwner {
  readonly context: ServerContext;
  readonly link: Link;
  readonly counters = new Counters();
  readonly #calls = new CallList();
  readonly #onGone: (connection: ServerConnection) => void;
  readonly #keepalive: Keepalive;
  readonly #age = new Alarm(() => {
    this.drain(this.context.settings.maxAgeGraceMs);
  });
  // A thread that was blocked first reads what has come: ends of calls, the warning's acknowledgement, new calls.
  readonly #grace = new Alarm(() => {
    afterReads(() => { this.destroy(Status.UNAVAILABLE, "The connection's time is over"); });
  });
  readonly #warning = new Alarm(() => {
    afterReads(() => { this.#refuseMore(); });
  });
  readonly #linger = new Alarm(() => {
    this.#closeWhenDone();
  });
  readonly #stalled: StalledReplies;
  readonly #held: HeldRequests;
  readonly #idle = new Alarm(() => {
    const { callsStarted } = this.counters;
    afterReads(() => {
      if (this.link.connection.openStreams > 0) return;
      if (this.counters.callsStarted === callsStarted) this.drain(Infinity);
      else this.#idle.set(this.context.settings.maxIdleMs);
    });
  });

  /** @param onGone called once, when the connection has ended */
  constructor(context: ServerContext, link: Link, onGone: (connection: ServerConnection) => void) {
    this.context = context;
    this.link = link;
    this.#onGone = onGone;
    const { settings } = context;
    this.#keepalive = new Keepalive(link, this.counters, settings.keepaliveMs, settings.keepaliveTimeoutMs);
    const { stalledReplyMs, stalledStreamMs } = settings;
    const limit = ({ context: call }: Stream): number => ("route" in (call as object) && STREAMED.has((call as Call).route.type) ? stalledStreamMs : stalledReplyMs);
    this.#stalled = new StalledReplies(() => this.link.connection, limit, Math.min(stalledReplyMs, stalledStreamMs));
    this.#held = new HeldRequests(context.requestBudget, settings.maxConnectionRequestBytes, () => this.#calls.all());
    // Jitter of a tenth, as in gRPC's core: connections that were made together must not end together.
    this.#age.set(settings.maxAgeMs * (0.9 + Math.random() * 0.2));
    this.#idle.set(settings.maxIdleMs);
  }

  onStream(stream: Stream, block: HeaderBlock, end: boolean): void {
    this.counters.callsStarted += 1;
    let admission = block.derived as Admission | undefined;
    if (admission === undefined || admission.version !== this.context.routes.version) {
      admission = admit(block, this.context);
      block.derived = admission;
    }
    const { route } = admission;
    if (route === null) {
      this.#refuse(stream, admission, end);
      return;
    }
    if (admission.timeout === 0) {
      this.#refuse(stream, { ...admission, status: { code: Status.DEADLINE_EXCEEDED, details: "Deadline exceeded" } }, end);
      return;
    }
    if (route.type === "unary" && this.context.interceptors.length === 0) {
      const call = new UnaryCall(stream, this, admission, route, block);
      stream.context = call;
      this.#calls.add(call);
      if (end) call.onHalfClose();
    } else {
      const call = new StreamingCall(stream, this, admission, route, block);
      stream.context = call;
      this.#calls.add(call);
      call.enter(() => {
        this.#start(call, route);
      });
      if (end) call.onHalfClose();
    }
  }

  #start(call: StreamingCall, route: Route): void {
    let outer: ServerInterceptingCallInterface = call;
    try {
      for (const interceptor of this.context.interceptors) {
        outer = interceptor(
          {
            path: route.path,
            requestStream: route.type === "clientStream" || route.type === "bidi",
            responseStream: route.type === "serverStream" || route.type === "bidi",
            requestDeserialize: route.deserialize,
            responseSerialize: route.serialize,
          },
          outer,
        );
      }
      call.outer = outer;
      startCall(outer, route, call);
    } catch (error) {
      logRepeated(LogVerbosity.ERROR, `An interceptor failed for ${route.path}:`, error);
      call.abort(Status.INTERNAL, "A server interceptor failed");
    }
  }

  #refuse(stream: Stream, admission: Admission, end: boolean): void {
    this.counters.callsFailed += 1;
    const { http, status, replies } = admission;
    if (http !== null) {
      const refusal = new HttpRefusal(stream, http);
      stream.context = refusal;
      if (end) refusal.onHalfClose();
      return;
    }
    if (status !== null) stream.headers(replies.trailersOnly(status.code, status.details), true, ownFields(status.code, status.details, status.metadata));
    if (!end) stream.reset(ErrorCode.NO_ERROR);
  }

  onHeaders(stream: Stream, _block: HeaderBlock, end: boolean): void {
    // Trailers of a request carry nothing in gRPC.
    if (end) (stream.context as Exchange | undefined)?.onHalfClose();
  }

  onData(stream: Stream, bytes: Uint8Array, from: number, to: number, end: boolean): void {
    const call = stream.context as Exchange | undefined;
    if (call === undefined) stream.consume(to - from);
    else call.onData(bytes, from, to, end);
  }

  onReset(stream: Stream): void {
    this.counters.streamsReset += 1;
    (stream.context as Exchange | undefined)?.onReset();
  }

  onWritable(stream: Stream): void {
    (stream.context as Exchange | undefined)?.onWritable();
  }

  onPong(payload: Uint8Array): void {
    if (this.#keepalive.onPong(payload)) return;
    if (this.link.connection.warned && PAYLOAD.every((byte, at) => byte === payload[at])) this.#refuseMore();
  }

  onSettings(): void {
    // The connection handles them.
  }

  onGoaway(): void {
    // A client that leaves ends its calls first; the connection closes when they are done.
  }

  onClosed(): void {
    this.#keepalive.stop();
    this.#stalled.stop();
    for (const alarm of [this.#age, this.#grace, this.#warning, this.#linger, this.#idle]) alarm.clear();
    this.#onGone(this);
  }

  holds(call: CallOutput, n: number): void {
    this.#held.change(call, n);
  }

  goesOn(call: CallOutput): boolean {
    return this.#held.goesOn(call);
  }

  settled(call: CallOutput, code: Status): void {
    if (code === Status.OK) this.counters.callsSucceeded += 1;
    else this.counters.callsFailed += 1;
    this.#calls.remove(call);
    if (call.stream.queued > 0) this.#stalled.watch();
    if (this.#calls.size > 0) return;
    if (!this.link.connection.accepts) this.#linger.set(0);
    else if (this.context.settings.maxIdleMs !== Infinity) this.#idle.set(this.context.settings.maxIdleMs);
  }

  /**
   * Ends the connection without losing a call: warns the peer, refuses new streams once the warning has arrived, and
   * closes when the last stream is done.
   *
   * @param grace milliseconds after which calls that still run are cut off, `Infinity` for never
   */
  drain(grace: number): void {
    const { connection } = this.link;
    if (connection.closed) return;
    this.#grace.set(grace);
    if (!connection.warn()) return;
    connection.ping(PAYLOAD);
    this.#warning.set(WARNING_ACK_MS);
  }

  #refuseMore(): void {
    this.#warning.clear();
    if (this.link.connection.goaway()) this.#closeWhenDone();
  }

  /** Streams outlive their calls while their last bytes wait for the peer's window. */
  #closeWhenDone(): void {
    if (this.#calls.size === 0 && !this.link.connection.finish()) this.#linger.set(LINGER);
  }

  /** Ends every call with a status, and the connection at once. */
  destroy(code: Status, details: string): void {
    if (this.link.connection.closed) return;
    for (const call of this.#calls.all()) call.abort(code, details);
    this.link.connection.close(ErrorCode.NO_ERROR, details);
  }
}
