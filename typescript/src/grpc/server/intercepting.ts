import type { PerRequestMetricRecorder } from "../orca/call-metrics.js";
import type { ServerMethodDefinition } from "../protocol/method.js";
import { Metadata } from "../protocol/metadata.js";
import type { PartialStatusObject } from "../protocol/status.js";
import type { Deadline } from "../protocol/timeout.js";
import type { Link } from "../transport/link.js";

/** The peer's identity: empty without TLS or without a verified certificate. */
export interface AuthContext {
  transportSecurityType?: string;
  sslPeerCertificate?: ReturnType<NonNullable<Link["tls"]>["getPeerCertificate"]>;
}

/** Addresses and ports of both ends; a unix socket has none. */
export interface ConnectionInfo {
  localAddress?: string | undefined;
  localPort?: number | undefined;
  remoteAddress?: string | undefined;
  remotePort?: number | undefined;
}

export type ServerMetadataListener = (metadata: Metadata, next: (metadata: Metadata) => void) => void;
// Messages pass interceptors untyped, as in grpc-js.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ServerMessageListener = (message: any, next: (message: any) => void) => void;
export type ServerHalfCloseListener = (next: () => void) => void;
export type ServerCancelListener = () => void;

/** An interceptor's handlers of incoming events. */
export interface FullServerListener {
  onReceiveMetadata: ServerMetadataListener;
  onReceiveMessage: ServerMessageListener;
  onReceiveHalfClose: ServerHalfCloseListener;
  onCancel: ServerCancelListener;
}

export type ServerListener = { [Name in keyof FullServerListener]?: FullServerListener[Name] | undefined };

/** The next receiver of incoming events. */
export interface InterceptingServerListener {
  onReceiveMetadata(metadata: Metadata): void;
  onReceiveMessage(message: unknown): void;
  onReceiveHalfClose(): void;
  onCancel(): void;
}

/** A call's metadata, made when it is asked for. */
export interface CallHead {
  readonly metadata: Metadata;
}

/** A listener without interceptors before it: gets the head in place of `onReceiveMetadata`. */
export interface HeadListener extends InterceptingServerListener {
  onHead(head: CallHead): void;
}

export type StartResponder = (next: (listener?: ServerListener) => void) => void;
export type MetadataResponder = ServerMetadataListener;
export type MessageResponder = ServerMessageListener;
export type StatusResponder = (status: PartialStatusObject, next: (status: PartialStatusObject) => void) => void;

/** An interceptor's handlers of outgoing events. */
export interface FullResponder {
  start: StartResponder;
  sendMetadata: MetadataResponder;
  sendMessage: MessageResponder;
  sendStatus: StatusResponder;
}

export type Responder = { [Name in keyof FullResponder]?: FullResponder[Name] | undefined };

/** A call as handlers and interceptors drive it. */
export interface ServerInterceptingCallInterface {
  /** Sets the receiver of incoming events; the metadata follows. */
  start(listener: InterceptingServerListener): void;
  sendMetadata(metadata: Metadata): void;
  /** Calls `callback` when there is room for the next message. */
  sendMessage(message: unknown, callback: () => void): void;
  /** Ends the call. */
  sendStatus(status: PartialStatusObject): void;
  /** Asks for one `onReceiveMessage` or `onReceiveHalfClose`. */
  startRead(): void;
  getPeer(): string;
  getDeadline(): Deadline;
  getHost(): string;
  getAuthContext(): AuthContext;
  getConnectionInfo(): ConnectionInfo;
  getMetricsRecorder(): PerRequestMetricRecorder;
}

export type ServerInterceptor = (
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  method: ServerMethodDefinition<any, any>,
  call: ServerInterceptingCallInterface,
) => ServerInterceptingCallInterface;

const passListener: FullServerListener = {
  onReceiveMetadata: (metadata, next) => {
    next(metadata);
  },
  onReceiveMessage: (message, next) => {
    next(message);
  },
  onReceiveHalfClose: (next) => {
    next();
  },
  onCancel: () => undefined,
};

const passResponder: FullResponder = {
  start: (next) => {
    next();
  },
  sendMetadata: passListener.onReceiveMetadata,
  sendMessage: passListener.onReceiveMessage,
  sendStatus: (status, next) => {
    next(status);
  },
};

/** Returns `given`, with the missing handlers from `rest`. */
function filled<T extends object>(given: { [Name in keyof T]?: T[Name] | undefined } | undefined, rest: T): T {
  const whole = { ...rest };
  for (const name of Object.keys(rest) as (keyof T)[]) {
    const value = given?.[name];
    if (value !== undefined) whole[name] = value;
  }
  return whole;
}

/**
 * Keeps metadata, messages and the half-close in order, however late an interceptor passes each on. After a
 * cancellation it passes nothing.
 */
class ListenerLink implements InterceptingServerListener {
  readonly #listener: FullServerListener;
  readonly #next: InterceptingServerListener;
  #cancelled = false;
  #inMetadata = false;
  #inMessage = false;
  #waiting: { message: unknown } | null = null;
  #halfClosed = false;

  constructor(listener: FullServerListener, next: InterceptingServerListener) {
    this.#listener = listener;
    this.#next = next;
  }

  onReceiveMetadata(metadata: Metadata): void {
    if (this.#cancelled) return;
    this.#inMetadata = true;
    this.#listener.onReceiveMetadata(metadata, (passed) => {
      this.#inMetadata = false;
      if (this.#cancelled) return;
      this.#next.onReceiveMetadata(passed);
      const waiting = this.#waiting;
      if (waiting !== null) {
        this.#waiting = null;
        this.#next.onReceiveMessage(waiting.message);
      }
      this.#passHalfClose();
    });
  }

  onReceiveMessage(message: unknown): void {
    if (this.#cancelled) return;
    this.#inMessage = true;
    this.#listener.onReceiveMessage(message, (passed: unknown) => {
      this.#inMessage = false;
      if (this.#cancelled) return;
      if (this.#inMetadata) {
        this.#waiting = { message: passed };
        return;
      }
      this.#next.onReceiveMessage(passed);
      this.#passHalfClose();
    });
  }

  onReceiveHalfClose(): void {
    if (this.#cancelled) return;
    this.#listener.onReceiveHalfClose(() => {
      this.#halfClosed = true;
      if (!this.#cancelled) this.#passHalfClose();
    });
  }

  onCancel(): void {
    this.#cancelled = true;
    this.#listener.onCancel();
    this.#next.onCancel();
  }

  #passHalfClose(): void {
    if (!this.#halfClosed || this.#inMetadata || this.#inMessage) return;
    this.#halfClosed = false;
    this.#next.onReceiveHalfClose();
  }
}

/**
 * A call through one interceptor: its responder gets outgoing events, the listener it starts with gets incoming ones.
 */
export class ServerInterceptingCall implements ServerInterceptingCallInterface {
  readonly #next: ServerInterceptingCallInterface;
  readonly #responder: FullResponder;
  #metadataGiven = false;
  #inMetadata = false;
  #inMessage = false;
  #waiting: { message: unknown; callback: () => void } | null = null;
  #status: PartialStatusObject | null = null;

  constructor(nextCall: ServerInterceptingCallInterface, responder?: Responder) {
    this.#next = nextCall;
    this.#responder = filled(responder, passResponder);
  }

  start(listener: InterceptingServerListener): void {
    this.#responder.start((given) => {
      this.#next.start(new ListenerLink(filled(given, passListener), listener));
    });
  }

  sendMetadata(metadata: Metadata): void {
    this.#metadataGiven = true;
    this.#inMetadata = true;
    this.#responder.sendMetadata(metadata, (passed) => {
      this.#inMetadata = false;
      this.#next.sendMetadata(passed);
      const waiting = this.#waiting;
      if (waiting !== null) {
        this.#waiting = null;
        this.#next.sendMessage(waiting.message, waiting.callback);
      }
      this.#passStatus();
    });
  }

  sendMessage(message: unknown, callback: () => void): void {
    this.#inMessage = true;
    if (!this.#metadataGiven) this.sendMetadata(new Metadata());
    this.#responder.sendMessage(message, (passed: unknown) => {
      this.#inMessage = false;
      if (this.#inMetadata) this.#waiting = { message: passed, callback };
      else this.#next.sendMessage(passed, callback);
      this.#passStatus();
    });
  }

  sendStatus(status: PartialStatusObject): void {
    this.#responder.sendStatus(status, (passed) => {
      this.#status = passed;
      this.#passStatus();
    });
  }

  #passStatus(): void {
    if (this.#status === null || this.#inMetadata || this.#inMessage) return;
    const status = this.#status;
    this.#status = null;
    this.#next.sendStatus(status);
  }

  startRead(): void {
    this.#next.startRead();
  }

  getPeer(): string {
    return this.#next.getPeer();
  }

  getDeadline(): Deadline {
    return this.#next.getDeadline();
  }

  getHost(): string {
    return this.#next.getHost();
  }

  getAuthContext(): AuthContext {
    return this.#next.getAuthContext();
  }

  getConnectionInfo(): ConnectionInfo {
    return this.#next.getConnectionInfo();
  }

  getMetricsRecorder(): PerRequestMetricRecorder {
    return this.#next.getMetricsRecorder();
  }
}
