import type { Metadata } from "../protocol/metadata.js";
import { Status, type StatusObject } from "../protocol/status.js";

/** How a call failed: an Error with the status's code, details and trailers. */
export type ServiceError = StatusObject & Error;

function statusName(code: number): string {
  return Status[code] ?? "UNKNOWN";
}

/** The error of a call that ended with anything but OK. */
export function serviceError(code: Status, details: string, metadata: Metadata): ServiceError {
  return Object.assign(new Error(`${code} ${statusName(code)}: ${details}`), { code, details, metadata });
}
