import { ErrorCode } from "../http2/error-code.js";
import { Alarm } from "../../transport/alarm.js";
import type { Link } from "../transport/link.js";
import type { Counters } from "../protocol/statistics.js";

/** `keepaliv` in ASCII. */
const PAYLOAD = Uint8Array.from([0x6b, 0x65, 0x65, 0x70, 0x61, 0x6c, 0x69, 0x76]);

/** Sends a PING at an interval, and ends the connection if it is not acknowledged in time. */
export class Keepalive {
  readonly #link: Link;
  readonly #counters: Counters;
  readonly #interval: number;
  readonly #timeout: number;
  readonly #next = new Alarm(() => {
    this.#ask();
  });
  readonly #overdue = new Alarm(() => {
    this.#link.connection.close(ErrorCode.NO_ERROR, "keepalive timed out");
  });

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
    this.#overdue.set(this.#timeout);
    this.#link.connection.ping(PAYLOAD);
  }

  /** @returns whether the payload is a keepalive's */
  onPong(payload: Uint8Array): boolean {
    if (!PAYLOAD.every((byte, at) => byte === payload[at])) return false;
    this.#overdue.clear();
    this.#next.set(this.#interval);
    return true;
  }

  stop(): void {
    this.#next.clear();
    this.#overdue.clear();
  }
}
