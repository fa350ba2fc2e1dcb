import type { Outgoing } from "./outgoing.js";

/** How much of sent messages a channel keeps for further attempts. */
export interface RetryBuffer {
  /** Bytes that a call keeps before it is committed to the present attempt. */
  readonly retryBufferBytes: number;
  /** Bytes that all calls of the channel keep together at most, and those that they keep now. */
  readonly retryTotalBytes: number;
  retainedBytes: number;
}

/** The messages of a request, kept until no attempt can need them again. */
export class RequestMessages {
  /** Messages so far, dropped ones included. */
  total = 0;
  /** Bytes charged for the messages that are kept. */
  bytes = 0;
  readonly #buffer: RetryBuffer;
  /** The messages from number `total - kept.length` on. */
  #kept: Outgoing[] = [];

  constructor(buffer: RetryBuffer) {
    this.#buffer = buffer;
  }

  /** Whether no more may be kept for further attempts. */
  get full(): boolean {
    const { retryBufferBytes, retainedBytes, retryTotalBytes } = this.#buffer;
    return this.bytes > retryBufferBytes || retainedBytes > retryTotalBytes;
  }

  push(message: Outgoing): void {
    this.#kept.push(message);
    this.total += 1;
    this.#count(message.size);
  }

  /** The message of that number, counted from 0, which has not been dropped. */
  at(number: number): Outgoing {
    return this.#kept[number - (this.total - this.#kept.length)]!;
  }

  /** Drops the first messages, up to number `end`: the call's last attempt has sent them. */
  drop(end: number): void {
    const kept = this.#kept;
    const count = end - (this.total - kept.length);
    if (count === 0) return;
    let bytes = 0;
    for (let at = 0; at < count; at += 1) bytes += kept[at]!.size;
    this.#count(-bytes);
    if (count === kept.length) kept.length = 0;
    else kept.splice(0, count);
  }

  /**
   * Drops all messages: the call is over. The callbacks of waiting writers run in a later turn of the event loop, after
   * the call's status: a writer that wrote on at once from its callback would keep its program from the status.
   *
   * @param blocked a message dropped before, whose writer may still wait
   */
  clear(blocked: Outgoing | null): void {
    const kept = this.#kept;
    if (kept.length === 0 && blocked === null) return;
    this.#kept = [];
    this.#count(-this.bytes);
    const awaited = kept.filter((message) => message.awaited);
    if (blocked !== null) awaited.push(blocked);
    if (awaited.length > 0) setImmediate(() => { for (const message of awaited) message.passed(); });
  }

  #count(bytes: number): void {
    this.bytes += bytes;
    this.#buffer.retainedBytes += bytes;
  }
}
