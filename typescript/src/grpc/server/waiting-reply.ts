/** The memory of a message that waits in its handler's stream, beside its bytes. */
export const WAITING_BYTES = 128;

/** Stands in a handler's stream for a message that was written before the client took those before it. */
export class WaitingReply {
  /**
   * @param message what interceptors get
   * @param charge bytes that are counted for it
   */
  constructor(
    readonly message: unknown,
    readonly charge: number,
  ) {}
}

/**
 * Without interceptors the call keeps the bytes, in the stream's order: an object for each would cost more than they.
 */
export const WAITING = new WaitingReply(undefined, 0);

/** A call, as its handler's stream sees it where messages wait. */
export interface ReplyHolder {
  /** The call was cut off: nothing that its handler sends arrives any more. */
  readonly cutOff: boolean;
  /** Returns what the stream keeps of a message: counted, unless it cannot be serialized. */
  keep(message: unknown): unknown;
  /** A message that has waited is next. */
  sendWaiting(reply: WaitingReply, done: () => void): void;
  /** The call has ended: makes the stream pass on its waiting messages, which are dropped. */
  letGo(): void;
}
