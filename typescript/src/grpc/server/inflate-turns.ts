/** One message that waits to be decompressed. */
interface Waiting {
  readonly work: () => Promise<Buffer>;
  readonly resolve: (result: Promise<Buffer>) => void;
  readonly reject: (error: Error) => void;
  /** Nobody wants the result any more. */
  readonly needless: () => boolean;
}

/**
 * Whose long message is decompressed next on another thread: one at a time for each connection, a few for the whole
 * server, connections by turns. Between two results of a connection the event loop has a turn. So a client that sends
 * messages a thousand times as long as their bytes takes one thread and waits for itself.
 */
export class InflateTurns {
  readonly #most: number;
  #running = 0;
  /** What waits, by connection: the first one in the map has the next turn. */
  readonly #waiting = new Map<object, Waiting[]>();
  readonly #busy = new Set<object>();

  /** @param most messages at a time, of all connections */
  constructor(most: number) {
    this.#most = most;
  }

  /** Does `work` when it is the connection's turn. Rejects if the result is needless by then. */
  run(connection: object, work: () => Promise<Buffer>, needless: () => boolean): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { work, resolve, reject, needless };
      const own = this.#waiting.get(connection);
      if (own === undefined) this.#waiting.set(connection, [waiting]);
      else own.push(waiting);
      this.#begin();
    });
  }

  #begin(): void {
    for (const [connection, own] of this.#waiting) {
      if (this.#running >= this.#most) return;
      if (this.#busy.has(connection)) continue;
      let next = own.shift();
      while (next?.needless() === true) {
        next.reject(new Error("the call has ended"));
        next = own.shift();
      }
      this.#waiting.delete(connection);
      // To the end of the row.
      if (own.length > 0) this.#waiting.set(connection, own);
      if (next !== undefined) this.#do(connection, next);
    }
  }

  #do(connection: object, { work, resolve }: Waiting): void {
    this.#running += 1;
    this.#busy.add(connection);
    const result = work();
    const done = (): void => {
      setImmediate(() => {
        this.#running -= 1;
        this.#busy.delete(connection);
        this.#begin();
      });
    };
    resolve(result);
    result.then(done, done);
  }
}
