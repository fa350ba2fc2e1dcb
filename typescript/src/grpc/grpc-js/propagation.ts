import type { Deadline } from "../protocol/timeout.js";

/** What a call inherits from its parent call (`propagate_flags`). */
export enum Propagate {
  DEADLINE = 1,
  CENSUS_STATS_CONTEXT = 2,
  CENSUS_TRACING_CONTEXT = 4,
  CANCELLATION = 8,
  DEFAULTS = 0xffff,
}

/** The server call on whose behalf a client call is made. */
export interface ParentCall {
  getDeadline(): Deadline;
  on(event: "cancelled", listener: () => void): unknown;
  removeListener(event: "cancelled", listener: () => void): unknown;
  readonly cancelled?: boolean;
}
