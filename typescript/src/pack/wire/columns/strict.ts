import { OBJECT_CELLS } from "../../schema/cells.js";
import { pathField } from "../../../core/path.js";
import { BITS, isSigned } from "../../schema/numeric.js";
import type { ListPlan, MapPlan, Place, ResolutionPlan, ScalarPlan, SetPlan, StructPlan } from "../../schema/resolution-plan.js";
import type { Converters } from "../../schema/tree.js";
import type { Numeric } from "../../schema/type.js";
import { MOST_ELEMENTS, MOST_KEYS, MOST_NUMBERS } from "../engine.js";
import { BLOCK } from "../row-form.js";
import type { Cursor } from "../strict-reader.js";
import { floatsOf, walkInteger } from "../strict-numbers.js";
import { walkBlock } from "../strict-rows.js";
import { DATE_MAX, DATE_MIN, TIME_MAX } from "../time.js";
import { hasExactly, isExact } from "../widening.js";
import { dateOf, entries, numberOf, uuidOf } from "../values.js";
import { DECIMAL, FROM_LEAST, FROM_PREVIOUS, isFlat, MOST_DECIMALS, MOST_DIGITS, NUMBERS, RAW, rangeOfTimes, SPLIT, TENS, TEXTS, UNITS } from "./form.js";

/** How an integer is written alone, and the range of a column's. */
interface Integers {
  readonly type: Exclude<Numeric, "f32" | "f64">;
  readonly least: bigint;
  readonly most: bigint;
}

const COUNTS: Integers = { type: "u32", least: 0n, most: 0x7fff_ffffn };
const POSITIONS: Integers = { type: "u32", least: 0n, most: 0xffff_ffffn };
const NANOSECONDS: Integers = { type: "u32", least: 0n, most: 999_999_999n };
const DIGITS: Integers = { type: "i64", least: -BigInt(MOST_DIGITS), most: BigInt(MOST_DIGITS) };

/** The part of a message's walk that the walk of columns needs. */
export interface ColumnWalk {
  readonly cursor: Cursor;
  inside<T>(step: string, walk: () => T): T;
  /** Adds elements at that offset to the items. */
  add(at: number, count: number): void;
  charge(at: number, cells: number): void;
  text(): string;
  slot(plan: ResolutionPlan): unknown;
  /** Whether values are made. */
  makes(): boolean;
  object(plan: StructPlan, values: readonly unknown[]): unknown;
  converted(converters: Converters, value: unknown): unknown;
  sequence(plan: ListPlan, values: unknown[]): unknown;
  keys(converters: Converters, keys: Set<unknown>): Set<unknown>;
  /** Whether an instant finer than a `Date` is read as one. */
  truncatesTimes(): boolean;
}

/** Reads columns strictly (columns.md). A walk that makes no values still makes those of keys. */
export class ColumnWalker {
  private readonly cursor: Cursor;

  constructor(private readonly walk: ColumnWalk) {
    this.cursor = walk.cursor;
  }

  /** Reads the elements of a columnar list whose count stands at `at`. */
  list(plan: ListPlan, at: number, count: number): unknown {
    this.elements(at, count, MOST_ELEMENTS, 1, plan.cells);
    return this.walk.inside("[]", () => this.place({ plan: plan.of, converters: plan.converters }, count));
  }

  /** Reads the entries of a columnar map. */
  map(plan: MapPlan, at: number, count: number): unknown {
    this.elements(at, count, MOST_KEYS, 2, plan.cells);
    const keys = this.walk.keys(plan.keyConverters, this.distinct(this.walk.inside("[].key", () => this.column(plan.key, count)), 0, count, at));
    const values = this.walk.inside("[].value", () => this.place({ plan: plan.value, converters: plan.valueConverters }, count));
    return this.walk.makes() ? entries([...keys], values) : undefined;
  }

  private elements(at: number, count: number, most: number, columns: number, cells: number): void {
    this.walk.add(at, count);
    this.cursor.need(columns * Math.ceil(count / 8));
    this.walk.charge(at, OBJECT_CELLS + count * cells);
    if (count > most) this.cursor.fail("limit_items", at, `${count} elements, more than this engine holds in one list or map`);
  }

  private distinct(keys: readonly unknown[], from: number, to: number, at: number): Set<unknown> {
    const set = new Set(keys.slice(from, to));
    return set.size < to - from ? this.cursor.fail("malformed", at, "a key occurs more than once") : set;
  }

  private place({ plan, converters }: Place, m: number): readonly unknown[] {
    const values = this.column(plan, m);
    return converters.length === 0 ? values : values.map((value) => this.walk.converted(converters, value));
  }

  /** Reads a column of `m` values; returns them, or only those that may be keys. */
  private column(plan: ResolutionPlan, m: number): readonly unknown[] {
    if (m === 0) return [];
    const { cursor } = this;
    const at = cursor.position;
    switch (plan.kind) {
      case "option": {
        const set = this.bits(m);
        const count = set.filter(Boolean).length;
        if (isFlat(plan.of)) this.walk.charge(at, count * plan.of.cells);
        const present = this.place({ plan: plan.of, converters: plan.converters }, count);
        let next = 0;
        return set.map((bit) => (bit ? present[next++] : null));
      }
      case "enum": {
        const found = this.integers({ type: "u32", least: 0n, most: BigInt(plan.symbols.length) - 1n }, m);
        const unknown = found.find((index) => plan.symbols[Number(index)] === undefined);
        if (unknown !== undefined) cursor.fail("schema_mismatch", at, `number ${unknown} of the writer's symbols of ${plan.name} is not known to the reader`);
        return found.map((index) => plan.symbols[Number(index)]);
      }
      case "list":
      case "set":
      case "map":
        return this.containers(plan, m);
      case "tuple": {
        const parts = plan.of.map((part, i) => this.walk.inside(`[${i}]`, () => this.place({ plan: part, converters: plan.converters[i]! }, m)));
        return this.each(m, (i) => parts.map((part) => part[i]));
      }
      case "struct": {
        if (plan.recursive) return this.slots(plan, m);
        const parts = plan.slots.map((slot) => this.walk.inside(pathField(slot.name), () => this.place(slot, m)));
        return this.each(m, (i) => this.walk.object(plan, parts.map((part) => part[i])));
      }
      case "union":
      case "ref":
        return this.slots(plan, m);
      default:
        return this.scalars(plan, m);
    }
  }

  /** Makes `m` values, if any are made. */
  private each(m: number, make: (i: number) => unknown): unknown[] {
    return this.walk.makes() ? Array.from({ length: m }, (_, i) => make(i)) : [];
  }

  private containers(plan: ListPlan | SetPlan | MapPlan, m: number): unknown[] {
    const { cursor, walk } = this;
    const at = cursor.position;
    const counts = this.integers(COUNTS, m).map(Number);
    const total = counts.reduce((sum, count) => sum + count, 0);
    walk.add(at, total);
    cursor.need((plan.kind === "map" ? 2 : 1) * Math.ceil(total / 8));
    walk.charge(at, OBJECT_CELLS * m + total * plan.cells);
    const most = plan.kind !== "list" ? MOST_KEYS : plan.typed === undefined ? MOST_ELEMENTS : MOST_NUMBERS;
    if (counts.some((count) => count > most)) cursor.fail("limit_items", at, "more elements than this engine holds in one list, set or map");
    const ends: number[] = [];
    for (const count of counts) ends.push((ends.at(-1) ?? 0) + count);
    if (plan.kind === "list") {
      const values = walk.inside("[]", () => this.place({ plan: plan.of, converters: plan.converters }, total));
      return this.each(m, (i) => walk.sequence(plan, values.slice(ends[i]! - counts[i]!, ends[i])));
    }
    const keys = plan.kind === "set" ? walk.inside("[]", () => this.column(plan.of, total)) : walk.inside("[].key", () => this.column(plan.key, total));
    const sets = counts.map((count, i) => this.distinct(keys, ends[i]! - count, ends[i]!, at));
    if (plan.kind === "set") return sets.map((set) => walk.keys(plan.converters, set));
    const made = sets.map((set) => walk.keys(plan.keyConverters, set));
    const values = walk.inside("[].value", () => this.place({ plan: plan.value, converters: plan.valueConverters }, total));
    return this.each(m, (i) => entries([...made[i]!], values.slice(ends[i]! - counts[i]!, ends[i])));
  }

  private slots(plan: ResolutionPlan, m: number): readonly unknown[] {
    this.cursor.need(m);
    const values: unknown[] = [];
    for (let i = 0; i < m; i++) values.push(this.walk.slot(plan));
    return values;
  }

  /** A bit for each of `m` values. */
  private bits(m: number): boolean[] {
    const { cursor } = this;
    const bytes = cursor.take(Math.ceil(m / 8));
    if (m % 8 !== 0 && bytes[bytes.length - 1]! >> m % 8 !== 0) cursor.fail("malformed", cursor.position - 1, "unused bits that are not zero");
    return Array.from({ length: m }, (_, i) => ((bytes[i >>> 3]! >> (i & 7)) & 1) === 1);
  }

  private scalars(plan: ScalarPlan, m: number): readonly unknown[] {
    const { cursor } = this;
    const { kind } = plan;
    switch (kind) {
      case "bool":
        return this.bits(m);
      case "f64":
        return this.doubles(m);
      case "f32":
        return [...floatsOf(kind, cursor.take(4 * m))];
      case "string":
        return this.texts(m);
      case "bytes": {
        const lengths = this.integers(COUNTS, m).map(Number);
        const bytes = cursor.take(lengths.reduce((sum, length) => sum + length, 0));
        let end = 0;
        return this.each(m, (i) => new Uint8Array(bytes.subarray(end, (end += lengths[i]!))));
      }
      case "timestamp":
      case "duration":
        return this.times(plan, m);
      case "date":
        return this.integers({ type: "i32", least: BigInt(DATE_MIN), most: BigInt(DATE_MAX) }, m).map(Number);
      case "time":
        return this.integers({ type: "u64", least: 0n, most: BigInt(TIME_MAX) }, m).map(Number);
      case "uuid":
        cursor.need(16 * m);
        return Array.from({ length: m }, () => uuidOf(cursor.take(16)));
      case "bigint":
      case "decimal":
      case "any":
        return this.slots(plan, m);
      default: {
        const bits = BigInt(BITS[kind]);
        const signed = isSigned(kind);
        const at = cursor.position;
        const found = this.integers({ type: kind, least: signed ? -(1n << (bits - 1n)) : 0n, most: (1n << (signed ? bits - 1n : bits)) - 1n }, m);
        const { as } = plan;
        const between = isExact(as) ? found.find((value) => !hasExactly(as, value)) : undefined;
        if (between !== undefined) cursor.fail("bad_number", at, `${between} lies between two numbers of ${as}`);
        return found.map((value) => numberOf(kind, value));
      }
    }
  }

  private integers({ type, least, most }: Integers, m: number): bigint[] {
    const { cursor } = this;
    let at = cursor.position;
    const mode = cursor.byte();
    if (mode > FROM_PREVIOUS) cursor.fail("malformed", at, `integers have no mode ${mode}`);
    const check = (values: readonly bigint[]): void => {
      if (values.some((value) => value < least || value > most)) cursor.fail("bad_number", at, `a value outside the range of ${least} to ${most}`);
    };
    const wrap = (value: bigint): bigint => (isSigned(type) ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value));
    if (mode === RAW) {
      const values = this.raw(type, m);
      check(values);
      return values;
    }
    cursor.need(Math.ceil(m / 8));
    at = cursor.position;
    const base = walkInteger(cursor, type);
    check([base]);
    const values = mode === FROM_PREVIOUS ? [base] : [];
    while (values.length < m) {
      at = cursor.position;
      const block: bigint[] = [];
      walkBlock(cursor, "u64", Math.min(BLOCK, m - values.length), false, block);
      const from = values.length;
      for (const u of block) {
        if (mode === FROM_LEAST) values.push(wrap(base + u));
        else values.push(wrap(values[values.length - 1]! + ((u & 1n) === 0n ? u >> 1n : -(u >> 1n) - 1n)));
      }
      check(values.slice(from));
    }
    return values;
  }

  private raw(type: Integers["type"], m: number): bigint[] {
    const width = BITS[type] / 8;
    const bytes = this.cursor.take(m * width);
    return Array.from({ length: m }, (_, i) => {
      let value = 0n;
      for (let k = width; k-- > 0; ) value = (value << 8n) | BigInt(bytes[i * width + k]!);
      return isSigned(type) ? BigInt.asIntN(8 * width, value) : value;
    });
  }

  private times(plan: ScalarPlan, m: number): readonly unknown[] {
    const { cursor } = this;
    const start = cursor.position;
    const unit = cursor.byte();
    if (unit > SPLIT) cursor.fail("malformed", start, `times have no unit ${unit}`);
    const size = BigInt(UNITS[unit]!);
    const counts = this.integers({ type: "i64", ...rangeOfTimes(plan.kind === "timestamp", unit) }, m);
    const fractions = unit === SPLIT ? this.integers(NANOSECONDS, m) : [];
    const times = counts.map((count, i) => count * size + (fractions[i] ?? 0n));
    if (plan.as === "date" && !this.walk.truncatesTimes() && times.some((time) => time % 1_000_000n !== 0n)) {
      const text = "a Date has milliseconds, an instant of this column is finer; use timestamp, or { times: \"truncate\" }";
      cursor.fail("type_mismatch", start, text);
    }
    return plan.as === "date" ? times.map(dateOf) : times;
  }

  private doubles(m: number): readonly unknown[] {
    const { cursor } = this;
    const start = cursor.position;
    const mode = cursor.byte();
    if (mode === RAW) return [...floatsOf("f64", cursor.take(8 * m))];
    if (mode === NUMBERS) {
      const size = this.dictionarySize(m);
      const numbers = floatsOf("f64", cursor.take(8 * size));
      return this.integers({ type: "u32", least: 0n, most: BigInt(size) - 1n }, m).map((index) => numbers[Number(index)]);
    }
    return mode === DECIMAL ? this.decimals(m) : cursor.fail("malformed", start, `floats have no mode ${mode}`);
  }

  private decimals(m: number): readonly unknown[] {
    const { cursor } = this;
    const exponentAt = cursor.position;
    const exponent = cursor.byte();
    if (exponent > MOST_DECIMALS) cursor.fail("malformed", exponentAt, `an exponent of ${exponent}; the greatest is ${MOST_DECIMALS}`);
    const countAt = cursor.position;
    const exceptions = cursor.count();
    if (exceptions > m) cursor.fail("malformed", countAt, `${exceptions} exceptions of ${m} numbers`);
    const numbers = this.integers(DIGITS, m).map((digits) => Number(digits) / TENS[exponent]!);
    if (exceptions === 0) return numbers;
    const at = cursor.position;
    const positions = this.integers(POSITIONS, exceptions);
    if (positions.some((position, i) => position >= BigInt(m) || (i > 0 && position <= positions[i - 1]!))) {
      cursor.fail("malformed", at, "the positions of exceptions are out of order or range");
    }
    const others = floatsOf("f64", cursor.take(8 * exceptions));
    positions.forEach((position, i) => { numbers[Number(position)] = others[i]!; });
    return numbers;
  }

  private texts(m: number): readonly string[] {
    const { cursor } = this;
    const start = cursor.position;
    const mode = cursor.byte();
    if (mode !== RAW && mode !== TEXTS) cursor.fail("malformed", start, `texts have no mode ${mode}`);
    const size = mode === RAW ? m : this.dictionarySize(m);
    cursor.need(size);
    const texts = Array.from({ length: size }, () => this.walk.text());
    if (mode === RAW) return texts;
    return this.integers({ type: "u32", least: 0n, most: BigInt(size) - 1n }, m).map((index) => texts[Number(index)]!);
  }

  private dictionarySize(m: number): number {
    const at = this.cursor.position;
    const size = this.cursor.count();
    return size >= 1 && size <= m ? size : this.cursor.fail("malformed", at, `a dictionary of ${size} for ${m} values`);
  }
}
