import type { Metadata } from "./metadata.js";

/** The closed list of gRPC status codes, under grpc-js's names. */
export enum Status {
  OK = 0,
  CANCELLED = 1,
  UNKNOWN = 2,
  INVALID_ARGUMENT = 3,
  DEADLINE_EXCEEDED = 4,
  NOT_FOUND = 5,
  ALREADY_EXISTS = 6,
  PERMISSION_DENIED = 7,
  RESOURCE_EXHAUSTED = 8,
  FAILED_PRECONDITION = 9,
  ABORTED = 10,
  OUT_OF_RANGE = 11,
  UNIMPLEMENTED = 12,
  INTERNAL = 13,
  UNAVAILABLE = 14,
  DATA_LOSS = 15,
  UNAUTHENTICATED = 16,
}

/** How a call ended: the code, a text for people, and what the trailers carried. */
export interface StatusObject {
  code: Status;
  details: string;
  metadata: Metadata;
}

/** A status to send: the trailers are optional. */
export interface PartialStatusObject {
  code: Status;
  details: string;
  metadata?: Metadata | null | undefined;
}

/** Collects a status piece by piece, as grpc-js's `StatusBuilder`. */
export class StatusBuilder {
  readonly #status: Partial<StatusObject> = {};

  withCode(code: Status): this {
    this.#status.code = code;
    return this;
  }

  withDetails(details: string): this {
    this.#status.details = details;
    return this;
  }

  withMetadata(metadata: Metadata): this {
    this.#status.metadata = metadata;
    return this;
  }

  build(): Partial<StatusObject> {
    return { ...this.#status };
  }
}

/**
 * Parses a `grpc-status` field; null if it is not a decimal number. Unknown codes are kept (gRPC over HTTP/2,
 * "Status").
 */
export function parseStatus(text: string): Status | null {
  if (text.length === 0 || text.length > 9) return null;
  let code = 0;
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return null;
    code = code * 10 + digit;
  }
  return code;
}

/** Returns the status for the HTTP status of a response without `grpc-status` (`http-grpc-status-mapping.md`). */
export function statusOfHttp(http: number): Status {
  switch (http) {
    case 400:
      return Status.INTERNAL;
    case 401:
      return Status.UNAUTHENTICATED;
    case 403:
      return Status.PERMISSION_DENIED;
    case 404:
      return Status.UNIMPLEMENTED;
    case 429:
    case 502:
    case 503:
    case 504:
      return Status.UNAVAILABLE;
    default:
      return Status.UNKNOWN;
  }
}

/** Returns the status for the HTTP/2 error code of a reset (gRPC over HTTP/2, "HTTP2 Transport Mapping: Errors"). */
export function statusOfReset(code: number): Status {
  switch (code) {
    case 0x7: // REFUSED_STREAM
      return Status.UNAVAILABLE;
    case 0x8: // CANCEL
      return Status.CANCELLED;
    case 0xb: // ENHANCE_YOUR_CALM
      return Status.RESOURCE_EXHAUSTED;
    case 0xc: // INADEQUATE_SECURITY
      return Status.PERMISSION_DENIED;
    default:
      return Status.INTERNAL;
  }
}
