/** What a message that waits in its handler's stream takes of memory beside its bytes. */
const OVERHEAD = 256;

/** A message that its handler has written before its client took those before it. It waits in the handler's stream. */
export class WaitingReply {
  /** What the handler wrote, for interceptors; undefined without them. */
  readonly message: unknown;
  /** The serialized message; null if interceptors may change it. */
  readonly bytes: Buffer | null;
  /** Bytes of memory that are counted for it. */
  readonly charge: number;

  /** @param message what interceptors get, if there are any */
  constructor(bytes: Buffer, message?: unknown) {
    this.message = message;
    this.bytes = message === undefined ? bytes : null;
    this.charge = bytes.length + OVERHEAD;
  }
}

/** What is left of messages that a handler writes once its call has ended. */
export const DROPPED = new WaitingReply(Buffer.alloc(0));

/** A call, as its handler's stream sees it where messages wait. */
export interface ReplyHolder {
  /** Returns what the stream keeps of a message: counted, unless it cannot be serialized. */
  keep(message: unknown): unknown;
  /** A message that has waited is next. */
  sendWaiting(reply: WaitingReply, done: () => void): void;
}
