import { Status } from "../protocol/status.js";

/** gRFC A6: attempts one after the other, with growing pauses. Times in milliseconds. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly initialBackoff: number;
  readonly maxBackoff: number;
  readonly backoffMultiplier: number;
  readonly codes: ReadonlySet<number>;
}

/** gRFC A6: attempts side by side, `delay` milliseconds apart; the first successful response wins. */
export interface HedgingPolicy {
  readonly maxAttempts: number;
  readonly delay: number;
  /** Codes that do not end the call while other attempts may be made. */
  readonly nonFatal: ReadonlySet<number>;
}

/** The part of a service configuration for one method. */
export interface MethodConfig {
  readonly waitForReady: boolean;
  /** Milliseconds; Infinity where none is set. */
  readonly timeout: number;
  /** Largest message to send and to take, in bytes; Infinity where none is set. */
  readonly maxRequestBytes: number;
  readonly maxResponseBytes: number;
  readonly retry: RetryPolicy | null;
  readonly hedging: HedgingPolicy | null;
}

export const DEFAULT_METHOD_CONFIG: MethodConfig = {
  waitForReady: false,
  timeout: Infinity,
  maxRequestBytes: Infinity,
  maxResponseBytes: Infinity,
  retry: null,
  hedging: null,
};

/** The names of one `methodConfig` entry: `/service/method`, `/service/` for a whole service, `/` for everything. */
export function methodNames(entry: Record<string, unknown>): string[] {
  if (!Array.isArray(entry["name"])) throw new Error("Invalid method config: name must be an array");
  return entry["name"].map((name: unknown) => {
    const { service, method } = object(name, "Invalid method config name: an object is expected");
    if (!absentOrText(service)) throw new Error("Invalid method config name: service must be a string");
    if (!absentOrText(method)) throw new Error("Invalid method config name: method must be a string");
    if (!service && method) throw new Error("Invalid method config name: method set with empty or unset service");
    return service ? `/${service}/${method ?? ""}` : "/";
  });
}

/** Validates one `methodConfig` entry. @throws Error that names the field */
export function parseMethodConfig(entry: Record<string, unknown>): MethodConfig {
  const { waitForReady, timeout, maxRequestBytes, maxResponseBytes, retryPolicy, hedgingPolicy } = entry;
  if (waitForReady !== undefined && typeof waitForReady !== "boolean") {
    throw new Error("Invalid method config: waitForReady must be a boolean");
  }
  if (retryPolicy !== undefined && hedgingPolicy !== undefined) {
    throw new Error("Invalid method config: retryPolicy and hedgingPolicy cannot both be specified");
  }
  return {
    waitForReady: waitForReady ?? false,
    timeout: timeout === undefined ? Infinity : parseDuration(timeout, "method config: timeout"),
    maxRequestBytes: bytes(maxRequestBytes, "maxRequestBytes"),
    maxResponseBytes: bytes(maxResponseBytes, "maxResponseBytes"),
    retry: retryPolicy === undefined ? null : parseRetry(retryPolicy),
    hedging: hedgingPolicy === undefined ? null : parseHedging(hedgingPolicy),
  };
}

function parseRetry(value: unknown): RetryPolicy {
  const where = "method config retry policy:";
  const policy = object(value, `Invalid ${where} an object is expected`);
  const { backoffMultiplier } = policy;
  if (typeof backoffMultiplier !== "number" || !(backoffMultiplier > 0)) {
    throw new Error(`Invalid ${where} backoffMultiplier must be a number greater than 0`);
  }
  const codes = parseCodes(policy["retryableStatusCodes"], `${where} retryableStatusCodes`);
  if (codes.size === 0) throw new Error(`Invalid ${where} retryableStatusCodes must be non-empty`);
  return {
    maxAttempts: attempts(policy["maxAttempts"], where),
    initialBackoff: positive(policy["initialBackoff"], `${where} initialBackoff`),
    maxBackoff: positive(policy["maxBackoff"], `${where} maxBackoff`),
    backoffMultiplier,
    codes,
  };
}

function parseHedging(value: unknown): HedgingPolicy {
  const where = "method config hedging policy:";
  const policy = object(value, `Invalid ${where} an object is expected`);
  const { hedgingDelay, nonFatalStatusCodes } = policy;
  return {
    maxAttempts: attempts(policy["maxAttempts"], where),
    delay: hedgingDelay === undefined ? 0 : parseDuration(hedgingDelay, `${where} hedgingDelay`),
    nonFatal: nonFatalStatusCodes === undefined ? new Set() : parseCodes(nonFatalStatusCodes, `${where} nonFatalStatusCodes`),
  };
}

/** Of `google.protobuf.Duration`: ten thousand years. */
const MOST_SECONDS = 315_576_000_000;

/** A protobuf duration in milliseconds, never below 0: `"1.5s"`, or `{seconds, nanos}`. */
export function parseDuration(value: unknown, what: string): number {
  if (typeof value === "string") {
    const match = /^(\d{1,12}(?:\.\d{1,9})?)s$/.exec(value);
    if (match !== null) return Number(match[1]) * 1_000;
  } else if (typeof value === "object" && value !== null && "seconds" in value && "nanos" in value) {
    const { seconds, nanos } = value;
    if (inRange(seconds, MOST_SECONDS) && inRange(nanos, 999_999_999)) return seconds * 1_000 + nanos / 1e6;
  }
  throw new Error(`Invalid ${what} must be a string consisting of a positive integer or decimal followed by s`);
}

function inRange(value: unknown, most: number): value is number {
  return typeof value === "number" && value >= 0 && value <= most;
}

function positive(value: unknown, what: string): number {
  const milliseconds = parseDuration(value, what);
  if (milliseconds === 0) throw new Error(`Invalid ${what} must be greater than 0`);
  return milliseconds;
}

function attempts(value: unknown, where: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 2) return value;
  throw new Error(`Invalid ${where} maxAttempts must be an integer at least 2`);
}

function bytes(value: unknown, field: string): number {
  if (value === undefined) return Infinity;
  if (typeof value === "number" && value >= 0) return value;
  throw new Error(`Invalid method config: ${field} must be a number of bytes`);
}

function parseCodes(value: unknown, what: string): Set<number> {
  if (!Array.isArray(value)) throw new Error(`Invalid ${what} must be an array`);
  return new Set(
    value.map((item: unknown) => {
      const code = statusCode(item);
      if (code === null) throw new Error(`Invalid ${what} value not a status code or name`);
      return code;
    }),
  );
}

/** Returns a code by its number or its name in any case; null for neither. */
function statusCode(value: unknown): number | null {
  if (typeof value === "number") return Status[value] === undefined ? null : value;
  if (typeof value !== "string") return null;
  const code = (Status as unknown as Record<string, number | string | undefined>)[value.toUpperCase()];
  return typeof code === "number" ? code : null;
}

/** `value` as a plain object. @throws Error with `complaint` */
export function object(value: unknown, complaint: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(complaint);
  return value as Record<string, unknown>;
}

function absentOrText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}
