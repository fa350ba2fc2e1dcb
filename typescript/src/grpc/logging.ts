import { Allowance } from "./http2/allowance.js";

/** grpc-js's `logVerbosity`. */
export enum LogVerbosity {
  DEBUG = 0,
  INFO = 1,
  ERROR = 2,
  NONE = 3,
}

type Severity = Exclude<LogVerbosity, LogVerbosity.NONE>;

type Logger = Pick<Console, "error"> & Partial<Pick<Console, "info" | "debug">>;

/** Writes all to the standard error output, as grpc-js does: a program's own output stays its own. */
function letter(initial: string): (message?: unknown, ...rest: unknown[]) => void {
  return (message, ...rest) => {
    console.error(`${initial} ${String(message)}`, ...rest);
  };
}

let logger: Partial<Logger> = { error: letter("E"), info: letter("I"), debug: letter("D") };
let verbosity = fromEnvironment();

function fromEnvironment(): LogVerbosity {
  const name = process.env["GRPC_NODE_VERBOSITY"] ?? process.env["GRPC_VERBOSITY"] ?? "";
  const value = (LogVerbosity as unknown as Record<string, LogVerbosity | undefined>)[name.toUpperCase()];
  return typeof value === "number" ? value : LogVerbosity.ERROR;
}

/** Replaces the console as the destination of the library's messages. */
export function setLogger(other: Partial<Console>): void {
  logger = other;
}

/** The least severity that is written. */
export function setLogVerbosity(least: LogVerbosity): void {
  verbosity = least;
}

/** Names of the tracers that write; a `-` before a name excludes it, as in grpc-js: `GRPC_TRACE=all,-subchannel`. */
const tracers = new Set((process.env["GRPC_NODE_TRACE"] ?? process.env["GRPC_TRACE"] ?? "").split(",").filter((name) => name !== ""));

/** Whether `trace` writes for this name, if the severity suffices. */
export function isTraced(tracer: string): boolean {
  return tracers.size > 0 && !tracers.has(`-${tracer}`) && (tracers.has("all") || tracers.has(tracer));
}

/** Writes a message of a tracer, if the environment names it. */
export function trace(severity: Severity, tracer: string, text: string): void {
  if (isTraced(tracer)) log(severity, `${new Date().toISOString()} | ${process.pid} | ${tracer} | ${text}`);
}

/** The allowance for messages that a client can cause with each call. */
const repeated = new Allowance(100, 10, () => performance.now());
let skipped = 0;

/** Logs what a client can cause with each of its calls: at most 100 at once and 10 a second are written. */
export function logRepeated(severity: Severity, ...text: unknown[]): void {
  if (severity < verbosity) return;
  if (!repeated.spend()) {
    repeated.earn(1);
    skipped += 1;
    return;
  }
  if (skipped > 0) log(severity, `${skipped} messages like the next one were not written`);
  skipped = 0;
  log(severity, ...text);
}

/** Writes a message of the library, if it is severe enough. */
export function log(severity: Severity, ...text: unknown[]): void {
  if (severity < verbosity) return;
  const write = severity === LogVerbosity.DEBUG ? logger.debug : severity === LogVerbosity.INFO ? logger.info : logger.error;
  (write ?? logger.error)?.call(logger, ...text);
}
