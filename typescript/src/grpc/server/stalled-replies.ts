import { ErrorCode } from "../http2/error-code.js";
import type { Stream } from "../http2/stream.js";
import { afterReads } from "../../transport/after-reads.js";
import { Alarm } from "../../transport/alarm.js";

/** A client that takes less than this has taken nothing. */
const PROGRESS_BYTES = 16_384;

/** The longest time between two looks, in milliseconds, and the share of the limit that it is at most. */
const LONGEST_PERIOD = 15_000;
const SHARE = 4;

/** The streams of one connection, as they are looked through. */
export interface StreamHolder {
  readonly streams: { values(): Stream[] };
}

interface Seen {
  readonly queued: number;
  readonly since: number;
}

/**
 * Ends streams whose call is over and whose last bytes the client does not take: otherwise the client decides how long
 * the server keeps them. It looks at intervals, so that replies which are taken cost nothing.
 */
export class StalledReplies {
  readonly #connection: () => StreamHolder;
  readonly #limit: (stream: Stream) => number;
  readonly #period: number;
  readonly #alarm = new Alarm((now) => {
    // While the thread was blocked, the client may have taken bytes: its window updates must be read first.
    afterReads(() => { if (!this.#stopped) this.#look(now); });
  });
  #seen = new Map<Stream, Seen>();
  #watching = false;
  #stopped = false;

  /**
   * @param connection the streams; asked for late
   * @param limit milliseconds that a stream may wait
   * @param least the shortest of these
   */
  constructor(connection: () => StreamHolder, limit: (stream: Stream) => number, least: number) {
    this.#connection = connection;
    this.#limit = limit;
    this.#period = Math.min(Math.ceil(least / SHARE), LONGEST_PERIOD);
  }

  /** A call has ended whose bytes wait. */
  watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    this.#alarm.set(this.#period);
  }

  stop(): void {
    this.#stopped = true;
    this.#watching = true;
    this.#alarm.clear();
    this.#seen.clear();
  }

  #look(now: number): void {
    const seen = new Map<Stream, Seen>();
    for (const stream of this.#connection().streams.values()) {
      if (!stream.localEnded || stream.queued === 0) continue;
      const before = this.#seen.get(stream);
      if (before === undefined || before.queued - stream.queued >= PROGRESS_BYTES) seen.set(stream, { queued: stream.queued, since: now });
      else if (now - before.since >= this.#limit(stream)) stream.reset(ErrorCode.ENHANCE_YOUR_CALM);
      else seen.set(stream, before);
    }
    this.#seen = seen;
    this.#watching = seen.size > 0;
    if (this.#watching) this.#alarm.set(this.#period);
  }
}
