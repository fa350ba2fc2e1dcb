import { ErrorCode } from "./error-code.js";

/** The states of RFC 9113 section 5.1, without the two reserved ones, which only server push uses. */
export const State = { IDLE: 0, OPEN: 1, HALF_CLOSED_LOCAL: 2, HALF_CLOSED_REMOTE: 3, CLOSED: 4 } as const;
export type State = (typeof State)[keyof typeof State];

/** Events of a stream. A frame with END_STREAM is its own event followed by an `_END`. */
export const Event = {
  SEND_HEADERS: 0,
  SEND_DATA: 1,
  SEND_END: 2,
  SEND_RESET: 3,
  RECEIVE_HEADERS: 4,
  RECEIVE_DATA: 5,
  RECEIVE_END: 6,
  RECEIVE_RESET: 7,
} as const;
export type Event = (typeof Event)[keyof typeof Event];

const EVENTS = 8;
const { OPEN, HALF_CLOSED_LOCAL, HALF_CLOSED_REMOTE, CLOSED } = State;
const bad = -ErrorCode.PROTOCOL_ERROR;
const gone = -ErrorCode.STREAM_CLOSED;
const ours = -ErrorCode.INTERNAL_ERROR;

/** RFC 9113 figure 2 as a table, state by event: the next state, or minus the error code. */
// prettier-ignore
const NEXT = Int8Array.of(
  // sends HEADERS     DATA                END                 RESET   receives HEADERS    DATA                END
  // RESET
  OPEN,                ours,               ours,               ours,   OPEN,               bad,                bad,                bad,    // idle
  OPEN,                OPEN,               HALF_CLOSED_LOCAL,  CLOSED, OPEN,               OPEN,               HALF_CLOSED_REMOTE, CLOSED, // open
  ours,                ours,               ours,               CLOSED, HALF_CLOSED_LOCAL,  HALF_CLOSED_LOCAL,  CLOSED,             CLOSED, // half-closed (local)
  HALF_CLOSED_REMOTE,  HALF_CLOSED_REMOTE, CLOSED,             CLOSED, gone,               gone,               gone,               CLOSED, // half-closed (remote)
  ours,                ours,               ours,               CLOSED, gone,               gone,               gone,               CLOSED, // closed
);

/** Returns the state after an event, or minus the error code if the event is an error. */
export function next(state: State, event: Event): number {
  return NEXT[state * EVENTS + event]!;
}
