import { Metadata } from "../protocol/metadata.js";
import { Status } from "../protocol/status.js";

/** The error of a failed call. A handler throws it to end the call with a status. */
export class GrpcError extends Error {
  readonly code: Status;
  readonly details: string;
  /** The trailers. */
  readonly metadata: Metadata;

  constructor(code: Status, details: string, metadata: Metadata = new Metadata()) {
    super(`${statusName(code)}: ${details}`);
    this.name = "GrpcError";
    this.code = code;
    this.details = details;
    this.metadata = metadata;
  }
}

/** Codes on the wire may have no name. */
function statusName(code: number): string {
  return Status[code] ?? `status ${code}`;
}
