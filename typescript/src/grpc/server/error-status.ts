import { logRepeated, LogVerbosity } from "../logging.js";
import { Metadata } from "../protocol/metadata.js";
import { Status } from "../protocol/status.js";
import type { PartialStatusObject } from "../protocol/status.js";
import type { ServerErrorResponse, ServerStatusResponse } from "./handler.js";

/**
 * Returns the status of a handler's error: its integer `code` with `details` (or the message), else UNKNOWN with the
 * message. `trailers` override the error's metadata, which may be of grpc-js's own class if a program uses both.
 */
export function errorStatus(error: ServerErrorResponse | ServerStatusResponse, trailers?: Metadata): PartialStatusObject {
  // Programs without types pass anything for an error.
  if (typeof error !== "object") return { code: Status.UNKNOWN, details: String(error), metadata: trailers ?? null };
  const details = "message" in error ? error.message : "Unknown Error";
  const metadata = trailers ?? Metadata.adopt(error.metadata);
  if (typeof error.code !== "number" || !Number.isInteger(error.code)) return { code: Status.UNKNOWN, details, metadata };
  return { code: error.code, details: typeof error.details === "string" ? error.details : details, metadata };
}

/**
 * Returns the status for what the handler of `path` threw or rejected with. A thrown value with the `code` of a failed
 * call is meant for the client. The text of any other may contain secrets, so it is logged only: drivers number their
 * errors, too (11000 is MongoDB's duplicate key, whose text quotes it).
 */
export function thrownStatus(thrown: unknown, path: string): PartialStatusObject {
  if (typeof thrown === "object" && thrown !== null && "code" in thrown && isFailure(thrown.code)) {
    return errorStatus(thrown as ServerStatusResponse);
  }
  logRepeated(LogVerbosity.ERROR, `The handler of ${path} failed:`, thrown);
  return { code: Status.UNKNOWN, details: "Unknown error" };
}

/** Whether a value is one of the codes that a call fails with. */
function isFailure(code: unknown): boolean {
  return Number.isInteger(code) && (code as number) > Status.OK && (code as number) <= Status.UNAUTHENTICATED;
}
