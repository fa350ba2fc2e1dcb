import { UNITS } from "../wire/columns/form.js";
import { readInstants, readMilliseconds } from "../wire/columns/times.js";
import type { Reader } from "../wire/reader.js";
import { ColumnBuilder } from "./builder.js";
import { InstantColumn, JsDateColumn } from "./column.js";
import type { Column, TimeUnit } from "./column.js";
import { Growing } from "./growing.js";

/** The units of the format, in its order. */
const NAMES: readonly TimeUnit[] = ["s", "ms", "us", "ns"];
const SECOND = 1_000_000_000;

/**
 * Timestamps or durations. They are kept in the unit of the one column that they come from; else, from rows and from
 * columns of several units, as seconds and nanoseconds, of which the coarsest unit is found at the end.
 */
export class InstantBuilder extends ColumnBuilder {
  private readonly values = new Growing(BigInt64Array);
  /** The nanoseconds to add to each value, which then is seconds; undefined while all have one unit. */
  private nanoseconds: Growing<Uint32Array> | undefined;
  /** The index of the unit; undefined while there are only nulls, which are 0 in every unit. */
  private unit: number | undefined;

  constructor(private readonly kind: "timestamp" | "duration") {
    super();
  }

  slot(r: Reader): void {
    const seconds = this.kind === "timestamp" ? BigInt(r.seconds()) : r.i64();
    const fraction = r.fraction();
    const nanoseconds = this.split();
    this.values.push(seconds);
    nanoseconds.push(fraction);
  }

  column(r: Reader, _depth: number, m: number): void {
    const { unit, counts, nanoseconds } = readInstants(r, this.kind === "timestamp", m);
    if (nanoseconds === undefined && this.nanoseconds === undefined && (this.unit ?? unit) === unit) {
      this.unit = unit;
      this.values.append(counts.subarray(0, m));
      return;
    }
    const parts = this.split();
    if (nanoseconds === undefined) {
      const from = this.values.extend(m);
      parts.extend(m);
      for (let i = 0; i < m; i++) this.put(parts, from + i, counts[i]!, unit);
      return;
    }
    this.values.append(counts.subarray(0, m));
    parts.append(nanoseconds.subarray(0, m));
  }

  /** Makes seconds and nanoseconds of what there is. */
  private split(): Growing<Uint32Array> {
    if (this.nanoseconds !== undefined) return this.nanoseconds;
    const parts = new Growing(Uint32Array);
    parts.extend(this.values.length);
    for (let i = 0; i < parts.length; i++) this.put(parts, i, this.values.array[i]!, this.unit ?? 0);
    this.unit = 0;
    return (this.nanoseconds = parts);
  }

  /** Puts a count of a unit as seconds, rounded down, and nanoseconds. */
  private put(parts: Growing<Uint32Array>, at: number, count: bigint, unit: number): void {
    const perSecond = BigInt(SECOND / UNITS[unit]!);
    const rest = ((count % perSecond) + perSecond) % perSecond;
    this.values.array[at] = (count - rest) / perSecond;
    parts.array[at] = Number(rest) * UNITS[unit]!;
  }

  nothing(): void {
    this.values.push(0n);
    this.nanoseconds?.push(0);
  }

  spread(set: Uint8Array, present: number): void {
    this.values.spread(set, present, 0n);
    this.nanoseconds?.spread(set, present, 0);
  }

  finish(validity?: Uint8Array): Column {
    const values = this.values.finish();
    const parts = this.nanoseconds?.finish();
    const unit = parts === undefined ? (this.unit ?? 0) : coarsest(parts);
    const whole = parts === undefined ? values : scaled(values, parts, unit);
    const made =
      whole === undefined
        ? new InstantColumn(this.kind, "s", values, parts, validity)
        : new InstantColumn(this.kind, NAMES[unit]!, whole, undefined, validity);
    return made;
  }

  override key(index: number): unknown {
    return this.values.array[index]! * BigInt(UNITS[this.unit ?? 0]!) + BigInt(this.nanoseconds?.array[index] ?? 0);
  }
}

/** The coarsest unit that is exact for these nanoseconds. */
function coarsest(nanoseconds: Uint32Array): number {
  let unit = 0;
  for (const part of nanoseconds) while (part % UNITS[unit]! !== 0) unit++;
  return unit;
}

/** Seconds and nanoseconds as one number of a unit; undefined if 64 bits do not hold them all. */
function scaled(seconds: BigInt64Array, nanoseconds: Uint32Array, unit: number): BigInt64Array | undefined {
  if (unit === 0) return seconds;
  const perSecond = BigInt(SECOND / UNITS[unit]!);
  const whole = new BigInt64Array(seconds.length);
  for (let i = 0; i < whole.length; i++) {
    const count = seconds[i]! * perSecond + BigInt(nanoseconds[i]! / UNITS[unit]!);
    if (BigInt.asIntN(64, count) !== count) return undefined;
    whole[i] = count;
  }
  return whole;
}

export class JsDateBuilder extends ColumnBuilder {
  private readonly milliseconds = new Growing(Float64Array);

  slot(r: Reader): void {
    this.milliseconds.push(r.milliseconds());
  }

  column(r: Reader, _depth: number, m: number): void {
    const read = readMilliseconds(r, m);
    this.milliseconds.append(read instanceof Float64Array ? read.subarray(0, m) : read);
  }

  nothing(): void {
    this.milliseconds.push(NaN);
  }

  spread(set: Uint8Array, present: number): void {
    this.milliseconds.spread(set, present, NaN);
  }

  finish(validity?: Uint8Array): Column {
    return new JsDateColumn(this.milliseconds.finish(), validity);
  }
}
