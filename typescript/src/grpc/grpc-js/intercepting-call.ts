import type { Metadata } from "../protocol/metadata.js";
import type { Status } from "../protocol/status.js";
import type { AuthContext } from "./auth-context.js";
import { ChainedListener, fullListener, isInterceptingListener } from "./intercepting-listener.js";
import type {
  CancelRequester,
  CloseRequester,
  FullRequester,
  InterceptingCallInterface,
  InterceptingListener,
  MessageContext,
  MessageRequester,
  MetadataRequester,
  Requester,
} from "./interceptor-types.js";

/** Collects the handlers of a `Requester`. */
export class RequesterBuilder {
  readonly #requester: Requester = {};

  withStart(start: MetadataRequester): this {
    this.#requester.start = start;
    return this;
  }

  withSendMessage(sendMessage: MessageRequester): this {
    this.#requester.sendMessage = sendMessage;
    return this;
  }

  withHalfClose(halfClose: CloseRequester): this {
    this.#requester.halfClose = halfClose;
    return this;
  }

  withCancel(cancel: CancelRequester): this {
    this.#requester.cancel = cancel;
    return this;
  }

  build(): Requester {
    return { ...this.#requester };
  }
}

const PASS: FullRequester = {
  start: (metadata, listener, next) => { next(metadata, listener); },
  sendMessage: (message, next) => { next(message); },
  halfClose: (next) => { next(); },
  cancel: (next) => { next(); },
};

/**
 * Puts a requester, and its listener, before the next call of a chain. Keeps the order however long its handlers take.
 */
export class InterceptingCall implements InterceptingCallInterface {
  readonly #next: InterceptingCallInterface;
  readonly #requester: FullRequester;
  #startPending = false;
  #messagesPending = 0;
  readonly #buffered: [MessageContext, unknown][] = [];
  #halfClosed = false;

  constructor(nextCall: InterceptingCallInterface, requester?: Requester) {
    this.#next = nextCall;
    this.#requester = requester === undefined ? PASS : {
      start: requester.start?.bind(requester) ?? PASS.start,
      sendMessage: requester.sendMessage?.bind(requester) ?? PASS.sendMessage,
      halfClose: requester.halfClose?.bind(requester) ?? PASS.halfClose,
      cancel: requester.cancel?.bind(requester) ?? PASS.cancel,
    };
  }

  start(metadata: Metadata, listener?: Partial<InterceptingListener>): void {
    const last: InterceptingListener = {
      onReceiveMetadata: (received) => listener?.onReceiveMetadata?.(received),
      onReceiveMessage: (message: unknown) => listener?.onReceiveMessage?.(message),
      onReceiveStatus: (status) => listener?.onReceiveStatus?.(status),
    };
    this.#startPending = true;
    this.#requester.start(metadata, last, (changed, chosen) => {
      this.#startPending = false;
      this.#next.start(changed, isInterceptingListener(chosen) ? chosen : new ChainedListener(fullListener(chosen), last));
      for (const [context, message] of this.#buffered.splice(0)) this.#next.sendMessageWithContext(context, message);
      this.#close();
    });
  }

  sendMessageWithContext(context: MessageContext, message: unknown): void {
    this.#messagesPending += 1;
    this.#requester.sendMessage(message, (changed: unknown) => {
      this.#messagesPending -= 1;
      if (this.#startPending) this.#buffered.push([context, changed]);
      else this.#next.sendMessageWithContext(context, changed);
      this.#close();
    });
  }

  sendMessage(message: unknown): void {
    this.sendMessageWithContext({}, message);
  }

  halfClose(): void {
    this.#requester.halfClose(() => {
      this.#halfClosed = true;
      this.#close();
    });
  }

  startRead(): void {
    this.#next.startRead();
  }

  cancelWithStatus(status: Status, details: string): void {
    this.#requester.cancel(() => {
      this.#next.cancelWithStatus(status, details);
    });
  }

  getPeer(): string {
    return this.#next.getPeer();
  }

  getAuthContext(): AuthContext | null {
    return this.#next.getAuthContext();
  }

  #close(): void {
    if (!this.#halfClosed || this.#startPending || this.#messagesPending > 0) return;
    this.#halfClosed = false;
    this.#next.halfClose();
  }
}
