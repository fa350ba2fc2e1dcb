import { BITS } from "../schema/numeric.js";
import type { ScalarNode, SchemaNode } from "../schema/tree.js";
import type { Numeric } from "../schema/type.js";
import { bitLength, zigzag } from "../wire/block-width.js";
import { DECIMAL, FROM_LEAST, FROM_PREVIOUS, MOST_DIGITS, NEW_AT_FIRST, NUMBERS, RAW, SAMPLE, SPLIT, TENS, TEXTS, UNITS } from "../wire/columns/form.js";
import type { MessageBytes } from "../wire/message-bytes.js";
import { writeBlocks } from "../wire/message-numbers.js";
import { nanosecondsOf } from "./value-writer.js";
import type { ValueWriter } from "./value-writer.js";

/** Writes a column of values that are known to fit, and are converted already. */
export function writeColumn(writer: ValueWriter, node: SchemaNode, values: readonly unknown[]): void {
  new ColumnValueWriter(writer.out, writer).column(node, values);
}

/** Writes columns (columns.md). */
class ColumnValueWriter {
  constructor(
    private readonly out: MessageBytes,
    private readonly writer: ValueWriter,
  ) {}

  /** Writes a column of values that are converted already. */
  column(node: SchemaNode, values: readonly unknown[]): void {
    if (values.length === 0) return;
    const { out, writer } = this;
    switch (node.kind) {
      case "option": {
        const present = values.filter((value) => value !== null && value !== undefined);
        out.bits(values.map((value) => value !== null && value !== undefined));
        this.column(node.of, present.map((value) => writer.converted(node.converters, value)));
        break;
      }
      case "enum":
        this.integers("u32", values.map((value) => node.symbols.indexOf(value as string)));
        break;
      case "list":
        this.counts(values.map((value) => (value as ArrayLike<unknown>).length));
        this.column(node.of, values.flatMap((value) => Array.from(value as ArrayLike<unknown>, (item) => writer.converted(node.converters, item))));
        break;
      case "set": {
        const sets = values.map((value) => writer.setKeys(node, value));
        this.counts(sets.map((set) => set.length));
        this.column(node.of, sets.flat());
        break;
      }
      case "map": {
        const maps = values as readonly ReadonlyMap<unknown, unknown>[];
        this.counts(maps.map((map) => map.size));
        this.column(node.key, maps.flatMap((map) => Array.from(map.keys(), (key) => writer.converted(node.keyConverters, key))));
        this.column(node.value, maps.flatMap((map) => Array.from(map.values(), (item) => writer.converted(node.valueConverters, item))));
        break;
      }
      case "tuple":
        node.of.forEach((part, i) => { this.column(part, values.map((value) => writer.converted(node.converters[i]!, (value as unknown[])[i]))); });
        break;
      case "struct":
        if (node.recursive) this.slots(node, values);
        else for (const field of node.fields) this.column(field.node, values.map((value) => writer.field(value, field)));
        break;
      case "union":
      case "ref":
        this.slots(node, values);
        break;
      default:
        this.scalars(node, values);
    }
  }

  private slots(node: SchemaNode, values: readonly unknown[]): void {
    for (const value of values) this.writer.slot(node, value);
  }

  private counts(counts: readonly number[]): void {
    this.integers("u32", counts);
  }

  private scalars(node: ScalarNode, values: readonly unknown[]): void {
    const { out } = this;
    const { kind } = node;
    switch (kind) {
      case "bool":
        out.bits(values as boolean[]);
        break;
      case "f64":
        this.doubles(values as number[]);
        break;
      case "f32":
        out.raw(kind, values as number[]);
        break;
      case "string":
        this.texts(values as string[], node.dedupSlot);
        break;
      case "bytes":
        this.counts(values.map((value) => (value as Uint8Array).length));
        for (const value of values) out.bytes(value as Uint8Array);
        break;
      case "timestamp":
      case "duration":
        this.times(values.map((value) => (node.native === "date" ? nanosecondsOf(value as Date) : (value as bigint))));
        break;
      case "date":
        this.integers("i32", values as number[]);
        break;
      case "time":
        this.integers("u64", values as number[]);
        break;
      case "uuid":
      case "bigint":
      case "decimal":
      case "any":
        this.slots(node, values);
        break;
      default:
        this.integers(kind, values as number[]);
    }
  }

  private integers(type: Numeric, given: readonly (number | bigint)[]): void {
    const { out } = this;
    const values = given.map(BigInt);
    const picked = sampled(values.length);
    const step = (at: number): bigint => zigzag(BigInt.asIntN(64, values[at]! - values[at - 1]!)) as bigint;
    const low = least(picked.map((at) => values[at]!));
    const longer = picked.reduce((sum, at) => sum + bitLength(values[at]! - low) - (at === 0 ? 0 : bitLength(step(at))), 0);
    const stepping = longer > 0;
    const base = stepping ? values[0]! : least(values);
    const start = out.length;
    out.byte(stepping ? FROM_PREVIOUS : FROM_LEAST);
    out.number(type, base);
    writeBlocks(out, stepping ? values.slice(1).map((_, i) => step(i + 1)) : values.map((value) => BigInt.asUintN(64, value - base)));
    if (out.length - start - 1 < (values.length * BITS[type]) / 8) return;
    out.cut(start);
    out.byte(RAW);
    out.raw(type, BITS[type] === 64 ? values : values.map(Number));
  }

  private times(times: readonly bigint[]): void {
    const { out } = this;
    const unit = UNITS.findIndex((size) => times.every((time) => time % BigInt(size) === 0n));
    const size = BigInt(UNITS[unit]!);
    const counts = times.map((time) => time / size);
    if (counts.every((count) => BigInt.asIntN(64, count) === count)) {
      out.byte(unit);
      this.integers("i64", counts);
      return;
    }
    const billion = BigInt(UNITS[SPLIT]!);
    const rests = times.map((time) => ((time % billion) + billion) % billion);
    out.byte(SPLIT);
    this.integers("i64", times.map((time, i) => (time - rests[i]!) / billion));
    this.integers("u32", rests);
  }

  private doubles(values: readonly number[]): void {
    const { out } = this;
    const picked = sampled(values.length).map((at) => values[at]!);
    const enough = Math.ceil((7 * picked.length) / 8);
    const exponent = TENS.findIndex((ten) => picked.filter((value) => digitsOf(value, ten) !== undefined).length >= enough);
    if (exponent >= 0) {
      const digits = values.map((value) => digitsOf(value, TENS[exponent]!));
      const others = values.flatMap((_, i) => (digits[i] === undefined ? [i] : []));
      if (others.length <= values.length >> 3) {
        let before = 0;
        out.byte(DECIMAL);
        out.byte(exponent);
        out.varint(others.length);
        this.integers("i64", digits.map((found) => (before = found ?? before)));
        if (others.length === 0) return;
        this.integers("u32", others);
        out.raw("f64", others.map((at) => values[at]!));
        return;
      }
    }
    const bits = new BigUint64Array(Float64Array.from(values).buffer);
    const found = dictionary(bits);
    out.byte(found === undefined ? RAW : NUMBERS);
    if (found === undefined) {
      out.raw("f64", values);
      return;
    }
    out.varint(found.distinct.length);
    out.raw("u64", found.distinct);
    this.integers("u32", found.indexes);
  }

  private texts(values: readonly string[], dedupSlot: number): void {
    const { out } = this;
    const found = dictionary(values);
    out.byte(found === undefined ? RAW : TEXTS);
    if (found !== undefined) out.varint(found.distinct.length);
    for (const text of found?.distinct ?? values) out.text(text, dedupSlot);
    if (found !== undefined) this.integers("u32", found.indexes);
  }
}

/** The positions of a sample of `m` values. */
function sampled(m: number): number[] {
  const size = Math.min(m, SAMPLE);
  return Array.from({ length: size }, (_, i) => Math.floor((i * m) / size));
}

function least(values: readonly bigint[]): bigint {
  return values.reduce((low, value) => (value < low ? value : low));
}

/** The digits of a number that is decimal with ten to that power; undefined for others. */
function digitsOf(value: number, ten: number): number | undefined {
  const digits = Math.floor(value * ten + 0.5);
  return Math.abs(digits) <= MOST_DIGITS && Object.is(digits / ten, value) ? digits : undefined;
}

/** The distinct values in order, and the index of each value; undefined if too many are new for a dictionary. */
function dictionary<T>(values: ArrayLike<T>): { readonly distinct: T[]; readonly indexes: number[] } | undefined {
  const known = new Map<T, number>();
  const indexes: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const index = known.get(values[i]!) ?? known.size;
    known.set(values[i]!, index);
    indexes.push(index);
    if (known.size > NEW_AT_FIRST + ((i + 1) >> 1)) return undefined;
  }
  return known.size > values.length >> 1 ? undefined : { distinct: [...known.keys()], indexes };
}
