import type { Deadline } from "../protocol/timeout.js";

/** What a call takes over from the server call it is made for (`propagate_flags`). */
export enum Propagate {
  DEADLINE = 1,
  CENSUS_STATS_CONTEXT = 2,
  CENSUS_TRACING_CONTEXT = 4,
  CANCELLATION = 8,
  DEFAULTS = 0xffff,
}

/** The server call that a client call is made for. */
export interface ParentCall {
  getDeadline(): Deadline;
  on(event: "cancelled", listener: () => void): unknown;
  removeListener(event: "cancelled", listener: () => void): unknown;
  readonly cancelled?: boolean;
}
