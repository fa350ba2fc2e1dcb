import { ErrorCode } from "./error-code.js";

export type Role = "client" | "server";

/**
 * The state of our end of a connection (RFC 9113 sections 3.4 and 6.8): what the peer has sent (nothing yet; its
 * preface, which ends with SETTINGS; GOAWAY) times what we have sent (nothing; a first warning; GOAWAY).
 */
export const Phase = {
  PREFACE: 0,
  PREFACE_WARNED: 1,
  PREFACE_LEAVING: 2,
  OPEN: 3,
  WARNED: 4,
  LEAVING: 5,
  LEFT: 6,
  LEFT_WARNED: 7,
  LEFT_LEAVING: 8,
  CLOSED: 9,
} as const;
export type Phase = (typeof Phase)[keyof typeof Phase];

/**
 * Events of a connection. At a `CLOSE` the peer gets a GOAWAY, in order or for an error; at a `CUT` it cannot be
 * reached any more.
 */
export const Step = { RECEIVE_SETTINGS: 0, SEND_WARNING: 1, SEND_GOAWAY: 2, RECEIVE_GOAWAY: 3, LAST_STREAM_ENDED: 4, CLOSE: 5, CUT: 6 } as const;
export type Step = (typeof Step)[keyof typeof Step];

/**
 * What a phase allows: that we open streams, that the peer opens streams, that the peer sends frames other than its
 * first SETTINGS.
 */
export const Right = { OPEN: 1, ACCEPT: 2, FRAMES: 4 } as const;
export type Right = (typeof Right)[keyof typeof Right];

const STEPS = 7;
const { PREFACE, PREFACE_WARNED, PREFACE_LEAVING, OPEN, WARNED, LEAVING, LEFT, LEFT_WARNED, LEFT_LEAVING, CLOSED } = Phase;
const bad = -ErrorCode.PROTOCOL_ERROR;

/** Phase by step: the next phase, or minus the error code. The same phase: the step does nothing. */
// prettier-ignore
const NEXT = Int8Array.of(
  // receives SETTINGS  sends warning     GOAWAY            receives GOAWAY  last stream ended  close   cut
  OPEN,                 PREFACE_WARNED,   PREFACE_LEAVING,  bad,             PREFACE,            CLOSED, CLOSED, // preface
  WARNED,               PREFACE_WARNED,   PREFACE_LEAVING,  bad,             PREFACE_WARNED,     CLOSED, CLOSED, // preface, warned
  LEAVING,              PREFACE_LEAVING,  PREFACE_LEAVING,  bad,            CLOSED,            CLOSED, CLOSED, // preface, leaving
  OPEN,                 WARNED,           LEAVING,          LEFT,            OPEN,              CLOSED, CLOSED, // open
  WARNED,               WARNED,           LEAVING,          LEFT_WARNED,     WARNED,            CLOSED, CLOSED, // warned
  LEAVING,              LEAVING,          LEAVING,          LEFT_LEAVING,    CLOSED,            CLOSED, CLOSED, // leaving
  LEFT,                 LEFT_WARNED,      LEFT_LEAVING,     LEFT,            CLOSED,            CLOSED, CLOSED, // left by the peer
  LEFT_WARNED,          LEFT_WARNED,      LEFT_LEAVING,     LEFT_WARNED,     CLOSED,            CLOSED, CLOSED, // left by the peer, warned
  LEFT_LEAVING,         LEFT_LEAVING,     LEFT_LEAVING,     LEFT_LEAVING,    CLOSED,            CLOSED, CLOSED, // left by both
  CLOSED,               CLOSED,           CLOSED,           CLOSED,          CLOSED,            CLOSED, CLOSED, // closed
);

/**
 * GOAWAY ends the receiver's right to open streams, not the sender's. A client need not wait for the server's preface.
 */
// prettier-ignore
const RIGHTS = Uint8Array.of(
  Right.OPEN,                                // preface
  Right.OPEN,                                // preface, warned
  Right.OPEN,                                // preface, leaving
  Right.OPEN | Right.ACCEPT | Right.FRAMES,  // open
  Right.OPEN | Right.ACCEPT | Right.FRAMES,  // warned
  Right.OPEN | Right.FRAMES,                 // leaving
  Right.ACCEPT | Right.FRAMES,               // left by the peer
  Right.ACCEPT | Right.FRAMES,               // left by the peer, warned
  Right.FRAMES,                              // left by both
  0,                                         // closed
);

/** Returns the phase after a step, or minus the error code if the step is an error. */
export function nextPhase(phase: Phase, step: Step): number {
  return NEXT[phase * STEPS + step]!;
}

/** Returns whether a phase has a right. */
export function may(phase: Phase, right: Right): boolean {
  return (RIGHTS[phase]! & right) !== 0;
}
