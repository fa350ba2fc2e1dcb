import type { Call } from "../client/call.js";
import type { Serialize } from "../protocol/method.js";
import { Status } from "../protocol/status.js";
import { authContext, type AuthContext } from "./auth-context.js";
import { WriteFlags, type InterceptingCallInterface, type MessageContext } from "./interceptor-types.js";

/** The channel that a call was made on. */
export interface CallOrigin {
  getTarget(): string;
}

/**
 * The `call` of a call object without interceptors: grpc-js's interface over the call of the channel, which has begun
 * already. Made when a program reads the property.
 */
export class DirectCall implements InterceptingCallInterface {
  readonly #core: Call;
  readonly #origin: CallOrigin | null;
  readonly #serialize: Serialize<unknown> | null;

  /**
   * @param origin its target is what `getPeer` returns while there is no connection
   * @param serialize null for a call whose one request has been sent
   */
  constructor(core: Call, origin: CallOrigin | null, serialize: Serialize<unknown> | null) {
    this.#core = core;
    this.#origin = origin;
    this.#serialize = serialize;
  }

  /** @throws Error always: the client has started the call */
  start(): void {
    throw new Error("the call has been started by its client: `start` is for the calls that an interceptor makes");
  }

  sendMessageWithContext({ callback, flags = 0 }: MessageContext, message: unknown): void {
    const sent = callback === undefined ? null : () => { callback(); };
    if (this.#serialize === null || this.#core.halfClosed) {
      this.#core.cancel(Status.INTERNAL, "Request message after the last one: the call sends no more messages");
      sent?.();
      return;
    }
    let bytes: Buffer;
    try {
      bytes = this.#serialize(message);
    } catch (error) {
      this.#core.cancel(Status.INTERNAL, `Request message serialization failure: ${error instanceof Error ? error.message : "Unknown Error"}`);
      sent?.();
      return;
    }
    this.#core.send(bytes, (flags & WriteFlags.NoCompress) === 0, sent);
  }

  sendMessage(message: unknown): void {
    this.sendMessageWithContext({}, message);
  }

  startRead(): void {
    this.#core.read();
  }

  halfClose(): void {
    this.#core.finish();
  }

  cancelWithStatus(status: Status, details: string): void {
    this.#core.cancel(status, details);
  }

  getPeer(): string {
    return this.#core.current?.link?.peer ?? this.#origin?.getTarget() ?? "unknown";
  }

  getAuthContext(): AuthContext | null {
    const link = this.#core.current?.link;
    return link == null ? null : authContext(link);
  }
}
