import { OBJECT_CELLS } from "../../schema/cells.js";
import { BITS, isNumeric } from "../../schema/numeric.js";
import type { Converters } from "../../schema/tree.js";
import type { ListPlan, MapPlan, OptionPlan, ResolutionPlan, ScalarPlan, SetPlan, StructPlan } from "../../schema/resolution-plan.js";
import type { Numeric } from "../../schema/type.js";
import { bailOut } from "../bail-out.js";
import { decoderOf, madeKeys, madeSet } from "../converters.js";
import { MOST_ELEMENTS, MOST_KEYS, MOST_NUMBERS } from "../engine.js";
import type { Reader } from "../reader.js";
import { DATE_MAX, DATE_MIN, TIME_MAX } from "../time.js";
import { typedOf } from "../typed-arrays.js";
import { asFloats, isExact } from "../widening.js";
import { bitsAt } from "./bits.js";
import { readDoubles, readSingles } from "./doubles.js";
import { isFlat } from "./form.js";
import { COUNTS, indices, integersOf, readExact, readInts, readLongs, type Integers } from "./integers.js";
import { withScratch } from "./scratch.js";
import { readBytes, readTexts, readUuids, textIndices } from "./texts.js";
import { readMilliseconds, readTimes } from "./times.js";

const NONE: Converters = [];

/** Reads a slot. */
type ReadSlot = (r: Reader, depth: number) => unknown;
/** Makes objects of a struct from the columns of its slots, each of `m` values. */
export type MakeObjects = (columns: readonly (readonly unknown[])[], m: number) => unknown[];
/** Reads a column of `m` values, at least 1. */
type ReadColumn = (r: Reader, depth: number, m: number) => unknown[];
/** Reads a columnar list or map of so many elements. */
export type ReadColumns = (r: Reader, depth: number, count: number) => unknown;

/** Readers of values that have the same form in a column as in a slot. */
export interface ColumnParts {
  slot(plan: ResolutionPlan): ReadSlot;
  objects(plan: StructPlan): MakeObjects;
}

/** Makes readers of columns (columns.md): one closure for each column, which reads all its values in a loop. */
export class ColumnReaders {
  private readonly structs = new Map<StructPlan, ReadColumn>();

  constructor(private readonly parts: ColumnParts) {}

  /** Reads a list of structs or tuples. */
  list(plan: ListPlan): ReadColumns {
    const elements = this.column(plan.of, plan.converters);
    return (r, depth, count) => {
      claim(r, count, MOST_ELEMENTS, Math.ceil(count / 8), OBJECT_CELLS + count * plan.cells);
      return withScratch(() => elements(r, depth, count));
    };
  }

  /** Reads a map with values that are structs or tuples. */
  map(plan: MapPlan): ReadColumns {
    const keys = this.column(plan.key, NONE);
    const values = this.column(plan.value, plan.valueConverters);
    const decode = decoderOf(plan.keyConverters);
    return (r, depth, count) => {
      claim(r, count, MOST_KEYS, 2 * Math.ceil(count / 8), OBJECT_CELLS + count * plan.cells);
      return withScratch(() => {
        const names = keys(r, depth, count);
        const map = mapOf(names, values(r, depth, count), 0, count);
        return decode === undefined ? map : madeKeys(r, decode, map);
      });
    };
  }

  /** A column that may be empty: it has no bytes then. */
  private column(plan: ResolutionPlan, converters: Converters): ReadColumn {
    const read = this.filled(plan);
    const decode = decoderOf(converters);
    if (decode === undefined) return (r, depth, m) => (m === 0 ? [] : read(r, depth, m));
    return (r, depth, m) => (m === 0 ? [] : Array.from(read(r, depth, m), (value) => decode(r, value)));
  }

  private filled(plan: ResolutionPlan): ReadColumn {
    switch (plan.kind) {
      case "option":
        return this.options(plan);
      case "enum": {
        const { symbols } = plan;
        const known = indices(symbols.length);
        const complete = !symbols.includes(undefined);
        return (r, _, m) => {
          const indexes = readInts(r, known, m);
          const found = Array.from({ length: m }, (_, i) => symbols[indexes[i]!]);
          return complete || !found.includes(undefined) ? found : bailOut();
        };
      }
      case "list":
        return this.lists(plan);
      case "set":
        return this.sets(plan);
      case "map":
        return this.maps(plan);
      case "tuple": {
        const parts = plan.of.map((part, i) => this.column(part, plan.converters[i]!));
        return (r, depth, m) => {
          const columns = parts.map((read) => read(r, depth, m));
          const rows = new Array<unknown>(m);
          for (let i = 0; i < m; i++) rows[i] = columns.map((column) => column[i]);
          return rows;
        };
      }
      case "struct":
        return plan.recursive ? this.slots(plan) : this.struct(plan);
      case "union":
      case "ref":
        return this.slots(plan);
      default:
        return this.scalars(plan);
    }
  }

  private struct(plan: StructPlan): ReadColumn {
    const known = this.structs.get(plan);
    if (known !== undefined) return known;
    const slots = plan.slots.map((slot) => this.column(slot.plan, slot.converters));
    const objects = this.parts.objects(plan);
    const read: ReadColumn = (r, depth, m) => objects(slots.map((slot) => slot(r, depth, m)), m);
    this.structs.set(plan, read);
    return read;
  }

  private slots(plan: ResolutionPlan): ReadColumn {
    const read = this.parts.slot(plan);
    return (r, depth, m) => {
      if (m > r.end - r.p) bailOut();
      const values = new Array<unknown>(m);
      for (let i = 0; i < m; i++) {
        values[i] = read(r, depth);
        if (r.p > r.end) bailOut();
      }
      return values;
    };
  }

  private options({ of, converters, fallback }: OptionPlan): ReadColumn {
    const read = this.column(of, converters);
    const cells = isFlat(of) ? of.cells : 0;
    return (r, depth, m) => {
      const set = bits(r, m);
      let count = 0;
      for (let i = 0; i < m; i++) if (set[i]!) count++;
      r.charge(count * cells);
      const values = read(r, depth, count);
      if (count === m) return values;
      const all = new Array<unknown>(m);
      for (let i = 0, next = 0; i < m; i++) all[i] = set[i]! ? values[next++] : fallback === undefined ? null : fallback();
      return all;
    };
  }

  private lists(plan: ListPlan): ReadColumn {
    const elements = this.column(plan.of, plan.converters);
    const cut = plan.typed === undefined ? slice : typedSlice(plan.typed, plan.of.kind);
    const most = plan.typed === undefined ? MOST_ELEMENTS : MOST_NUMBERS;
    return (r, depth, m) => {
      const counts = readCounts(r, m, most, 1, plan.cells);
      const flat = elements(r, depth, total(counts, m));
      let at = 0;
      return mapped(counts, m, (count) => cut(flat, at, (at += count)));
    };
  }

  private sets(plan: SetPlan): ReadColumn {
    const elements = this.column(plan.of, NONE);
    const decode = decoderOf(plan.converters);
    return (r, depth, m) => {
      const counts = readCounts(r, m, MOST_KEYS, 1, plan.cells);
      const flat = elements(r, depth, total(counts, m));
      let at = 0;
      return mapped(counts, m, (count) => {
        const keys = r.distinct(new Set(flat.slice(at, (at += count))), count);
        return decode === undefined ? keys : madeSet(r, decode, keys);
      });
    };
  }

  private maps(plan: MapPlan): ReadColumn {
    const keys = this.column(plan.key, NONE);
    const values = this.column(plan.value, plan.valueConverters);
    const decode = decoderOf(plan.keyConverters);
    return (r, depth, m) => {
      const counts = readCounts(r, m, MOST_KEYS, 2, plan.cells);
      const sum = total(counts, m);
      const names = keys(r, depth, sum);
      const flat = values(r, depth, sum);
      let at = 0;
      return mapped(counts, m, (count) => {
        const map = mapOf(names, flat, at, (at += count));
        return decode === undefined ? map : madeKeys(r, decode, map);
      });
    };
  }

  private scalars(plan: ScalarPlan): ReadColumn {
    const { kind, as } = plan;
    if (as === "date") return (r, _, m) => dates(readMilliseconds(r, m), m);
    if (isExact(as)) {
      const read = this.scalars({ kind, as: "plain" });
      return (r, depth, m) => asFloats(read(r, depth, m) as (number | bigint)[], as);
    }
    switch (kind) {
      case "bool":
        return (r, _, m) => bits(r, m);
      case "i64":
      case "u64":
        return (r, _, m) => bigints(readLongs(r, kind, m), kind === "u64", m);
      case "i8":
      case "i16":
      case "i32":
      case "u8":
      case "u16":
      case "u32": {
        const read = numbers(integersOf(kind), kind === "u32");
        return as === "bigint" ? (r, depth, m) => read(r, depth, m).map(BigInt) : read;
      }
      case "date":
        return numbers(DATES, false);
      case "time":
        return (r, _, m) => firstOf(readExact(r, TIMES, m), m);
      case "timestamp":
      case "duration":
        return (r, _, m) => bigints(readTimes(r, kind === "timestamp", m), false, m);
      case "f64":
        return (r, _, m) => firstOf(readDoubles(r, m), m);
      case "f32":
        return (r, _, m) => firstOf(readSingles(r, m), m);
      case "string":
        return (r, _, m) => {
          const texts = readTexts(r, m);
          const indexes = textIndices();
          return Array.from({ length: m }, (_text, i) => texts[indexes[i]!]!);
        };
      case "bytes":
        return (r, _, m) => readBytes(r, m);
      case "uuid":
        return (r, _, m) => readUuids(r, m);
      default:
        return this.slots(plan);
    }
  }
}

export const DATES: Integers = { type: "i32", least: DATE_MIN, most: DATE_MAX };
export const TIMES: Integers = { type: "u64", least: 0, most: TIME_MAX };

function numbers(integers: Integers, unsigned: boolean): (r: Reader, depth: number, m: number) => number[] {
  return (r, _, m) => {
    const values = firstOf(readInts(r, integers, m), m);
    return unsigned ? values.map((value) => value >>> 0) : values;
  };
}

function firstOf(values: Int32Array | Float64Array, m: number): number[] {
  return Array.from(values.subarray(0, m));
}

function bigints(values: BigInt64Array | bigint[], unsigned: boolean, m: number): bigint[] {
  return Array.from({ length: m }, (_, i) => (unsigned ? BigInt.asUintN(64, values[i]!) : values[i]!));
}

function dates(milliseconds: Float64Array | number[], m: number): Date[] {
  return Array.from({ length: m }, (_, i) => new Date(milliseconds[i]!));
}

/** Checks and charges `count` elements whose columns take at least `least` bytes. */
export function claim(r: Reader, count: number, most: number, least: number, cells: number): void {
  if (count < 1 || count > most || least > r.end - r.p || (r.items -= count) < 0 || (r.unclaimed -= least) < 0) bailOut();
  r.charge(cells);
}

/** Reads the counts of `m` lists, sets or maps, with so many columns within, and checks and charges their sum. */
export function readCounts(r: Reader, m: number, most: number, columns: number, cells: number): Int32Array {
  const counts = readInts(r, COUNTS, m);
  let sum = 0;
  for (let i = 0; i < m; i++) {
    if (counts[i]! > most) bailOut();
    sum += counts[i]!;
  }
  const least = columns * Math.ceil(sum / 8);
  if (least > r.end - r.p || (r.items -= sum) < 0 || (r.unclaimed -= least) < 0) bailOut();
  r.charge(m * OBJECT_CELLS + sum * cells);
  return counts;
}

/** The sum of the first `m` counts. */
export function total(counts: Int32Array, m: number): number {
  let sum = 0;
  for (let i = 0; i < m; i++) sum += counts[i]!;
  return sum;
}

function mapped<T>(counts: Int32Array, m: number, make: (count: number) => T): T[] {
  return Array.from({ length: m }, (_, i) => make(counts[i]!));
}

/** A loop: a call of `slice` takes longer than most lists have elements. */
function slice(flat: unknown[], from: number, to: number): unknown[] {
  if (from === to) return [];
  const list = new Array<unknown>(to - from);
  for (let i = from; i < to; i++) list[i - from] = flat[i];
  return list;
}

/** Makes typed arrays of numbers, or of bigints. */
function typedSlice(typed: Numeric, kind: string): (flat: unknown[], from: number, to: number) => unknown {
  const widened = isNumeric(kind) && BITS[typed] === 64 && BITS[kind] < 64 && typed !== "f64";
  return (flat, from, to) => {
    const values = flat.slice(from, to);
    return typedOf(typed, widened && typeof values[0] === "number" ? values.map((value) => BigInt(value as number)) : values);
  };
}

function mapOf(keys: readonly unknown[], values: readonly unknown[], from: number, to: number): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (let i = from; i < to; i++) map.set(keys[i], values[i]);
  return map.size === to - from ? map : bailOut();
}

/** Reads a bit for each of `m` values. */
function bits(r: Reader, m: number): boolean[] {
  const { b } = r;
  const at = bitsAt(r, m);
  return Array.from({ length: m }, (_, i) => ((b[at + (i >>> 3)]! >> (i & 7)) & 1) === 1);
}
