import { Metadata } from "../protocol/metadata.js";
import type { ClientMethodDefinition } from "../protocol/method.js";
import { Status, type StatusObject } from "../protocol/status.js";
import type { AuthContext } from "./auth-context.js";
import type { CallInterface, InterceptingCallInterface, InterceptingListener, MessageContext } from "./interceptor-types.js";

/** The innermost call of a chain of interceptors: turns messages into bytes and back. */
export class MessageCall implements InterceptingCallInterface {
  readonly #call: CallInterface;
  readonly #method: ClientMethodDefinition<unknown, unknown>;

  constructor(call: CallInterface, method: ClientMethodDefinition<unknown, unknown>) {
    this.#call = call;
    this.#method = method;
  }

  start(metadata: Metadata, listener: Partial<InterceptingListener> = {}): void {
    const { responseStream, responseDeserialize } = this.#method;
    let broken: StatusObject | null = null;
    let answered = false;
    this.#call.start(metadata, {
      onReceiveMetadata: (received) => listener.onReceiveMetadata?.(received),
      onReceiveMessage: (bytes: Buffer) => {
        let message: unknown;
        try {
          message = responseDeserialize(bytes);
        } catch (error) {
          broken = { code: Status.INTERNAL, details: `Response message parsing error: ${text(error)}`, metadata: new Metadata() };
          this.#call.cancelWithStatus(broken.code, broken.details);
          return;
        }
        answered = true;
        // A second response message is an error that must be reported.
        if (!responseStream) this.#call.startRead();
        listener.onReceiveMessage?.(message);
      },
      onReceiveStatus: (status) => {
        // Interceptors of calls with one response get null if it is missing.
        if (!responseStream && !answered) listener.onReceiveMessage?.(null);
        listener.onReceiveStatus?.(broken ?? status);
      },
    });
    if (!responseStream) this.#call.startRead();
  }

  sendMessageWithContext(context: MessageContext, message: unknown): void {
    let bytes: Buffer;
    try {
      bytes = this.#method.requestSerialize(message);
    } catch (error) {
      this.#call.cancelWithStatus(Status.INTERNAL, `Request message serialization failure: ${text(error)}`);
      return;
    }
    this.#call.sendMessageWithContext(context, bytes);
  }

  sendMessage(message: unknown): void {
    this.sendMessageWithContext({}, message);
  }

  halfClose(): void {
    this.#call.halfClose();
  }

  startRead(): void {
    this.#call.startRead();
  }

  cancelWithStatus(status: Status, details: string): void {
    this.#call.cancelWithStatus(status, details);
  }

  getPeer(): string {
    return this.#call.getPeer();
  }

  getAuthContext(): AuthContext | null {
    return this.#call.getAuthContext();
  }
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : "Unknown Error";
}
