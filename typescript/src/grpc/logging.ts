/** grpc-js's `logVerbosity`. */
export enum LogVerbosity {
  DEBUG = 0,
  INFO = 1,
  ERROR = 2,
  NONE = 3,
}

type Logger = Pick<Console, "error"> & Partial<Pick<Console, "info" | "debug">>;

let logger: Partial<Logger> = console;
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

/** Writes a message of the library, if it is severe enough. */
export function log(severity: Exclude<LogVerbosity, LogVerbosity.NONE>, ...text: unknown[]): void {
  if (severity < verbosity) return;
  const write = severity === LogVerbosity.DEBUG ? logger.debug : severity === LogVerbosity.INFO ? logger.info : logger.error;
  (write ?? logger.error)?.call(logger, ...text);
}
