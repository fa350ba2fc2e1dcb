import { errorName } from "./error-code.js";
import type { ErrorCode } from "./error-code.js";

/**
 * Whose fault it was:
 * `peer` broke RFC 9113 or one of our limits; `remote` says that the peer accused us (GOAWAY);
 * `cut` is a connection that ended without GOAWAY; `misuse` is a call that the documentation forbids.
 */
export type Fault = "peer" | "remote" | "cut" | "misuse";

/** Why a connection ended, or why a call on a connection or stream was refused. */
export class Http2Error extends Error {
  /** The code of RFC 9113 section 7 that describes it. */
  readonly code: ErrorCode;
  readonly fault: Fault;

  constructor(code: ErrorCode, fault: Fault, text: string, options?: { cause?: unknown }) {
    super(`${errorName(code)}: ${text}`, options);
    this.name = "Http2Error";
    this.code = code;
    this.fault = fault;
  }
}
