import { availableParallelism } from "node:os";
import type { MessageEncoding } from "../protocol/compression.js";

/** One message that waits to be decompressed. */
interface Waiting {
  readonly work: () => Promise<Buffer>;
  readonly resolve: (result: Promise<Buffer>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Short messages that are decompressed at once in one turn of the event loop. Each costs 20 µs, were it empty: a window of
 * 1 MiB holds 40,000 such, which at once kept every other connection waiting for a second.
 */
export const SHORT_A_TURN = 50;

/** The most threads that decompress: libuv has four, which other parts of the program need too. */
const MOST_THREADS = 4;

/** Threads that decompress: one less than there are cores, 1 to 4. */
export function inflateThreads(wanted = availableParallelism() - 1): number {
  return Math.min(Math.max(Math.trunc(wanted), 1), MOST_THREADS);
}

/**
 * Schedules the decompression of long messages on other threads: a few at a time, connections by turns. Between two
 * results of a connection the event loop has a turn. So a peer whose messages expand a thousand times delays only
 * itself. So does one that sends many short messages: those above `SHORT_A_TURN` wait for their turn, too.
 *
 * A server, whose clients are many, decompresses one message at a time for each connection. The
 * callers bound what waits: `HeldRequests` in a server, the windows in a client. A call that ends must be forgotten
 * here.
 */
export class InflateTurns {
  readonly #most: number;
  readonly #each: number;
  #running = 0;
  /** What waits, by connection and call: the first connection in the map has the next turn, its first call first. */
  readonly #waiting = new Map<object, Map<object, Waiting>>();
  /** Messages under way, by connection. */
  readonly #busy = new Map<object, number>();
  /** Short messages that were decompressed in this turn of the event loop. */
  #short = 0;

  /**
   * @param most messages at a time, of all connections
   * @param each of one connection
   */
  constructor(most: number, each = 1) {
    this.#most = most;
    this.#each = each;
  }

  /**
   * Decompresses a message of a call: at once if that is short and few were in this turn of the event loop, else when it
   * is the connection's turn. One message of a call at a time.
   *
   * @throws DecompressedTooLong, or any other error for bytes that are not such a stream
   */
  inflate(connection: object, call: object, encoding: MessageEncoding, message: Uint8Array, limit: number): Buffer | Promise<Buffer> {
    const scheduled = (work: () => Promise<Buffer>): Promise<Buffer> => this.run(connection, call, work);
    if (this.mayNow()) return encoding.decompress(message, limit, scheduled);
    return scheduled(async () => encoding.decompress(message, limit));
  }

  /** Does `work` when it is the connection's turn: one message of a call at a time. Rejects if the call is forgotten. */
  run(connection: object, call: object, work: () => Promise<Buffer>): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const own = this.#waiting.get(connection) ?? new Map<object, Waiting>();
      this.#waiting.set(connection, own.set(call, { work, resolve, reject }));
      this.#begin();
    });
  }

  /** Whether one more short message may be decompressed now; else it takes its turn as a long one does. */
  mayNow(): boolean {
    if (this.#short === 0) {
      setImmediate(() => {
        this.#short = 0;
      });
    }
    if (this.#short >= SHORT_A_TURN) return false;
    this.#short += 1;
    return true;
  }

  /** The call has ended: drops its message, unless that is being decompressed. */
  forget(connection: object, call: object): void {
    const own = this.#waiting.get(connection);
    const waiting = own?.get(call);
    if (own === undefined || waiting === undefined) return;
    own.delete(call);
    if (own.size === 0) this.#waiting.delete(connection);
    waiting.reject(new Error("the call has ended"));
  }

  #begin(): void {
    for (const [connection, own] of this.#waiting) {
      if (this.#running >= this.#most) return;
      if ((this.#busy.get(connection) ?? 0) >= this.#each) continue;
      this.#waiting.delete(connection);
      for (const [call, next] of own) {
        own.delete(call);
        // To the end of the row: the loop comes to it again.
        if (own.size > 0) this.#waiting.set(connection, own);
        this.#do(connection, next);
        break;
      }
    }
  }

  #do(connection: object, { work, resolve }: Waiting): void {
    this.#running += 1;
    this.#busy.set(connection, (this.#busy.get(connection) ?? 0) + 1);
    const result = work();
    const done = (): void => {
      setImmediate(() => {
        this.#running -= 1;
        const left = this.#busy.get(connection)! - 1;
        if (left > 0) this.#busy.set(connection, left);
        else this.#busy.delete(connection);
        this.#begin();
      });
    };
    resolve(result);
    result.then(done, done);
  }
}
