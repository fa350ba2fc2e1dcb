import { Allowance } from "../http2/allowance.js";
import type { ErrorCode, Stream } from "../http2/index.js";
import { clock } from "../../transport/clock.js";
import { Timer } from "../../transport/timer-wheel.js";

/** How many streams of cancelled calls a connection resets at once, and each second after that. */
export interface ResetPace {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * Servers end the connection of a client that resets more streams than this: nghttp2, which Node's and many proxies'
 * are made of, allows 1,000 and 33 a second.
 */
export const DEFAULT_RESET_PACE: ResetPace = { burst: 800, perSecond: 30 };
/** Streams that wait to be reset. More are reset at once. */
const MOST_WAITING = 10_000;
/** Bytes that come for such a stream until it is reset at once. */
const MOST_BYTES = 65_536;
/** Milliseconds between two looks whether the next may be reset. */
const PERIOD = 50;

interface Waiting {
  readonly code: ErrorCode;
  bytes: number;
}

/**
 * Resets the streams of cancelled calls no faster than servers allow. Those beyond wait, and most of them end by
 * themselves meanwhile: by their response, or because the server knows their deadline.
 */
export class PacedResets extends Timer {
  /** Resets that were asked for. */
  count = 0;
  readonly #allowance: Allowance;
  /** In the order they came. */
  readonly #waiting = new Map<Stream, Waiting>();

  constructor({ burst, perSecond }: ResetPace) {
    super();
    this.#allowance = new Allowance(burst, perSecond, () => clock.now());
  }

  /** Streams that wait to be reset. */
  get waiting(): number {
    return this.#waiting.size;
  }

  reset(stream: Stream, code: ErrorCode): void {
    this.count += 1;
    // A request that is still being sent is cut at once.
    if (stream.queued > 0 || this.#waiting.size >= MOST_WAITING || (this.#waiting.size === 0 && this.#take())) {
      stream.reset(code);
      return;
    }
    if (this.#waiting.size === 0) clock.set(this, PERIOD);
    this.#waiting.set(stream, { code, bytes: 0 });
  }

  /** Something has come for a stream, perhaps its end. */
  heard(stream: Stream, bytes: number): void {
    const entry = this.#waiting.get(stream);
    if (entry === undefined) return;
    entry.bytes += bytes;
    if (stream.closed) this.#waiting.delete(stream);
    else if (entry.bytes > MOST_BYTES) this.#end(stream, entry);
  }

  /** Resets the one that waits for longest: its place is needed. */
  hurry(): void {
    for (const [stream, entry] of this.#waiting) {
      this.#end(stream, entry);
      return;
    }
  }

  /** The connection has ended. */
  clear(): void {
    this.#waiting.clear();
    clock.clear(this);
  }

  expire(): void {
    for (const [stream, entry] of this.#waiting) {
      if (!stream.closed && !this.#take()) break;
      this.#end(stream, entry);
    }
    if (this.#waiting.size > 0) clock.set(this, PERIOD);
  }

  #end(stream: Stream, { code }: Waiting): void {
    this.#waiting.delete(stream);
    stream.reset(code);
  }

  #take(): boolean {
    if (this.#allowance.spend()) return true;
    this.#allowance.earn(1);
    return false;
  }
}
