/** Milliseconds of one unit of `grpc-timeout`, by its letter (gRPC over HTTP/2, "TimeoutUnit"). */
const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** The grammar allows eight digits at most. */
const LARGEST = 99_999_999;

/**
 * Milliseconds (a fraction for `u` and `n`) of a `grpc-timeout` value, or -1 when it breaks the grammar: one to eight
 * digits and a unit.
 */
export function parseTimeout(value: string): number {
  const digits = value.length - 1;
  if (digits < 1 || digits > 8) return -1;
  let amount = 0;
  for (let at = 0; at < digits; at += 1) {
    const digit = value.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    amount = amount * 10 + digit;
  }
  const unit = UNITS[value[digits]!];
  return unit === undefined ? -1 : amount * unit;
}

/**
 * A `grpc-timeout` value for so many milliseconds, in the finest unit that fits, rounded up. What has passed already is
 * sent as `1n`.
 */
export function formatTimeout(milliseconds: number): string {
  if (!(milliseconds > 0)) return "1n";
  if (milliseconds <= LARGEST) return `${Math.ceil(milliseconds)}m`;
  const seconds = Math.ceil(milliseconds / 1_000);
  if (seconds <= LARGEST) return `${seconds}S`;
  const minutes = Math.ceil(milliseconds / 60_000);
  if (minutes <= LARGEST) return `${minutes}M`;
  return `${Math.min(Math.ceil(milliseconds / 3_600_000), LARGEST)}H`;
}

/** A point in time: a date, or milliseconds since 1970. `Infinity` is none. */
export type Deadline = Date | number;

/** Milliseconds since 1970 of a deadline. An invalid date or NaN has passed, as in grpc-js. */
export function deadlineMillis(deadline: Deadline): number {
  const milliseconds = typeof deadline === "number" ? deadline : deadline.getTime();
  return Number.isNaN(milliseconds) ? -Infinity : milliseconds;
}
