import { ErrorCode } from "../http2/error-code.js";
import { afterReads } from "../../transport/after-reads.js";
import { Alarm } from "../../transport/alarm.js";
import type { Link } from "../transport/link.js";
import type { Counters } from "../protocol/statistics.js";

/** `keepaliv` in ASCII. */
const PAYLOAD = Uint8Array.from([0x6b, 0x65, 0x65, 0x70, 0x61, 0x6c, 0x69, 0x76]);

/**
 * Sends a PING at an interval, and ends the connection if it is not acknowledged in time. Time in which the
 * thread was blocked does not count: the timeout starts when the PING is out, and the socket is read before it ends.
 */
export class Keepalive {
  readonly #link: Link;
  readonly #counters: Counters;
  readonly #interval: number;
  readonly #timeout: number;
  readonly #next = new Alarm(() => {
    this.#ask();
  });
  readonly #overdue = new Alarm(() => {
    this.#readOn();
  });
  /** A PING is not acknowledged. */
  #asked = false;

  /**
   * @param interval milliseconds between two PINGs, `Infinity` for none
   * @param timeout milliseconds for the acknowledgement
   */
  constructor(link: Link, counters: Counters, interval: number, timeout: number) {
    this.#link = link;
    this.#counters = counters;
    this.#interval = interval;
    this.#timeout = timeout;
    this.#next.set(interval);
  }

  #ask(): void {
    this.#counters.keepAlivesSent += 1;
    this.#asked = true;
    this.#link.connection.ping(PAYLOAD);
    afterReads(() => {
      if (this.#asked) this.#overdue.set(this.#timeout);
    });
  }

  /** Time is up: the peer is gone unless it is heard by now. Its acknowledgement may come after much else that waits. */
  #readOn(): void {
    const { reads } = this.#link;
    afterReads(() => {
      if (!this.#asked) return;
      if (this.#link.reads > reads) this.#readOn();
      else this.#link.connection.close(ErrorCode.NO_ERROR, "keepalive timed out");
    });
  }

  /** @returns whether the payload is a keepalive's */
  onPong(payload: Uint8Array): boolean {
    if (!PAYLOAD.every((byte, at) => byte === payload[at])) return false;
    this.#asked = false;
    this.#overdue.clear();
    this.#next.set(this.#interval);
    return true;
  }

  stop(): void {
    this.#asked = false;
    this.#next.clear();
    this.#overdue.clear();
  }
}
