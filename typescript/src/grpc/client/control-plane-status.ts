import { Status } from "../protocol/status.js";

/** Codes that only an application's server may use. */
const RESERVED: ReadonlySet<number> = new Set([
  Status.OK,
  Status.INVALID_ARGUMENT,
  Status.NOT_FOUND,
  Status.ALREADY_EXISTS,
  Status.FAILED_PRECONDITION,
  Status.ABORTED,
  Status.OUT_OF_RANGE,
  Status.DATA_LOSS,
]);

/** The code that credentials and policies may fail a call with: INTERNAL for those that only a server may use (gRFC A54). */
export function controlPlaneStatus(code: number): Status {
  return RESERVED.has(code) || Status[code] === undefined ? Status.INTERNAL : code;
}
