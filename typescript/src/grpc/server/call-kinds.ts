import { silenceDrain } from "../ended-writes.js";
import type { Metadata } from "../protocol/metadata.js";
import { Status } from "../protocol/status.js";
import type { PartialStatusObject } from "../protocol/status.js";
import { errorStatus, thrownStatus } from "./error-status.js";
import { OK_DETAILS } from "./reply-fields.js";
import type { Route, ServerErrorResponse, sendUnaryData } from "./handler.js";
import type { CallHead, HeadListener, ServerInterceptingCallInterface } from "./intercepting.js";
import { DuplexCall, ReadableCall, UnarySurface, WritableCall } from "./surfaces.js";
import type { SurfaceSource } from "./surfaces.js";
import type { ReplyHolder } from "./waiting-reply.js";

/** The part that all call objects share; their overloads of `emit` differ. */
interface Emitting {
  emit(event: string, ...args: unknown[]): boolean;
}

type Surface = UnarySurface | ReadableCall | WritableCall | DuplexCall;

/** The handler's end of a call: makes its call object and runs it. */
abstract class CallKind implements HeadListener {
  protected readonly call: ServerInterceptingCallInterface;
  protected readonly route: Route;
  protected surface: Surface | null = null;
  readonly #replies: ReplyHolder;

  constructor(call: ServerInterceptingCallInterface, route: Route, replies: ReplyHolder) {
    this.call = call;
    this.route = route;
    this.#replies = replies;
  }

  /** What interceptors have passed on. */
  onReceiveMetadata(metadata: Metadata): void {
    this.onHead({ metadata });
  }

  abstract onHead(head: CallHead): void;
  abstract onReceiveMessage(message: unknown): void;
  abstract onReceiveHalfClose(): void;

  onCancel(): void {
    if (this.surface === null) return;
    this.surface.told = true;
    if (this.surface instanceof WritableCall || this.surface instanceof DuplexCall) silenceDrain(this.surface);
    this.#replies.letGo();
    this.cancelled(this.surface);
  }

  /** Tells the handler that its call was cancelled, and closes the call object. */
  protected cancelled(surface: Surface): void {
    (surface as Emitting).emit("cancelled", "cancelled");
    if (!(surface instanceof UnarySurface)) surface.destroy();
  }

  protected source(head: CallHead): SurfaceSource {
    return { call: this.call, replies: this.#replies, path: this.route.path, head };
  }

  /**
   * Runs the handler. `failed` gets what it throws or rejects with; the callback gets what an async handler of one
   * response resolves to. How it ends after a cancellation is ignored.
   */
  protected run(surface: Surface, callback: sendUnaryData<unknown> | undefined, failed: (thrown: unknown) => void): void {
    const fail = (thrown: unknown): void => {
      if (!surface.cancelled) failed(thrown);
    };
    this.surface = surface;
    let result: unknown;
    try {
      result = callback === undefined ? this.route.func(surface) : this.route.func(surface, callback);
    } catch (thrown) {
      fail(thrown);
      return;
    }
    if (typeof (result as PromiseLike<unknown> | null | undefined)?.then !== "function") return;
    (result as PromiseLike<unknown>).then((value) => {
      if (callback !== undefined && value !== undefined) callback(null, value);
    }, fail);
  }

  /** Returns the callback of a handler with one response. Its first use ends the call. */
  protected answer(): sendUnaryData<unknown> {
    let answered = false;
    return (error, value, trailer) => {
      if (answered) return;
      answered = true;
      if (error) {
        this.call.sendStatus(errorStatus(error, trailer));
        return;
      }
      this.call.sendMessage(value, () => {
        this.call.sendStatus({ code: Status.OK, details: OK_DETAILS, metadata: trailer ?? null });
      });
    };
  }
}

/** One request: reads it, then runs the handler. */
abstract class SingleRequestKind extends CallKind {
  #head: CallHead | null = null;
  #request: { message: unknown } | null = null;

  onHead(head: CallHead): void {
    this.#head = head;
    this.call.startRead();
  }

  onReceiveMessage(message: unknown): void {
    if (this.#request !== null) {
      this.#refuse(`Received a second request message for method ${this.route.path}`);
      return;
    }
    this.#request = { message };
    this.call.startRead();
  }

  onReceiveHalfClose(): void {
    if (this.#request === null || this.#head === null) {
      this.#refuse(`Received no request message for method ${this.route.path}`);
      return;
    }
    this.begin(this.source(this.#head), this.#request.message);
  }

  protected abstract begin(source: SurfaceSource, request: unknown): void;

  #refuse(details: string): void {
    const status: PartialStatusObject = { code: Status.UNIMPLEMENTED, details };
    this.call.sendStatus(status);
  }
}

class UnaryKind extends SingleRequestKind {
  protected begin(source: SurfaceSource, request: unknown): void {
    const surface = new UnarySurface(source, request);
    const answer = this.answer();
    surface.on("error", (error: ServerErrorResponse) => {
      answer(error);
    });
    this.run(surface, answer, (thrown) => {
      this.call.sendStatus(thrownStatus(thrown, this.route.path));
    });
  }
}

class ServerStreamKind extends SingleRequestKind {
  protected begin(source: SurfaceSource, request: unknown): void {
    const surface = new WritableCall(source, request);
    this.run(surface, undefined, (thrown) => {
      surface.fail(thrown);
    });
  }
}

/** Many requests: hands them to the call object. */
abstract class RequestStreamKind extends CallKind {
  protected abstract readonly requests: ReadableCall | DuplexCall;
  #ended = false;

  onReceiveMessage(message: unknown): void {
    this.requests.push(message);
  }

  onReceiveHalfClose(): void {
    this.#ended = true;
    this.requests.push(null);
  }

  /**
   * As in grpc-js, the requests end before the event `cancelled`: programs release a client there, and `for await` ends
   * without an error.
   */
  protected override cancelled(surface: Surface): void {
    if (!this.#ended && !this.requests.destroyed) this.requests.push(null);
    setImmediate(() => {
      super.cancelled(surface);
    });
  }
}

class ClientStreamKind extends RequestStreamKind {
  protected requests!: ReadableCall;

  onHead(head: CallHead): void {
    const surface = (this.requests = new ReadableCall(this.source(head)));
    const reply = this.answer();
    let over = false;
    const answer: sendUnaryData<unknown> = (error, value, trailer) => {
      reply(error, value, trailer);
      // As grpc-js does after every call: instrumentations learn only from this event that such a call is over.
      if (!over && !surface.cancelled) process.nextTick(() => surface.emit("cancelled", "cancelled"));
      over = true;
      // The call has ended, though the client may send on: a reader must not wait without a limit, and the requests of
      // a failed call do not end normally.
      if (error) surface.destroy();
      else if (!surface.readableEnded) setImmediate(() => surface.destroy());
    };
    surface.on("error", (error: Error) => {
      answer(error);
    });
    this.run(surface, answer, (thrown) => {
      this.call.sendStatus(thrownStatus(thrown, this.route.path));
      surface.destroy();
    });
  }
}

class BidiKind extends RequestStreamKind {
  protected requests!: DuplexCall;

  onHead(head: CallHead): void {
    const surface = (this.requests = new DuplexCall(this.source(head)));
    this.run(surface, undefined, (thrown) => {
      surface.fail(thrown);
    });
  }
}

/** Starts a call: the handler runs when its first event comes. `replies`: the call within all interceptors. */
export function startCall(call: ServerInterceptingCallInterface, route: Route, replies: ReplyHolder): void {
  switch (route.type) {
    case "unary":
      call.start(new UnaryKind(call, route, replies));
      break;
    case "clientStream":
      call.start(new ClientStreamKind(call, route, replies));
      break;
    case "serverStream":
      call.start(new ServerStreamKind(call, route, replies));
      break;
    case "bidi":
      call.start(new BidiKind(call, route, replies));
      break;
  }
}
