import type { Metadata } from "../protocol/metadata.js";
import { Status, type StatusObject } from "../protocol/status.js";

/** How a call failed: an Error with the status's code, details and trailers. */
export type ServiceError = StatusObject & Error;

function statusName(code: number): string {
  return Status[code] ?? "UNKNOWN";
}

/** The error of a call that ended with anything but OK. @param caller made where the call was, if its frames are asked for */
export function serviceError(code: Status, details: string, metadata: Metadata, caller: Error | null): ServiceError {
  const error = new Error(`${code} ${statusName(code)}: ${details}`);
  const frames = caller?.stack?.split("\n").slice(1).join("\n");
  if (frames !== undefined) error.stack = `${error.stack ?? error.message}\nfor call at\n${frames}`;
  return Object.assign(error, { code, details, metadata });
}
