/** A time span as service configurations have it. */
export interface Duration {
  seconds: number;
  nanos: number;
}

/** Whole milliseconds of a span. */
export function durationToMs({ seconds, nanos }: Duration): number {
  return Math.trunc(seconds * 1_000 + nanos / 1e6);
}

/** Parses `1.5s`; null for anything else. */
export function parseDuration(value: string): Duration | null {
  const match = /^(\d+)(?:\.(\d+))?s$/.exec(value);
  return match === null ? null : { seconds: Number(match[1]), nanos: Number((match[2] ?? "").slice(0, 9).padEnd(9, "0")) };
}
