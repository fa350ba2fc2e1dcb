import { SamewireError } from "../../core/error.js";
import { pathField } from "../../core/path.js";
import { leastBytes } from "../wire/allocation-budget.js";
import { bailOut } from "../wire/bail-out.js";
import { bitsAt } from "../wire/columns/bits.js";
import { isFlat, MARK } from "../wire/columns/form.js";
import { claim, readCounts, total } from "../wire/columns/reader.js";
import { withScratch } from "../wire/columns/scratch.js";
import { MOST_ELEMENTS, MOST_KEYS, MOST_NUMBERS } from "../wire/engine.js";
import { hasFlag } from "../wire/flags.js";
import type { Reader } from "../wire/reader.js";
import { OBJECT_CELLS } from "../schema/cells.js";
import { isNumeric } from "../schema/numeric.js";
import type {
  ListPlan, MapPlan, OptionPlan, ResolutionPlan, ScalarPlan, SetPlan, StructPlan,
} from "../schema/resolution-plan.js";
import {
  BoolBuilder, BytesBuilder, bitOf, checkOffset, ColumnBuilder, DateBuilder, DecimalBuilder, EnumBuilder, flagsAt,
  noRoom, NumberBuilder, TextBuilder, TimeBuilder, UuidBuilder, ValueBuilder,
} from "./builder.js";
import type { Path, ReadSlot } from "./builder.js";
import { ListColumn, MapColumn, SetColumn, StructColumn, TupleColumn } from "./column.js";
import type { Column } from "./column.js";
import { Ends, Growing } from "./growing.js";
import { InstantBuilder, JsDateBuilder } from "./instant-builder.js";

/** The columns of a type: structs within structs could have any number. */
const MOST_COLUMNS = 65_536;

/** Makes the builders of the columns of one message, or of several that are a row each. */
export class Builders {
  private count = 0;
  private readonly room: Room = { cells: 0, before: 0 };

  /** @param slot returns the reader of a slot, for types whose values are read one by one */
  constructor(private readonly slot: (plan: ResolutionPlan) => ReadSlot) {}

  /** Begins another message of the same columns; returns the cells that nulls took in those before. */
  next(): number {
    return (this.room.before = this.room.cells);
  }

  /** @throws SamewireError `unsupported` for too many columns. */
  of(plan: ResolutionPlan, path: Path): ColumnBuilder {
    if (++this.count > MOST_COLUMNS) {
      const text = `more than ${MOST_COLUMNS} columns: take decode, or fewer fields`;
      throw new SamewireError("unsupported", text, { path: path() });
    }
    switch (plan.kind) {
      case "option":
        return new OptionBuilder(plan, this.of(plan.of, path), path, this.room);
      case "enum":
        return new EnumBuilder(plan.symbols as readonly string[]);
      case "list":
        return new ListBuilder(plan, this.of(plan.of, () => `${path()}[]`), path);
      case "set":
        return new SetBuilder(plan, this.of(plan.of, () => `${path()}[]`), path);
      case "map":
        return this.map(plan, path);
      case "tuple":
        return new TupleBuilder(plan.of, plan.of.map((part, i) => this.of(part, () => `${path()}[${i}]`)));
      case "struct":
        if (plan.recursive) return new ValueBuilder("recursive", this.slot(plan));
        return this.struct(plan, path);
      case "union":
      case "ref":
        return new ValueBuilder(plan.kind, this.slot(plan));
      default:
        return this.scalar(plan, path);
    }
  }

  private map(plan: MapPlan, path: Path): MapBuilder {
    const keys = this.of(plan.key, () => `${path()}[].key`);
    const values = this.of(plan.value, () => `${path()}[].value`);
    return new MapBuilder(plan, keys, values, path);
  }

  private struct(plan: StructPlan, path: Path): StructBuilder {
    const parts = plan.slots.map((slot) => this.of(slot.plan, () => `${path()}${pathField(slot.name)}`));
    return new StructBuilder(plan, parts);
  }

  private scalar(plan: ScalarPlan, path: Path): ColumnBuilder {
    const { kind, as } = plan;
    if (isNumeric(kind)) return new NumberBuilder(kind);
    switch (kind) {
      case "bool":
        return new BoolBuilder();
      case "string":
        return new TextBuilder();
      case "bytes":
        return new BytesBuilder(path);
      case "uuid":
        return new UuidBuilder();
      case "date":
        return new DateBuilder();
      case "time":
        return new TimeBuilder();
      case "timestamp":
      case "duration":
        return as === "date" ? new JsDateBuilder() : new InstantBuilder(kind);
      case "decimal":
        return new DecimalBuilder();
      default:
        return new ValueBuilder(kind, this.slot(plan));
    }
  }
}

/**
 * The cells of null structs, which no value is charged for: in a message at most `limits.cells`, besides those of
 * values. Counted separately, so that everything else is charged as in `decode`.
 */
interface Room {
  cells: number;
  /** Those of the messages before. */
  before: number;
}

class OptionBuilder extends ColumnBuilder {
  override readonly columns: number;
  private readonly validity = new Growing(Uint8Array);
  /** Cells of a struct or tuple that is present. */
  private readonly cells: number;
  /** Cells of one that is null: its columns have room for it. */
  private readonly nothingCells: number;

  constructor(
    { of: plan }: OptionPlan,
    private readonly of: ColumnBuilder,
    private readonly path: Path,
    private readonly taken: Room,
  ) {
    super();
    this.columns = of.columns;
    this.cells = isFlat(plan) ? plan.cells : 0;
    this.nothingCells = isFlat(plan) ? of.columns : 0;
  }

  /** The value of an option that is present. */
  slot(r: Reader, depth: number): void {
    r.charge(this.cells);
    this.of.slot(r, depth);
    this.validity.push(1);
  }

  override flagged(r: Reader, depth: number, set: boolean): void {
    if (set) {
      this.slot(r, depth);
      return;
    }
    this.room(r, 1);
    this.nothing();
  }

  override row(r: Reader, depth: number, count: number): void {
    const at = flagsAt(r, count);
    for (let i = 0; i < count; i++) {
      this.flagged(r, depth, bitOf(r.b, at, i));
      if (r.p > r.end) bailOut();
    }
  }

  column(r: Reader, depth: number, m: number): void {
    const { b } = r;
    const at = bitsAt(r, m);
    const from = this.validity.extend(m);
    const set = this.validity.array.subarray(from, from + m);
    let present = 0;
    for (let i = 0; i < m; i++) present += set[i] = bitOf(b, at, i) ? 1 : 0;
    r.charge(present * this.cells);
    this.room(r, m - present);
    if (present > 0) this.of.column(r, depth, present);
    if (present < m) this.of.spread(set, present);
  }

  private room(r: Reader, nulls: number): void {
    const cells = (this.taken.cells += nulls * this.nothingCells);
    if (cells - this.taken.before <= r.options.limits.cells) return;
    noRoom(r, this.path, "nulls of structs take more memory in columns than the limit cells");
  }

  nothing(): void {
    this.validity.push(0);
    this.of.nothing();
  }

  spread(set: Uint8Array, present: number): void {
    this.validity.spread(set, present, 0);
    this.of.spread(set, present);
  }

  finish(): Column {
    return this.of.finish(this.validity.finish());
  }
}

/** The base of structs and tuples: a row of different slots. */
abstract class RowBuilder extends ColumnBuilder {
  override readonly columns: number;
  protected length = 0;
  private readonly flags: readonly boolean[];
  private readonly flagCount: number;

  constructor(plans: readonly ResolutionPlan[], protected readonly parts: readonly ColumnBuilder[]) {
    super();
    this.columns = parts.reduce((sum, part) => sum + part.columns, 1);
    this.flags = plans.map(hasFlag);
    this.flagCount = this.flags.filter(Boolean).length;
  }

  slot(r: Reader, depth: number): void {
    const { b } = r;
    const at = flagsAt(r, this.flagCount);
    const { parts, flags } = this;
    let flag = 0;
    for (let i = 0; i < parts.length; i++) {
      if (flags[i]!) parts[i]!.flagged(r, depth, bitOf(b, at, flag++));
      else parts[i]!.slot(r, depth);
    }
    this.length++;
  }

  column(r: Reader, depth: number, m: number): void {
    for (const part of this.parts) part.column(r, depth, m);
    this.length += m;
  }

  nothing(): void {
    for (const part of this.parts) part.nothing();
    this.length++;
  }

  spread(set: Uint8Array, present: number): void {
    for (const part of this.parts) part.spread(set, present);
    this.length += set.length - present;
  }
}

class StructBuilder extends RowBuilder {
  constructor(private readonly plan: StructPlan, parts: readonly ColumnBuilder[]) {
    super(plan.slots.map((slot) => slot.plan), parts);
  }

  finish(validity?: Uint8Array): Column {
    const columns = this.plan.slots.map(({ name }, i) => [name, this.parts[i]!.finish()] as const);
    return new StructColumn(this.length, new Map(columns), validity);
  }
}

class TupleBuilder extends RowBuilder {
  finish(validity?: Uint8Array): Column {
    return new TupleColumn(this.length, this.parts.map((part) => part.finish()), validity);
  }
}

/** The base of lists, sets and maps. */
abstract class ContainerBuilder extends ColumnBuilder {
  protected readonly ends = new Ends();

  constructor(private readonly path: Path) {
    super();
  }

  /** Ends a container that has so many elements. */
  protected end(r: Reader, count: number): void {
    const end = this.ends.last + count;
    checkOffset(r, end, this.path);
    this.ends.push(end);
  }

  /** Reads the counts of `m` containers, and ends these; returns the sum. */
  protected counts(r: Reader, m: number, most: number, columns: number, cells: number): number {
    const counts = readCounts(r, m, most, columns, cells);
    const sum = total(counts, m);
    checkOffset(r, this.ends.last + sum, this.path);
    this.ends.pushCounts(counts, m);
    return sum;
  }

  nothing(): void {
    this.ends.push(this.ends.last);
  }

  spread(set: Uint8Array, present: number): void {
    this.ends.spread(set, present);
  }

  /** Bails out unless the keys of the last `m` containers are distinct in each. */
  protected distinct(keys: ColumnBuilder, m: number): void {
    const { ends } = this;
    for (let i = ends.length - m; i < ends.length; i++) {
      const [from, to] = [ends.startOf(i), ends.startOf(i + 1)];
      const seen = new Set<unknown>();
      for (let k = from; k < to; k++) seen.add(keys.key(k));
      if (seen.size < to - from) bailOut();
    }
  }
}

/** Lists. A table is one, of which only the elements are given out. */
class ListBuilder extends ContainerBuilder {
  private readonly flat: boolean;
  private readonly most: number;

  constructor(private readonly plan: ListPlan, private readonly child: ColumnBuilder, path: Path) {
    super(path);
    this.flat = isFlat(plan.of);
    this.most = plan.typed === undefined ? MOST_ELEMENTS : MOST_NUMBERS;
  }

  slot(r: Reader, depth: number): void {
    this.end(r, this.elements(r, depth, r.u32()));
  }

  /** Reads the elements of a list whose count was read, in rows or in columns; returns how many they are. */
  private elements(r: Reader, depth: number, count: number): number {
    const { plan, child } = this;
    if (this.flat && count >= MARK) {
      const m = count - MARK;
      claim(r, m, MOST_ELEMENTS, Math.ceil(m / 8), OBJECT_CELLS + m * plan.cells);
      withScratch(() => { child.column(r, depth, m); });
      return m;
    }
    r.elements(count, leastBytes(plan.of, count), this.most, plan.cells);
    child.row(r, depth, count);
    return count;
  }

  column(r: Reader, depth: number, m: number): void {
    const sum = this.counts(r, m, this.most, 1, this.plan.cells);
    if (sum > 0) this.child.column(r, depth, sum);
  }

  finish(validity?: Uint8Array): Column {
    return new ListColumn(this.ends.offsets(), this.child.finish(), this.plan.typed !== undefined, validity);
  }
}

class SetBuilder extends ContainerBuilder {
  constructor(private readonly plan: SetPlan, private readonly child: ColumnBuilder, path: Path) {
    super(path);
  }

  slot(r: Reader, depth: number): void {
    const count = r.u32();
    r.elements(count, leastBytes(this.plan.of, count), MOST_KEYS, this.plan.cells);
    this.child.row(r, depth, count);
    this.end(r, count);
    this.distinct(this.child, 1);
  }

  column(r: Reader, depth: number, m: number): void {
    const sum = this.counts(r, m, MOST_KEYS, 1, this.plan.cells);
    if (sum > 0) this.child.column(r, depth, sum);
    this.distinct(this.child, m);
  }

  finish(validity?: Uint8Array): Column {
    return new SetColumn(this.ends.offsets(), this.child.finish(), validity);
  }
}

class MapBuilder extends ContainerBuilder {
  private readonly flat: boolean;

  constructor(
    private readonly plan: MapPlan,
    private readonly keys: ColumnBuilder,
    private readonly values: ColumnBuilder,
    path: Path,
  ) {
    super(path);
    this.flat = isFlat(plan.value);
  }

  slot(r: Reader, depth: number): void {
    const { key, value, cells } = this.plan;
    const count = r.u32();
    if (this.flat && count >= MARK) {
      const m = count - MARK;
      claim(r, m, MOST_KEYS, 2 * Math.ceil(m / 8), OBJECT_CELLS + m * cells);
      withScratch(() => {
        this.keys.column(r, depth, m);
        this.values.column(r, depth, m);
      });
      this.end(r, m);
    } else {
      r.elements(count, leastBytes(key, count) + leastBytes(value, count), MOST_KEYS, cells);
      this.keys.row(r, depth, count);
      this.values.row(r, depth, count);
      this.end(r, count);
    }
    this.distinct(this.keys, 1);
  }

  column(r: Reader, depth: number, m: number): void {
    const sum = this.counts(r, m, MOST_KEYS, 2, this.plan.cells);
    if (sum > 0) {
      this.keys.column(r, depth, sum);
      this.values.column(r, depth, sum);
    }
    this.distinct(this.keys, m);
  }

  finish(validity?: Uint8Array): Column {
    return new MapColumn(this.ends.offsets(), this.keys.finish(), this.values.finish(), validity);
  }
}
